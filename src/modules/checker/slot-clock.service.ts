import { Injectable, Logger } from '@nestjs/common';
import { advanceClock, type SlotClock, startClock } from '../../domain/slot-clock.js';

/** Offset above which operators are warned: the slot clock soon makes up for a smaller one. */
export const FAR_AHEAD_MS = 60_000;
const WARN_EVERY_MS = 3_600_000;

/** The clock of slots and check timestamps. Follows the system clock when it steps forward, and never goes backward. */
@Injectable()
export class SlotClockService {
  private readonly logger = new Logger(SlotClockService.name);
  private clock: SlotClock = startClock(null, Date.now(), performance.now());
  private warnedAt: number | null = null;

  /** Returns the time in epoch milliseconds, never less than before. */
  now(): number {
    this.clock = advanceClock(this.clock, Date.now(), performance.now());
    this.warn();
    return this.clock.nowMs;
  }

  /** Returns by how many milliseconds check timestamps are ahead of a system clock that was set back, otherwise 0. */
  aheadMs(): number {
    return Math.max(0, this.now() - Date.now());
  }

  /** Continues from the high-water mark of an earlier process if it is later than now. */
  startAfter(highWaterMs: number): void {
    this.clock = startClock(Math.max(highWaterMs, this.now()), Date.now(), performance.now());
  }

  private warn(): void {
    const aheadMs = this.clock.nowMs - Date.now();
    const isFar = aheadMs > FAR_AHEAD_MS;
    if (isFar ? performance.now() < (this.warnedAt ?? -Infinity) + WARN_EVERY_MS : this.warnedAt === null) return;
    this.warnedAt = isFar ? performance.now() : null;
    if (isFar)
      this.logger.warn(`the system clock was set back: check timestamps are ${inSeconds(aheadMs)} s ahead of it`);
    else this.logger.log('check timestamps are within a minute of the system clock again');
  }
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}
