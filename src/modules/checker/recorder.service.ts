import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../../database/database-fault.js';
import { Transactions, type Tx } from '../../database/tx.js';
import { ChecksService } from '../checks/checks.service.js';
import { PartitionsService } from '../checks/partitions.service.js';
import { CheckRequestsService } from '../monitors/check-requests.service.js';
import { MonitorStatesService } from '../monitors/monitor-states.service.js';
import { RollupsService } from '../uptime/rollups.service.js';
import { CheckQueue, type CheckResult } from './check-queue.js';
import { SlotClockService } from './slot-clock.service.js';

const BATCH = 1_000;
/** Results kept in memory while the database is away; beyond it the oldest are given up, counted and logged. */
const MAX_WAITING = 100_000;
const RETRY_MS = 500;

/** Records results: each once, in batches of one transaction, however often and in whatever order they are delivered. */
@Injectable()
export class RecorderService implements OnApplicationBootstrap {
  private readonly logger = new Logger(RecorderService.name);
  private waiting: CheckResult[] = [];
  private working: Promise<void> | null = null;
  private giveUpAt = Number.POSITIVE_INFINITY;
  /** So that an absence of the database is told once. */
  private away = false;
  private readonly counts = { recorded: 0, dropped: 0 };

  constructor(
    private readonly queue: CheckQueue,
    private readonly transactions: Transactions,
    private readonly checks: ChecksService,
    private readonly partitions: PartitionsService,
    private readonly requests: CheckRequestsService,
    private readonly states: MonitorStatesService,
    private readonly rollups: RollupsService,
    private readonly clock: SlotClockService,
  ) {}

  get figures(): { waiting: number; recorded: number; dropped: number } {
    return { waiting: this.waiting.length, ...this.counts };
  }

  onApplicationBootstrap(): void {
    this.queue.onResults((results) => this.take(results));
  }

  /** Records what has arrived; what the database has not taken by `withinMs` is given up. */
  async stop(withinMs: number): Promise<void> {
    this.giveUpAt = performance.now() + withinMs;
    await this.working;
    if (this.waiting.length > 0)
      this.logger.error(`${this.waiting.length} results could not be recorded before the end`);
  }

  /** Records these results now, in one transaction. Says how many were new. */
  async record(results: readonly CheckResult[]): Promise<number> {
    await this.partitions.ensure(results.map((result) => result.scheduledAt));
    return this.transactions.run((tx) => this.recordIn(tx, results));
  }

  private async recordIn(tx: Tx, results: readonly CheckResult[]): Promise<number> {
    const monitors = await this.states.lock(tx, [...new Set(results.map((result) => result.monitorId))]);
    const known = results.filter((result) => monitors.has(result.monitorId));
    const fresh = await this.checks.insert(tx, known);
    await this.requests.fulfil(
      tx,
      known.filter((result) => result.attempt < 0),
    );
    if (fresh.length === 0) return 0;
    await this.rollups.count(tx, fresh);
    await this.states.apply(
      tx,
      monitors,
      fresh.map((result) => ({ ...result, error: result.outcome.error })),
      (inner, monitorId, location, fromMs) => this.checks.foldable(inner, monitorId, location, fromMs),
      this.clock.now(),
    );
    return fresh.length;
  }

  private take(results: readonly CheckResult[]): void {
    this.waiting.push(...results);
    const excess = this.waiting.length - MAX_WAITING;
    if (excess > 0) {
      this.waiting.splice(0, excess);
      this.counts.dropped += excess;
      this.logger.error(`${excess} results given up: the database has been away for too long`);
    }
    this.working ??= this.work().finally(() => (this.working = null));
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0 && performance.now() < this.giveUpAt) {
      const batch = this.waiting.splice(0, BATCH);
      try {
        await this.recordAll(batch);
        if (this.away) this.logger.log('the database is back: results are recorded again');
        this.away = false;
      } catch (error) {
        this.waiting.unshift(...batch);
        if (!this.away) this.logger.warn('the database is away: results wait', error);
        this.away = true;
        await delay(RETRY_MS);
      }
    }
  }

  /** Throws only where the database is away. A result that it refuses must not hold up the others: it is set aside alone. */
  private async recordAll(batch: readonly CheckResult[]): Promise<void> {
    try {
      this.counts.recorded += await this.record(batch);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (batch.length === 1) {
        this.counts.dropped += 1;
        this.logger.error(`a result of monitor ${batch[0]!.monitorId} could not be recorded`, error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.recordAll(batch.slice(0, half));
      await this.recordAll(batch.slice(half));
    }
  }
}
