import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../../database/database-fault.js';
import { type CheckResult } from './check-queue.js';
import { type Spool } from './spool.js';

/** Results that are recorded in one transaction, or appended at once. */
const BATCH = 1_000;
/** Between two transactions, so that each takes many results: most of what one costs does not depend on their number. */
const GATHER_MS = 100;
/** Where the database is slower than results come, more than this do not wait in memory, but in the spool. */
const SPOOL_ABOVE = 10_000;
/** Results that memory holds where the spool takes none: a full disk, or one that cannot be written. */
const MAX_WAITING = 100_000;
const RETRY_MS = 500;
/** More results than this waiting for a database that answers, or this many more in the spool: it is too slow for them. */
const BEHIND_ABOVE = 4_000;

export interface FlowFigures {
  /** In memory, neither recorded nor on the disk yet. */
  waiting: number;
  /** New to the database, since the start. */
  recorded: number;
  /** Given up since the start. */
  dropped: number;
  /** On the disk now. */
  spooled: number;
  spoolBytes: number;
}

/**
 * Brings results to the database, in batches and in the order in which they come. While it does not take them they are
 * appended to the spool and, as long as that is not empty, all go through it. No result is given up but where
 * neither the database nor the disk takes it and memory holds no more; then it is the newest: what is on the disk was
 * accepted, and stays.
 */
export class ResultFlow {
  private readonly logger = new Logger('RecorderService');
  private waiting: CheckResult[] = [];
  /** What the database has been given out of memory, and has not confirmed. */
  private inFlight: readonly CheckResult[] = [];
  /** What the disk has been given, and has not confirmed. */
  private appending = 0;
  private working: Promise<void> | null = null;
  private spooling: Promise<void> | null = null;
  /** The rest of the spool is being recorded: results wait in memory meanwhile, or it would never be empty. */
  private finishing = false;
  /** Somebody waits for one of those in memory: they are recorded at once. */
  private urgent = false;
  private recordedAt = Number.NEGATIVE_INFINITY;
  private endGathering: () => void = () => undefined;
  private readonly stop = new AbortController();
  /** So that each absence of the database and each fault of the spool is told once. */
  private away = false;
  private spoolFails = false;
  private spoolFailedAt = Number.NEGATIVE_INFINITY;
  private lost = 0;
  /** Of the results in the spool, how many there were at the least since the database went away last. */
  private leastSpooled = 0;
  private readonly counts = { recorded: 0, dropped: 0 };

  /**
   * @param record commits results, or none of them, and says how many were new
   * @param onSpooled learns of results that are on the disk
   */
  constructor(
    private readonly spool: Spool,
    private readonly record: (results: readonly CheckResult[]) => Promise<number>,
    private readonly onSpooled: (results: readonly CheckResult[]) => void,
  ) {}

  get figures(): FlowFigures {
    const { results, bytes } = this.spool.figures;
    const waiting = this.waiting.length + this.inFlight.length + this.appending;
    return { waiting, ...this.counts, spooled: results, spoolBytes: bytes };
  }

  /**
   * The database answers, and takes results more slowly than they come: with more checks, all results would be recorded
   * later and later. While it is away they go to the spool instead, whose replay is not held up by new ones either.
   */
  get isBehind(): boolean {
    if (this.away) return false;
    return this.waiting.length > BEHIND_ABOVE || this.spool.figures.results > this.leastSpooled + BEHIND_ABOVE;
  }

  /** Begins with what the spool holds. */
  start(): void {
    this.leastSpooled = this.spool.figures.results;
    if (!this.spool.isEmpty) this.work();
  }

  take(results: readonly CheckResult[]): void {
    this.waiting.push(...results);
    this.urgent ||= this.waiting.length >= BATCH || results.some(({ attempt }) => attempt < 0);
    if (this.urgent) this.endGathering();
    if (this.waiting.length > SPOOL_ABOVE || this.stop.signal.aborted) this.finishing = false;
    const through = !this.spool.isEmpty && !this.finishing;
    if (through || this.waiting.length > SPOOL_ABOVE || this.stop.signal.aborted) this.spoolWaiting();
    this.giveUpExcess();
    this.work();
  }

