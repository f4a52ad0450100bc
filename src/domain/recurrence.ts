import { Temporal } from 'temporal-polyfill';
import { HOUR_MS } from './durations.js';
import { parseRule, type RecurrenceRule } from './recurrence-rule.js';
import { walkRecurrence } from './recurrence-walk.js';
import { type ClosedSpan } from './span.js';
import { instant, wallClock } from './wall-clock.js';

/** The schedule of a single or recurring event. */
export interface Schedule {
  /** The first occurrence, `[startsAtMs, endsAtMs)`, even if the rule does not produce it. */
  startsAtMs: number;
  endsAtMs: number;
  /** IANA name of the time zone in which occurrences keep their wall-clock time. */
  timezone: string;
  /** The value of an `RRULE`; `null` for a single occurrence. */
  rrule: string | null;
}

/** An hour more than the largest clock change of any time zone: Samoa skipped a day. */
const MAX_SHIFT_MS = 25 * HOUR_MS;
/** The last moment that RFC 3339 can represent. */
const LAST_MS = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);
/**
 * Returns the complete occurrences that overlap `[fromMs, toMs)`, in the order of their distinct start times. Each has
 * the elapsed duration of the first one, so they may overlap if the rule recurs faster. A wall-clock time that a clock
 * change skips is moved forward by the change (02:30 to 03:30); one that occurs twice means the first (RFC 5545,
 * 3.3.5). The cost depends on the length of the requested time, not on how long ago the schedule began.
 */
export function occurrences(schedule: Schedule, fromMs: number, toMs: number): ClosedSpan[] {
  const lengthMs = schedule.endsAtMs - schedule.startsAtMs;
  const found = new Set<number>();
  for (const from of starts(schedule, fromMs - lengthMs)) {
    if (from > toMs + MAX_SHIFT_MS) break;
    if (from + lengthMs > fromMs && from < toMs) found.add(from);
  }
  return [...found].sort((a, b) => a - b).map((from) => ({ from, to: from + lengthMs }));
}

/**
 * Returns the first start after `afterMs`; `null` if there is none within 400 years, after which the calendar repeats.
 */
export function nextStart(schedule: Schedule, afterMs: number): number | null {
  let earliest: number | null = null;
  for (const at of starts(schedule, afterMs)) {
    if (at > afterMs) earliest = Math.min(at, earliest ?? at);
    // After a clock change, the later wall-clock time can be the earlier moment.
    if (earliest !== null && at > earliest + MAX_SHIFT_MS) break;
  }
  return earliest;
}

/** Returns what is wrong with the rule of an otherwise valid schedule, as a predicate of "The rule", or `null`. */
export function ruleFault(schedule: Schedule): string | null {
  if (schedule.rrule === null) return null;
  const rule = parseRule(schedule.rrule);
  if (typeof rule === 'string') return rule;
  if (lastStart(schedule.timezone, rule) < schedule.startsAtMs) return 'has an UNTIL before startsAt';
  const firstMs = wallMs(schedule.startsAtMs, schedule.timezone);
  const again = walkRecurrence({ ...rule, count: null }, firstMs, firstMs + 1).next();
  return again.done ? 'has no occurrence after the first within 400 years' : null;
}

/**
 * Yields start times from `fromMs` on, in ascending order of the wall clock. Some before `fromMs` may be included, and
 * clock changes can make two equal.
 */
function* starts({ startsAtMs, timezone, rrule }: Schedule, fromMs: number): Generator<number> {
  const rule = rrule === null ? null : parseRule(rrule);
  if (rule === null || typeof rule === 'string') {
    yield startsAtMs;
    return;
  }
  const endMs = lastStart(timezone, rule);
  if (fromMs > endMs) return;
  const firstMs = wallMs(startsAtMs, timezone);
  for (const wall of walkRecurrence(rule, firstMs, wallMs(Math.max(fromMs, startsAtMs), timezone) - MAX_SHIFT_MS)) {
    if (wall > endMs + 2 * MAX_SHIFT_MS) return;
    // A wall-clock time can occur twice; for the first occurrence, the schedule specifies which moment it means.
    const at = wall === firstMs ? startsAtMs : instant(wallOf(wall), timezone);
    if (at <= endMs && (at > startsAtMs || wall === firstMs)) yield at;
  }
}

/** Returns the wall-clock time of a moment in a zone, encoded as the moment at which UTC clocks show it. */
function wallMs(atMs: number, timezone: string): number {
  return wallClock(atMs, timezone).toZonedDateTime('UTC').epochMilliseconds;
}

function wallOf(wall: number): Temporal.PlainDateTime {
  return wallClock(wall, 'UTC');
}

/** Returns the last moment at which an occurrence may begin. */
function lastStart(timezone: string, { until }: RecurrenceRule): number {
  if (until === null) return LAST_MS;
  if ('instantMs' in until) return Math.min(until.instantMs, LAST_MS);
  // Includes the whole of the second that UNTIL specifies.
  return Math.min(instant(Temporal.PlainDateTime.from(until.wallClock), timezone) + 999, LAST_MS);
}
