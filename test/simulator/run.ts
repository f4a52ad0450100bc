import { DETECTOR } from './detector.js';
import { judgeMonitor } from './judge.js';
import { drawScript } from './script.js';
import { Verdict } from './verdict.js';

export interface SeedOptions {
  seed: number;
  days: number;
  /** The number of monitors, and the index of the first one. */
  monitors: number;
  from?: number;
  progress?: (done: number, verdict: Verdict) => void;
}

/** The results of one in this many monitors are delivered again in other orders. */
const REPLAYED = 10;

/** Simulates the monitors of a seed one after the other, so that memory holds only one of them. */
export function runSeed({ seed, days, monitors, from = 0, progress }: SeedOptions, detector = DETECTOR): Verdict {
  const verdict = new Verdict(seed);
  for (let index = from; index < from + monitors; index += 1) {
    judgeMonitor(drawScript(seed, index, days), detector, index % REPLAYED === 0, verdict);
    progress?.(index - from + 1, verdict);
  }
  return verdict;
}
