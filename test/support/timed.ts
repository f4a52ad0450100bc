import { cpuMs } from './cpu-time.js';

const BEAT_MS = 20;
/** Timers are late by up to this even on an idle machine. */
const TIMER_JITTER_MS = 2;

/**
 * Returns the result of `act` and how many milliseconds it took, without the time in which this process waited for the
 * CPU: the load of the machine is unrelated to the code under test. Time in which that code itself blocks the thread
 * counts.
 */
export async function timed<T>(act: () => Promise<T>): Promise<{ value: T; tookMs: number }> {
  const cpuBefore = cpuMs();
  const from = performance.now();
  let expected = from + BEAT_MS;
  let stalledMs = 0;
  const note = (): void => {
    const now = performance.now();
    if (now - expected > TIMER_JITTER_MS) stalledMs += now - expected;
    expected = now + BEAT_MS;
  };
  const beat = setInterval(note, BEAT_MS);
  try {
    const value = await act();
    const elapsedMs = performance.now() - from;
    note();
    return { value, tookMs: elapsedMs - Math.max(0, stalledMs - (cpuMs() - cpuBefore)) };
  } finally {
    clearInterval(beat);
  }
}

/**
 * Returns within how many milliseconds a check with this timeout must end. A deadline that is not absolute is missed by
 * far more, because the targets of these tests never end; what `timed` cannot subtract on a busy machine is less.
 */
export function latestEndMs(timeoutMs: number): number {
  return timeoutMs * 1.1 + 500;
}
