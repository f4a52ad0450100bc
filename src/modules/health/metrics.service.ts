import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { AppConfig } from '../../config/app-config.js';
import { challenge } from '../../http/bearer.guard.js';
import { notFound, ProblemException } from '../../http/problem.js';
import { DispatcherService } from '../checker/dispatcher.service.js';
import { RecorderService } from '../checker/recorder.service.js';
import { RunnerService } from '../checker/runner.service.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Prometheus figures of this process. */
@Injectable()
export class MetricsService {
  private readonly registry = new Registry();

  constructor(
    private readonly config: AppConfig,
    private readonly dispatcher: DispatcherService,
    private readonly runner: RunnerService,
    private readonly recorder: RecorderService,
  ) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge('daywatch_monitors_scheduled', 'Monitors on schedule.', () => this.dispatcher.figures.monitors);
    this.gauge('daywatch_dispatching', '1 where this process dispatches.', () =>
      Number(this.dispatcher.figures.dispatching),
    );
    this.gauge(
      'daywatch_slots_missed_total',
      'Slots without a check since the start.',
      () => this.dispatcher.figures.missedSlots,
    );
    this.gauge('daywatch_checks_running', 'Checks under way.', () => this.runner.figures.running);
    this.gauge('daywatch_checks_waiting', 'Checks that wait for a free place.', () => this.runner.figures.waiting);
    this.gauge('daywatch_results_waiting', 'Results not recorded yet.', () => this.recorder.figures.waiting);
    this.gauge(
      'daywatch_results_recorded_total',
      'Results recorded since the start.',
      () => this.recorder.figures.recorded,
    );
    this.gauge(
      'daywatch_results_dropped_total',
      'Results given up since the start.',
      () => this.recorder.figures.dropped,
    );
  }

  /** @throws 404 where metrics are off, 401 without the token */
  async scrape(authorization: string | undefined): Promise<{ contentType: string; text: string }> {
    const token = this.config.get('METRICS_TOKEN');
    if (token === null) throw notFound();
    if (!timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))) {
      throw new ProblemException(401, 'unauthenticated', 'Metrics need the bearer token of METRICS_TOKEN.', {
        headers: { 'WWW-Authenticate': challenge() },
      });
    }
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }

  private gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
