import { type ErrorCode } from '../../../src/domain/error-codes.js';
import { type FoldedResult, type Hold, type KnownStatus } from '../../../src/domain/monitor-state.js';
import { type ResultStatus } from '../../../src/domain/check-result.js';
import { type OwnCluster } from '../../support/own-cluster.js';

/** A stored check of a judged monitor; epoch milliseconds. */
export interface StoredCheck extends FoldedResult {
  location: string;
  responseTimeMs: number | null;
}

export interface StoredTransition {
  location: string;
  at: number;
  confirmedAt: number;
  to: KnownStatus;
}

/** A span of a monitor, or of all monitors in a shard at a location. */
export interface StoredSpan {
  kind: string;
  location: string | null;
  shard: number | null;
  from: number;
  to: number | null;
}

const MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** Returns the checks of a monitor, in any order. */
export async function checksOf(cluster: OwnCluster, monitorId: string): Promise<StoredCheck[]> {
  const rows = await cluster.query<{
    location: string;
    attempt: number;
    status: ResultStatus;
    scheduled: number;
    checked: number;
    interval_seconds: number;
    failure_threshold: number | null;
    recovery_threshold: number | null;
    response_time_ms: number | null;
    error_code: ErrorCode | null;
    error_message: string | null;
  }>(
    `SELECT location, attempt, status, ${MS('scheduled_at')} AS scheduled, ${MS('checked_at')} AS checked,
       interval_seconds, failure_threshold, recovery_threshold, response_time_ms, error_code, error_message
     FROM checks WHERE monitor_id = $1`,
    [monitorId],
  );
  return rows.map((row) => ({
    location: row.location,
    attempt: row.attempt,
    status: row.status,
    scheduledAt: Math.round(row.scheduled),
    checkedAt: Math.round(row.checked),
    intervalMs: row.interval_seconds * 1_000,
    responseTimeMs: row.response_time_ms,
    thresholds:
      row.failure_threshold === null || row.recovery_threshold === null
        ? null
        : { failureThreshold: row.failure_threshold, recoveryThreshold: row.recovery_threshold },
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  }));
}

/** Returns the transitions of a monitor, oldest first. */
export function transitionsOf(cluster: OwnCluster, monitorId: string): Promise<StoredTransition[]> {
  return cluster.query(
    `SELECT location, ${MS('at')} AS at, ${MS('confirmed_at')} AS "confirmedAt", to_status AS to
     FROM transitions WHERE monitor_id = $1 ORDER BY transitions.at, confirmed_at`,
    [monitorId],
  );
}

/** Returns by location how long the newest state of a monitor holds. */
export async function tailsOf(cluster: OwnCluster, monitorId: string): Promise<Map<string, Hold | null>> {
  const rows = await cluster.query<{ location: string; missing: number | null; holds: number | null }>(
    `SELECT location, ${MS('missing_from')} AS missing, ${MS('holds_until')} AS holds
     FROM location_states WHERE monitor_id = $1`,
    [monitorId],
  );
  return new Map(
    rows.map(({ location, missing, holds }) => [
      location,
      missing === null || holds === null ? null : { missingFrom: missing, until: holds },
    ]),
  );
}

/** Returns the stored times without data of a monitor, oldest first. */
export function gapsOf(
  cluster: OwnCluster,
  monitorId: string,
): Promise<{ location: string; from: number; to: number }[]> {
  return cluster.query(
    `SELECT location, ${MS('starts_at')} AS from, ${MS('ends_at')} AS to
     FROM spans WHERE monitor_id = $1 AND kind = 'gap' ORDER BY starts_at`,
    [monitorId],
  );
}

/** Returns all spans that apply to every monitor, oldest first. */
export function sharedSpans(cluster: OwnCluster): Promise<StoredSpan[]> {
  return cluster.query(
    `SELECT kind, location, shard, ${MS('starts_at')} AS from, ${MS('ends_at')} AS to
     FROM spans WHERE monitor_id IS NULL ORDER BY starts_at`,
  );
}
