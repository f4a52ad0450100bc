/** How fast the slot clock runs, as a share of real time, while it waits for a wall clock that was set back. */
export const SLEW_RATE = 0.9;

/** The slot clock's reading in epoch milliseconds, and the monotonic reading it belongs to. */
export interface SlotClock {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

/**
 * The clock after a start. It is never behind `highWaterMs`, the furthest reading any earlier process stored, so that
 * no slot comes due twice.
 */
export function startClock(highWaterMs: number | null, wallNowMs: number, monotonicNowMs: number): SlotClock {
  return { nowMs: Math.max(highWaterMs ?? wallNowMs, wallNowMs), monotonicMs: monotonicNowMs };
}

/**
 * Moves the clock to the present. It follows the wall clock forward by a step; behind a wall clock that was set back it
 * goes on at {@link SLEW_RATE} of real time until it is caught up. It never goes back and never stalls. Readings stay
 * whole milliseconds where the wall clock's are.
 */
export function advanceClock(clock: SlotClock, wallNowMs: number, monotonicNowMs: number): SlotClock {
  if (wallNowMs >= clock.nowMs) return { nowMs: wallNowMs, monotonicMs: monotonicNowMs };
  const advanceMs = Math.floor((monotonicNowMs - clock.monotonicMs) * SLEW_RATE);
  if (advanceMs <= 0) return clock;
  // Only the time used up is taken: the part of a millisecond left over counts next time, or quick readers would stall it.
  return { nowMs: clock.nowMs + advanceMs, monotonicMs: clock.monotonicMs + advanceMs / SLEW_RATE };
}
