import {
  type CheckTrigger,
  type ProbeOutcome,
  type ResultStatus,
  type ServerCertificate,
} from '../../domain/check-result.js';
import { type Thresholds } from '../../domain/monitor-state.js';
import { type CheckKey, type CheckPlan } from '../monitors/schedule/check-plan.types.js';

/** One check to run. Plain data with sealed secrets, so that it can be sent to another machine. */
export interface CheckJob extends CheckKey {
  /** How the monitor is checked. Does not change between the schedule and the result. */
  plan: CheckPlan;
  trigger: CheckTrigger;
  /** Epoch of the dispatcher that sent the job: identifies results of an earlier dispatcher. */
  epoch: number;
}

/** One finished check. */
export interface CheckResult extends CheckKey {
  /** The team of the monitor, for recording the results of all teams fairly. Unknown for results of earlier versions. */
  teamId?: string;
  trigger: CheckTrigger;
  revision: number;
  intervalMs: number;
  /** Thresholds of the definition under which the check ran; if they are unknown, the current ones apply. */
  thresholds?: Thresholds | null;
  epoch: number;
  /** When the probe started, in epoch milliseconds of the slot clock. */
  checkedAt: number;
  status: ResultStatus;
  outcome: ProbeOutcome;
  /** The certificate of the target, if it is to be stored: with few of the results. */
  certificate?: ServerCertificate;
  /** Type of the monitor, and duration of the probe whatever its result. Used only for metrics. */
  type?: string;
  durationMs?: number;
}

/**
 * Carries jobs from the dispatcher to runners, and results from runners to the recorder and back to the dispatcher.
 * Delivery is at least once and in any order; consumers must count each key only once.
 */
export abstract class CheckQueue {
  abstract sendJobs(jobs: readonly CheckJob[]): Promise<void>;
  abstract sendResults(results: readonly CheckResult[]): Promise<void>;
  abstract onJobs(consumer: (jobs: readonly CheckJob[]) => void): void;
  abstract onResults(consumer: (results: readonly CheckResult[]) => void): void;
}
