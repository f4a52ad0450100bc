import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Dice } from './dice.js';

/** How long to wait for the server to close the connection, which it does only after refusals. */
const PATIENCE_MS = 250;

type Raw = (key: string) => string;

const head =
  (line: string, ...headers: string[]): Raw =>
  (key) =>
    [line, 'Host: localhost', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n');
const post = (body: string, ...headers: string[]): Raw => {
  const all = head('POST /v1/monitors HTTP/1.1', 'Content-Type: application/json', 'Connection: close', ...headers);
  return (key) => all(key) + body;
};

/** Requests at and beyond the limits of HTTP/1.1, which no client library sends. */
const REQUESTS: readonly Raw[] = [
  () => 'GET /v1/monitors HTTP/1.1\r\n\r\n',
  () => 'GET / HTTP/1.0\r\n\r\n',
  () => 'GET /\r\n\r\n',
  () => 'GET /v1/monitors HTTP/9.9\r\nHost: a\r\n\r\n',
  () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  () => '\r\n\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  () => '{"json":1}\r\n\r\n',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => `${'GET '.repeat(10_000)}`,
  () => `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n`,
  head('get /v1/monitors HTTP/1.1'),
  head('FOO /v1/monitors HTTP/1.1'),
  head('OPTIONS * HTTP/1.1', 'Connection: close'),
  head('CONNECT 127.0.0.1:80 HTTP/1.1'),
  head('GET http://evil.example/v1/monitors HTTP/1.1', 'Connection: close'),
  head('GET http://evil.example:x/v1/monitors?limit=1 HTTP/1.1', 'Connection: close'),
  head('GET //evil.example/%2e%2e HTTP/1.1', 'Connection: close'),
  head('GET /v1/monitors?a b HTTP/1.1'),
  head('GET /v1/mönitors HTTP/1.1', 'Connection: close'),
  head('GET /v1/monitors HTTP/1.1', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: x'),
  head('GET /v1/monitors HTTP/1.1', 'Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: '),
  head('GET /v1/monitors HTTP/1.1', 'Bad Header: x'),
  head('GET /v1/monitors HTTP/1.1', 'X : y'),
  head('GET /v1/monitors HTTP/1.1', ': y'),
  head('GET /v1/monitors HTTP/1.1', 'X: a\r\n folded'),
  head('GET /v1/monitors HTTP/1.1', 'X: a\u0000b'),
  head('GET /v1/monitors HTTP/1.1', 'X: a\nY: b'),
  head('GET /v1/monitors HTTP/1.1', 'X: a\rY: b'),
  head('GET /v1/monitors HTTP/1.1', 'Host: b', 'Connection: close'),
  head('GET /v1/monitors HTTP/1.1', ...Array.from({ length: 2_500 }, (_, index) => `X${index}: y`)),
  head('GET /v1/monitors HTTP/1.1', 'Content-Length: 5'),
  (key) => head('GET /healthz HTTP/1.1')(key).repeat(20) + head('GET /healthz HTTP/1.1', 'Connection: close')(key),
  post('{}', 'Content-Length: 2'),
  post('{}', 'Content-Length: 20'),
  post('{}', 'Content-Length: 1'),
  post('{}', 'Content-Length: -1'),
  post('{}', 'Content-Length: +2'),
  post('{}', 'Content-Length: 2e0'),
  post('{}', 'Content-Length: 99999999999999999999'),
  post('{}', 'Content-Length: 2', 'Content-Length: 3'),
  post('{}', 'Content-Length: 2', 'Content-Length: 2'),
  post('2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked', 'Content-Length: 2'),
  post('2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'),
  post('2;a=b\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n', 'Transfer-Encoding: chunked'),
  post('2\n{}\n0\n\n', 'Transfer-Encoding: chunked'),
  post('g\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'),
  post('ffffffffffffffff1\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'),
  post('0\r\n\r\n', 'Transfer-Encoding: chunked'),
  post('2\r\n{}\r\n', 'Transfer-Encoding: chunked'),
  post('{}', 'Transfer-Encoding: gzip, chunked'),
  post('{}', 'Transfer-Encoding: identity'),
  post('{}', 'Transfer-Encoding: xchunked'),
  post('{}', 'Expect: 100-continue', 'Content-Length: 2'),
  post('{}', 'Expect: 100-continue', 'Content-Length: 300000'),
];

/**
 * Sends a random one of them on a separate connection. Returns what is wrong with the response, and both as an example.
 */
export async function tryRaw(
  origin: string,
  dice: Dice,
  key: string,
): Promise<{ detail: string; example: string } | null> {
  const request = dice.pick(REQUESTS)(key);
  const answer = await exchange(new URL(origin), request);
  const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  const wrong = statuses.find((status) => status >= 500);
  const unreadable = answer !== '' && statuses.length === 0;
  if (wrong === undefined && !unreadable) return null;
  const example = `${JSON.stringify(request.slice(0, 1_000))}\n→ ${answer.slice(0, 1_000)}`;
  return { detail: `the response to a raw request was ${wrong ?? 'not HTTP'}`, example };
}

async function exchange({ hostname, port }: URL, request: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  // Closing the connection is a valid response.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.write(request, 'latin1');
  await Promise.race([closed, delay(PATIENCE_MS, undefined, { ref: false })]);
  socket.destroy();
  return received;
}
