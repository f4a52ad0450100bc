import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type EdgeRequest } from '../../http/edge-request.js';
import { countDelays, makeDelayMemory } from '../../probes/thread/loop-delay.js';
import { cpuMs } from '../../../test/support/cpu-time.js';
import { eventually } from '../../../test/support/eventually.js';
import { StallWatch } from './stall-watch.js';

let server: Server;
let origin: string;
let stop: () => void;
let watch: StallWatch;
let closed: Promise<unknown>;
const said: string[] = [];

beforeEach(async () => {
  said.length = 0;
  watch = new StallWatch((text) => said.push(text));
  stop = countDelays(makeDelayMemory(), (delayMs) => watch.beat(delayMs));
  server = createServer((request, response) => {
    const routed = Object.assign(request as EdgeRequest, { requestId: 'r-1', route: { path: '/busy/:ms' } });
    closed = once(response, 'close');
    watch.watch(routed, response, () => {
      work(Number(request.url!.slice('/busy/'.length)));
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  stop();
  await new Promise((done) => server.close(done));
});

function work(ms: number): void {
  const from = cpuMs();
  while (cpuMs() - from < ms);
}

const busy = async (ms: number): Promise<void> => {
  await (await fetch(`${origin}/busy/${ms}`, { headers: { connection: 'close' } })).arrayBuffer();
};
const counted = (): number => [...watch.stalled].find(({ route }) => route === '/busy/:ms')?.count ?? 0;

it('reports a request that blocked the thread, by its route', async () => {
  await busy(400);
  await eventually(() => expect(counted()).toBe(1));
  expect(said).toEqual([
    expect.stringMatching(/^the main thread was blocked for \d{3,} ms while answering GET \/busy\/:ms requestId=r-1$/),
  ]);
});

it('reports nothing if no request waits, and no request that ended before', async () => {
  // Otherwise a beat of this process, if it is busy for other reasons, would count the request.
  stop();
  await busy(0);
  await closed;
  watch.beat(0);
  work(300);
  watch.beat(300);
  expect(counted()).toBe(0);
  expect(said).toEqual([]);
});
