import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../database/tx.js';
import { type CheckTrigger, type ProbeOutcome, type ResultStatus } from '../../domain/check-result.js';
import { type ErrorCode } from '../../domain/error-codes.js';
import { type FoldedResult } from '../../domain/monitor-state.js';
import { type CheckKey } from '../monitors/check-plan.types.js';

/** A finished check as it is recorded. Times are epoch milliseconds. */
export interface FinishedCheck extends CheckKey {
  checkedAt: number;
  trigger: CheckTrigger;
  status: ResultStatus;
  revision: number;
  intervalMs: number;
  outcome: ProbeOutcome;
}

/** A retry starts under its slot's time: no check starts later than this after `scheduledAt`. */
export const LONGEST_DELAY_MS = 2 * 86_400_000;
/** Text from targets may hold what PostgreSQL refuses. */
const clean = (text: string | null | undefined): string | null => text?.replaceAll('\0', '\uFFFD') ?? null;

/** Owns the rows of finished checks. */
@Injectable()
export class ChecksService {
  /** Inserts checks whose monitors this transaction has locked. Returns those that were not recorded already. */
  async insert<C extends FinishedCheck>(tx: Tx, checks: readonly C[]): Promise<C[]> {
    if (checks.length === 0) return [];
    const rows: { monitor_id: string; scheduled_at: Date; location: string; attempt: number }[] = await managerOf(
      tx,
    ).query(
      `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
         interval_seconds, status_code, response_time_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, transfer_ms,
         remote_address, error_code, error_message, failed_assertions)
       SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::int[], $5::timestamptz[], $6::text[], $7::text[],
         $8::int[], $9::int[], $10::int[], $11::real[], $12::real[], $13::real[], $14::real[], $15::real[], $16::real[],
         $17::text[], $18::text[], $19::text[], $20::jsonb[])
       ON CONFLICT DO NOTHING RETURNING monitor_id, scheduled_at, location, attempt`,
      columnsOf(checks),
    );
    const inserted = new Set(
      rows.map((row) => keyText(row.monitor_id, row.scheduled_at.getTime(), row.location, row.attempt)),
    );
    // A delivery may hold one check twice: it was inserted once.
    return checks.filter((one) => inserted.delete(keyText(one.monitorId, one.scheduledAt, one.location, one.attempt)));
  }

  /** The checks of one monitor and location that started at or after `fromMs`, as the fold takes them, in any order. */
  async foldable(tx: Tx, monitorId: string, location: string, fromMs: number): Promise<FoldedResult[]> {
    const rows: FoldRecord[] = await managerOf(tx).query(
      `SELECT checked_at, scheduled_at, attempt, status, interval_seconds, error_code, error_message FROM checks
       WHERE monitor_id = $1 AND location = $2 AND scheduled_at >= $3 AND checked_at >= $4`,
      [monitorId, location, new Date(fromMs - LONGEST_DELAY_MS), new Date(fromMs)],
    );
    return rows.map((row) => ({
      checkedAt: row.checked_at.getTime(),
      scheduledAt: row.scheduled_at.getTime(),
      attempt: row.attempt,
      status: row.status,
      intervalMs: row.interval_seconds * 1_000,
      error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    }));
  }
}

interface FoldRecord {
  checked_at: Date;
  scheduled_at: Date;
  attempt: number;
  status: ResultStatus;
  interval_seconds: number;
  error_code: ErrorCode | null;
  error_message: string | null;
}

function keyText(monitorId: string, scheduledAt: number, location: string, attempt: number): string {
  return `${monitorId}/${scheduledAt}/${location}/${attempt}`;
}

function columnsOf(checks: readonly FinishedCheck[]): unknown[][] {
  const column = (value: (check: FinishedCheck) => unknown): unknown[] => checks.map(value);
  return [
    column((one) => one.monitorId),
    column((one) => new Date(one.scheduledAt)),
    column((one) => one.location),
    column((one) => one.attempt),
    column((one) => new Date(one.checkedAt)),
    column((one) => one.trigger),
    column((one) => one.status),
    column((one) => one.revision),
    column((one) => one.intervalMs / 1_000),
    column(({ outcome }) => outcome.statusCode),
    column(({ outcome }) => outcome.responseTimeMs),
    column(({ outcome }) => outcome.timings.dnsMs),
    column(({ outcome }) => outcome.timings.connectMs),
    column(({ outcome }) => outcome.timings.tlsMs),
    column(({ outcome }) => outcome.timings.firstByteMs),
    column(({ outcome }) => outcome.timings.transferMs),
    column(({ outcome }) => clean(outcome.remoteAddress)),
    column(({ outcome }) => outcome.error?.code ?? null),
    column(({ outcome }) => clean(outcome.error?.message)),
    column(({ outcome }) =>
      outcome.failedAssertions.length === 0
        ? null
        : // JSON carries NUL as an escape, which jsonb refuses too.
          JSON.stringify(outcome.failedAssertions).replaceAll('\\u0000', '\uFFFD'),
    ),
  ];
}
