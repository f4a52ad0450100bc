import { HOUR_MS, MINUTE_MS } from '../durations.js';
import { type HeartbeatRule } from './heartbeat.js';
import { type HeartbeatSchedule, nextDue } from './heartbeat-schedule.js';

/** What the history of reports says about a schedule and its grace. */
export interface Punctuality {
  reports: number;
  /** How late the latest of them was, in milliseconds. */
  latestMs: number;
  /** A grace that suits the reports better, in seconds; null if the current one does. */
  betterGraceSeconds: number | null;
  /**
   * By how many milliseconds all reports are late, or early if it is negative, as they are if the time zone of the
   * schedule is not that of the job; null otherwise.
   */
  shiftMs: number | null;
}

/** Fewer reports say nothing. */
const LEAST_REPORTS = 5;
/** A shorter grace is proposed only after as many. */
const REPORTS_FOR_SHORTER = 10;
/** Time zones differ by multiples of this. */
const ZONE_STEP_MS = 15 * MINUTE_MS;
const LEAST_SHIFT_MS = 30 * MINUTE_MS;
/** How far the reports of a job with a wrong time zone may be apart, in relation to their due times. */
const SPREAD_MS = 20 * MINUTE_MS;
/** If due times are closer to each other, the one that a report belongs to is ambiguous. */
const LEAST_PERIOD_MS = 4 * HOUR_MS;
/** Due times that are considered at most. */
const MAX_DUES = 2_000;

/** Graces that are proposed, in seconds. */
const GRACES = [
  60, 120, 300, 600, 900, 1_200, 1_800, 2_700, 3_600, 5_400, 7_200, 10_800, 14_400, 21_600, 43_200, 86_400,
];
/** A grace of which the latest report took a larger share is too tight. */
const TIGHT = 0.8;
/** A grace that is this many times the one that would suffice is too generous. */
const GENEROUS = 4;
/** The shortest grace that is proposed in place of a longer one. */
const LEAST_SHORTER_S = 300;

/**
 * Returns what the reports of a job say; null if there are too few.
 * @param reports times of the reports, in epoch milliseconds, in ascending order
 */
export function punctualityOf({ schedule, graceMs }: HeartbeatRule, reports: readonly number[]): Punctuality | null {
  if (reports.length < LEAST_REPORTS) return null;
  const { delays, periodMs } = delaysOf(schedule, reports);
  if (delays.length < LEAST_REPORTS) return null;
  const shiftMs = periodMs >= LEAST_PERIOD_MS ? commonShift(delays) : null;
  const latestMs = Math.max(0, ...delays);
  const betterGraceSeconds = shiftMs === null ? betterGrace(graceMs, latestMs, delays.length) : null;
  return { reports: delays.length, latestMs, betterGraceSeconds, shiftMs };
}

/** Returns by how much reports were late, or early if negative, and the shortest time between two that are due. */
function delaysOf(schedule: HeartbeatSchedule, reports: readonly number[]): { delays: number[]; periodMs: number } {
  if ('everySeconds' in schedule) {
    const periodMs = schedule.everySeconds * 1_000;
    const delays = reports.slice(1).map((at, index) => at - reports[index]! - periodMs);
    // A period without a report is an outage. As there is no time of the day, nothing can be shifted.
    return { delays: delays.filter((delay) => delay <= periodMs), periodMs: 0 };
  }
  const dues = duesAround(schedule, reports[0]!, reports.at(-1)!);
  const last = dues.at(-1) ?? 0;
  let near = 0;
  const delays = reports.flatMap((at) => {
    if (at > last) return [];
    while (near + 1 < dues.length && Math.abs(dues[near + 1]! - at) <= Math.abs(dues[near]! - at)) near += 1;
    return at - dues[near]!;
  });
  return { delays, periodMs: Math.min(...dues.slice(1).map((due, index) => due - dues[index]!)) };
}

/** Returns the due times from before the first report to after the last one, at most `MAX_DUES`. */
function duesAround(schedule: HeartbeatSchedule, first: number, last: number): number[] {
  const next = nextDue(schedule, first);
  const following = next === null ? null : nextDue(schedule, next);
  if (next === null || following === null) return [];
  const dues: number[] = [];
  const before = first - 2 * Math.max(following - next, HOUR_MS);
  for (let due = nextDue(schedule, before); due !== null && dues.length < MAX_DUES; due = nextDue(schedule, due)) {
    dues.push(due);
    if (due > last) break;
  }
  return dues;
}

function commonShift(delays: readonly number[]): number | null {
  const sorted = [...delays].sort((a, b) => a - b);
  if (sorted.at(-1)! - sorted[0]! > SPREAD_MS) return null;
  const median = sorted[Math.floor(sorted.length / 2)]!;
  const shift = Math.round(median / ZONE_STEP_MS) * ZONE_STEP_MS;
  return Math.abs(shift) >= LEAST_SHIFT_MS ? shift : null;
}

function betterGrace(graceMs: number, latestMs: number, reports: number): number | null {
  const seconds = GRACES.find((grace) => grace * 1_000 >= 2 * latestMs) ?? GRACES.at(-1)!;
  if (latestMs > TIGHT * graceMs && seconds * 1_000 > graceMs) return seconds;
  const shorter = Math.max(seconds, LEAST_SHORTER_S);
  return reports >= REPORTS_FOR_SHORTER && graceMs >= GENEROUS * shorter * 1_000 ? shorter : null;
}
