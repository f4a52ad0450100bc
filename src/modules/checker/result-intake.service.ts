import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';
import { CheckRequestsService } from '../monitors/schedule/check-requests.service.js';
import { CheckQueue, type CheckResult, isRequested } from './check-queue.js';
import { asOwnFault, isSlotPossible, isTimeCredible } from './credible-time.js';
import { LeaseService } from './lease.service.js';
import { RecorderLeasesService } from './recorder-leases.service.js';
import { RecorderService } from './recorder.service.js';
import { type FlowFigures, ResultFlow } from './result-flow.js';
import { SlotClockService } from './slot-clock.service.js';
import { type Leftover, Spool } from './spool.js';

const RECOVER_MS = MINUTE_MS;

/** Accepts results and has them recorded in batches. Results that the database does not accept wait in the spool. */
@Injectable()
export class ResultIntakeService implements OnModuleInit {
  private readonly logger = new Logger(ResultIntakeService.name);
  private readonly flow: ResultFlow;

  constructor(
    recorder: RecorderService,
    queue: CheckQueue,
    leases: RecorderLeasesService,
    private readonly requests: CheckRequestsService,
    private readonly lease: LeaseService,
    private readonly spool: Spool,
    private readonly clock: SlotClockService,
    private readonly config: AppConfig,
  ) {
    this.flow = new ResultFlow(
      spool,
      // Nobody else can record what is in the spool of this process.
      (results, origin) =>
        recorder.record(results, origin === 'spool' ? undefined : (tx) => leases.assertHeld(tx, results)),
      (results) => requests.noteAnswered(results.filter(isRequested)),
      () => queue.keepsResults,
      (isAway) => queue.noteRecording(!isAway),
    );
  }

  get figures(): FlowFigures {
    return this.flow.figures;
  }

  /** The time before which every report that this process has accepted is recorded; epoch milliseconds. */
  get reportsRecordedUntil(): number {
    return this.flow.reportsRecordedUntil;
  }

  /** Whether results arrive faster than a responding database records them. */
  get isBehind(): boolean {
    return this.flow.isBehind;
  }

  /** Returns the test whether the checks of a team must wait, because its results arrive faster than that. */
  get mustWait(): (teamId: string) => boolean {
    return this.flow.mustWait;
  }

  /** Recovers the results that an earlier process left in the spool, before any check is dispatched. */
  async onModuleInit(): Promise<void> {
    await this.recover(0);
  }

  /**
   * Records what processes have left in the spool that ended after this one had started, such as a container that shared
   * the volume and was replaced. While nothing can be recorded, living processes leave theirs alone, too.
   */
  @Interval(RECOVER_MS)
  async recoverIdle(): Promise<void> {
    if (this.flow.isAway) return;
    if (await this.recover(RECOVER_MS)) this.flow.start();
  }

  /** Returns whether there was something to recover. */
  private async recover(idleMs: number): Promise<boolean> {
    try {
      const leftover = await this.spool.recover(idleMs);
      if (leftover.damagedBytes > 0) {
        this.logger.warn(`${leftover.damagedBytes} bytes of the spool are incomplete, probably because of a crash`);
      }
      if (leftover.results > 0) await this.resume(leftover);
      return leftover.results > 0;
    } catch (error) {
      this.logger.error('could not read the spool', error);
      return false;
    }
  }

  /** Starts to record the contents of the spool. */
  start(): void {
    this.flow.start();
  }

  take(results: readonly CheckResult[]): void {
    this.flow.take(results);
  }

  /**
   * Like `take`, for results of other processes, and resolves once they are durable. Rejects if another process records
   * them. Times that cannot be true are not believed.
   */
  store(results: readonly CheckResult[]): Promise<void> {
    return this.flow.store(this.received(results));
  }

  /** Accepts reports that jobs have made to this process. Resolves once they are durable; rejects if they are not. */
  hear(reports: readonly CheckResult[]): Promise<void> {
    return this.flow.store(reports);
  }

  /** Records the results that have arrived; those that are not recorded within `withinMs` go to the spool. */
  stop(withinMs: number): Promise<void> {
    return this.flow.finish(withinMs);
  }

  /** Replaces and drops results whose times cannot be true. */
  private received(results: readonly CheckResult[]): readonly CheckResult[] {
    const now = this.clock.now();
    const keptMs = this.config.get('RETENTION_DAYS') * DAY_MS;
    // Jobs do not report to workers.
    const isPossible = (result: CheckResult): boolean =>
      result.trigger !== 'heartbeat' && isSlotPossible(result, now, keptMs);
    const isFine = (result: CheckResult): boolean => isTimeCredible(result, now) && isPossible(result);
    if (results.every(isFine)) return results;
    const possible = results.filter(isPossible);
    this.logger.warn(`${results.filter((result) => !isFine(result)).length} results claim times that cannot be true`);
    return possible.map((result) => (isTimeCredible(result, now) ? result : asOwnFault(result, now)));
  }

  private async resume({ results, promised, newestCheckedAt }: Leftover): Promise<void> {
    this.logger.log(`recording ${results} results that another process left in the spool`);
    this.requests.noteAnswered(promised);
    try {
      // The lease could not be renewed while the database was away, but the time until the newest check was served.
      if (newestCheckedAt !== null) await this.lease.noteServed(newestCheckedAt);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
  }
}
