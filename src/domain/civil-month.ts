import { Temporal } from 'temporal-polyfill';
import { instant, wallClock } from './wall-clock.js';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Returns whether a text is a month of the Gregorian calendar, such as `2026-01`. */
export function isMonth(text: unknown): text is string {
  return typeof text === 'string' && MONTH.test(text);
}

/** Returns the month of a moment in a time zone (IANA name). */
export function monthOf(atMs: number, timezone: string): string {
  return wallClock(atMs, timezone).toString().slice(0, 7);
}

/** Returns the month `months` later, or earlier if negative. */
export function monthAfter(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** Returns when a month begins and ends in a time zone, as `[fromMs, toMs)`. */
export function monthBounds(month: string, timezone: string): { fromMs: number; toMs: number } {
  const startOf = (one: string): number => instant(Temporal.PlainDateTime.from(`${one}-01T00:00`), timezone);
  return { fromMs: startOf(month), toMs: startOf(monthAfter(month, 1)) };
}
