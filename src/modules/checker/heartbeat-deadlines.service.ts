import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { Transactions } from '../../database/tx.js';
import { bareOutcome, type CheckError, judge } from '../../domain/check-result.js';
import { DAY_MS } from '../../domain/durations.js';
import { isWaived, type Obstacle } from '../../domain/heartbeat/heartbeat.js';
import { DEFAULT_LOCATION } from '../../domain/location.js';
import { type Shard, shardOf } from '../../domain/shard.js';
import { HeartbeatsService, LATE_AFTER_MS } from '../monitors/heartbeat/heartbeats.service.js';
import { type PassedDeadline } from '../monitors/heartbeat/ping.types.js';
import { SpansService } from '../monitors/history/spans.service.js';
import { CanariesService } from './canaries.service.js';
import { type CheckResult } from './check-queue.js';
import { LeaseService } from './lease.service.js';
import { RecorderService } from './recorder.service.js';
import { ResultIntakeService } from './result-intake.service.js';
import { SlotClockService } from './slot-clock.service.js';
import { SweeperLeaseLost, SweeperLeaseService } from './sweeper-lease.service.js';
import { WaitingReportsService } from './waiting-reports.service.js';

const SWEEP_MS = 250;
/** While no deadline is near, the first one is read this often. One that is set meanwhile is rarely nearer than that. */
const LOOK_MS = 1_000;
const BATCH = 500;
/**
 * If other processes use the database, one of them may have accepted a report in time and be about to record it, also
 * without Redis: each records the reports that it receives. Judged later than this, the deadline is met, or the report
 * counts as late and withdraws the failure. Twice as long, because clocks differ.
 */
const SHARED_AFTER_MS = 2 * LATE_AFTER_MS;
/** After the database was away, processes have this long to report that they have reports to record. */
const REPORTED_AFTER_MS = 5_000;
/** Losses of the network are remembered for longer than the longest grace. */
const REMEMBERED_MS = 2 * DAY_MS;

/**
 * Records the deadlines at which no report of a job has arrived: as a failure, or as unknown if the report could not
 * have arrived. A deadline is judged once it is certain that everything before it was seen.
 */
@Injectable()
export class HeartbeatDeadlinesService {
  private readonly logger = new Logger(HeartbeatDeadlinesService.name);
  private sweeping = false;
  /** When to look next, by the clock of `performance.now()`. */
  private lookAt = Number.NEGATIVE_INFINITY;
  /** When this process last was without the lease or the database, by the same clock. */
  private awayAt = performance.now();
  /** When this process had no network. */
  private readonly losses: { from: number; to: number }[] = [];

  constructor(
    private readonly config: AppConfig,
    private readonly transactions: Transactions,
    private readonly heartbeats: HeartbeatsService,
    private readonly spans: SpansService,
    private readonly recorder: RecorderService,
    private readonly intake: ResultIntakeService,
    private readonly reports: WaitingReportsService,
    private readonly canaries: CanariesService,
    private readonly lease: LeaseService,
    private readonly sweeper: SweeperLeaseService,
    private readonly clock: SlotClockService,
  ) {}

  @Interval(SWEEP_MS)
  async sweep(): Promise<void> {
    this.noteNetwork();
    if (!this.sweeper.isHeld) this.awayAt = performance.now();
    if (this.sweeping || !this.sweeper.isHeld || !this.canaries.networkAvailable) return;
    this.sweeping = true;
    try {
      await this.sweeper.hold(() => this.judgePassed());
    } catch (error) {
      if (isDatabaseAway(error)) this.awayAt = performance.now();
      else if (!(error instanceof SweeperLeaseLost))
        this.logger.error('could not judge deadlines of heartbeats; will retry', error);
    } finally {
      this.sweeping = false;
    }
  }

  private noteNetwork(): void {
    if (this.canaries.networkAvailable) return;
    const now = this.clock.now();
    const last = this.losses.at(-1);
    if (last && now - last.to < 2 * SWEEP_MS) last.to = now;
    else this.losses.push({ from: now, to: now });
    while (this.losses[0] && this.losses[0].to < now - REMEMBERED_MS) this.losses.shift();
  }

  private async judgePassed(): Promise<void> {
    if (performance.now() < this.lookAt) return;
    const first = (await this.heartbeats.firstDeadline()) ?? Number.POSITIVE_INFINITY;
    const now = this.clock.now();
    const beforeMs = this.config.embedded ? now : now - SHARED_AFTER_MS;
    if (first >= beforeMs) {
      this.lookAt = performance.now() + Math.min(first - beforeMs, LOOK_MS);
      return;
    }
    if (await this.mayReportsBeElsewhere()) return;
    const passed = await this.heartbeats.passed(beforeMs, BATCH);
    if (passed.length === 0) return;
    const served = await this.lease.servedUntil();
    // Reports that arrived in time may wait to be recorded.
    const recordedUntil = this.intake.reportsRecordedUntil;
    const judged = passed.filter(({ monitorId, untilMs }) => {
      return untilMs < recordedUntil && untilMs <= served.get(this.shardOf(monitorId))!;
    });
    if (judged.length === 0) return;
    const obstacles = await this.spans.obstacles(DEFAULT_LOCATION, judged);
    const results: CheckResult[] = [];
    const over: PassedDeadline[] = [];
    for (const deadline of judged) {
      const { expected, seen } = obstacles.get(deadline.monitorId)!;
      const pause: Obstacle[] = deadline.resumedAt === null ? [] : [{ from: -Infinity, to: deadline.resumedAt }];
      if (isWaived(deadline, [...expected, ...pause])) over.push(deadline);
      else if (isWaived(deadline, [...seen, ...this.losses])) results.push(resultOf(deadline, UNSEEN));
      else results.push(resultOf(deadline, missing(deadline)));
    }
    if (over.length > 0) await this.transactions.run((tx) => this.heartbeats.passOver(tx, over, now));
    if (results.length > 0) await this.recorder.record(results);
  }

  /** Returns whether another process may have confirmed reports in time that are not recorded yet. */
  private async mayReportsBeElsewhere(): Promise<boolean> {
    // No other process uses an embedded database.
    if (this.config.embedded) return false;
    return performance.now() - this.awayAt < REPORTED_AFTER_MS || (await this.reports.areElsewhere());
  }

  private shardOf(monitorId: string): Shard {
    return this.config.isShared ? shardOf(monitorId, this.config.get('SHARDS')) : 'all';
  }
}

const UNSEEN: CheckError = {
  code: 'checker_error',
  message: 'The service was not running, or had no network, when the report was due.',
};

function missing({ code, dueMs, rule }: PassedDeadline): CheckError {
  if (code === 'run_too_long') {
    return { code, message: `The run did not end within ${rule.maxRunMs! / 1_000} s.` };
  }
  return {
    code,
    message: `No report arrived within ${rule.graceMs / 1_000} s of ${new Date(dueMs).toISOString()}.`,
  };
}

function resultOf(deadline: PassedDeadline, error: CheckError): CheckResult {
  const { monitorId, teamId, revision, dueMs, failureThreshold, recoveryThreshold } = deadline;
  const outcome = bareOutcome(error);
  return {
    monitorId,
    teamId,
    scheduledAt: dueMs,
    location: DEFAULT_LOCATION,
    attempt: 0,
    trigger: 'heartbeat',
    revision,
    intervalMs: 0,
    thresholds: { failureThreshold, recoveryThreshold },
    epoch: 0,
    checkedAt: dueMs,
    status: judge(outcome, null),
    outcome,
    type: 'heartbeat',
  };
}
