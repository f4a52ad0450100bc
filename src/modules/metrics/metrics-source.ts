import { Logger } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Registry } from 'prom-client';
import { type AppConfig } from '../../config/app-config.js';
import { CONTENT_TYPE } from './exposition.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The Prometheus metrics of a process, for those who may read them. */
export abstract class MetricsSource {
  /** What those are told whom it does not admit. */
  readonly refusal = 'Metrics require the bearer token set in METRICS_TOKEN.';
  private readonly log = new Logger('Metrics');

  protected constructor(protected readonly config: AppConfig) {}

  /** Returns whether this `Authorization` header may read the metrics; without `METRICS_TOKEN`, any may. */
  admits(authorization: string | undefined): boolean {
    const token = this.config.get('METRICS_TOKEN');
    return token === null || timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
  }

  /**
   * Sends all current metrics. Does not query the database, and never rejects, since a scraper may disconnect any time.
   */
  async send(response: ServerResponse): Promise<void> {
    response.setHeader('Content-Type', CONTENT_TYPE);
    try {
      await pipeline(Readable.from(this.text()), response);
    } catch (error) {
      this.log.debug?.('a scrape was aborted', error);
      response.destroy();
    }
  }

  /** Whether a setting enables the metrics. */
  protected get isEnabled(): boolean {
    return this.config.get('METRICS_TOKEN') !== null || this.config.get('METRICS_PORT') !== null;
  }

  /** Returns the metrics of a registry. `prom-client` writes `Nan`, which strict parsers do not accept as a number. */
  protected async registryText(registry: Registry): Promise<string> {
    return (await registry.metrics()).replaceAll(' Nan\n', ' NaN\n');
  }

  /** Returns the metrics in the text format, in pieces. */
  protected abstract text(): AsyncGenerator<string>;
}
