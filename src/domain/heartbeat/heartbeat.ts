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

/** A run that must end within `maxRunMs`, and has not. */
export interface OpenRun {
  /** What pairs its start with its end; `null` if the job sends nothing. */
  id: string | null;
  startedAt: number;
}

/** If more runs are open at a time, the oldest ones are no longer limited. */
const MAX_OPEN_RUNS = 20;

/**
 * Returns the deadline after the newest report, at `atMs`, or `null` if the schedule has no further time. A start need
 * only end within its limit. Any other report is followed by the next one of the schedule, or the end of an open run.
 */
function deadlineAfter(
  rule: HeartbeatRule,
  { runs, startedAt }: Pick<HeartbeatState, 'runs' | 'startedAt'>,
  atMs: number,
): Deadline | null {
  const limit = firstLimit(rule, runs);
  if (startedAt !== null && limit !== null) return limit;
  return earlierOf(limit, deadlineAt(rule, dueAfterReport(rule.schedule, atMs)));
}

/**
 * Returns what is expected after a deadline at which nothing arrived, or that did not count. `fromMs`: the time that
 * follows it.
 */
export function afterDeadline(
  rule: HeartbeatRule,
  runs: readonly OpenRun[],
  fromMs: number,
): Pick<HeartbeatState, 'deadline' | 'runs'> {
  const open = runs.filter((run) => limitOf(rule, run) > fromMs);
  const next = deadlineAt(rule, nextDue(rule.schedule, fromMs));
  return { deadline: earlierOf(firstLimit(rule, open), next), runs: open };
}

function earlierOf(one: Deadline | null, other: Deadline | null): Deadline | null {
  if (one === null || other === null) return one ?? other;
  return one.untilMs <= other.untilMs ? one : other;
}

function limitOf({ maxRunMs }: HeartbeatRule, { startedAt }: OpenRun): number {
  return maxRunMs === null ? Infinity : startedAt + maxRunMs;
}

function firstLimit(rule: HeartbeatRule, runs: readonly OpenRun[]): Deadline | null {
  const untilMs = Math.min(...runs.map((run) => limitOf(rule, run)));
  return untilMs === Infinity ? null : { dueMs: untilMs, untilMs, code: 'run_too_long' };
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
  /** When the newest run started, for the duration at an end that names no run; `null` if a run has ended since. */
  startedAt: number | null;
  /** Open runs, oldest first; none without a limit. */
  runs: readonly OpenRun[];
  /** When the newest report arrived; `null` if there was none. Logs do not count. */
  lastPingAt: number | null;
}

/** What a job reports, and about which run; `null` if it names none. */
export interface RunReport {
  kind: PingKind;
  runId: string | null;
  atMs: number;
}

/** Returns the state after a report. A log changes nothing. A report that arrives after a newer one can only end a run. */
export function afterReport(state: HeartbeatState, rule: HeartbeatRule, report: RunReport): HeartbeatState {
  const { kind, runId, atMs } = report;
  const { lastPingAt } = state;
  const isStart = kind === 'start';
  const isOld = lastPingAt !== null && atMs < lastPingAt;
  if (kind === 'log' || (isOld && isStart)) return state;
  const others = withoutRunOf(state.runs, report);
  if (isOld) {
    if (others.length === state.runs.length) return state;
    const left = { ...state, runs: others };
    return { ...left, deadline: deadlineAfter(rule, left, lastPingAt) };
  }
  const isLimited = isStart && rule.maxRunMs !== null;
  const runs = isLimited ? [...others, { id: runId, startedAt: atMs }].slice(-MAX_OPEN_RUNS) : others;
  const startedAt = isStart ? atMs : null;
  return { deadline: deadlineAfter(rule, { runs, startedAt }, atMs), startedAt, runs, lastPingAt: atMs };
}

/**
 * Returns what is expected once another rule with the same schedule applies: the same due time, with the new grace, or
 * the end of the open runs within the new limit. Without a limit, the next report is expected at the first due time after
 * `nowMs`; none was expected at those that have passed.
 */
export function underRule(
  state: Pick<HeartbeatState, 'deadline' | 'startedAt' | 'runs' | 'lastPingAt'>,
  rule: HeartbeatRule,
  nowMs: number,
): Pick<HeartbeatState, 'deadline' | 'runs'> {
  const { deadline, runs, lastPingAt } = state;
  if (deadline === null || lastPingAt === null) return { deadline, runs };
  if (deadline.code === 'heartbeat_missed') {
    return { deadline: earlierOf(firstLimit(rule, runs), deadlineAt(rule, deadline.dueMs)), runs };
  }
  if (rule.maxRunMs === null) return afterDeadline(rule, [], nowMs);
  return { deadline: deadlineAfter(rule, state, lastPingAt), runs };
}

/**
 * Returns the runs without the one that a report is about. An end that names no run is about the one whose start named
 * none or, if there is none, about the newest one.
 */
function withoutRunOf(runs: readonly OpenRun[], { kind, runId, atMs }: RunReport): readonly OpenRun[] {
  const earlier = runs.filter(({ startedAt }) => startedAt <= atMs);
  const same = earlier.find(({ id }) => id === runId);
  const own = same ?? (kind !== 'start' && runId === null ? earlier.at(-1) : undefined);
  return runs.filter((run) => run !== own);
}
