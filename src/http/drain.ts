import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A client that uses a connection sends its next request within this time; the response to it ends the connection. */
const IDLE_MS = 250;
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
  private whenQuiet: () => void = () => undefined;

  watch(server: Server): void {
    this.server = server;
    server.prependListener('request', (_, response: ServerResponse) => {
      this.answering.add(response);
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

  /** Resolves when no connection is left, within 2 s. */
  end(): Promise<void> {
    return (this.ending ??= this.endAll());
  }

  private async endAll(): Promise<void> {
    const { server } = this;
    if (!server?.listening) return;
    for (const response of this.answering) if (!response.headersSent) response.setHeader('Connection', 'close');
    // The server's own `close` would also close connections on which a request is just arriving.
    NetServer.prototype.close.call(server);
    await delay(IDLE_MS);
    server.closeIdleConnections();
    if (this.answering.size > 0) {
      const patience = new AbortController();
      const quiet = new Promise<void>((resolve) => (this.whenQuiet = resolve));
      await Promise.race([quiet, delay(WITHIN_MS - IDLE_MS, undefined, { signal: patience.signal })]);
      patience.abort();
    }
    server.closeAllConnections();
  }
}
