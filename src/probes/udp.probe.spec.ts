import { createSocket } from 'node:dgram';
import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startDatagrams, stopsServers } from '../../test/support/probe-scripts.js';
import { datagramServer } from '../../test/support/scripted-server.js';
import { CheckerFault } from './evaluation.js';
import { UdpFields } from './udp.probe.js';

const host = '127.0.0.1';

/** Starts a server that answers each datagram with what `answer` returns, if that is not null. */
function listen(answer: (request: Buffer, number: number) => string | Buffer | null) {
  return startDatagrams((request, respond, number) => {
    const reply = answer(request, number);
    if (reply !== null) respond(reply);
  });
}

stopsServers();

describe('UdpFields', () => {
  it.each([
    [{}, '/settings isObject'],
    [{ settings: {} }, '/settings/send isString'],
    [{ settings: { send: null } }, '/settings/send isString'],
    [{ settings: { send: '' } }, '/settings/send minLength'],
    [{ settings: { send: 'abc', encoding: 'hex' } }, '/settings/send invalid_value'],
    [{ settings: { send: 'a' }, port: undefined }, '/port isInt'],
  ])('rejects %j with %s', (more, problem) =>
    expect(problemsOf(UdpFields, { host, port: 9, ...more })).toContain(problem),
  );
});

describe('the UDP probe', () => {
  it.each([
    ['any response', { send: 'status' }],
    ['the expected text', { send: 'status', expect: 'players' }],
    ['the expected pattern', { send: 'status', expectMatches: '\\d+ players' }],
    ['the expected bytes', { send: '737461747573', expect: '706C', encoding: 'hex' }],
  ])('passes on %s', async (_, settings) => {
    const { port, received } = await listen(() => '12 players');
    expect(await runCheck('udp', { host, port, settings })).toMatchObject({
      error: null,
      remoteAddress: host,
      responseTimeMs: expect.any(Number),
      timings: { firstByteMs: expect.any(Number) },
    });
    expect(received.map(String)).toEqual(['status']);
  });

  it('sends a datagram again if it was lost', async () => {
    const { port, received } = await listen((_, number) => (number === 1 ? null : 'here'));
    expect((await runCheck('udp', { host, port, settings: { send: 'a' } }, { timeoutMs: 1_200 })).error).toBeNull();
    expect(received).toHaveLength(2);
  });

  it.each<[string, string | null, object, string]>([
    ['no response', null, {}, 'timeout'],
    ['another response', 'busy', { expect: 'ready' }, 'unexpected_response'],
  ])('fails on %s', async (_, reply, more, code) => {
    const { port } = await listen(() => reply);
    const outcome = await runCheck('udp', { host, port, settings: { send: 'a', ...more } }, { timeoutMs: 300 });
    expect(outcome.error?.code).toBe(code);
  });

  it('is inconclusive if the service fails to evaluate a later response', async () => {
    const { port } = await startDatagrams((_, respond) => {
      respond('busy');
      // Only longer responses need a share of the time for evaluations.
      respond('busy '.repeat(1_000));
    });
    const evaluate = () => {
      throw new CheckerFault('no share');
    };
    const settings = { send: 'a', expectMatches: 'ready' };
    const outcome = await runCheck('udp', { host, port, settings }, { evaluate });
    expect(outcome.error?.code).toBe('checker_error');
  });

  it('fails with connect_refused if the port is closed', async () => {
    const { port, close } = await datagramServer(() => undefined);
    await close();
    expect((await runCheck('udp', { host, port, settings: { send: 'a' } })).error?.code).toBe('connect_refused');
  });

  it('ignores responses of other senders', async () => {
    const other = createSocket('udp4');
    await new Promise<void>((done) => other.bind(0, host, done));
    const { port } = await startDatagrams((_request, _respond, _number, from) => {
      other.send('forged', from.port, from.address);
    });
    const outcome = await runCheck('udp', { host, port, settings: { send: 'a' } }, { timeoutMs: 300 });
    await new Promise<void>((done) => other.close(done));
    expect(outcome.error?.code).toBe('timeout');
  });

  it('sends nothing to a blocked address', async () => {
    const { port, received } = await listen(() => 'x');
    const outcome = await runCheck('udp', { host, port, settings: { send: 'a' } }, { allow: [] });
    expect(outcome.error?.code).toBe('address_blocked');
    expect(received).toEqual([]);
  });
});
