import { Injectable, Logger } from '@nestjs/common';
import { StaleMemory } from '../../database/stale-memory.js';
import { Transactions, type Tx } from '../../database/tx.js';
import { type Readings } from '../../domain/check-result.js';
import { ChecksService } from '../checks/checks.service.js';
import { CertificateReadingsService } from '../certificates/certificate-readings.service.js';
import { PartitionsService } from '../checks/partitions.service.js';
import { DomainReadingsService } from '../domains/domain-readings.service.js';
import { DetectedIncidentsService } from '../incidents/detected-incidents.service.js';
import { HeartbeatsService } from '../monitors/heartbeat/heartbeats.service.js';
import { CheckRequestsService } from '../monitors/schedule/check-requests.service.js';
import { ScheduleHistoryService } from '../monitors/schedule/schedule-history.service.js';
import { type LockedStates, MonitorStatesService, type StateResult } from '../monitors/state/monitor-states.service.js';
import { RollupsService } from '../uptime/rollups.service.js';
import { type CheckResult, isRequested } from './check-queue.js';
import { SlotClockService } from './slot-clock.service.js';

interface Recorded {
  recorded: number;
  /** Caches what was written, which is correct only once the transaction is committed. */
  remember: () => void;
}

const unguarded = (): Promise<void> => Promise.resolve();

/** Records each result once, in batches of one transaction, however often and in whatever order it is delivered. */
@Injectable()
export class RecorderService {
  private readonly logger = new Logger(RecorderService.name);
  private readonly observers: ((results: number, ms: number) => void)[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly checks: ChecksService,
    private readonly partitions: PartitionsService,
    private readonly heartbeats: HeartbeatsService,
    private readonly requests: CheckRequestsService,
    private readonly states: MonitorStatesService,
    private readonly incidents: DetectedIncidentsService,
    private readonly rollups: RollupsService,
    private readonly certificates: CertificateReadingsService,
    private readonly domains: DomainReadingsService,
    private readonly schedules: ScheduleHistoryService,
    private readonly clock: SlotClockService,
  ) {}

  /** Calls `observer` after each recorded batch, with its number of results and its duration in milliseconds. */
  onRecorded(observer: (results: number, ms: number) => void): void {
    this.observers.push(observer);
  }

  /**
   * Records these results in one transaction. Returns how many were new.
   * @param guard runs first, in the same transaction
   */
  async record(results: readonly CheckResult[], guard: (tx: Tx) => Promise<void> = unguarded): Promise<number> {
    const startedAt = performance.now();
    await this.partitions.ensure(results.map((result) => result.scheduledAt));
    const { recorded, remember } = await this.recordOnce(results, guard).catch((error: unknown) => {
      if (!(error instanceof StaleMemory)) throw error;
      this.states.forget();
      this.rollups.forget();
      return this.recordOnce(results, guard);
    });
    remember();
    for (const observer of this.observers) observer(results.length, performance.now() - startedAt);
    return recorded;
  }

  private recordOnce(results: readonly CheckResult[], guard: (tx: Tx) => Promise<void>): Promise<Recorded> {
    return this.transactions.run(async (tx) => {
      await guard(tx);
      return this.recordIn(tx, results);
    });
  }

  /**
   * Returns the results of monitors that exist and are, or were at the time of the check, checked from the location of
   * the result. A worker cannot report on other monitors.
   */
  private async entitled(
    tx: Tx,
    results: readonly CheckResult[],
    monitors: LockedStates['monitors'],
  ): Promise<CheckResult[]> {
    const known = results.filter((result) => monitors.has(result.monitorId));
    const moved = known.filter((result) => !monitors.get(result.monitorId)!.locations.includes(result.location));
    if (moved.length === 0) return known;
    const former = await this.schedules.ofFormerLocations(tx, moved);
    const refused = new Set(moved.filter((_, index) => !former[index]));
    if (refused.size > 0) this.logger.warn(`refused ${refused.size} results from locations that their monitors lack`);
    return known.filter((result) => !refused.has(result));
  }

  /** Stores and counts checks, confirms states, writes transitions and readings, and opens or resolves incidents. */
  private async recordIn(tx: Tx, results: readonly CheckResult[]): Promise<Recorded> {
    const locked = await this.states.lockForResults(tx, [...new Set(results.map((result) => result.monitorId))]);
    const entitled = await this.entitled(tx, results, locked.monitors);
    const heard = await this.heartbeats.hear(tx, entitled, this.clock.now());
    const known = await this.states.withThresholds(tx, locked, heard.checks);
    const fresh = await this.checks.insert(tx, known);
    await this.requests.fulfil(tx, known.filter(isRequested));
    const withdrawn = await this.checks.withdraw(tx, heard.answered);
    if (fresh.length + withdrawn.length === 0) return { recorded: 0, remember: () => undefined };
    await this.rollups.withdraw(tx, withdrawn);
    const counted = await this.rollups.count(tx, fresh);
    const now = this.clock.now();
    const confirmed = await this.states.apply(
      tx,
      locked,
      fresh.map(toStateResult),
      (inner, monitorId, location, fromMs) => this.checks.foldable(inner, monitorId, location, fromMs),
      now,
      withdrawn,
    );
    await this.incidents.reconcile(tx, confirmed.moved, now, confirmed);
    await this.certificates.store(tx, readings(fresh, 'certificate'), now);
    await this.domains.store(tx, readings(fresh, 'registration'), now);
    const remember = (): void => {
      counted.remember();
      confirmed.remember();
    };
    return { recorded: fresh.length, remember };
  }
}

/** Returns what some of the checks read of their targets. */
function readings<K extends keyof Readings>(results: readonly CheckResult[], kind: K) {
  return results.flatMap((result) => {
    const read: Readings[K] = result[kind];
    return read ? [{ ...read, monitorId: result.monitorId, revision: result.revision, readAt: result.checkedAt }] : [];
  });
}

/** Returns what the states of monitors follow from. */
function toStateResult(result: CheckResult): StateResult {
  return {
    monitorId: result.monitorId,
    location: result.location,
    checkedAt: result.checkedAt,
    scheduledAt: result.scheduledAt,
    intervalMs: result.intervalMs,
    attempt: result.attempt,
    status: result.status,
    thresholds: result.thresholds,
    error: result.outcome.error,
  };
}
