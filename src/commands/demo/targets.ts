import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export const HOST = '127.0.0.1';
export const SLOW_MS = 1_200;
const CYCLE_SECONDS = 300;
const DOWN_SECONDS = 40;

/** The ports of the demo's targets. */
export interface TargetPorts {
  healthy: number;
  slow: number;
  flaky: number;
  tcp: number;
}

/** Returns whether the flaky target fails: during the first 40 seconds of every five minutes of the clock. */
export function isOutage(nowMs: number): boolean {
  return Math.floor(nowMs / 1_000) % CYCLE_SECONDS < DOWN_SECONDS;
}

/**
 * Starts the targets on 127.0.0.1, on consecutive ports from `firstPort`, so that the monitors of an earlier demo still
 * reach them. A port that is in use is replaced by a free one. The targets end with the process.
 */
export async function startTargets(firstPort: number): Promise<TargetPorts> {
  const healthy: RequestListener = (_, response) => answer(response, 200, { status: 'ok', version: '1.4.2' });
  const slow: RequestListener = (_, response) =>
    void delay(SLOW_MS).then(() => answer(response, 200, { status: 'ok', report: 'took a while' }));
  const flaky: RequestListener = (_, response) =>
    isOutage(Date.now()) ? answer(response, 503, { status: 'failing' }) : answer(response, 200, { status: 'ok' });
  const [healthyPort, slowPort, flakyPort, tcpPort] = await Promise.all([
    listen(() => createHttpServer(healthy), firstPort),
    listen(() => createHttpServer(slow), firstPort + 1),
    listen(() => createHttpServer(flaky), firstPort + 2),
    listen(() => createServer((socket) => socket.on('error', () => undefined).end()), firstPort + 3),
  ]);
  return { healthy: healthyPort, slow: slowPort, flaky: flakyPort, tcp: tcpPort };
}

function answer(response: Parameters<RequestListener>[1], status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

async function listen(create: () => Server, port: number): Promise<number> {
  const server = create();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, HOST, resolve);
    });
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(create, 0);
  }
}
