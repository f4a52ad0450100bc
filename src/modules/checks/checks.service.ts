import { Injectable } from '@nestjs/common';
import { integers, jsons, reals, texts, times, uuids } from '../../database/array-parameter.js';
import { managerOf, type Tx } from '../../database/tx.js';
import {
  type CheckTrigger,
  type FailedAssertion,
  type ProbeOutcome,
  type ResultStatus,
} from '../../domain/check-result.js';
import { DAY_MS } from '../../domain/durations.js';
import { type ErrorCode } from '../../domain/error-codes.js';
import { type FoldedResult, type Thresholds } from '../../domain/monitor-state.js';
import { groupBy } from '../../domain/group-by.js';
import { type ClosedSpan } from '../../domain/span.js';
import { type AnsweredDeadlines } from '../monitors/heartbeat/ping.types.js';
import { type CheckKey } from '../monitors/schedule/check-plan.types.js';
import { checkId } from './check-id.js';

/** A finished check to record. Times are epoch milliseconds. */
export interface RecordableCheck extends CheckKey {
  checkedAt: number;
  trigger: CheckTrigger;
  status: ResultStatus;
  revision: number;
  intervalMs: number;
  thresholds?: Thresholds | null;
  outcome: ProbeOutcome;
}

/** A check that is no longer stored. */
export interface DeletedCheck extends CheckKey {
  status: ResultStatus;
}

interface DeletedRecord {
  monitor_id: string;
  scheduled_at: Date;
  location: string;
  attempt: number;
  status: ResultStatus;
}

/** Maximum time from `scheduledAt` to the start of a check. A retry has the `scheduledAt` of its slot. */
export const LONGEST_DELAY_MS = 2 * DAY_MS;
/** Longer than nearly every check waits after its slot, so that few outages need the longest delay to be searched. */
export const USUAL_DELAY_MS = 600_000;
/** Replaces NUL, which text from targets may contain but PostgreSQL rejects. */
const clean = (text: string | null | undefined): string | null => text?.replaceAll('\0', '\uFFFD') ?? null;

/** Owns the rows of finished checks. */
@Injectable()
export class ChecksService {
  /** Inserts checks whose monitors this transaction has locked. Returns those that were not recorded before. */
  async insert<C extends RecordableCheck>(tx: Tx, checks: readonly C[]): Promise<C[]> {
    const distinct = distinctChecks(checks);
    if (distinct.length === 0) return [];
    const runner = managerOf(tx).queryRunner!;
    const { affected } = await runner.query(INSERT, columnsOf(distinct), true);
    if (affected === distinct.length) return distinct;
    // Some were recorded before, which is rare. Only then read which rows this transaction inserted.
    const rows: { monitor_id: string; scheduled_at: Date; location: string; attempt: number }[] = await managerOf(
      tx,
    ).query(
      `SELECT c.monitor_id, c.scheduled_at, c.location, c.attempt
       FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::int[]) AS t (monitor_id, scheduled_at, location, attempt)
       JOIN checks c USING (monitor_id, scheduled_at, location, attempt)
       WHERE c.xmin = pg_current_xact_id()::xid`,
      columnsOf(distinct).slice(0, 4),
    );
    const inserted = new Set(
      rows.map((row) => keyText(row.monitor_id, row.scheduled_at.getTime(), row.location, row.attempt)),
    );
    return distinct.filter((one) => inserted.has(keyText(one.monitorId, one.scheduledAt, one.location, one.attempt)));
  }

