import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { parseRule, type RecurrenceRule } from './recurrence-rule.js';
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
const DAY_MS = 24 * HOUR_MS;
/** The most by which a zone ever moved its clocks: Samoa left a day out. */
const MOST_SHIFT_MS = 25 * HOUR_MS;
/** How far ahead the next occurrence is looked for, nearest first: most rules are dense, and no rule may hang. */
const LOOK_AHEAD_MS = [32, 400, 15_000].map((days) => days * DAY_MS);
/** RFC 3339 cannot write what comes after it. */
const LAST_MS = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);
/** Days, weeks, months or years that the library may go through at once, some 10 µs each: 54 years day by day. */
const MAX_STEPS = 20_000;
/** Years that are taken apart into weeks and days cost a hundred times as much. */
const MAX_YEARS = 200;

/**
 * Occurrences that touch `[fromMs, toMs)`, whole, in the order of their beginnings, which differ. Each lasts exactly as
 * long as the first one, in elapsed time, so that they may overlap where the rule is faster. A wall-clock time that a
 * change of clocks leaves out is moved on by the change (02:30 to 03:30); one that comes twice means the first (RFC
 * 5545, 3.3.5). The effort depends on the stretch asked for, not on how long ago the schedule began.
 */
export function occurrences(schedule: Schedule, fromMs: number, toMs: number): ClosedSpan[] {
  const lengthMs = schedule.endsAtMs - schedule.startsAtMs;
  return starts(schedule, fromMs - lengthMs, toMs)
    .map((from) => ({ from, to: from + lengthMs }))
    .filter(({ from, to }) => to > fromMs && from < toMs);
}

/** The first beginning after `afterMs`; `null` where there is none within 41 years, after which dates recur. */
export function nextStart(schedule: Schedule, afterMs: number): number | null {
  // Long before it begins, the first occurrence is the next.
  if (afterMs < schedule.startsAtMs) return schedule.startsAtMs;
  let fromMs = afterMs;
  // A rule that counts is counted from its beginning each time.
  const counts = /COUNT=/i.test(schedule.rrule ?? '');
  for (const aheadMs of counts ? LOOK_AHEAD_MS.slice(-1) : LOOK_AHEAD_MS) {
    const toMs = afterMs + aheadMs;
    const found = starts(schedule, fromMs, toMs).find((at) => at > afterMs);
    if (found !== undefined) return found;
    fromMs = toMs;
  }
  return null;
}

/** What is wrong with the rule of a schedule that is valid otherwise; `null`: nothing. */
export function ruleFault(schedule: Schedule): string | null {
  if (schedule.rrule === null) return null;
  const rule = parseRule(schedule.rrule);
  if (typeof rule === 'string') return rule;
  if (lastStart(schedule.timezone, rule) < schedule.startsAtMs) return 'has an UNTIL before startsAt';
  try {
    // What the library cannot do within its bounds shows now, and not when the window is due.
    if (/COUNT=/.test(rule.text)) recurrenceOf(rule, wallClock(schedule.startsAtMs, schedule.timezone)).all();
    else nextStart(schedule, schedule.startsAtMs);
    return null;
  } catch {
    return 'is too laborious';
  }
}

/** Beginnings in `[fromMs, toMs)`, rising; some around it may come as well. */
function starts(schedule: Schedule, fromMs: number, toMs: number): number[] {
  const { startsAtMs, timezone, rrule } = schedule;
  const rule = rrule === null ? null : parseRule(rrule);
  if (startsAtMs >= toMs) return [];
  if (rule === null || typeof rule === 'string') return [startsAtMs];
  const endMs = Math.min(toMs, lastStart(timezone, rule));
  if (fromMs > endMs) return [];
  // The calendar is walked by the wall clock alone, as if it were UTC: there every time exists, once.
  const first = wallClock(startsAtMs, timezone);
  const recurrence = recurrenceOf(rule, first);
  const from = wallClock(Math.max(fromMs, startsAtMs) - MOST_SHIFT_MS, timezone);
  const to = wallClock(endMs + MOST_SHIFT_MS, timezone);
  const walls = recurrence.between(from.toZonedDateTime('UTC'), to.toZonedDateTime('UTC'), true);
  const later = walls
    .map((wall) => instant(wall.toPlainDateTime(), timezone))
    .filter((at) => at > startsAtMs && at <= endMs);
  const all = fromMs <= startsAtMs ? [startsAtMs, ...later] : later;
  // Where an hour is left out, two wall-clock times can come to the same moment.
  return [...new Set(all)].sort((a, b) => a - b);
}

function recurrenceOf({ text }: RecurrenceRule, first: Temporal.PlainDateTime) {
  const rruleString = `RRULE:${text}`;
  const dtstart = first.toZonedDateTime('UTC');
  const maxIterations = text.includes('FREQ=YEARLY') ? MAX_YEARS : MAX_STEPS;
  return new RRuleTemporal({ rruleString, dtstart, includeDtstart: true, maxIterations });
}

/** The last moment at which an occurrence may begin. */
function lastStart(timezone: string, { until }: RecurrenceRule): number {
  if (until === null) return LAST_MS;
  if ('instantMs' in until) return Math.min(until.instantMs, LAST_MS);
  // The second that it names, to its end.
  return Math.min(instant(Temporal.PlainDateTime.from(until.wallClock), timezone) + 999, LAST_MS);
}
