import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { json } from 'node:stream/consumers';

/** A message that the server received on behalf of a channel. */
export interface ReceivedMessage {
  /** The path without `/channels/`. */
  channel: string;
  /** Milliseconds since the epoch, when its headers arrived. */
  at: number;
  /** The body; without its texts, because the process keeps all messages. */
  alertKey: string | null;
}

/** How long a channel whose path begins with `slow` takes to respond: just below the sender's time limit. */
const SLOW_MS = 9_000;

const failing = new Set<string>();
const received: ReceivedMessage[] = [];

/** Makes monitors fail, one after the other at an even rate. */
async function fail({ ids, perSecond }: { ids: string[]; perSecond: number }): Promise<void> {
  const start = performance.now();
  for (const [index, id] of ids.entries()) {
    const aheadMs = (index * 1_000) / perSecond - (performance.now() - start);
    if (aheadMs > 1) await delay(aheadMs);
    failing.add(id);
  }
}

async function receive(request: IncomingMessage, response: ServerResponse, channel: string): Promise<void> {
  const at = Date.now();
  const body = (await json(request)) as { dedup_key?: string; data?: { alertKey: string } };
  received.push({ channel, at, alertKey: body.data?.alertKey ?? body.dedup_key ?? null });
  if (channel.startsWith('slow')) await delay(SLOW_MS);
  const isPagerDuty = body.dedup_key !== undefined;
  response.writeHead(isPagerDuty ? 202 : 200, { 'content-type': isPagerDuty ? 'application/json' : 'text/plain' });
  response.end(isPagerDuty ? JSON.stringify({ status: 'success', dedup_key: body.dedup_key }) : 'ok');
}

/**
 * Serves targets (`/monitors/<id>`) that fail when told to, and receives the messages of channels (`/channels/<name>`).
 * Prints its port, and exits when its standard input ends.
 */
const server = createServer((request, response) => {
  const [, kind, name = ''] = request.url!.split('/');
  if (kind === 'monitors') {
    response.writeHead(failing.has(name) ? 503 : 200, { connection: 'close', 'content-length': 0 });
    response.end();
  } else if (kind === 'channels') {
    receive(request, response, name).catch(() => response.destroy());
  } else if (kind === 'received') {
    response.end(JSON.stringify(received));
  } else {
    void json(request).then((body) => {
      void fail(body as Parameters<typeof fail>[0]);
      response.end();
    });
  }
});
await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve));
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
process.stdin.resume().on('end', () => process.exit(0));
