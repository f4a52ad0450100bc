import { HOUR_MS, WEEK_MS } from '../../domain/durations.js';
import { LATE_LIMIT_MS } from '../monitors/state/monitor-states.service.js';

/** The monitors are divided into slices, one for each hour of the day. */
export const SLICES = 24;

/** The roll-ups to gather at a time. */
export interface RollupTurn {
  /** The slice of the monitors, `0 <= slice < SLICES`. */
  slice: number;
  /** The UTC days `[fromMs, toMs)`, seven of them. */
  fromMs: number;
  toMs: number;
}

/**
 * Returns the last final week (of those that begin every seven days since the epoch) for the slice of the current hour.
 * A week is thus handled within one day, and each of the next six days handles what an hour of that day missed.
 */
export function turnOf(nowMs: number): RollupTurn {
  const toMs = Math.floor((nowMs - LATE_LIMIT_MS) / WEEK_MS) * WEEK_MS;
  return { slice: Math.floor(nowMs / HOUR_MS) % SLICES, fromMs: toMs - WEEK_MS, toMs };
}
