import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testEgress, type ProbeRunOptions } from '../../test/support/probe-run.js';
import { runProbe } from './run-check.js';
import { tcpProbe, type TcpFields } from './tcp.probe.js';

function runTcp(fields: TcpFields, { timeoutMs = 2_000, allow }: ProbeRunOptions = {}) {
  return runProbe(tcpProbe, fields, { timeoutMs, egress: testEgress(allow) });
}

describe('the TCP probe', () => {
  let server: Server;
  let port: number;
  let connections = 0;

  beforeEach(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => new Promise((done) => server.close(done)));

  it('passes if the connection is accepted', async () => {
    expect(await runTcp({ host: 'localhost', port })).toMatchObject({
      statusCode: null,
      responseTimeMs: expect.any(Number),
      timings: {
        dnsMs: expect.any(Number),
        connectMs: expect.any(Number),
        tlsMs: null,
        firstByteMs: null,
        transferMs: null,
      },
      remoteAddress: '127.0.0.1',
      error: null,
    });
  });

  it.each<[Partial<TcpFields>, ProbeRunOptions, string]>([
    [{ port: 1 }, {}, 'connect_refused'],
    [{ host: '192.0.2.254' }, { allow: true, timeoutMs: 200 }, 'connect_timeout'],
    [{}, { allow: [] }, 'address_blocked'],
    [{ host: '2130706433' }, { allow: [] }, 'address_blocked'],
    [{ host: '169.254.169.254' }, { allow: true }, 'address_blocked'],
    [{ assertions: [{ source: 'responseTimeMs', comparison: 'lessThan', target: -1 }] }, {}, 'assertion_failed'],
  ])('for %j with the options %j, fails with %s', async (fields, options, code) => {
    const outcome = await runTcp({ host: '127.0.0.1', port, ...fields }, options);
    // A machine without a route to TEST-NET-1 reports this immediately.
    if (code === 'connect_timeout') expect(outcome.error?.code).toMatch(/^connect_(timeout|failed)$/);
    else expect(outcome.error?.code).toBe(code);
  });

  it('does not connect to a blocked address', async () => {
    await runTcp({ host: '127.0.0.1', port }, { allow: [] });
    await runTcp({ host: 'localhost', port }, { allow: [] });
    expect(connections).toBe(0);
  });

  it.each([
    ['example.com', 'example.com:22'],
    ['2001:db8::1', '[2001:db8::1]:22'],
    ['[2001:db8::1]', '[2001:db8::1]:22'],
  ])('shows the target %s as %s', (host, target) => expect(tcpProbe.target({ host, port: 22 })).toBe(target));
});
