import { type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { flood } from '../../../test/support/hostile-servers.js';
import { runHttp } from '../../../test/support/probe-run.js';
import { startHttp2, startScript, stopsServers } from '../../../test/support/probe-scripts.js';
import { testCertificate } from '../../../test/support/raw-target.js';
import { dialogue } from '../../../test/support/scripted-server.js';
import { type HttpFields } from '../http.probe.js';

stopsServers();
const settings = { http2: true };

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a server that also speaks HTTP/1.1, and calls `answer` with each complete request over HTTP/2. */
async function start(answer: (stream: ServerHttp2Stream, received: Received) => void) {
  const requests: Received[] = [];
  const port = await startHttp2(
    (stream, headers, body) => {
      const received = { headers, body: body.toString() };
      requests.push(received);
      answer(stream, received);
    },
    { allowHTTP1: true },
  );
  return { origin: `https://localhost:${port}`, requests };
}

const END_STREAM = 1;
const END_HEADERS = 4;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const start = Buffer.alloc(9);
  start.writeUIntBE(payload.length, 0, 3);
  start.writeUInt8(type, 3);
  start.writeUInt8(flags, 4);
  start.writeUInt32BE(stream, 5);
  return Buffer.concat([start, payload]);
}

/** The response 200, in HPACK (RFC 7541), with or without a length of ten bytes. */
const OK = Buffer.from('88', 'hex');
const OK_OF_TEN_BYTES = Buffer.from('880f0d023130', 'hex');
const head = (block: Buffer, flags = 0) => frame(1, END_HEADERS | flags, 1, block);
const data = (text: string, flags = 0) => frame(0, flags, 1, Buffer.from(text));
const reset = (code: number) => frame(3, 0, 1, Buffer.from([0, 0, 0, code]));

const PREFACE_BYTES = 24;
const FRAME_HEAD_BYTES = 9;

/** Returns whether what a client has sent contains the headers of a request. */
function hasRequest(received: Buffer): boolean {
  for (let at = PREFACE_BYTES; at + FRAME_HEAD_BYTES <= received.length;) {
    if (received[at + 3] === 1) return true;
    at += FRAME_HEAD_BYTES + received.readUIntBE(at, 3);
  }
  return false;
}

type Then = (socket: Socket) => void;

/** Starts a server that responds to the first request with these frames, and then calls `then`. */
async function startFrames(frames: readonly Buffer[], then: Then | null) {
  const answer = (socket: Socket): void => {
    let received = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      if (!hasRequest(received)) return;
      socket.off('data', onData);
      socket.write(Buffer.concat([frame(4, 0, 0, Buffer.alloc(0)), ...frames]), () => then?.(socket));
    };
    socket.on('data', onData);
  };
  const { port } = await startScript(answer, { ...testCertificate('valid'), ALPNProtocols: ['h2'] });
  return `https://localhost:${port}`;
}

