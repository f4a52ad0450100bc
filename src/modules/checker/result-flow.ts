import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../../database/database-fault.js';
import { type CheckResult } from './check-queue.js';
import { BEHIND_ABOVE, Overload } from './overload.js';
import { LeaseLost } from './lease-lost.js';
import { Receipts } from './receipts.js';
import { BATCH, oldestReport, ResultBuffer } from './result-buffer.js';
import { type Spool } from './spool.js';
import { SpoolWriter } from './spool-writer.js';

/**
 * Time between two transactions, so that each records many results: most of its cost is independent of their number.
 */
const GATHER_MS = 100;
/**
 * Number of results above which they wait for a slow database in the spool instead of in memory, unless they are kept
 * elsewhere, too.
 */
const SPOOL_ABOVE = 10_000;
const RETRY_MS = 500;

/**
 * The path of results:
 * - `direct`: from memory to the database; the spool is empty.
 * - `spooling`: to the spool, from which they are recorded oldest first; the database is or was away.
 * - `draining`: new results wait in memory while the rest of the spool is recorded; otherwise it would never be empty.
 * - `ending`: from memory to the database for as long as it accepts them, then to the spool.
 */
type FlowState = 'direct' | 'spooling' | 'draining' | 'ending';

/** Where results are recorded from. */
export type ResultOrigin = 'memory' | 'spool';

export interface FlowFigures {
  /** Results in memory that are neither recorded nor on disk yet. */
  waiting: number;
  /** Results recorded for the first time, since the start. */
  recorded: number;
  /** Results dropped since the start. */
  dropped: number;
  /** Results on disk now. */
  spooled: number;
  spoolBytes: number;
}

/**
 * Records results in batches, in the order in which they arrive. While the database does not accept them, they go to
 * the spool. A result is dropped only if neither the database nor the disk accepts it and memory is full; the newest
 * results are dropped, because those on disk were accepted.
 */
export class ResultFlow {
  private readonly logger = new Logger(ResultFlow.name);
  private readonly buffer = new ResultBuffer();
  private readonly writer: SpoolWriter;
  private readonly overload = new Overload();
  private readonly stop = new AbortController();
  private state: FlowState = 'direct';
  /** Results sent from memory to the database that are not confirmed yet. */
  private inFlight: readonly CheckResult[] = [];
  private working: Promise<void> | null = null;
  private recordedAt = Number.NEGATIVE_INFINITY;
  private isDatabaseAway = false;
  private readonly counts = { recorded: 0, dropped: 0 };
  private readonly receipts = new Receipts();

  /**
   * @param record commits all of the results or none, and returns how many were new
   * @param onSpooled called with results that are on disk
   * @param keptElsewhere whether results in memory, except reports of jobs, are also kept where they came from, and need
   *   not be spooled yet
   * @param onAway called when the database goes away, and when it is back
   */
  constructor(
    private readonly spool: Spool,
    private readonly record: (results: readonly CheckResult[], origin: ResultOrigin) => Promise<number>,
    onSpooled: (results: readonly CheckResult[]) => void,
    private readonly keptElsewhere: () => boolean = () => false,
    private readonly onAway: (isAway: boolean) => void = () => undefined,
  ) {
    const onWritten = (results: readonly CheckResult[]): void => {
      if (this.isDatabaseAway) this.overload.allow(spool.figures.results);
      onSpooled(results);
      this.receipts.settle(results);
      this.overload.reportLoss(this.buffer.size);
    };
    this.writer = new SpoolWriter(spool, this.buffer, onWritten, () => this.refuseReports());
  }

  get figures(): FlowFigures {
    const { results, bytes } = this.spool.figures;
    const waiting = this.buffer.size + this.inFlight.length + this.writer.inFlight;
    return { waiting, ...this.counts, spooled: results, spoolBytes: bytes };
  }

  /** Whether the database did not accept the last results. */
  get isAway(): boolean {
    return this.isDatabaseAway;
  }

