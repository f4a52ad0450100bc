import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { type ProbeRunOptions } from '../../test/support/probe-run.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { testCertificate } from '../../test/support/raw-target.js';
import { dialogue } from '../../test/support/scripted-server.js';
import { latestEndMs, timed } from '../../test/support/timed.js';
import { TcpFields } from './tcp.probe.js';

stopsServers();

describe('TcpFields', () => {
  const at = { host: 'example.com', port: 6379 };
  it.each([
    { tls: true },
    { send: 'PING\r\n', expect: '+PONG' },
    { send: 'ff 00\nAB', expect: '0D0a', encoding: 'hex' },
    { expectMatches: '^220 .* ESMTP' },
    { send: null, expect: null, expectMatches: null },
  ])('accepts %j', (settings) => expect(problemsOf(TcpFields, { ...at, settings })).toEqual([]));

  it.each([
    [{ tls: 'yes' }, '/settings/tls isBoolean'],
    [{ send: 'abc', encoding: 'hex' }, '/settings/send invalid_value'],
    [{ expect: 'zz', encoding: 'hex' }, '/settings/expect invalid_value'],
    [{ encoding: 'base64' }, '/settings/encoding isIn'],
    [{ expectMatches: '(' }, '/settings/expectMatches invalid_value'],
    [{ expect: 'a', expectMatches: 'a' }, '/settings/expect invalid_value'],
    [{ send: 'x'.repeat(8_193) }, '/settings/send maxLength'],
    [{ more: 1 }, '/settings/more whitelistValidation'],
  ])('rejects %j with %s', (settings, problem) =>
    expect(problemsOf(TcpFields, { ...at, settings })).toContain(problem),
  );
});

describe('a TCP check with an exchange', () => {
  const host = '127.0.0.1';

  it.each([
    ['a text', { send: 'PING\r\n', expect: '+PONG' }],
    ['a text in two pieces', { send: 'PING\r\n', expect: 'PONG\r\n-' }],
    ['a pattern', { send: 'PING\r\n', expectMatches: '^[+]P.NG' }],
    ['bytes', { send: '50494e47 0d0a', expect: '504F4E', encoding: 'hex' }],
    ['any response', { send: 'PING\r\n' }],
  ])('passes if %s arrives', async (_, settings) => {
    const { port, received, idle } = await startScript((socket) => {
      socket.once('data', () => {
        socket.write('+PO');
        setTimeout(() => socket.write('NG\r\n'), 20);
        setTimeout(() => socket.write('-'), 40);
      });
    });
    const outcome = await runCheck('tcp', { host, port, settings });
    expect(outcome).toMatchObject({
      error: null,
      responseTimeMs: expect.any(Number),
      timings: { connectMs: expect.any(Number), firstByteMs: expect.any(Number), transferMs: expect.any(Number) },
    });
    expect(received.map(String)).toEqual(['PING\r\n']);
    await idle();
  });

  describe('with a pattern that takes long to search for', () => {
    const slow =
      (ms: number): ProbeRunOptions['evaluate'] =>
      (work) => {
        const until = performance.now() + ms;
        while (performance.now() < until);
        work();
        return true;
      };
    const settings = { expectMatches: 'PONG' };

    it('does not count the pauses between searches as response time', async () => {
      const { port } = await startScript((socket) => {
        socket.write('x'.repeat(2_000));
        setTimeout(() => socket.write('PONG'), 300);
      });
      const outcome = await runCheck('tcp', { host, port, settings }, { evaluate: slow(100) });
      expect(outcome.error).toBeNull();
      expect(outcome.responseTimeMs).toBeLessThan(900);
      expect(outcome.timings.transferMs).toBeLessThan(900);
    });

    it('ends at the deadline even in a pause', async () => {
      const { port } = await startScript(dialogue('x'.repeat(2_000)));
      const check = runCheck('tcp', { host, port, settings }, { evaluate: slow(300), timeoutMs: 200 });
      const { value, tookMs } = await timed(() => check);
      expect(value.error?.code).toBe('unexpected_response');
      expect(tookMs).toBeLessThan(latestEndMs(200));
    });
  });

  it('passes if the greeting is as expected, without sending anything', async () => {
    const { port, received } = await startScript(dialogue('220 mail ESMTP ready\r\n'));
    expect((await runCheck('tcp', { host, port, settings: { expect: '220 ' } })).error).toBeNull();
    expect(received.map(String)).toEqual(['']);
  });

  it.each<[string, string, object, string]>([
    ['another response', '-ERR\r\n', { send: 'x', expect: '+OK' }, 'unexpected_response'],
    ['another response for a pattern', '-ERR\r\n', { send: 'x', expectMatches: '^[+]' }, 'unexpected_response'],
  ])('fails on %s, at the deadline and at the end of the connection', async (_, reply, settings, code) => {
    const open = await startScript(dialogue(null, reply));
    const ending = await startScript((socket) => socket.once('data', () => socket.end(reply)));
    for (const { port, idle } of [open, ending]) {
      const outcome = await runCheck('tcp', { host, port, settings }, { timeoutMs: 300 });
      expect(outcome).toMatchObject({ error: { code }, responseTimeMs: null });
      // The message never quotes the response.
      expect(outcome.error!.message).not.toContain('ERR');
      await idle();
    }
  });

  it('fails with timeout or connection_reset if nothing arrives', async () => {
    const silent = await startScript(() => undefined);
    const settings = { expect: 'x' };
    const atDeadline = await runCheck('tcp', { host, port: silent.port, settings }, { timeoutMs: 200 });
    expect(atDeadline.error).toEqual({ code: 'timeout', message: 'The server did not respond in time.' });
    const closing = await startScript((socket) => socket.end());
    expect((await runCheck('tcp', { host, port: closing.port, settings })).error?.code).toBe('connection_reset');
  });

  it('uses TLS, verifies the certificate and evaluates assertions about it', async () => {
    const { port } = await startScript(dialogue('hello'), testCertificate('valid'));
    const assertions = [
      { source: 'tlsProtocol', comparison: 'equals', target: 'TLSv1.3' },
      { source: 'tlsDaysLeft', comparison: 'greaterThan', target: 0 },
      { source: 'certificateFingerprint', comparison: 'matches', target: '^[0-9a-f]{64}$' },
    ];
    const settings = { tls: true, expect: 'hello' };
    const outcome = await runCheck('tcp', { host: 'localhost', port, settings, assertions });
    expect(outcome).toMatchObject({ error: null, timings: { tlsMs: expect.any(Number) } });
    const other = await startScript(dialogue('hello'), testCertificate('other-name'));
    const refused = await runCheck('tcp', { host: 'localhost', port: other.port, settings });
    expect(refused.error?.code).toBe('tls_name_mismatch');
    const accepted = await runCheck('tcp', { host: 'localhost', port: other.port, settings, verifyTls: false });
    expect(accepted.error).toBeNull();
  });

  it('fails an assertion about a certificate without TLS', async () => {
    const { port } = await startScript(dialogue('hello'));
    const assertions = [{ source: 'tlsDaysLeft', comparison: 'greaterThan', target: 0 }];
    expect((await runCheck('tcp', { host, port, assertions })).failedAssertions).toEqual([{ index: 0, actual: null }]);
  });
});
