import { type CheckTrigger } from '../../../domain/check-result.js';

/** All that is needed to check a monitor without looking at the database. */
export interface CheckPlan {
  monitorId: string;
  teamId: string;
  revision: number;
  type: string;
  /** As JSON, secrets sealed, without what the type has as its default: it is kept of every monitor, and read where a check is made. */
  definition: string;
  intervalMs: number;
  timeoutMs: number;
  degradedAfterMs: number | null;
  failureThreshold: number;
  recoveryThreshold: number;
  retryIntervalMs: number | null;
  locations: readonly string[];
}

/** The name of one check: the key of its row. `scheduledAt` in epoch milliseconds. */
export interface CheckKey {
  monitorId: string;
  scheduledAt: number;
  location: string;
  /** 0 at a slot, 1…n its retries, negative off the slots. */
  attempt: number;
}

/** A check off the slots that was promised. */
export interface RequestedCheck extends CheckKey {
  trigger: CheckTrigger;
}

/** What a hint says: a monitor was written, or checks were promised. */
export interface ScheduleHint {
  monitorId?: string;
  requests?: boolean;
}
