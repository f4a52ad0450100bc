/** A reading of a clock in epoch milliseconds, and the monotonic reading at the same moment. */
export interface ClockReading {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

/** The answer of a clock elsewhere: it showed `nowMs` at some moment between sending the question and the answer. */
export interface ClockAnswer {
  readonly nowMs: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Returns what the clock shows at a later monotonic time. */
export function readAt(reading: ClockReading, monotonicMs: number): number {
  return reading.nowMs + monotonicMs - reading.monotonicMs;
}

/**
 * Takes an answer into account. What was believed of the clock changes only as far as the answer contradicts it, so
 * that slow answers, which say little, do no harm. The first answer is taken to come from the middle of its time.
 */
export function corrected(believed: ClockReading | null, { nowMs, sentAt, receivedAt }: ClockAnswer): ClockReading {
  const roundTripMs = receivedAt - sentAt;
  const expected = believed ? readAt(believed, receivedAt) : nowMs + roundTripMs / 2;
  return { nowMs: Math.min(Math.max(expected, nowMs), nowMs + roundTripMs), monotonicMs: receivedAt };
}
