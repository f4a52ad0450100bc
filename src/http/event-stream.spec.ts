import { afterEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'express';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { beginEventStream, type OpenEventStream } from './event-stream.js';

let server: Server;
afterEach(() => void server.close());

/** Begins a stream once `ready`, for a reader that leaves with `leave` as soon as its request has arrived. */
async function begun(
  leave: (reader: Socket) => unknown,
  ready: (response: ServerResponse) => Promise<unknown>,
): Promise<OpenEventStream | null> {
  let arrived = (): void => undefined;
  const stream = new Promise<OpenEventStream | null>((resolve, reject) => {
    server = createServer((_, response) => {
      const waiting = ready(response);
      arrived();
      waiting.then(() => resolve(beginEventStream(response as Response))).catch(reject);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  reader.on('error', () => undefined);
  arrived = () => void leave(reader);
  reader.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return stream.finally(() => reader.destroy());
}

describe('a stream of events', () => {
  it('is open for a reader that is present', async () => {
    expect(
      await begun(
        () => undefined,
        () => Promise.resolve(),
      ),
    ).not.toBeNull();
  });

  it('does not begin for a reader that has closed the connection', async () => {
    const left = (response: ServerResponse) => once(response, 'close');
    expect(await begun((reader) => reader.destroy(), left)).toBeNull();
  });

  it('does not begin for a reader that has ended its half of the connection', async () => {
    const left = (response: ServerResponse) => once(response.socket!, 'end');
    expect(await begun((reader) => reader.end(), left)).toBeNull();
  });
});
