import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { isDatabaseAway } from '../../database/database-fault.js';
import { StaleMemory } from '../../database/stale-memory.js';
import { Transactions, type Tx } from '../../database/tx.js';
import { ChecksService } from '../checks/checks.service.js';
import { PartitionsService } from '../checks/partitions.service.js';
import { DetectedIncidentsService } from '../incidents/detected-incidents.service.js';
import { CheckRequestsService } from '../monitors/schedule/check-requests.service.js';
import { MonitorStatesService, type StateResult } from '../monitors/state/monitor-states.service.js';
import { RollupsService } from '../uptime/rollups.service.js';
import { CheckQueue, type CheckResult } from './check-queue.js';
import { LeaseService } from './lease.service.js';
import { type FlowFigures, ResultFlow } from './result-flow.js';
import { SlotClockService } from './slot-clock.service.js';
import { type Leftover, Spool } from './spool.js';

/** Records results: each once, in batches of one transaction, however often and in whatever order they are delivered. */
@Injectable()
export class RecorderService implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger(RecorderService.name);
  private readonly flow: ResultFlow;
  private readonly observers: ((results: number, ms: number) => void)[] = [];

  constructor(
    private readonly queue: CheckQueue,
    private readonly transactions: Transactions,
    private readonly checks: ChecksService,
    private readonly partitions: PartitionsService,
    private readonly requests: CheckRequestsService,
    private readonly states: MonitorStatesService,
    private readonly incidents: DetectedIncidentsService,
    private readonly rollups: RollupsService,
    private readonly clock: SlotClockService,
    private readonly lease: LeaseService,
    private readonly spool: Spool,
  ) {
    this.flow = new ResultFlow(
      spool,
      (results) => this.record(results),
      (results) => requests.noteAnswered(results.filter((result) => result.attempt < 0)),
    );
  }

  get figures(): FlowFigures {
    return this.flow.figures;
  }

  /** Results come faster than they can be recorded, though the database is there: no more checks should be begun. */
  get isBehind(): boolean {
    return this.flow.isBehind;
  }

  /** Finds what an earlier process has spooled, before anything is dispatched. */
  async onModuleInit(): Promise<void> {
    try {
      const leftover = await this.spool.recover();
      if (leftover.damagedBytes > 0)
        this.logger.warn(
          `${leftover.damagedBytes} bytes of the spool were not whole: a crash tears what it interrupts`,
        );
      if (leftover.results > 0) await this.goOnFrom(leftover);
    } catch (error) {
      this.logger.error('the spool cannot be read', error);
    }
  }

  onApplicationBootstrap(): void {
    this.queue.onResults((results) => this.flow.take(results));
    this.flow.start();
  }

  /** Records what has arrived; what the database has not taken by `withinMs` is left in the spool. */
  stop(withinMs: number): Promise<void> {
    return this.flow.finish(withinMs);
  }

  /** From now on each batch that is recorded is told: of how many results it was, and how many milliseconds it took. */
  onRecorded(observer: (results: number, ms: number) => void): void {
    this.observers.push(observer);
  }

  /** Records these results now, in one transaction. Says how many were new. */
  async record(results: readonly CheckResult[]): Promise<number> {
    const startedAt = performance.now();
    await this.partitions.ensure(results.map((result) => result.scheduledAt));
    const { recorded, remember } = await this.recordOnce(results).catch((error: unknown) => {
      if (!(error instanceof StaleMemory)) throw error;
      this.states.forget();
      this.rollups.forget();
      return this.recordOnce(results);
    });
    remember();
    for (const observer of this.observers) observer(results.length, performance.now() - startedAt);
    return recorded;
  }

  private recordOnce(results: readonly CheckResult[]): Promise<Recorded> {
    return this.transactions.run((tx) => this.recordIn(tx, results));
  }

  private async recordIn(tx: Tx, results: readonly CheckResult[]): Promise<Recorded> {
    const locked = await this.states.lockForResults(tx, [...new Set(results.map((result) => result.monitorId))]);
    const known = results.filter((result) => locked.monitors.has(result.monitorId));
    const fresh = await this.checks.insert(tx, known);
    await this.requests.fulfil(
      tx,
      known.filter((result) => result.attempt < 0),
    );
    if (fresh.length === 0) return { recorded: 0, remember: () => undefined };
    const counted = await this.rollups.count(tx, fresh);
    const now = this.clock.now();
    const { moved, late, remember } = await this.states.apply(
      tx,
      locked,
      fresh.map(toStateResult),
      (inner, monitorId, location, fromMs) => this.checks.foldable(inner, monitorId, location, fromMs),
      now,
    );
    await this.incidents.reconcile(tx, moved, now, late);
    return {
      recorded: fresh.length,
      remember: () => {
        counted.remember();
        remember();
      },
    };
  }

  private async goOnFrom({ results, promised, newestCheckedAt }: Leftover): Promise<void> {
    this.logger.log(`${results} results were spooled by an earlier process and are recorded now`);
    this.requests.noteAnswered(promised);
    try {
      // The lease could not be told while the database was away: until then we were not absent.
      if (newestCheckedAt !== null) await this.lease.noteServed(newestCheckedAt);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
  }
}

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

interface Recorded {
  recorded: number;
  /** Keeps in memory what was written, which is only true once the transaction has been committed. */
  remember: () => void;
}
