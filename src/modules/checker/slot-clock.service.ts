import { Injectable, Logger } from '@nestjs/common';
import { advanceClock, type SlotClock, startClock } from '../../domain/slot-clock.js';

/** A clock that was set back by less is none of an operator's business: this one soon agrees with it again. */
export const FAR_AHEAD_MS = 60_000;
const WARN_EVERY_MS = 3_600_000;

/** The time by which slots come due and checks are stamped: steps forward with the wall clock, never backward. */
@Injectable()
export class SlotClockService {
  private readonly logger = new Logger(SlotClockService.name);
  private clock: SlotClock = startClock(null, Date.now(), performance.now());
  private warnedAt: number | null = null;

  /** Epoch milliseconds; never less than before. */
  now(): number {
    this.clock = advanceClock(this.clock, Date.now(), performance.now());
    this.warn();
    return this.clock.nowMs;
  }

  /** Milliseconds by which checks are stamped ahead of the system's clock, because that was set back; else 0. */
  aheadMs(): number {
    return Math.max(0, this.now() - Date.now());
  }

  /** Goes on from where an earlier process has been, where that is later. */
  startAfter(highWaterMs: number): void {
    this.clock = startClock(Math.max(highWaterMs, this.now()), Date.now(), performance.now());
  }

  private warn(): void {
    const aheadMs = this.clock.nowMs - Date.now();
    const isFar = aheadMs > FAR_AHEAD_MS;
    if (isFar ? performance.now() < (this.warnedAt ?? -Infinity) + WARN_EVERY_MS : this.warnedAt === null) return;
    this.warnedAt = isFar ? performance.now() : null;
    if (isFar)
      this.logger.warn(`the system clock was set back: checks are stamped ${inSeconds(aheadMs)} s ahead of it`);
    else this.logger.log('checks are stamped by the system clock again, to within a minute');
  }
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}