  /**
   * Records what is in memory, for at most `withinMs`; the rest goes to the spool, and stays there for the next start.
   */
  async finish(withinMs: number): Promise<void> {
    this.stop.abort();
    this.endGathering();
    const patience = new AbortController();
    await Promise.race([this.working, delay(withinMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    this.waiting.unshift(...this.inFlight);
    this.inFlight = [];
    this.finishing = false;
    await this.spooling;
    this.spoolWaiting();
    await this.spooling;
    await this.spool.close();
    const { waiting } = this;
    if (waiting.length > 0) this.logger.error(`${waiting.length} results could not be kept before the end`);
  }

  private work(): void {
    this.working ??= this.workOn().finally(() => (this.working = null));
  }

  private async workOn(): Promise<void> {
    for (;;) {
      if (!this.spool.isEmpty || this.spooling) {
        if (this.stop.signal.aborted) return;
        await this.replay();
      } else if (this.waiting.length > 0) {
        if (!(await this.recordWaiting()) && this.stop.signal.aborted) return;
      } else return;
    }
  }

  /** The fast path, from memory. False where the database is away. */
  private async recordWaiting(): Promise<boolean> {
    await this.gather();
    const batch = this.waiting.splice(0, BATCH);
    this.urgent = this.waiting.length >= BATCH;
    // Meanwhile they may have gone to the spool.
    if (batch.length === 0) return true;
    this.inFlight = batch;
    try {
      await this.recordAll(batch);
      this.recordedAt = performance.now();
      this.inFlight = [];
      this.databaseIsBack();
      return true;
    } catch (error) {
      this.inFlight = [];
      this.waiting.unshift(...batch);
      this.spoolWaiting();
      await this.databaseIsAway(error);
      return false;
    }
  }

  private async gather(): Promise<void> {
    const forMs = this.recordedAt + GATHER_MS - performance.now();
    if (this.urgent || this.stop.signal.aborted || forMs <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, forMs);
      this.endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Records the oldest segment of the spool and deletes it. */
  private async replay(): Promise<void> {
    if (this.spool.figures.results <= BATCH && this.waiting.length <= BATCH) {
      this.finishing = true;
      await this.spooling;
    }
    const results = await this.readOldest();
    try {
      for (let from = 0; from < results.length; from += BATCH) {
        if (this.stop.signal.aborted) return;
        await this.recordAll(results.slice(from, from + BATCH));
      }
      if (results.length > 0) await this.spool.removeOldest();
      this.leastSpooled = Math.min(this.leastSpooled, this.spool.figures.results);
      if (this.spool.isEmpty) this.finishing = false;
      // Where there was nothing to record, the database has not been asked.
      if (results.length > 0) this.databaseIsBack();
    } catch (error) {
      this.finishing = false;
      if (this.waiting.length > 0) this.spoolWaiting();
      await this.databaseIsAway(error);
    }
  }

  private async readOldest(): Promise<readonly CheckResult[]> {
    try {
      return (await this.spool.oldest()) ?? [];
    } catch (error) {
      this.logger.error('a part of the spool cannot be read: it is left for the next start', error);
      await this.spool.setOldestAside();
      return [];
    }
  }

  private spoolWaiting(): void {
    // A disk that has just refused is not asked again with each batch that arrives.
    if (!this.stop.signal.aborted && performance.now() < this.spoolFailedAt + RETRY_MS) return;
    this.spooling ??= this.appendWaiting().finally(() => (this.spooling = null));
  }

  private async appendWaiting(): Promise<void> {
    while (this.waiting.length > 0 && !this.finishing) {
      const batch = this.waiting.splice(0, BATCH);
      this.appending = batch.length;
      try {
        await this.spool.append(batch);
        this.appending = 0;
        if (this.away) this.leastSpooled = this.spool.figures.results;
        this.onSpooled(batch);
        if (this.spoolFails) this.logger.log('the spool takes results again');
        this.spoolFails = false;
        this.tellLost();
      } catch (error) {
        this.appending = 0;
        this.waiting.unshift(...batch);
        if (!this.spoolFails) this.logger.error('the spool takes no results: they wait in memory', error);
        this.spoolFails = true;
        this.spoolFailedAt = performance.now();
        return;
      }
    }
  }

  private giveUpExcess(): void {
    const excess = this.figures.waiting - MAX_WAITING;
    if (excess <= 0) return;
    this.waiting.length -= excess;
    this.counts.dropped += excess;
    if (this.lost === 0)
      this.logger.error(
        'results are given up: neither the database nor the spool takes them, and memory holds no more',
      );
    this.lost += excess;
  }

  /** Once there is room again for a while: results are given up and taken in turns while a full spool drains. */
  private tellLost(): void {
    if (this.lost === 0 || this.waiting.length > MAX_WAITING / 2) return;
    this.logger.error(`${this.lost} results were given up; from now on they are kept again`);
    this.lost = 0;
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

  private databaseIsBack(): void {
    if (this.away) this.logger.log(`the database is back: ${this.spool.figures.results} results wait in the spool`);
    this.away = false;
    this.tellLost();
  }

  private async databaseIsAway(error: unknown): Promise<void> {
    if (!this.away) this.logger.warn('the database is away: results go to the spool', error);
    this.away = true;
    await delay(RETRY_MS, undefined, { signal: this.stop.signal }).catch(() => undefined);
  }
}