describe('a check over HTTP/2', () => {
  it('sends the request and evaluates the response', async () => {
    const { origin, requests } = await start((stream) => {
      stream.respond({ ':status': 201, 'x-one': 'a', 'set-cookie': ['a=1', 'b=2'], constructor: 'own' });
      stream.end('{"status":"ok"}');
    });
    const fields: HttpFields = {
      url: `${origin}/a?b=c`,
      method: 'POST',
      headers: { Host: 'shop.example', 'X-Latin': 'caf\xe9' },
      auth: { type: 'bearer', token: 'tok' },
      body: 'häh',
      settings,
      assertions: [
        { source: 'jsonBody', property: '$.status', comparison: 'equals', target: 'ok' },
        { source: 'header', property: 'X-One', comparison: 'equals', target: 'a' },
        { source: 'header', property: 'Set-Cookie', comparison: 'equals', target: 'b=2' },
        { source: 'header', property: 'valueOf', comparison: 'notExists' },
        { source: 'responseBodySize', comparison: 'equals', target: 15 },
        { source: 'tlsProtocol', comparison: 'equals', target: 'TLSv1.3' },
      ],
    };
    const outcome = await runHttp(fields);
    expect(outcome).toMatchObject({ error: null, failedAssertions: [], statusCode: 201, remoteAddress: '127.0.0.1' });
    expect(Object.values(outcome.timings)).not.toContain(null);
    expect(requests).toEqual([{ body: 'häh', headers: expect.anything() }]);
    expect(requests[0]!.headers).toMatchObject({
      ':method': 'POST',
      ':path': '/a?b=c',
      ':authority': 'shop.example',
      ':scheme': 'https',
      authorization: 'Bearer tok',
      'x-latin': 'caf\xe9',
      'content-length': '4',
      'user-agent': expect.stringContaining('Daywatch'),
    });
  });

  it('follows redirects, and keeps cookies', async () => {
    const { origin, requests } = await start((stream, { headers }) => {
      const isFirst = headers[':path'] === '/';
      stream.respond(isFirst ? { ':status': 302, location: '/next', 'set-cookie': 'a=1' } : { ':status': 200 });
      stream.end('x'.repeat(100));
    });
    expect((await runHttp({ url: origin, settings })).error).toBeNull();
    expect(requests.map(({ headers }) => [headers[':path'], headers.cookie])).toEqual([
      ['/', undefined],
      ['/next', 'a=1'],
    ]);
  });

  it.each(['HEAD', 'GET'] as const)('accepts a response without a body to %s', async (method) => {
    const { origin } = await start((stream) => {
      stream.respond({ ':status': method === 'GET' ? 204 : 200 }, { endStream: true });
    });
    expect((await runHttp({ url: origin, method, settings })).error).toBeNull();
  });

  it('uses HTTP/1.1 with a server that offers nothing else, and unless HTTP/2 is wanted', async () => {
    const { port } = await startScript(
      dialogue(null, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      testCertificate('valid'),
    );
    expect((await runHttp({ url: `https://localhost:${port}`, settings })).error).toBeNull();
    const { origin, requests } = await start((stream) => stream.end());
    const assertions = [{ source: 'textBody', comparison: 'equals', target: 'old' } as const];
    expect((await runHttp({ url: origin, assertions })).error).toBeNull();
    expect(requests).toEqual([]);
  });

  it('reads 1 MiB of a body, and no more', async () => {
    const { origin } = await start((stream) => {
      stream.respond({ ':status': 200 });
      stream.write(Buffer.alloc(8 * 1024 * 1024, 'x'));
    });
    const assertions = [{ source: 'responseBodySize', comparison: 'equals', target: 1024 * 1024 } as const];
    expect((await runHttp({ url: origin, settings, assertions })).error).toBeNull();
  });

  it.each<[string, (stream: ServerHttp2Stream) => void, string]>([
    ['never answers', () => undefined, 'timeout'],
    ['never finishes', (stream) => (stream.respond({ ':status': 200 }), stream.write('x')), 'timeout'],
    ['resets the request', (stream) => stream.close(2), 'protocol_error'],
    ['ends the session', (stream) => stream.session?.destroy(), 'connection_reset'],
  ])('fails if the server %s', async (_, answer, code) => {
    const { origin } = await start(answer);
    const outcome = await runHttp({ url: origin, settings }, { timeoutMs: 500 });
    expect(outcome.error?.code).toBe(code);
  });

  it.each<[string, readonly Buffer[], Then | null]>([
    ['closes the connection', [head(OK), data('part')], (socket) => socket.end()],
    ['loses the connection', [head(OK), data('part')], (socket) => socket.destroy()],
    ['cancels the stream', [head(OK), data('part'), reset(8)], null],
    ['ends the stream without an error, but too early', [head(OK_OF_TEN_BYTES), data('part'), reset(0)], null],
  ])('fails if the server %s within the body', async (_, frames, then) => {
    const outcome = await runHttp({ url: await startFrames(frames, then), settings });
    expect(outcome.error).toEqual({
      code: 'connection_reset',
      message: 'The connection was closed before the complete response arrived.',
    });
  });

  it.each<[string, 'GET' | 'HEAD', readonly Buffer[], Then | null]>([
    ['whose stream is reset afterwards', 'GET', [head(OK), data('whole', END_STREAM), reset(0)], null],
    ['whose stream is canceled afterwards', 'GET', [head(OK), data('whole', END_STREAM), reset(8)], null],
    ['followed by the end', 'GET', [head(OK), data('whole', END_STREAM)], (socket) => socket.end()],
    ['of the stated length', 'GET', [head(OK_OF_TEN_BYTES), data('0123456789', END_STREAM)], null],
    ['to HEAD with the length of a body', 'HEAD', [head(OK_OF_TEN_BYTES, END_STREAM)], null],
  ])('accepts a complete response %s', async (_, method, frames, then) => {
    expect((await runHttp({ url: await startFrames(frames, then), method, settings })).error).toBeNull();
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['says nothing', () => undefined, 'timeout'],
    ['speaks HTTP/1.1', dialogue(null, 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 'protocol_error'],
    ['sends what is not HTTP/2', dialogue(null, Buffer.alloc(10_000, 0xff)), 'protocol_error'],
    ['floods', (socket) => void flood(socket, Buffer.alloc(65_536, 'x')), 'protocol_error'],
    [
      'floods with settings',
      (socket) => void flood(socket, Buffer.from('000000040000000000'.repeat(5_000), 'hex')),
      'any',
    ],
    ['closes the connection', (socket) => socket.end(), 'connection_reset'],
  ])('fails if a server that has selected HTTP/2 %s', async (_, act, code) => {
    const { port, idle } = await startScript(act, { ...testCertificate('valid'), ALPNProtocols: ['h2'] });
    const outcome = await runHttp({ url: `https://localhost:${port}`, settings }, { timeoutMs: 500 });
    expect(outcome.error?.code).toMatch(code === 'any' ? /timeout|protocol_error|connection_reset/ : code);
    await idle();
  });
});
