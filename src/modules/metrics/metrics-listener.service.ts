import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { AppConfig } from '../../config/app-config.js';
import { originOf } from '../../config/origin-of.js';
import { challenge } from '../../http/auth/bearer.guard.js';
import { MetricsSource } from './metrics-source.js';

/** A scraper that reads nothing for this long is considered gone. */
const IDLE_MS = 30_000;

/** Serves the metrics, and nothing else, on a port of their own if `METRICS_PORT` is set. */
@Injectable()
export class MetricsListenerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly metrics: MetricsSource,
  ) {}

  /** The origin at which it listens; null without a port. */
  get origin(): string | null {
    const address = this.server?.address() as AddressInfo | null | undefined;
    return address ? originOf(address) : null;
  }

  /** Starts to listen. Rejects if the port is taken or not permitted; the start then fails as it does for `PORT`. */
  async onApplicationBootstrap(): Promise<void> {
    const port = this.config.get('METRICS_PORT');
    if (port === null) return;
    const server = createServer((request, response) => void this.answer(request, response));
    server.setTimeout(IDLE_MS);
    server.listen(port, this.config.get('HOST'));
    await once(server, 'listening').catch((error: Error) => {
      throw Object.assign(error, { setting: 'METRICS_PORT' });
    });
    this.server = server;
    this.config.metricsListenOn(this.origin!);
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics') return refuse(response, 404, 'Metrics are served at /metrics.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(response, 405, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' });
    }
    if (!this.metrics.admits(request.headers.authorization)) {
      return refuse(response, 401, this.metrics.refusal, {
        'WWW-Authenticate': challenge(),
      });
    }
    await this.metrics.send(response);
  }
}

function refuse(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`);
}
