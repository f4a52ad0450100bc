import { cpuMs } from './cpu-time.js';

const BEAT_MS = 20;
/** Timers are this late on an idle machine, too. */
const TIMER_JITTER_MS = 2;

/**
 * What `act` gives and how many milliseconds it took, without those in which this process waited for a processor:
 * what else the machine does says nothing about the code under test. Time in which the code itself keeps the thread
 * busy counts.
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
