import { Injectable } from '@nestjs/common';
import { advanceClock, type SlotClock, startClock } from '../../domain/slot-clock.js';

/** The time by which slots come due and checks are stamped: steps forward with the wall clock, never backward. */
@Injectable()
export class SlotClockService {
  private clock: SlotClock = startClock(null, Date.now(), performance.now());

  /** Epoch milliseconds; never less than before. */
  now(): number {
    this.clock = advanceClock(this.clock, Date.now(), performance.now());
    return this.clock.nowMs;
  }

  /** Goes on from where an earlier process has been, where that is later. */
  startAfter(highWaterMs: number): void {
    this.clock = startClock(Math.max(highWaterMs, this.now()), Date.now(), performance.now());
  }
}
