import { Temporal } from 'temporal-polyfill';
import { parseRule, type RecurrenceRule } from './recurrence-rule.js';
import { walkRecurrence } from './recurrence-walk.js';
import { type ClosedSpan } from './span.js';
import { instant, wallClock } from './wall-clock.js';

/** When something takes place: once, or again and again. */
export interface Schedule {
  /** The first occurrence, `[startsAtMs, endsAtMs)`, whether the rule would make it or not. */
  startsAtMs: number;
  endsAtMs: number;
  /** IANA name: occurrences keep their wall-clock time in it. */
  timezone: string;
  /** The value of an `RRULE`; `null`: once. */
  rrule: string | null;
}

const HOUR_MS = 3_600_000;
/** The most by which a zone ever moved its clocks: Samoa left a day out. */
const MAX_SHIFT_MS = 25 * HOUR_MS;
/** RFC 3339 cannot write what comes after it. */
const LAST_MS = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);
/**
 * Occurrences that touch `[fromMs, toMs)`, whole, in the order of their beginnings, which differ. Each lasts exactly as
 * long as the first one, in elapsed time, so that they may overlap where the rule is faster. A wall-clock time that a
 * change of clocks leaves out is moved on by the change (02:30 to 03:30); one that comes twice means the first (RFC
 * 5545, 3.3.5). The effort depends on the stretch asked for, not on how long ago the schedule began.
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

/** The first beginning after `afterMs`; `null` where there is none within 400 years, after which the calendar recurs. */
export function nextStart(schedule: Schedule, afterMs: number): number | null {
  let earliest: number | null = null;
  for (const at of starts(schedule, afterMs)) {
    if (at > afterMs) earliest = Math.min(at, earliest ?? at);
    // A change of clocks can make what comes later by the wall clock the earlier one.
    if (earliest !== null && at > earliest + MAX_SHIFT_MS) break;
  }
  return earliest;
}

/** What is wrong with the rule of a schedule that is valid otherwise; `null`: nothing. */
export function ruleFault(schedule: Schedule): string | null {
  if (schedule.rrule === null) return null;
  const rule = parseRule(schedule.rrule);
  if (typeof rule === 'string') return rule;
  if (lastStart(schedule.timezone, rule) < schedule.startsAtMs) return 'has an UNTIL before startsAt';
  const firstMs = wallMs(schedule.startsAtMs, schedule.timezone);
  const again = walkRecurrence({ ...rule, count: null }, firstMs, firstMs + 1).next();
  return again.done ? 'makes no occurrence after the first within 400 years' : null;
}

/**
 * Beginnings from `fromMs` on, by the wall clock in rising order; some before it may come as well, and changes of clocks
 * can make two equal.
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
    // A wall-clock time can come twice: the first occurrence is the one that was given.
    const at = wall === firstMs ? startsAtMs : instant(wallOf(wall), timezone);
    if (at <= endMs && (at > startsAtMs || wall === firstMs)) yield at;
  }
}

/** What clocks in a zone show, as the moment at which clocks that show UTC do. */
function wallMs(atMs: number, timezone: string): number {
  return wallClock(atMs, timezone).toZonedDateTime('UTC').epochMilliseconds;
}

function wallOf(wall: number): Temporal.PlainDateTime {
  return wallClock(wall, 'UTC');
}

/** The last moment at which an occurrence may begin. */
function lastStart(timezone: string, { until }: RecurrenceRule): number {
  if (until === null) return LAST_MS;
  if ('instantMs' in until) return Math.min(until.instantMs, LAST_MS);
  // The second that it names, to its end.
  return Math.min(instant(Temporal.PlainDateTime.from(until.wallClock), timezone) + 999, LAST_MS);
}
