import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { eventually } from '../../test/support/eventually.js';
import { PATIENCE } from '../../test/support/patience.js';
import { Drain } from './drain.js';

let server: Server;
let drain: Drain;
let port: number;
let held: ServerResponse[];

beforeEach(async () => {
  held = [];
  server = createServer((request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end('ok');
  });
  drain = new Drain();
  drain.watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => server.closeAllConnections());

function client() {
  const seen = { text: '', ended: false };
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data) => (seen.text += data.toString('latin1')));
  socket.on('close', () => (seen.ended = true));
  const ask = (path: string): void => void socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return { seen, ask };
}

it('answers received requests and those that still arrive on a busy connection, then closes it', async () => {
  const [busy, waiting, idle] = [client(), client(), client()];
  busy.ask('/');
  idle.ask('/');
  waiting.ask('/held');
  await eventually(() => expect([busy.seen.text, idle.seen.text].join()).toMatch(/ok.*ok/s));
  await eventually(() => expect(held).toHaveLength(1));
  expect(busy.seen.text).not.toContain('Connection: close');

  const ended = drain.end();
  busy.ask('/');
  await eventually(() =>
    expect(busy.seen).toMatchObject({ text: expect.stringContaining('Connection: close'), ended: true }),
  );
  await eventually(() => expect(idle.seen.ended).toBe(true));
  expect(waiting.seen.ended).toBe(false);
  held[0]!.end('late');
  await ended;
  await eventually(() =>
    expect(waiting.seen).toMatchObject({ text: expect.stringMatching(/Connection: close.*late/s), ended: true }),
  );
});

it('aborts unanswered requests and accepts no new connection', async () => {
  const waiting = client();
  waiting.ask('/held');
  await eventually(() => expect(held).toHaveLength(1));
  const ended = drain.end();
  await eventually(() => expect(server.listening).toBe(false));
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  await ended;
  await eventually(() => expect(waiting.seen).toEqual({ text: '', ended: true }));
});

/** Sends requests on connections of their own when told to; then sets `sent`, and reports how many were answered. */
const CALLERS = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, sent, count } } = require('node:worker_threads');
  const call = (onSent) => new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n', onSent));
    socket.on('data', (data) => (text += data)).on('error', () => undefined).on('close', () => resolve(text.endsWith('ok')));
  });
  parentPort.once('message', async () => {
    let left = count;
    const onSent = () => {
      left -= 1;
      if (left > 0) return;
      Atomics.store(sent, 0, 1);
      Atomics.notify(sent, 0);
    };
    const answered = await Promise.all(Array.from({ length: count }, () => call(onSent)));
    parentPort.postMessage(answered.filter(Boolean).length);
  });
  parentPort.postMessage('ready');
`;

it('answers requests whose connections were established while the process was busy', async () => {
  const [sent, count] = [new Int32Array(new SharedArrayBuffer(4)), 50];
  const callers = new Worker(CALLERS, { eval: true, workerData: { port, sent, count } });
  try {
    await once(callers, 'message');
    const answered = once(callers, 'message');
    callers.postMessage('call');
    expect(Atomics.wait(sent, 0, 0, 10_000 * PATIENCE)).toBe('ok');
    await drain.end();
    expect(await answered).toEqual([count]);
  } finally {
    await callers.terminate();
  }
});
