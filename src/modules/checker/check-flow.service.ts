import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { Drain } from '../../http/drain.js';
import { CanariesService } from './canaries.service.js';
import { CheckQueue } from './check-queue.js';
import { DispatcherService } from './dispatcher.service.js';
import { ProcessesService } from './processes.service.js';
import { RecorderLeasesService } from './recorder-leases.service.js';
import { ResultIntakeService } from './result-intake.service.js';
import { RunnerService } from './runner.service.js';
import { SweeperLeaseService } from './sweeper-lease.service.js';
import { WorkerReportsService } from './worker-reports.service.js';

/** Deadlines from the start of a stop, which may take 5 s. Results that are not recorded in time go to the spool. */
const FINISH_CHECKS_BY_MS = 3_000;
const FINISH_RECORDING_BY_MS = 4_000;

/**
 * The path of every check, in the order in which it passes through the services:
 *
 * - {@link DispatcherService} finds due checks every 50 ms and sends jobs.
 * - {@link RunnerService} probes the targets on its threads and sends results. A failure that a missing network could
 *   explain waits for the verdict of {@link CanariesService}.
 * - {@link ResultIntakeService} collects results in batches, on disk while the database is away.
 * - `RecorderService` stores a batch in one transaction: checks, counts, confirmed states, transitions, incidents.
 * - The dispatcher also receives each result, and schedules the retry that confirms a change.
 *
 * A process takes the steps for which it has the role. If processes share the work, {@link CheckQueue} connects them,
 * and each dispatches and records the shards whose leases it holds.
 */
@Injectable()
export class CheckFlowService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly config: AppConfig,
    private readonly queue: CheckQueue,
    private readonly dispatcher: DispatcherService,
    private readonly runner: RunnerService,
    private readonly canaries: CanariesService,
    private readonly intake: ResultIntakeService,
    private readonly recorded: RecorderLeasesService,
    private readonly sweeping: SweeperLeaseService,
    private readonly processes: ProcessesService,
    private readonly reports: WorkerReportsService,
    private readonly drain: Drain,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.has('worker')) {
      const location = this.config.get('LOCATION');
      this.queue.onJobs((jobs, rules) => {
        // Within one process, jobs of all locations arrive.
        if (jobs[0]?.location === location) this.runner.run(jobs, rules);
      });
      this.canaries.start();
      this.reports.start();
    }
    if (this.config.has('recorder')) {
      this.queue.onResults((results) =>
        this.config.isShared ? this.intake.store(results) : this.intake.take(results),
      );
      await this.recorded.renew();
    }
    this.intake.start();
    if (!this.config.has('dispatcher')) return;
    this.queue.onVerdicts((results) => this.dispatcher.settle(results));
    await this.sweeping.renew();
    await this.dispatcher.start();
  }

  /**
   * Stops the services in the order of the path, so that started checks are recorded; a check that does not finish in
   * time counts as missed. Checks continue until the last caller has disconnected.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const beganAt = performance.now();
    const left = (byMs: number): number => Math.max(0, byMs - (performance.now() - beganAt));
    await this.drain.end();
    await this.dispatcher.stop();
    await this.sweeping.stop();
    await this.queue.stopJobs();
    await this.runner.stop(left(FINISH_CHECKS_BY_MS));
    this.canaries.stop();
    await this.reports.stop();
    await this.recorded.stopReceiving();
    await this.intake.stop(left(FINISH_RECORDING_BY_MS));
    await this.recorded.stop();
    await this.queue.close();
    await this.processes.leave();
  }
}
