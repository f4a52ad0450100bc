import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CanariesService } from './canaries.service.js';
import { CheckQueue } from './check-queue.js';
import { RunnerService } from './runner.service.js';
import { WorkerReportsService } from './worker-reports.service.js';

const FINISH_CHECKS_WITHIN_MS = 3_000;

/** The part of the path of checks that a worker has: jobs, probes, results. */
@Injectable()
export class WorkerFlowService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly queue: CheckQueue,
    private readonly runner: RunnerService,
    private readonly canaries: CanariesService,
    private readonly reports: WorkerReportsService,
  ) {}

  onApplicationBootstrap(): void {
    this.queue.onJobs((jobs, rules) => this.runner.run(jobs, rules));
    this.canaries.start();
    this.reports.start();
  }

  /** Checks that do not finish in time are run again by another worker. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.stopJobs();
    await this.runner.stop(FINISH_CHECKS_WITHIN_MS);
    this.canaries.stop();
    await this.reports.stop();
    await this.queue.close();
  }
}