  /**
   * Deletes the checks of deadlines at which a report only seemed to be missing. The transaction has locked their
   * monitors. Returns their keys and statuses.
   */
  async withdraw(tx: Tx, answered: readonly AnsweredDeadlines[]): Promise<DeletedCheck[]> {
    if (answered.length === 0) return [];
    const [rows]: [DeletedRecord[], number] = await managerOf(tx).query(
      `DELETE FROM checks c USING unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[])
         AS t (monitor_id, error_code, starts_at, ends_at)
       WHERE c.monitor_id = t.monitor_id AND c.scheduled_at >= t.starts_at
         AND (t.ends_at IS NULL OR c.scheduled_at < t.ends_at)
         AND c.scheduled_at >= $5 AND c.attempt = 0 AND c.error_code = t.error_code
       RETURNING c.monitor_id, c.scheduled_at, c.location, c.attempt, c.status`,
      [
        answered.map(({ monitorId }) => monitorId),
        answered.map(({ code }) => code),
        answered.map(({ fromMs }) => new Date(fromMs)),
        answered.map(({ toMs }) => (toMs === null ? null : new Date(toMs))),
        // The earliest start again, as a constant, so that the planner can skip partitions.
        new Date(Math.min(...answered.map(({ fromMs }) => fromMs))),
      ],
    );
    return rows.map((row) => ({
      monitorId: row.monitor_id,
      scheduledAt: row.scheduled_at.getTime(),
      location: row.location,
      attempt: row.attempt,
      status: row.status,
    }));
  }

  /**
   * Counts the recorded checks at slots within the given spans, over all locations or at one, by
   * `<monitor id>/<UTC date of the slot>`. The spans of a monitor must be disjoint.
   */
  async atSlotsIn(
    tx: Tx,
    spans: ReadonlyMap<string, readonly ClosedSpan[]>,
    location?: string,
  ): Promise<Map<string, number>> {
    const all = [...spans].flatMap(([id, list]) => list.map((span) => ({ id, ...span })));
    const rows: { monitor_id: string; day: string; checks: number }[] = await managerOf(tx).query(
      `SELECT c.monitor_id, (c.scheduled_at AT TIME ZONE 'UTC')::date::text AS day, count(*)::int AS checks
       FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS t (monitor_id, starts_at, ends_at)
       JOIN checks c ON c.monitor_id = t.monitor_id AND c.scheduled_at >= t.starts_at AND c.scheduled_at < t.ends_at
         AND c.attempt = 0
       WHERE c.scheduled_at >= $4 AND ($5::text IS NULL OR c.location = $5) GROUP BY 1, 2`,
      [
        all.map(({ id }) => id),
        all.map(({ from }) => new Date(from)),
        all.map(({ to }) => new Date(to)),
        // The earliest start again, as a constant, so that the planner can skip partitions.
        new Date(all.reduce((least, { from }) => Math.min(least, from), Date.now())),
        location ?? null,
      ],
    );
    return new Map(rows.map((row) => [`${row.monitor_id}/${row.day}`, row.checks]));
  }

  /** Returns the checks of one monitor and location that started at or after `fromMs`, for the fold, in any order. */
  async foldable(tx: Tx, monitorId: string, location: string, fromMs: number): Promise<FoldedResult[]> {
    const rows: FoldRecord[] = await managerOf(tx).query(
      `SELECT checked_at, scheduled_at, attempt, status, interval_seconds, failure_threshold, recovery_threshold,
         error_code, error_message FROM checks
       WHERE monitor_id = $1 AND location = $2 AND scheduled_at >= $3 AND checked_at >= $4`,
      [monitorId, location, new Date(fromMs - LONGEST_DELAY_MS), new Date(fromMs)],
    );
    return rows.map((row) => ({
      checkedAt: row.checked_at.getTime(),
      scheduledAt: row.scheduled_at.getTime(),
      attempt: row.attempt,
      status: row.status,
      intervalMs: row.interval_seconds * 1_000,
      thresholds: thresholdsOf(row),
      error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    }));
  }

  /** Returns evidence of outages from their checks, except of those whose checks are no longer stored. */
  async evidence(tx: Tx, outages: readonly SeenOutage[]): Promise<Map<SeenOutage, OutageEvidence>> {
    const found = new Map<SeenOutage, OutageEvidence>();
    const sought = new Set(outages);
    for (const reachMs of [USUAL_DELAY_MS, LONGEST_DELAY_MS]) {
      for (const [outage, failures] of await this.failuresOf(tx, [...sought], reachMs)) {
        const [first, confirming] = [failures[0]!, failures.at(-1)!];
        const isWhole =
          first.checked_at.getTime() === outage.at && confirming.checked_at.getTime() === outage.confirmedAt;
        if (!isWhole && reachMs < LONGEST_DELAY_MS) continue;
        found.set(outage, evidenceOf(outage, first, confirming));
        sought.delete(outage);
      }
    }
    return found;
  }

