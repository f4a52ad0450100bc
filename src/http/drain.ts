import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

/**
 * Connections are idle once no request has arrived for this long. A client may keep many, and use them one after the
 * other; each response ends one.
 */
const IDLE_MS = 250;
/**
 * The system holds at most this many connections for a process that has not accepted them (Node's default). Any beyond
 * were established later, and are refused.
 */
const BACKLOG = 511;
/** Connections that are not accepted by then are refused. Only a process that hardly runs needs that long. */
const ACCEPT_WITHIN_MS = 1_000;
/** Requests that are not answered by then are aborted. */
const WITHIN_MS = 1_500;

/**
 * Closes the connections of a server that stops without dropping a request that was received. From then on, each
 * response has `Connection: close`, idle connections are closed, and no new ones are accepted.
 */
@Injectable()
export class Drain implements OnModuleDestroy {
  private server: Server | null = null;
  private readonly answering = new Set<ServerResponse>();
  private ending: Promise<void> | null = null;
  /** When the last request arrived, by the monotonic clock. */
  private arrivedAt = 0;
  private whenQuiet: () => void = () => undefined;

  watch(server: Server): void {
    this.server = server;
    server.prependListener('request', (_, response: ServerResponse) => {
      this.answering.add(response);
      this.arrivedAt = performance.now();
      if (this.ending) response.setHeader('Connection', 'close');
      response.once('close', () => {
        this.answering.delete(response);
        if (this.answering.size === 0) this.whenQuiet();
      });
    });
  }

  onModuleDestroy(): void {
    void this.end();
  }

  /** Resolves when no connection is left, within 3 s. */
  end(): Promise<void> {
    return (this.ending ??= this.endAll());
  }

  private async endAll(): Promise<void> {
    const { server } = this;
    if (!server?.listening) return;
    for (const response of this.answering) if (!response.headersSent) response.setHeader('Connection', 'close');
    await acceptAll(server);
    // The server's own `close` would also close connections on which a request is just arriving.
    NetServer.prototype.close.call(server);
    const until = performance.now() + WITHIN_MS;
    do await delay(IDLE_MS);
    while (performance.now() - this.arrivedAt < IDLE_MS && performance.now() < until);
    server.closeIdleConnections();
    if (this.answering.size > 0) {
      const patience = new AbortController();
      const quiet = new Promise<void>((resolve) => (this.whenQuiet = resolve));
      await Promise.race([quiet, delay(until - performance.now(), undefined, { signal: patience.signal })]);
      patience.abort();
    }
    server.closeAllConnections();
  }
}

/**
 * Accepts the connections that the system has established on behalf of the process: when a server closes, they are
 * reset, and the requests on them are lost.
 */
async function acceptAll(server: Server): Promise<void> {
  let accepted = 0;
  const count = (): void => void (accepted += 1);
  server.on('connection', count);
  const until = performance.now() + ACCEPT_WITHIN_MS;
  let before: number;
  do {
    before = accepted;
    // Ends the current turn of the event loop, and waits for a whole one, which accepts at least one connection.
    await turn();
    await turn();
  } while (accepted > before && accepted < BACKLOG && performance.now() < until);
  server.off('connection', count);
}
