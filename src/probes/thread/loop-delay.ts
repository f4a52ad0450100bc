import { BucketTally } from '../../domain/bucket-tally.js';

const BEAT_MS = 20;
const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Shared memory in which a thread counts the delays of its event loop, for other threads to read. */
export type DelayMemory = Float64Array<SharedArrayBuffer>;

export function makeDelayMemory(): DelayMemory {
  return new Float64Array(new SharedArrayBuffer(8 * (BOUNDS_S.length + 2)));
}

/** Returns the histogram of the delays, in seconds. */
export function delaysIn(memory: DelayMemory): BucketTally {
  return new BucketTally(BOUNDS_S, memory);
}

/**
 * Counts how late a timer of 20 ms fires in this thread, which is how long its event loop was blocked. Calls `onBeat`
 * each time. Returns a function that stops it.
 */
export function countDelays(memory: DelayMemory, onBeat: (delayMs: number) => void = () => undefined): () => void {
  const delays = delaysIn(memory);
  let expected = performance.now() + BEAT_MS;
  const beat = setInterval(() => {
    const now = performance.now();
    const delayMs = Math.max(0, now - expected);
    expected = now + BEAT_MS;
    delays.observe(delayMs / 1_000);
    onBeat(delayMs);
  }, BEAT_MS);
  beat.unref();
  return () => clearInterval(beat);
}
