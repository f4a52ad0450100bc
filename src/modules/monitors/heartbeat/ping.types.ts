import { type CheckTrigger, type ProbeOutcome, type ResultStatus } from '../../../domain/check-result.js';
import { type Deadline, type HeartbeatRule, type OpenRun, type PingKind } from '../../../domain/heartbeat/heartbeat.js';
import { type CheckKey } from '../schedule/check-plan.types.js';

/** What a job reported. */
export interface PingReport {
  kind: PingKind;
  /** Pairs the start of a run with its end; `null` if the job sends none. */
  runId: string | null;
  /** `null` if the job reports none. */
  exitStatus: number | null;
  method: string;
  /** The beginning of the body; `null` if it was empty. */
  body: string | null;
  /** How long the run took, as the job itself measured it; `null` if it did not. Milliseconds. */
  durationMs: number | null;
}

/** The result of a report, or of a deadline at which none arrived. */
export interface HeartbeatResult extends CheckKey {
  trigger: CheckTrigger;
  checkedAt: number;
  status: ResultStatus;
  outcome: ProbeOutcome;
  ping?: PingReport;
}

/** A deadline that has passed, and the monitor that it belongs to. */
export interface PassedDeadline extends Deadline {
  monitorId: string;
  teamId: string;
  revision: number;
  failureThreshold: number;
  recoveryThreshold: number;
  rule: HeartbeatRule;
  runs: readonly OpenRun[];
  /** When its latest pause ended, in epoch milliseconds; `null` if there was none. */
  resumedAt: number | null;
}

/**
 * Deadlines of a monitor whose missing reports have arrived after all: those with this error, due in `[fromMs, toMs)`.
 * `toMs` is `null` if there is no end.
 */
export interface AnsweredDeadlines {
  monitorId: string;
  code: Deadline['code'] | 'checker_error';
  fromMs: number;
  toMs: number | null;
}

/** What the monitors that wait for reports make of results. */
export interface Heard<R> {
  /** The results to store as checks. */
  checks: readonly R[];
  answered: AnsweredDeadlines[];
}

/** What is needed to accept a report for a monitor. */
export interface HeartbeatTarget {
  monitorId: string;
  teamId: string;
  revision: number;
  /** The keyed hash of its token, in base64. */
  mac: string;
  /** The key that the team chose for it. */
  key: string | null;
  failureThreshold: number;
  recoveryThreshold: number;
  /** The methods that are accepted. */
  methods: readonly string[];
  failWhenBodyMatches: string | null;
}
