import { type CheckTrigger, type ProbeOutcome, type ResultStatus } from '../../domain/check-result.js';
import { type Thresholds } from '../../domain/monitor-state.js';
import { type CheckKey, type CheckPlan } from '../monitors/schedule/check-plan.types.js';

/** One check to run. Plain data: it may travel to another machine, its secrets sealed. */
export interface CheckJob extends CheckKey {
  /** How the monitor is checked: from the schedule to the result it stays the same. */
  plan: CheckPlan;
  trigger: CheckTrigger;
  /** Of the dispatcher that sent it: results of a former one are recognised by it. */
  epoch: number;
}

/** One finished check. */
export interface CheckResult extends CheckKey {
  trigger: CheckTrigger;
  revision: number;
  intervalMs: number;
  /** By the definition that it was made under; where they are not known, those of now decide. */
  thresholds?: Thresholds | null;
  epoch: number;
  /** When the probe started, in epoch milliseconds of the slot clock. */
  checkedAt: number;
  status: ResultStatus;
  outcome: ProbeOutcome;
  /** The monitor's type, and how long the probe took whatever came of it. For metrics alone: nothing is decided by them. */
  type?: string;
  durationMs?: number;
}

/**
 * Carries jobs from the dispatcher to runners, and results from runners to the recorder and back to the dispatcher.
 * Delivery is at least once, and in any order; whoever consumes counts each key once.
 */
export abstract class CheckQueue {
  abstract sendJobs(jobs: readonly CheckJob[]): Promise<void>;
  abstract sendResults(results: readonly CheckResult[]): Promise<void>;
  abstract onJobs(consumer: (jobs: readonly CheckJob[]) => void): void;
  abstract onResults(consumer: (results: readonly CheckResult[]) => void): void;
}
