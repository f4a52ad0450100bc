import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../durations.js';
import { isTimeZone, TIME_ZONE_RULE } from '../time-zone.js';
import { type CalendarRule, nextTime } from './calendar-times.js';
import { parseCron } from './cron.js';
import { ExpressionFault } from './number-list.js';
import { parseOnCalendar } from './on-calendar.js';

/** When a job is expected to report: a period since its last report, or wall-clock times in a time zone. */
export type HeartbeatSchedule =
  { everySeconds: number } | { cron: string; timezone: string } | { onCalendar: string; timezone: string };

const MINUTE_S = 60;
/** Bounds of the default grace. */
const LEAST_GRACE_S = 5 * MINUTE_S;
const MOST_GRACE_S = 60 * MINUTE_S;
/** The time between two due times, divided by this, is how early a report may be, and the default grace. */
const TOLERANCE_DIVISOR = 10;
/** The default grace follows from the times after this moment. It must not change, or the default would. */
const REFERENCE_MS = Date.UTC(2026, 0, 1);
const COMPARED_MS = 366 * DAY_MS;
const COMPARED_TIMES = 100;

const rules = new LRUCache<string, CalendarRule>({ max: 10_000 });

function ruleOf(schedule: Exclude<HeartbeatSchedule, { everySeconds: number }>): CalendarRule {
  const key = 'cron' in schedule ? `c${schedule.cron}` : `o${schedule.onCalendar}`;
  let rule = rules.get(key);
  if (!rule)
    rules.set(key, (rule = 'cron' in schedule ? parseCron(schedule.cron) : parseOnCalendar(schedule.onCalendar)));
  return rule;
}

/** Returns what is wrong with an expression or its time zone, as a predicate of its name, or `null`. */
export function scheduleFault(schedule: HeartbeatSchedule, nowMs: number): { member: string; fault: string } | null {
  if ('everySeconds' in schedule) return null;
  if (!isTimeZone(schedule.timezone)) return { member: 'timezone', fault: TIME_ZONE_RULE };
  const member = 'cron' in schedule ? 'cron' : 'onCalendar';
  try {
    return nextDue(schedule, nowMs) === null ? { member, fault: 'must have a time within the next 40 years' } : null;
  } catch (error) {
    if (error instanceof ExpressionFault) return { member, fault: error.message };
    throw error;
  }
}

/**
 * Returns the first time after a report at which the next one is due, in epoch milliseconds; `null` if the expression has
 * none within 40 years.
 * @throws ExpressionFault for an invalid expression
 */
export function nextDue(schedule: HeartbeatSchedule, afterMs: number): number | null {
  if ('everySeconds' in schedule) return afterMs + schedule.everySeconds * 1_000;
  return nextTime(ruleOf(schedule), schedule.timezone, afterMs);
}

/**
 * Returns when the report after one at `atMs` is due. An early report counts for a due time if it is early by at most a
 * tenth of the interval before or after that time, whichever is shorter. If only the one after it mattered, the report
 * before the last one of a day would count for both.
 */
export function dueAfterReport(schedule: HeartbeatSchedule, atMs: number): number | null {
  const due = nextDue(schedule, atMs);
  if (due === null || 'everySeconds' in schedule) return due;
  const following = nextDue(schedule, due);
  if (following === null) return due;
  const leastIntervalMs = (due - atMs) * TOLERANCE_DIVISOR;
  const isBeforeLongEnough = nextDue(schedule, due - leastIntervalMs) === due;
  return isBeforeLongEnough && following - due >= leastIntervalMs ? following : due;
}

/**
 * Returns the default grace in seconds: a tenth of the shortest interval, at least 5 and at most 60 minutes. It depends
 * on the schedule alone, so that writing the same definition again changes nothing.
 */
export function defaultGraceSeconds(schedule: HeartbeatSchedule): number {
  const intervalS = shortestIntervalMs(schedule) / 1_000;
  return Math.min(MOST_GRACE_S, Math.max(LEAST_GRACE_S, Math.round(intervalS / TOLERANCE_DIVISOR)));
}

/** Returns the shortest interval of the first year of a schedule, among its first times; `Infinity` if it has one time. */
function shortestIntervalMs(schedule: HeartbeatSchedule): number {
  if ('everySeconds' in schedule) return schedule.everySeconds * 1_000;
  const first = nextDue(schedule, REFERENCE_MS);
  let shortest = Infinity;
  for (let due = first, count = 1; due !== null && due - first! < COMPARED_MS && count < COMPARED_TIMES; count += 1) {
    const next = nextDue(schedule, due);
    if (next !== null) shortest = Math.min(shortest, next - due);
    due = next;
  }
  return shortest;
}
