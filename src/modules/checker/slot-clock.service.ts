import { Injectable, Logger } from '@nestjs/common';
import { type ClockReading, readAt } from '../../domain/shared-clock.js';
import { advanceClock, startClock } from '../../domain/slot-clock.js';

/** Offset above which operators are warned: the slot clock soon makes up for a smaller one. */
export const FAR_AHEAD_MS = 60_000;
const WARN_EVERY_MS = 3_600_000;

/**
 * The clock of slots and check timestamps. Follows the system clock, or the clock that processes share, when it steps
 * forward, and never goes backward.
 */
@Injectable()
export class SlotClockService {
  private readonly logger = new Logger(SlotClockService.name);
  private shared: ClockReading | null = null;
  private clock: ClockReading = startClock(null, Date.now(), performance.now());
  private warnedAt: number | null = null;

  /** Returns the time in epoch milliseconds, never less than before. */
  now(): number {
    this.clock = advanceClock(this.clock, this.wallNow(), performance.now());
    this.warn();
    return this.clock.nowMs;
  }

  /** Returns by how many milliseconds check timestamps are ahead of a clock that was set back, otherwise 0. */
  aheadMs(): number {
    return Math.max(0, this.now() - this.wallNow());
  }

  /** Names the clock that this one follows. */
  get source(): string {
    return this.shared === null ? 'system clock' : 'clock of the database';
  }

  /** Continues from the high-water mark of an earlier process if it is later than now. */
  startAfter(highWaterMs: number): void {
    this.clock = startClock(Math.max(highWaterMs, this.now()), this.wallNow(), performance.now());
  }

  /**
   * From now on, follows a clock that processes share instead of the system clock, which may differ from those of other
   * machines. Only the first call may set the slot clock back.
   */
  follow(shared: ClockReading): void {
    if (this.shared === null) this.adopt(shared);
    else this.shared = shared;
  }

  /**
   * Like `follow`, but each call may set the slot clock back: for a process that does not decide what is due. A wrong
   * reading then lasts only until the next one.
   */
  adopt(shared: ClockReading): void {
    this.shared = shared;
    this.clock = startClock(null, this.wallNow(), performance.now());
  }

  private wallNow(): number {
    return this.shared === null ? Date.now() : Math.floor(readAt(this.shared, performance.now()));
  }

  private warn(): void {
    const aheadMs = this.clock.nowMs - this.wallNow();
    const isFar = aheadMs > FAR_AHEAD_MS;
    if (isFar ? performance.now() < (this.warnedAt ?? -Infinity) + WARN_EVERY_MS : this.warnedAt === null) return;
    this.warnedAt = isFar ? performance.now() : null;
    if (isFar) {
      this.logger.warn(`the ${this.source} was set back: check timestamps are ${inSeconds(aheadMs)} s ahead of it`);
    } else this.logger.log(`check timestamps are within a minute of the ${this.source} again`);
  }
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}
