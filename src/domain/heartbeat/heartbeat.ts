import { type ErrorCode } from '../error-codes.js';
import { dueAfterReport, type HeartbeatSchedule, nextDue } from './heartbeat-schedule.js';

/** What a job can report. `log` is only kept. */
export const PING_KINDS = ['success', 'fail', 'start', 'log'] as const;
export type PingKind = (typeof PING_KINDS)[number];

/** When reports are expected. */
export interface HeartbeatRule {
  schedule: HeartbeatSchedule;
  graceMs: number;
  /** How long a started run may take; `null` if only the next due time limits it. */
  maxRunMs: number | null;
}

/** The time by which something must have been reported; epoch milliseconds. */
export interface Deadline {
  /** When it was due. A missed deadline counts from then. */
  dueMs: number;
  /** Until when it may arrive, inclusive: `dueMs` and the grace. */
  untilMs: number;
  /** The error if nothing arrives. */
  code: Extract<ErrorCode, 'heartbeat_missed' | 'run_too_long'>;
}

/**
 * Returns the deadline after a report, or `null` if the schedule has no further time. A started run must end within
 * `maxRunMs` or, without that, by the next deadline. A log changes nothing, so it has none.
 */
export function deadlineAfter(rule: HeartbeatRule, kind: Exclude<PingKind, 'log'>, atMs: number): Deadline | null {
  if (kind === 'start' && rule.maxRunMs !== null) {
    const untilMs = atMs + rule.maxRunMs;
    return { dueMs: untilMs, untilMs, code: 'run_too_long' };
  }
  return deadlineAt(rule, dueAfterReport(rule.schedule, atMs));
}

/** Returns the deadline after one at which nothing arrived, or that did not count. `fromMs`: the time that follows it. */
export function deadlineAfterMiss(rule: HeartbeatRule, fromMs: number): Deadline | null {
  return deadlineAt(rule, nextDue(rule.schedule, fromMs));
}

function deadlineAt({ graceMs }: HeartbeatRule, dueMs: number | null): Deadline | null {
  return dueMs === null ? null : { dueMs, untilMs: dueMs + graceMs, code: 'heartbeat_missed' };
}

/** A period in which a report could not arrive, or was not expected. Epoch milliseconds; `to` null: not over. */
export interface Obstacle {
  from: number;
  to: number | null;
}

/** Returns whether one of these periods touches the grace of a deadline, so that a missing report proves nothing. */
export function isWaived({ dueMs, untilMs }: Deadline, obstacles: readonly Obstacle[]): boolean {
  return obstacles.some(({ from, to }) => from <= untilMs && (to === null || to >= dueMs));
}

/** What is known of a monitor that waits for reports; epoch milliseconds. */
export interface HeartbeatState {
  /** The next deadline; `null` before the first report, and after the last time of the schedule. */
  deadline: Deadline | null;
  /** When the current run started; `null` if none has reported its start. */
  startedAt: number | null;
  /** When the newest report arrived; `null` if there was none. Logs do not count. */
  lastPingAt: number | null;
}

/** Returns the state after a report. A log changes nothing, nor does a report that arrives after a newer one. */
export function afterReport(state: HeartbeatState, rule: HeartbeatRule, kind: PingKind, atMs: number): HeartbeatState {
  if (kind === 'log' || (state.lastPingAt !== null && atMs < state.lastPingAt)) return state;
  return { deadline: deadlineAfter(rule, kind, atMs), startedAt: kind === 'start' ? atMs : null, lastPingAt: atMs };
}
