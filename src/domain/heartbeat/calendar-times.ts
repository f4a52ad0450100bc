import { civilOf, dayOf, monthLength, weekdayOf } from '../civil-day.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../durations.js';
import { offsetSpanAt } from './zone-offsets.js';

/** The calendar repeats after 28 years, except where a century is not a leap year. */
const HORIZON_MS = 41 * 366 * DAY_MS;

/** A weekday, 0 for Sunday; `nth` selects one of the month, -1 its last, and `null` each of them. */
export interface WeekdayRule {
  weekday: number;
  nth: number | null;
}

/**
 * Recurring wall-clock times. A part that is `null` does not restrict the times. All numbers are in their usual ranges.
 */
export interface CalendarRule {
  years: ReadonlySet<number> | null;
  months: ReadonlySet<number> | null;
  /** Days of the month; `fromEnd` counts from the last day, which is 1. */
  monthDays: { fromStart: ReadonlySet<number>; fromEnd: ReadonlySet<number> } | null;
  weekdays: readonly WeekdayRule[] | null;
  /** Whether a day needs to match only one of `monthDays` and `weekdays`, as in cron if neither of them is `*`. */
  matchesEither: boolean;
  /** Ascending. */
  hours: readonly number[];
  minutes: readonly number[];
  seconds: readonly number[];
  /**
   * Whether it stands for a frequency, such as every 15 minutes, instead of times of the day. When the clocks change, a
   * frequency follows elapsed time, while each time of the day takes place once.
   */
  isFrequency: boolean;
}

/**
 * Returns the first time of a rule after a moment, in epoch milliseconds; `null` if there is none within 40 years. When
 * the clocks go forward, a skipped time of the day moves forward by the change (02:30 to 03:30), and a skipped time of a
 * frequency is left out. When they go back, a repeated time of the day means the first one, and a frequency has both.
 */
export function nextTime(rule: CalendarRule, timezone: string, afterMs: number): number | null {
  const endMs = afterMs + HORIZON_MS;
  for (let atMs = afterMs + 1; atMs < endMs;) {
    const span = offsetSpanAt(timezone, atMs);
    const untilMs = Math.min(span.toMs, endMs);
    let firstMs = atMs;
    let movedMs: number | null = null;
    if (!rule.isFrequency && Number.isFinite(span.fromMs)) {
      const before = offsetSpanAt(timezone, span.fromMs - 1).offsetMs;
      const changeMs = span.offsetMs - before;
      if (changeMs < 0) firstMs = Math.max(firstMs, span.fromMs - changeMs);
      else if (atMs < span.fromMs + changeMs) {
        movedMs = nextWall(rule, atMs + before, span.fromMs + changeMs + before);
        if (movedMs !== null) movedMs -= before;
      }
    }
    const regular = nextWall(rule, firstMs + span.offsetMs, untilMs + span.offsetMs);
    const regularMs = regular === null ? null : regular - span.offsetMs;
    if (regularMs !== null || movedMs !== null) return Math.min(regularMs ?? Infinity, movedMs ?? Infinity);
    atMs = untilMs;
  }
  return null;
}

/** Returns the first wall-clock time in `[fromMs, toMs)`, encoded as the moment at which UTC clocks show it. */
function nextWall(rule: CalendarRule, fromMs: number, toMs: number): number | null {
  let day = Math.floor(fromMs / DAY_MS);
  let timeMs = fromMs - day * DAY_MS;
  while (day * DAY_MS < toMs) {
    const { year, month, dayOfMonth } = civilOf(day);
    if (rule.years && !rule.years.has(year)) day = dayOf(year + 1, 1, 1);
    else if (rule.months && !rule.months.has(month)) day += monthLength(year, month) - dayOfMonth + 1;
    else {
      const time = takesPlace(rule, day, monthLength(year, month), dayOfMonth) ? nextTimeOfDay(rule, timeMs) : null;
      const at = time === null ? null : day * DAY_MS + time;
      if (at !== null) return at < toMs ? at : null;
      day += 1;
    }
    timeMs = 0;
  }
  return null;
}

function takesPlace(rule: CalendarRule, day: number, daysInMonth: number, dayOfMonth: number): boolean {
  const { monthDays, weekdays, matchesEither } = rule;
  const byMonth =
    monthDays === null || monthDays.fromStart.has(dayOfMonth) || monthDays.fromEnd.has(daysInMonth - dayOfMonth + 1);
  if (weekdays === null || (!matchesEither && !byMonth)) return byMonth;
  const weekday = weekdayOf(day);
  const byWeek = weekdays.some((one) => {
    if (one.weekday !== weekday) return false;
    if (one.nth === null) return true;
    return one.nth === -1 ? dayOfMonth > daysInMonth - 7 : one.nth === Math.ceil(dayOfMonth / 7);
  });
  return byWeek || (matchesEither && byMonth);
}

/** Returns the first time of the day at or after `fromMs`, in milliseconds since midnight. */
function nextTimeOfDay({ hours, minutes, seconds }: CalendarRule, fromMs: number): number | null {
  for (const hour of hours) {
    const hourMs = hour * HOUR_MS;
    if (hourMs + HOUR_MS <= fromMs) continue;
    for (const minute of minutes) {
      const minuteMs = hourMs + minute * MINUTE_MS;
      if (minuteMs + MINUTE_MS <= fromMs) continue;
      const second = seconds.find((one) => minuteMs + one * SECOND_MS >= fromMs);
      if (second !== undefined) return minuteMs + second * SECOND_MS;
    }
  }
  return null;
}
