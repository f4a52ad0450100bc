import { gzipSync } from 'node:zlib';
import { type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/cpu-time.js';
import { type Assertion } from '../../domain/assertions.js';
import { type Evaluate } from '../evaluation.js';
import { runWithin } from '../time-limit.js';
import { runHttp } from '../../../test/support/probe-run.js';
import { rawTarget, type RawTarget } from '../../../test/support/raw-target.js';
import { latestEndMs, timed } from '../../../test/support/timed.js';
import { createServer } from 'node:net';

const OK = 'HTTP/1.1 200 OK\r\n';
let running: RawTarget | undefined;

afterEach(() => running?.close());

async function against(answer: (socket: Socket) => void): Promise<string> {
  running = await rawTarget(answer);
  return running.origin;
}

/** Writes one piece every few milliseconds, forever. */
function drip(head: string, piece: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Writes as fast as the client reads, forever. */
function flood(head: string, piece: string | Buffer): (socket: Socket) => void {
  return (socket) => {
    socket.write(head);
    const feed = (error?: Error | null): void => {
      if (!error && !socket.destroyed) socket.write(piece, feed);
    };
    feed();
  };
}

describe('the absolute deadline', () => {
  const TIMEOUT_MS = 400;

  it.each<[string, (socket: Socket) => void]>([
    ['no response at all', () => undefined],
    ['a drip of the status line', drip('HTTP', '/')],
    ['a drip of header bytes', drip(`${OK}X-Drip: `, 'x')],
    ['a drip of header lines', drip(OK, 'X-Drip: 1\r\n')],
    ['a drip of the body', drip(`${OK}\r\n`, 'x')],
    ['a drip of chunks', drip(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n')],
    ['a body that stops short', (socket) => socket.write(`${OK}Content-Length: 10\r\n\r\nabc`)],
    ['a slow trickle of interim responses', drip('', 'HTTP/1.1 1')],
    ['a redirect to itself that stops', (socket) => socket.write('HTTP/1.1 302 Found\r\nLocation: /\r\n')],
  ])('is met despite %s', async (_, answer) => {
    const url = await against(answer);
    const startedAt = performance.now();
    const { value: outcome, tookMs } = await timed(() => runHttp({ url }, { timeoutMs: TIMEOUT_MS }));
    expect(outcome.error?.code).toMatch(/^(timeout|protocol_error)$/);
    if (outcome.error?.code === 'timeout') {
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
    }
    expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
    expect(outcome.responseTimeMs).toBeNull();
    expect(outcome.timings.connectMs).not.toBeNull();
  });

  it('is met despite a handshake that never ends', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    const { value: outcome, tookMs } = await timed(() =>
      runHttp({ url: `https://127.0.0.1:${port}` }, { timeoutMs: TIMEOUT_MS }),
    );
    expect(outcome.error).toMatchObject({ code: 'timeout', message: expect.stringContaining('handshake') });
    expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
    await new Promise((done) => silent.close(done));
  });

  it('applies to all redirects together', async () => {
    // Long enough for a busy machine to reach the third redirect.
    const timeoutMs = 5 * TIMEOUT_MS;
    let answers = 0;
    const url = await against((socket) => {
      answers += 1;
      setTimeout(() => socket.write(`HTTP/1.1 302 Found\r\nLocation: /${answers}\r\n\r\n`), 750);
    });
    const { value: outcome, tookMs } = await timed(() => runHttp({ url }, { timeoutMs }));
    expect(outcome).toMatchObject({ error: { code: 'timeout' }, statusCode: 302 });
    expect(tookMs).toBeLessThan(latestEndMs(timeoutMs));
    expect(answers).toBe(3);
  });

  it('is met despite an unreachable address', async () => {
    // TEST-NET-1 is unreachable; a machine without a route reports this immediately.
    const { value: outcome, tookMs } = await timed(() =>
      runHttp({ url: 'http://192.0.2.254' }, { timeoutMs: TIMEOUT_MS, allow: true }),
    );
    expect(outcome.error?.code).toMatch(/^connect_(timeout|failed)$/);
    expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
  });
});

describe('an invalid or oversized response', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['garbage', (socket) => socket.end('\x00\xff\x16SSH-2.0\r\n\r\n'), 'protocol_error'],
    ['an old SMTP greeting', (socket) => socket.end('220 mail ready\r\n'), 'protocol_error'],
    [
      'a bad chunk size',
      (socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n`),
      'protocol_error',
    ],
    [
      'a chunk that is longer than its stated size',
      (socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n0\r\n\r\n`),
      'protocol_error',
    ],
    ['two lengths', (socket) => socket.end(`${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc`), 'protocol_error'],
    [
      'both a length and chunks',
      (socket) => socket.end(`${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      'protocol_error',
    ],
    ['a negative length', (socket) => socket.end(`${OK}Content-Length: -1\r\n\r\n`), 'protocol_error'],
    [
      'a bare line feed in a header',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nA: b\nC: d\r\r\n\r\n'),
      'protocol_error',
    ],
    ['a flood of interim responses', flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'protocol_error'],
    ['one header of 100 KiB', (socket) => socket.end(`${OK}X: ${'x'.repeat(102_400)}\r\n\r\n`), 'response_too_large'],
    [
      '10,000 headers',
      (socket) => socket.end(OK + 'X-Many: 1234567890\r\n'.repeat(10_000) + '\r\n'),
      'response_too_large',
    ],
    ['an endless header', flood(`${OK}X: `, 'x'.repeat(1_000)), 'response_too_large'],
    ['a close without a response', (socket) => socket.end(), 'connection_reset'],
    ['a reset without a response', (socket) => socket.resetAndDestroy(), 'connection_reset'],
    ['a close in mid-body', (socket) => socket.end(`${OK}Content-Length: 10\r\n\r\nabc`), 'connection_reset'],
    [
      'a close in mid-chunk',
      (socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nab`),
      'connection_reset',
    ],
    [
      'a reset in mid-body',
      (socket) =>
        socket.write(`${OK}Content-Length: 10\r\n\r\nabc`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
      'connection_reset',
    ],
  ])('fails the check correctly for %s', async (_, answer, code) => {
    const outcome = await runHttp({ url: await against(answer) });
    expect(outcome.error?.code).toBe(code);
    expect(outcome.error!.message.length).toBeLessThanOrEqual(300);
    expect(outcome.error!.message).not.toContain('abc');
  });

  it('keeps the status of a truncated response', async () => {
    const outcome = await runHttp({ url: await against((socket) => socket.end(`${OK}Content-Length: 10\r\n\r\nabc`)) });
    expect(outcome).toMatchObject({ statusCode: 200, responseTimeMs: null });
    expect(outcome.timings).toMatchObject({ firstByteMs: expect.any(Number), transferMs: null });
  });

  it('evaluates the first 1 MiB of an endless body', async () => {
    const url = await against(flood(`${OK}\r\nbegin`, Buffer.alloc(65_536, 'x')));
    const assertions = [{ source: 'textBody' as const, comparison: 'matches' as const, target: '^begin' }];
    expect((await runHttp({ url, assertions })).error).toBeNull();
  });

  it('ignores body data after 1 MiB', async () => {
    const body = 'x'.repeat(1024 * 1024) + 'needle';
    const url = await against((socket) => socket.end(`${OK}Content-Length: ${body.length}\r\n\r\n${body}`));
    const assertions = [{ source: 'textBody' as const, comparison: 'contains' as const, target: 'needle' }];
    expect((await runHttp({ url, assertions })).error?.code).toBe('assertion_failed');
  });

  it('decompresses a decompression bomb only up to 1 MiB', async () => {
    const bomb = gzipSync(Buffer.alloc(500 * 1024 * 1024));
    const url = await against((socket) => {
      socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    });
    const before = process.memoryUsage().rss;
    const assertions = [{ source: 'textBody' as const, comparison: 'notContains' as const, target: 'x' }];
    const outcome = await runHttp({ url, assertions });
    expect(outcome.error).toBeNull();
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  const MIB = 1024 * 1024;
  const lists = (length: number): string => JSON.stringify(Array.from({ length }, (_, at) => at));
  const twoLongLists = `{"a":${lists(70_000)},"b":${lists(70_000)}}`;
  const nested = `{"c":[${Array(6)
    .fill(`{"a":${lists(10_000)},"b":${lists(10_000)}}`)
    .join(',')}]}`;
  it.each<[string, string, Omit<Assertion, 'source'> & { source?: Assertion['source'] }]>([
    ['lists that are compared as a whole', nested, { property: '$.c[?$.a==$.b]', comparison: 'exists' }],
    ['lists that are compared for each element', twoLongLists, { property: '$.a[?$.a==$.b]', comparison: 'exists' }],
    ['every node of every node', nested, { property: '$..[?@..[?@..x]]', comparison: 'exists' }],
    ['a search in every node', nested, { property: "$..[?search(@, '(a|b)*c')]", comparison: 'exists' }],
    [
      'a pattern of many states',
      'ab'.repeat(MIB / 2),
      { source: 'textBody', comparison: 'matches', target: 'a.{120}[c-z]' },
    ],
    [
      'a pattern with many branches',
      'x'.repeat(MIB),
      { source: 'textBody', comparison: 'matches', target: '(x?){50}(x+x+)+y' },
    ],
    [
      'a number of a million digits',
      `${'1'.repeat(MIB - 1)}x`,
      { source: 'textBody', comparison: 'greaterThan', target: 1 },
    ],
    [
      'a text that is found nearly everywhere',
      'a'.repeat(MIB),
      { source: 'textBody', comparison: 'contains', target: `${'a'.repeat(500)}b` },
    ],
    ['a text of deeply nested lists', '['.repeat(MIB), { property: '$[0]', comparison: 'exists' }],
  ])('is evaluated within a CPU budget: %s', async (_, body, one) => {
    const url = await against((socket) => socket.end(`${OK}Content-Length: ${body.length}\r\n\r\n${body}`));
    const assertions = Array.from({ length: 20 }, (): Assertion => ({ source: 'jsonBody', ...one }));
    const before = cpuMs();
    const { error } = await runHttp({ url, assertions });
    expect(cpuMs() - before).toBeLessThan(1_500);
    expect(['assertion_failed', 'checker_error']).toContain(error?.code ?? 'assertion_failed');
  });

  it('reports which assertion took too long', async () => {
    const url = await against((socket) => {
      socket.end(`${OK}Content-Length: ${twoLongLists.length}\r\n\r\n${twoLongLists}`);
    });
    const quick: Assertion = { source: 'statusCode', comparison: 'equals', target: 200 };
    const slow: Assertion = { source: 'jsonBody', property: '$.a[?$.a==$.b]', comparison: 'exists' };
    // Here only the clock matters; other tests cover threads without processor time.
    const evaluate: Evaluate = (work) => runWithin(100, work) === 'done';
    const { error, failedAssertions } = await runHttp({ url, assertions: [quick, slow, slow, slow] }, { evaluate });
    expect(error?.code).toBe('assertion_failed');
    expect(error?.message).toBe('Assertion 2 failed: evaluation took too long.');
    expect(failedAssertions).toEqual([{ index: 1, actual: null }]);
  });

  it('is accepted even if it arrives before the request was read', async () => {
    const early = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${OK}Content-Length: 2\r\n\r\nok`, () => socket.destroy());
    });
    await new Promise<void>((done) => early.listen(0, '127.0.0.1', done));
    const { port } = early.address() as { port: number };
    const outcome = await runHttp({ url: `http://127.0.0.1:${port}`, method: 'POST', body: 'x'.repeat(65_000) });
    expect(outcome.error?.code ?? 'none').toMatch(/^(none|connection_reset)$/);
    await new Promise((done) => early.close(done));
  });
});
