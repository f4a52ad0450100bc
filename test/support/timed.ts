import { LoopStalls } from '../../src/probes/thread/loop-stalls.js';
import { cpuMs } from './cpu-time.js';

/** Timers are this late on an idle machine, too. */
const TIMER_JITTER_MS = 2;

/**
 * What `act` gives and how many milliseconds it took, without those in which this process waited for a processor:
 * what else the machine does says nothing about the code under test. Time in which the code itself keeps the thread
 * busy counts.
 */
export async function timed<T>(act: () => Promise<T>): Promise<{ value: T; tookMs: number }> {
  const stalls = new LoopStalls(undefined, TIMER_JITTER_MS);
  const cpuBefore = cpuMs();
  const from = performance.now();
  try {
    const value = await act();
    const elapsedMs = performance.now() - from;
    const starvedMs = Math.max(0, stalls.stalledMs - (cpuMs() - cpuBefore));
    return { value, tookMs: elapsedMs - starvedMs };
  } finally {
    stalls.stop();
  }
}