  /**
   * Reads the first and the confirming failing check of each outage, oldest first, from the slots up to `reachMs` before
   * and after it. A wide reach visits each check that the monitor has had in it.
   */
  private async failuresOf(
    tx: Tx,
    outages: readonly SeenOutage[],
    reachMs: number,
  ): Promise<Map<SeenOutage, FailureRecord[]>> {
    if (outages.length === 0) return new Map();
    const rows: FailureRecord[] = await managerOf(tx).query(
      `SELECT t.place::int, c.* FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY
         AS t (monitor_id, location, at, confirmed_at, place)
       CROSS JOIN LATERAL (
         SELECT checked_at, scheduled_at, attempt, status_code, error_code, error_message, failed_assertions FROM checks
         WHERE monitor_id = t.monitor_id AND location = t.location
           AND scheduled_at BETWEEN t.at - $5::interval AND t.confirmed_at + $5::interval
           AND scheduled_at BETWEEN $6::timestamptz - $5::interval AND $7::timestamptz + $5::interval
           AND status = 'down' AND checked_at IN (t.at, t.confirmed_at)
         OFFSET 0
       ) AS c
       ORDER BY t.place, c.checked_at, c.scheduled_at, c.attempt`,
      [
        outages.map(({ monitorId }) => monitorId),
        outages.map(({ location }) => location),
        outages.map(({ at }) => new Date(at)),
        outages.map(({ confirmedAt }) => new Date(confirmedAt)),
        `${reachMs} ms`,
        // The earliest and latest time again, as constants, so that the planner can skip partitions.
        new Date(Math.min(...outages.map(({ at }) => at))),
        new Date(Math.max(...outages.map(({ confirmedAt }) => confirmedAt))),
      ],
    );
    return groupBy(rows, (row) => outages[row.place - 1]!);
  }

  /** Returns the id of the newest failing check in each `[fromMs, toMs)`, except where none is stored. */
  async lastFailures(tx: Tx, spans: readonly FailingSpan[]): Promise<Map<FailingSpan, string>> {
    if (spans.length === 0) return new Map();
    const rows: { place: number; scheduled_at: Date; attempt: number; location: string }[] = await managerOf(tx).query(
      `SELECT t.place::int, c.* FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY
         AS t (monitor_id, starts_at, ends_at, place)
       CROSS JOIN LATERAL (
         SELECT scheduled_at, attempt, location FROM checks
         WHERE monitor_id = t.monitor_id AND scheduled_at >= t.starts_at - $4::interval AND scheduled_at < t.ends_at
           AND scheduled_at >= $5::timestamptz - $4::interval AND scheduled_at < $6 AND status = 'down'
           AND checked_at >= t.starts_at AND checked_at < t.ends_at
         ORDER BY scheduled_at DESC, checked_at DESC, attempt DESC LIMIT 1
       ) AS c`,
      [
        spans.map(({ monitorId }) => monitorId),
        spans.map(({ fromMs }) => new Date(fromMs)),
        spans.map(({ toMs }) => new Date(toMs)),
        `${LONGEST_DELAY_MS} ms`,
        new Date(Math.min(...spans.map(({ fromMs }) => fromMs))),
        new Date(Math.max(...spans.map(({ toMs }) => toMs))),
      ],
    );
    return new Map(rows.map((row) => [spans[row.place - 1]!, idOf(row, row.location)]));
  }
}

function evidenceOf({ location }: SeenOutage, first: FailureRecord, confirming: FailureRecord): OutageEvidence {
  return {
    firstFailedCheckId: idOf(first, location),
    errorCode: confirming.error_code,
    message: confirming.error_message,
    statusCode: confirming.status_code,
    failedAssertions: confirming.failed_assertions ?? [],
  };
}

function idOf({ scheduled_at, attempt }: { scheduled_at: Date; attempt: number }, location: string): string {
  return checkId({ scheduledAt: scheduled_at.getTime(), attempt, location });
}

/** Where an outage was detected, and the `checkedAt` of its first failing check and of the check that confirmed it. */
export interface SeenOutage {
  monitorId: string;
  location: string;
  at: number;
  confirmedAt: number;
}

