import { type CheckTrigger } from '../../../domain/check-result.js';

/** Everything that is needed to check a monitor without reading from the database. */
export interface CheckPlan {
  monitorId: string;
  teamId: string;
  revision: number;
  type: string;
  /**
   * The type-specific fields as JSON, with secrets sealed. Fields that have the default of the type are omitted,
   * because the plans of all monitors are held in memory. It is parsed only when a check is made.
   */
  definition: string;
  intervalMs: number;
  timeoutMs: number;
  degradedAfterMs: number | null;
  failureThreshold: number;
  recoveryThreshold: number;
  retryIntervalMs: number | null;
  locations: readonly string[];
}

/** The primary key of a check. `scheduledAt` is in epoch milliseconds. */
export interface CheckKey {
  monitorId: string;
  scheduledAt: number;
  location: string;
  /** 0 at a slot, 1 to n for its retries, negative for requested checks, which have no slot. */
  attempt: number;
}

/** Returns a text that identifies a check, and begins with the id of its monitor and a slash. */
export function textOfKey({ monitorId, scheduledAt, location, attempt }: CheckKey): string {
  return `${monitorId}/${scheduledAt}/${location}/${attempt}`;
}

/** A check that was requested, as opposed to one at a slot. */
export interface RequestedCheck extends CheckKey {
  trigger: CheckTrigger;
}

/** The content of a hint: a monitor was written, or checks were requested. */
export interface ScheduleHint {
  monitorId?: string;
  requests?: boolean;
  /** A key with which jobs report was deleted. */
  pingKeys?: boolean;
}

/** Selects the monitors of some shards. */
export interface ShardFilter {
  shards: readonly number[];
  /** The number of all shards. */
  of: number;
}
