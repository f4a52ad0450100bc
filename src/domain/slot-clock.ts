import { type ClockReading } from './shared-clock.js';

/** Speed of the slot clock, relative to real time, while it waits for a wall clock that was set back. */
export const SLEW_RATE = 0.9;

/**
 * Returns the clock at the start of a process. It is never behind `highWaterMs`, the highest reading that any earlier
 * process stored, so that no slot comes due twice.
 */
export function startClock(highWaterMs: number | null, wallNowMs: number, monotonicNowMs: number): ClockReading {
  return { nowMs: Math.max(highWaterMs ?? wallNowMs, wallNowMs), monotonicMs: monotonicNowMs };
}

/**
 * Advances the clock to the present. It follows the wall clock forward in one step. If the wall clock was set back, the
 * slot clock runs at {@link SLEW_RATE} of real time until the wall clock catches up. It never goes back and never
 * stalls. Readings are whole milliseconds if the wall clock's are.
 */
export function advanceClock(clock: ClockReading, wallNowMs: number, monotonicNowMs: number): ClockReading {
  if (wallNowMs >= clock.nowMs) return { nowMs: wallNowMs, monotonicMs: monotonicNowMs };
  const advanceMs = Math.floor((monotonicNowMs - clock.monotonicMs) * SLEW_RATE);
  if (advanceMs <= 0) return clock;
  // The remaining fraction of a millisecond counts next time; otherwise frequent calls would stall the clock.
  return { nowMs: clock.nowMs + advanceMs, monotonicMs: clock.monotonicMs + advanceMs / SLEW_RATE };
}