  /** The time before which every report that was taken is recorded, in epoch milliseconds. */
  get reportsRecordedUntil(): number {
    if (!this.spool.isEmpty || this.writer.isWriting) return Number.NEGATIVE_INFINITY;
    return Math.min(oldestReport(this.inFlight), this.buffer.oldestReportAt);
  }

  /**
   * Whether the database answers but records results more slowly than they arrive: with more checks, all results would
   * be recorded later and later. False while it is away, because spooled results are replayed without a delay by new
   * ones.
   */
  get isBehind(): boolean {
    return !this.isDatabaseAway && this.overload.isBehind(this.buffer.size, this.spool.figures.results);
  }

  /**
   * Returns the test whether the checks of a team must wait. While results are recorded more slowly than they arrive,
   * those of the teams do that have more than their fair share of the results in memory.
   */
  get mustWait(): (teamId: string) => boolean {
    if (!this.isBehind) return () => false;
    // The spool is recorded in order, whosever the results are.
    if (this.overload.hasGrown(this.spool.figures.results)) return () => true;
    const teams = this.buffer.teamsAbove(BEHIND_ABOVE);
    return (teamId) => teams.has(teamId) || teams.has(undefined);
  }

  /**
   * Like `take`, and resolves once the results are in the database or on disk. Rejects if they are not, because other
   * processes record them or this one was stopped; a report of a job also if neither accepts it now.
   */
  store(results: readonly CheckResult[]): Promise<void> {
    const stored = this.receipts.issue(results);
    this.take(results);
    return stored;
  }

  /** Starts to record the contents of the spool. */
  start(): void {
    this.overload.allow(this.spool.figures.results);
    if (this.spool.isEmpty) return;
    this.become('spooling');
    this.work();
  }

  take(results: readonly CheckResult[]): void {
    this.buffer.add(results);
    if (this.buffer.size > SPOOL_ABOVE && !this.canWait) this.become('spooling');
    if (this.state === 'spooling' || (this.state === 'ending' && !this.canWait)) this.toSpool();
    const excess = this.buffer.dropNewest(this.overload.excess(this.figures.waiting));
    this.receipts.refuse(excess, new Error('The memory for results is full.'));
    this.counts.dropped += excess.length;
    this.work();
  }