/** A time during which a monitor was down, in epoch milliseconds. */
export interface FailingSpan {
  monitorId: string;
  fromMs: number;
  toMs: number;
}

/** Evidence of an outage from its checks. */
export interface OutageEvidence {
  firstFailedCheckId: string;
  errorCode: ErrorCode | null;
  message: string | null;
  statusCode: number | null;
  failedAssertions: FailedAssertion[];
}

interface FailureRecord extends Omit<
  FoldRecord,
  'status' | 'interval_seconds' | 'failure_threshold' | 'recovery_threshold'
> {
  /** The place of its outage among those sought, from 1. */
  place: number;
  status_code: number | null;
  failed_assertions: FailedAssertion[] | null;
}

interface FoldRecord {
  checked_at: Date;
  scheduled_at: Date;
  attempt: number;
  status: ResultStatus;
  interval_seconds: number;
  failure_threshold: number | null;
  recovery_threshold: number | null;
  error_code: ErrorCode | null;
  error_message: string | null;
}

function thresholdsOf({ failure_threshold, recovery_threshold }: FoldRecord): Thresholds | null {
  if (failure_threshold === null || recovery_threshold === null) return null;
  return { failureThreshold: failure_threshold, recoveryThreshold: recovery_threshold };
}

function keyText(monitorId: string, scheduledAt: number, location: string, attempt: number): string {
  return `${monitorId}/${scheduledAt}/${location}/${attempt}`;
}

/** Removes duplicates, because a batch may contain a check twice. */
function distinctChecks<C extends RecordableCheck>(checks: readonly C[]): C[] {
  const byKey = new Map<string, C>();
  for (const one of checks) {
    const key = keyText(one.monitorId, one.scheduledAt, one.location, one.attempt);
    if (!byKey.has(key)) byKey.set(key, one);
  }
  return [...byKey.values()];
}

const INSERT = `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status,
    monitor_revision, interval_seconds, status_code, response_time_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
    transfer_ms, remote_address, error_code, error_message, failed_assertions, failure_threshold, recovery_threshold)
  SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::int[], $5::timestamptz[], $6::text[], $7::text[],
    $8::int[], $9::int[], $10::int[], $11::real[], $12::real[], $13::real[], $14::real[], $15::real[], $16::real[],
    $17::text[], $18::text[], $19::text[], $20::jsonb[], $21::int[], $22::int[])
  ON CONFLICT DO NOTHING`;

function columnsOf(checks: readonly RecordableCheck[]): Buffer[] {
  const outcomes = checks.map(({ outcome }) => outcome);
  const timings = outcomes.map((one) => one.timings);
  return [
    uuids(checks.map((one) => one.monitorId)),
    times(checks.map((one) => one.scheduledAt)),
    texts(checks.map((one) => one.location)),
    integers(checks.map((one) => one.attempt)),
    times(checks.map((one) => one.checkedAt)),
    texts(checks.map((one) => one.trigger)),
    texts(checks.map((one) => one.status)),
    integers(checks.map((one) => one.revision)),
    integers(checks.map((one) => one.intervalMs / 1_000)),
    integers(outcomes.map((one) => one.statusCode)),
    reals(outcomes.map((one) => one.responseTimeMs)),
    reals(timings.map((one) => one.dnsMs)),
    reals(timings.map((one) => one.connectMs)),
    reals(timings.map((one) => one.tlsMs)),
    reals(timings.map((one) => one.firstByteMs)),
    reals(timings.map((one) => one.transferMs)),
    texts(outcomes.map((one) => clean(one.remoteAddress))),
    texts(outcomes.map((one) => one.error?.code ?? null)),
    texts(outcomes.map((one) => clean(one.error?.message))),
    jsons(outcomes.map((one) => assertionsText(one.failedAssertions))),
    integers(checks.map((one) => one.thresholds?.failureThreshold ?? null)),
    integers(checks.map((one) => one.thresholds?.recoveryThreshold ?? null)),
  ];
}

/** Replaces NUL, which JSON contains as an escape sequence and jsonb rejects. */
function assertionsText(failed: readonly FailedAssertion[]): string | null {
  return failed.length === 0 ? null : JSON.stringify(failed).replaceAll('\\u0000', '\uFFFD');
}
