import { DETECTOR } from './detector.js';
import { judgeMonitor } from './judge.js';
import { drawScript } from './script.js';
import { Verdict } from './verdict.js';

export interface SeedOptions {
  seed: number;
  days: number;
  /** How many monitors, from which number on. */
  monitors: number;
  from?: number;
  progress?: (done: number, verdict: Verdict) => void;
}

/** Of so many monitors one has its results delivered again in other orders. */
const REPLAYED = 10;

/** Simulates the monitors of a seed, one after the other: what is kept is one monitor's. */
export function runSeed({ seed, days, monitors, from = 0, progress }: SeedOptions, detector = DETECTOR): Verdict {
  const verdict = new Verdict(seed);
  for (let index = from; index < from + monitors; index += 1) {
    judgeMonitor(drawScript(seed, index, days), detector, index % REPLAYED === 0, verdict);
    progress?.(index - from + 1, verdict);
  }
  return verdict;
}
