import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Drain } from '../../http/drain.js';
import { CanariesService } from './canaries.service.js';
import { CheckQueue } from './check-queue.js';
import { DispatcherService } from './dispatcher.service.js';
import { ResultIntakeService } from './result-intake.service.js';
import { RunnerService } from './runner.service.js';

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
 */
@Injectable()
export class CheckFlowService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly queue: CheckQueue,
    private readonly dispatcher: DispatcherService,
    private readonly runner: RunnerService,
    private readonly canaries: CanariesService,
    private readonly intake: ResultIntakeService,
    private readonly drain: Drain,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.queue.onJobs((jobs) => this.runner.run(jobs));
    this.queue.onResults((results) => this.intake.take(results));
    this.queue.onResults((results) => this.dispatcher.settle(results));
    this.intake.start();
    this.canaries.start();
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
    await this.runner.stop(left(FINISH_CHECKS_BY_MS));
    this.canaries.stop();
    await this.intake.stop(left(FINISH_RECORDING_BY_MS));
  }
}
