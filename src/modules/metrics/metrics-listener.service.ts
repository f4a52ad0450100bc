import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { AppConfig } from '../../config/app-config.js';
import { challenge } from '../../http/auth/bearer.guard.js';
import { originOf } from '../../http/origin-of.js';
import { MetricsService } from './metrics.service.js';

/** A scraper that reads nothing for so long is gone. */
const IDLE_MS = 30_000;

/** Serves the metrics on a port of their own, and nothing else, where `METRICS_PORT` names one. */
@Injectable()
export class MetricsListenerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly metrics: MetricsService,
  ) {}

  /** Where it listens; null without a port. */
  get origin(): string | null {
    const address = this.server?.address() as AddressInfo | null | undefined;
    return address ? originOf(address) : null;
  }

  /** Rejects where the port is taken or not ours to take: the start ends as it does for `PORT`. */
  async onApplicationBootstrap(): Promise<void> {
    const port = this.config.get('METRICS_PORT');
    if (port === null) return;
    const server = createServer((request, response) => void this.answer(request, response));
    server.setTimeout(IDLE_MS);
    server.listen(port, this.config.get('HOST'));
    await once(server, 'listening');
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
    if (path !== '/metrics') return refuse(response, 404, 'Metrics are at /metrics.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(response, 405, 'Metrics are read.', { Allow: 'GET, HEAD' });
    }
    if (!this.metrics.admits(request.headers.authorization)) {
      return refuse(response, 401, 'Metrics need the bearer token of METRICS_TOKEN.', {
        'WWW-Authenticate': challenge(),
      });
    }
    await this.metrics.send(response);
  }
}

function refuse(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`);
}
