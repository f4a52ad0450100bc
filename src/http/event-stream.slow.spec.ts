import { afterEach, expect, it } from '@jest/globals';
import { type Response } from 'express';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beginEventStream } from './event-stream.js';

const PIECE = 'x'.repeat(65_536);
/** More than the operating system buffers on both sides. */
const TOTAL = 512;

let server: Server;
let reader: Socket;
afterEach(() => {
  reader?.destroy();
  server?.close();
});

/** Opens a stream with more than its reader takes by itself. The reader is paused. */
async function stream(): Promise<ServerResponse> {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const arrived = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  reader.on('error', () => undefined);
  reader.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, response] = await arrived;
  const opened = beginEventStream(response as Response)!;
  let left = TOTAL;
  const fill = (): void => {
    for (; left > 0 && !opened.isFull(); left -= 1) opened.write(PIECE);
    if (left === 0) opened.end();
  };
  opened.onDrain(fill);
  fill();
  return response;
}

it('a stream ends if its reader takes nothing for a minute', async () => {
  const response = await stream();
  const started = performance.now();
  await once(response, 'close');
  expect(response.writableFinished).toBe(false);
  expect(performance.now() - started).toBeGreaterThan(29_000);
});

it('a stream continues for a reader that takes more than a minute', async () => {
  const response = await stream();
  let isClosed = false;
  response.once('close', () => (isClosed = true));
  const started = performance.now();
  let bytes = 0;
  reader.on('data', (chunk) => (bytes += chunk.length));
  while (performance.now() - started < 65_000) {
    reader.resume();
    await once(reader, 'data');
    reader.pause();
    await delay(200);
    expect(isClosed).toBe(false);
  }
  reader.resume();
  await once(reader, 'end');
  expect(bytes).toBeGreaterThan(TOTAL * PIECE.length);
});
