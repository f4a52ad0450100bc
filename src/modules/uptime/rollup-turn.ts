import { DAY_MS } from '../../domain/utc-day.js';
import { LATE_LIMIT_MS } from '../monitors/state/monitor-states.service.js';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * DAY_MS;

/** Each hour of the day has its share of the monitors. */
export const SLICES = 24;

/** Which roll-ups are to be gathered at a time. */
export interface RollupTurn {
  /** Of the monitors, `0 <= slice < SLICES`. */
  slice: number;
  /** The UTC days `[fromMs, toMs)`, seven of them. */
  fromMs: number;
  toMs: number;
}

/**
 * The last whole week (of seven days since the epoch) that is final, for the monitors of this hour. So a week has its
 * turn in one day, and each of the six days after it finds what an hour of that day has missed.
 */
export function turnOf(nowMs: number): RollupTurn {
  const toMs = Math.floor((nowMs - LATE_LIMIT_MS) / WEEK_MS) * WEEK_MS;
  return { slice: Math.floor(nowMs / HOUR_MS) % SLICES, fromMs: toMs - WEEK_MS, toMs };
}
