import { DAY_MS } from './durations.js';

/** One UTC day: its date as `YYYY-MM-DD`, and `[fromMs, toMs)` in epoch milliseconds. */
export interface UtcDay {
  readonly date: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns midnight UTC at or before `atMs`. */
export function dayStart(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** The most recent date, since nearly all calls are for the same day. */
let newest = { fromMs: NaN, date: '' };

/** Returns the UTC date of a moment as `YYYY-MM-DD`, for the years 0 to 9999. */
export function dateOf(atMs: number): string {
  const fromMs = dayStart(atMs);
  if (newest.fromMs !== fromMs) newest = { fromMs, date: new Date(fromMs).toISOString().slice(0, 10) };
  return newest.date;
}

/** Returns midnight UTC of a `YYYY-MM-DD` date; `null` for any other text and for days that do not exist. */
export function parseDate(date: string): number | null {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date)) return null;
  const atMs = Date.parse(`${date}T00:00:00.000Z`);
  // `Date.parse` rolls 30 February over into March; such a date must be rejected.
  return Number.isNaN(atMs) || dateOf(atMs) !== date ? null : atMs;
}

/** The most recent result, since a status page calls once for each of its monitors. */
let known: { fromMs: number; toMs: number; days: readonly UtcDay[] } = { fromMs: 0, toMs: 0, days: [] };

/** Returns the UTC days that `[fromMs, toMs)` overlaps, oldest first. */
export function daysBetween(fromMs: number, toMs: number): readonly UtcDay[] {
  if (known.fromMs !== fromMs || known.toMs !== toMs) {
    const days: UtcDay[] = [];
    for (let start = dayStart(fromMs); start < toMs; start += DAY_MS) {
      days.push({ date: dateOf(start), fromMs: start, toMs: start + DAY_MS });
    }
    known = { fromMs, toMs, days };
  }
  return known.days;
}

/** Returns the last `count` UTC days, oldest first; the last one is the day of `nowMs`. */
export function lastDays(count: number, nowMs: number): readonly UtcDay[] {
  const tomorrow = dayStart(nowMs) + DAY_MS;
  return daysBetween(tomorrow - count * DAY_MS, tomorrow);
}
