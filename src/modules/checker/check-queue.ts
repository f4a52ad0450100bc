import { type CheckTrigger, type ProbeOutcome, type Readings, type ResultStatus } from '../../domain/check-result.js';
import { type LocationRules } from '../../domain/location.js';
import { type Thresholds } from '../../domain/monitor-state.js';
import { type Shard } from '../../domain/shard.js';
import { type PingReport } from '../monitors/heartbeat/ping.types.js';
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
export interface CheckResult extends CheckKey, Readings {
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
  /** What a job reported, if this is a report. */
  ping?: PingReport;
  /** Type of the monitor, and duration of the probe whatever its result. Used only for metrics. */
  type?: string;
  durationMs?: number;
}

/** Returns whether this is the result of a requested check, which a caller was promised. */
export function isRequested({ attempt, trigger }: Pick<CheckResult, 'attempt' | 'trigger'>): boolean {
  return attempt < 0 && trigger !== 'heartbeat';
}

/** What waits in a queue, as far as this process has seen. */
export interface QueueFigures {
  queue: 'checks' | 'results';
  location: string;
  /** The shard of results; `null` for checks, which are not divided. */
  shard: Shard | null;
  /** Batches of up to 100 checks or results. */
  batches: number;
  /** How long the oldest of them has been waiting, in milliseconds; 0 if there is none. */
  delayMs: number;
}

/** Takes jobs for the location of this process, with the rules that apply there. */
export type JobConsumer = (jobs: readonly CheckJob[], rules: LocationRules) => void;

/** Takes results. A queue that can deliver them again does so unless the returned promise resolves. */
export type ResultConsumer = (results: readonly CheckResult[]) => Promise<void> | void;

/**
 * Carries jobs from the dispatcher to runners, results from runners to the recorder, and results that have reached a
 * recorder back to the dispatcher. Delivery is at least once and in any order; consumers must count each key only once.
 */
export abstract class CheckQueue {
  /** Why jobs cannot be sent now; `null` while they can. */
  abstract readonly fault: string | null;

  /** Whether jobs can be sent now. */
  get isAvailable(): boolean {
    return this.fault === null;
  }

  /** Whether the queue is available and has responded within the last two seconds. */
  abstract readonly isResponding: boolean;

  /** By how many milliseconds the verdict of a check at a location is likely to be delayed by what waits in queues. */
  abstract delayAt(location: string): number;

  /**
   * What waits for others in the queues of this process: those of checks if it dispatches, and those of results for the
   * shards that it dispatches or records. Empty while it is unknown.
   */
  abstract readonly waiting: readonly QueueFigures[];

  /** Whether results that were delivered and are not stored are still in the queue, which has room for more. */
  abstract readonly keepsResults: boolean;

  /** Sends jobs, all for the same location, with the rules that apply there. */
  abstract sendJobs(jobs: readonly CheckJob[], rules: LocationRules): Promise<void>;
  abstract sendResults(results: readonly CheckResult[]): Promise<void>;
  abstract onJobs(consumer: JobConsumer): void;
  abstract onResults(consumer: ResultConsumer): void;
  /** Calls the consumer for results of the shards that this process dispatches. Some may be missing. */
  abstract onVerdicts(consumer: (results: readonly CheckResult[]) => void): void;

  /** Receives from now on the results of these shards from these locations only, for recording. */
  abstract record(shards: readonly Shard[], locations: readonly string[]): Promise<void>;
  /**
   * States whether results can be recorded now. While they cannot, dispatchers learn of results that are not stored, so
   * that checks continue.
   */
  abstract noteRecording(isPossible: boolean): void;

  /** Receives from now on the verdicts of these shards only, and observes how long checks wait at these locations. */
  abstract dispatch(shards: readonly Shard[], locations: readonly string[]): void;

  /** Stops receiving jobs. Results of jobs that were received can still be sent. */
  abstract stopJobs(): Promise<void>;
  /** Stops receiving anything. What was received and not finished is delivered again, to this or another process. */
  abstract close(): Promise<void>;
}
