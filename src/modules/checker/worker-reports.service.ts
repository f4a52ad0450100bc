import { Injectable, Logger } from '@nestjs/common';
import { REPORT_EVERY_MS } from '../../redis/worker-report.js';
import { RunnerService } from './runner.service.js';
import { WorkerPresence } from './worker-presence.js';

/** Reports every two seconds that this process makes checks, and how busy it is. */
@Injectable()
export class WorkerReportsService {
  private readonly logger = new Logger(WorkerReportsService.name);
  private timer: NodeJS.Timeout | undefined;
  private takenAt = performance.now();
  private reporting: Promise<void> = Promise.resolve();

  constructor(
    private readonly runner: RunnerService,
    private readonly presence: WorkerPresence,
  ) {}

  start(): void {
    this.report();
    this.timer = setInterval(() => this.report(), REPORT_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.reporting;
    await this.presence.leave().catch((error: unknown) => this.logger.debug('could not withdraw the report', error));
  }

  private report(): void {
    const { checks, lagMs, busy } = this.runner.takeLoad();
    const now = performance.now();
    const seconds = (now - this.takenAt) / 1_000;
    this.takenAt = now;
    const figures = {
      busyPercent: rounded(100 * busy),
      checksPerSecond: seconds > 0 ? rounded(checks / seconds) : 0,
      lagMs: Math.round(Math.max(0, lagMs)),
    };
    // While the database or Redis is away, other parts of the log say so.
    this.reporting = this.presence
      .report(figures)
      .catch((error: unknown) => this.logger.debug('could not report this worker', error));
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