  /** Records the results in memory within `withinMs`; the rest goes to the spool and stays there for the next start. */
  async finish(withinMs: number): Promise<void> {
    this.become('ending');
    this.stop.abort();
    const patience = new AbortController();
    await Promise.race([this.working, delay(withinMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    this.buffer.putBack(this.inFlight);
    this.inFlight = [];
    await this.writer.idle();
    const areKept = this.canWait;
    if (!areKept) this.toSpool();
    await this.writer.idle();
    await this.spool.close();
    if (this.buffer.size > 0 && !areKept)
      this.logger.error(`${this.buffer.size} results could not be stored before shutdown`);
    this.receipts.refuseAll(new Error('The service was stopped.'));
  }

  /** Whether the results in memory need not be on disk. */
  private get canWait(): boolean {
    return this.keptElsewhere() && this.buffer.oldestReportAt === Infinity;
  }

  /** Refuses reports that neither the database nor the disk accepts: a job that is kept waiting could not report again. */
  private refuseReports(): void {
    if (!this.isDatabaseAway) return;
    this.receipts.refuse(this.buffer.takeReports(), new Error('Neither the database nor the disk accepts reports.'));
  }

  /** `ending` is final. */
  private become(state: FlowState): void {
    if (this.state !== 'ending') this.state = state;
  }

  private toSpool(): void {
    const isEnding = this.state === 'ending';
    this.writer.start(() => this.state !== 'draining', { now: isEnding });
  }

  private work(): void {
    this.working ??= this.workOn().finally(() => (this.working = null));
  }

  private async workOn(): Promise<void> {
    for (;;) {
      if (!this.spool.isEmpty || this.writer.isWriting) {
        if (this.state === 'ending') return;
        await this.replay();
      } else if (this.buffer.size > 0) {
        const isRecorded = await this.recordFromMemory();
        if (!isRecorded && this.stop.signal.aborted) return;
      } else return;
    }
  }

  /** Records the oldest batch in memory. Returns false if the database is away. */
  private async recordFromMemory(): Promise<boolean> {
    await this.buffer.gather(this.recordedAt + GATHER_MS - performance.now(), this.stop.signal);
    const batch = this.buffer.takeBatch();
    // All of them may have gone to the spool meanwhile.
    if (batch.length === 0) return true;
    this.inFlight = batch;
    try {
      await this.recordAll(batch, 'memory');
      this.recordedAt = performance.now();
      this.inFlight = [];
      if (this.spool.isEmpty && !this.writer.isWriting) this.become('direct');
      this.databaseIsBack();
      return true;
    } catch (error) {
      this.inFlight = [];
      this.buffer.putBack(batch);
      if (!this.canWait) {
        this.become('spooling');
        this.toSpool();
      }
      await this.databaseIsGone(error);
      return false;
    }
  }

  /** Records the oldest segment of the spool and deletes it. */
  private async replay(): Promise<void> {
    if (this.spool.figures.results <= BATCH && this.buffer.size <= BATCH) {
      this.become('draining');
      await this.writer.idle();
    }
    const results = await this.readOldest();
    try {
      for (let from = 0; from < results.length; from += BATCH) {
        if (this.stop.signal.aborted) return;
        await this.recordAll(results.slice(from, from + BATCH), 'spool');
      }
      if (results.length > 0) await this.spool.removeOldest();
      this.overload.shrunk(this.spool.figures.results);
      if (this.spool.isEmpty && !this.writer.isWriting) this.become('direct');
      // Without results, nothing was sent to the database.
      if (results.length > 0) this.databaseIsBack();
    } catch (error) {
      this.become('spooling');
      if (this.buffer.size > 0) this.toSpool();
      await this.databaseIsGone(error);
    }
  }

  private async readOldest(): Promise<readonly CheckResult[]> {
    try {
      return (await this.spool.oldest()) ?? [];
    } catch (error) {
      this.logger.error('could not read a segment of the spool: will retry at the next start', error);
      await this.spool.setOldestAside();
      return [];
    }
  }

  /**
   * Throws only if the database is away. A result that it rejects is dropped alone, so that it does not block the
   * others. Results that another process records now are left to it.
   */
  private async recordAll(batch: readonly CheckResult[], origin: ResultOrigin): Promise<void> {
    if (batch.length === 0) return;
    try {
      this.counts.recorded += await this.record(batch, origin);
      this.receipts.settle(batch);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (error instanceof LeaseLost) {
        const [lost, own] = error.split(batch);
        this.receipts.refuse(lost, error);
        await this.recordAll(own, origin);
        return;
      }
      if (batch.length === 1) {
        this.counts.dropped += 1;
        this.logger.error(`could not record a result of monitor ${batch[0]!.monitorId}`, error);
        this.receipts.settle(batch);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.recordAll(batch.slice(0, half), origin);
      await this.recordAll(batch.slice(half), origin);
    }
  }

  private databaseIsBack(): void {
    if (this.isDatabaseAway) {
      this.logger.log(
        `the database is available again: recording ${this.spool.figures.results} results from the spool`,
      );
      this.onAway(false);
    }
    this.isDatabaseAway = false;
    this.overload.reportLoss(this.buffer.size);
  }

  private async databaseIsGone(error: unknown): Promise<void> {
    if (!this.isDatabaseAway) {
      this.logger.warn('the database is unavailable: results wait, or are written to the spool', error);
      this.onAway(true);
    }
    this.isDatabaseAway = true;
    await delay(RETRY_MS, undefined, { signal: this.stop.signal }).catch(() => undefined);
  }
}
