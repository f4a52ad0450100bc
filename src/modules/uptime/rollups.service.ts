import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { dates, doubles, integers, texts, uuids } from '../../database/array-parameter.js';
import { StaleMemory } from '../../database/stale-memory.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { addLatency, EMPTY_HISTOGRAM, type LatencyHistogram, mergeHistograms } from '../../domain/latency-histogram.js';
import { noteNewest } from '../../domain/memo.js';
import { dateOf } from '../../domain/utc-day.js';
import { type DeletedCheck, type RecordableCheck } from '../checks/checks.service.js';

/** Counts of one monitor, UTC day and location. */
export interface RollupCounts {
  monitorId: string;
  day: string;
  location: string;
  checksTotal: number;
  checksFailed: number;
  checksLate: number;
  responseCount: number;
  responseSumMs: number;
  histogram: LatencyHistogram;
}

/** A check is late if it starts later than this after its slot. */
export const LATE_AFTER_MS = 1_000;

/** The part of a stored roll-up that its next update depends on. */
interface Base {
  day: string;
  checksTotal: number;
  histogram: LatencyHistogram;
}

interface Counted {
  added: RollupCounts;
  /** `null` if none is stored yet. */
  base: Base | null;
  histogram: LatencyHistogram;
}

/** Maximum number of cached roll-ups per location. Beyond it, the oldest ones are removed and must be read again. */
const MAX_REMEMBERED = 250_000;

/** Owns the daily roll-ups. */
@Injectable()
export class RollupsService {
  /** What this process last wrote, by location and monitor, so that it need not be read again with each check. */
  private readonly memory = new Map<string, Map<string, Base>>();

  /**
   * Counts newly inserted checks at slots and reports of jobs, ignoring all others. The caller has locked their monitors, and calls
   * `remember` after the transaction has been committed.
   * @throws StaleMemory if another process has counted checks of these monitors since this one did
   */
  async count(tx: Tx, checks: readonly RecordableCheck[]): Promise<{ remember: () => void }> {
    const added = sumUp(checks);
    const known = added.map((one) => this.recall(one));
    const stored = await this.read(
      managerOf(tx),
      added.filter((_, index) => known[index] === null),
    );
    const counted = added.map((one, index): Counted => {
      const base = known[index] ?? stored.get(keyText(one.monitorId, one.day, one.location)) ?? null;
      return { added: one, base, histogram: mergeHistograms(base?.histogram ?? EMPTY_HISTOGRAM, one.histogram) };
    });
    const [begun, gone] = [counted.filter(({ base }) => base === null), counted.filter(({ base }) => base !== null)];
    await write(managerOf(tx), INSERT, begun);
    await write(managerOf(tx), UPDATE, gone);
    return { remember: () => this.remember(counted) };
  }

  /**
   * Removes checks without a response time that are no longer stored from the counts. The caller has locked their
   * monitors.
   */
  async withdraw(tx: Tx, checks: readonly DeletedCheck[]): Promise<void> {
    if (checks.length === 0) return;
    await managerOf(tx).query(
      `UPDATE daily_rollups r SET checks_total = checks_total - t.total, checks_failed = checks_failed - t.failed
       FROM (SELECT monitor_id, day, location, count(*)::int AS total, (count(*) FILTER (WHERE failed))::int AS failed
             FROM unnest($1::uuid[], $2::date[], $3::text[], $4::boolean[]) AS k (monitor_id, day, location, failed)
             GROUP BY 1, 2, 3) AS t
       WHERE r.monitor_id = t.monitor_id AND r.day = t.day AND r.location = t.location`,
      [
        checks.map(({ monitorId }) => monitorId),
        checks.map(({ scheduledAt }) => dateOf(scheduledAt)),
        checks.map(({ location }) => location),
        checks.map(({ status }) => status === 'down'),
      ],
    );
    for (const { monitorId, location } of checks) this.memory.get(location)?.delete(monitorId);
  }

  /** Clears the cache. Call it after `StaleMemory`. */
  forget(): void {
    this.memory.clear();
  }

  private recall(counts: RollupCounts): Base | null {
    const known = this.memory.get(counts.location)?.get(counts.monitorId);
    return known?.day === counts.day ? known : null;
  }

  private remember(counted: readonly Counted[]): void {
    for (const { added, base: before, histogram } of counted) {
      const checksTotal = (before?.checksTotal ?? 0) + added.checksTotal;
      // A copy has no spare capacity, which is most of the memory of a short array.
      const base = { day: added.day, checksTotal, histogram: histogram.slice() };
      noteNewest(this.at(added.location), added.monitorId, base, MAX_REMEMBERED);
    }
  }

  private at(location: string): Map<string, Base> {
    let known = this.memory.get(location);
    if (!known) this.memory.set(location, (known = new Map<string, Base>()));
    return known;
  }

  /** Reads stored roll-ups. The locks on the monitors prevent other writes to them before those of this transaction. */
  private async read(manager: EntityManager, added: readonly RollupCounts[]): Promise<Map<string, Base>> {
    if (added.length === 0) return new Map();
    const rows: { monitor_id: string; day: string; location: string; checks_total: number; histogram: number[] }[] =
      await manager.query(
        `SELECT monitor_id, day::text, location, checks_total, histogram FROM daily_rollups
         WHERE (monitor_id, day, location) IN (SELECT * FROM unnest($1::uuid[], $2::date[], $3::text[]))`,
        keyColumns(added),
      );
    return new Map(
      rows.map(({ monitor_id: monitorId, day, location, checks_total: checksTotal, histogram }) => [
        keyText(monitorId, day, location),
        { day, checksTotal, histogram },
      ]),
    );
  }
}

const ROWS = `unnest($1::uuid[], $2::date[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::float8[],
    $9::int[], $10::int[], $11::int[])
  AS t (monitor_id, day, location, total, failed, late, responses, response_sum, histogram_from, histogram_to, base)`;

/** All histograms are passed in a single array, one after the other. */
const HISTOGRAM = '($12::int[])[t.histogram_from:t.histogram_to]';

const INSERT = `INSERT INTO daily_rollups
    (monitor_id, day, location, checks_total, checks_failed, checks_late, response_count, response_sum_ms, histogram)
  SELECT monitor_id, day, location, total, failed, late, responses, response_sum, ${HISTOGRAM} FROM ${ROWS}
  ON CONFLICT DO NOTHING`;

const UPDATE = `UPDATE daily_rollups r SET
    checks_total = r.checks_total + t.total, checks_failed = r.checks_failed + t.failed,
    checks_late = r.checks_late + t.late, response_count = r.response_count + t.responses,
    response_sum_ms = r.response_sum_ms + t.response_sum, histogram = ${HISTOGRAM}
  FROM ${ROWS}
  WHERE r.monitor_id = t.monitor_id AND r.day = t.day AND r.location = t.location AND r.checks_total = t.base`;

async function write(manager: EntityManager, sql: string, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return;
  const added = counted.map((one) => one.added);
  let end = 0;
  const ends = counted.map(({ histogram }) => (end += histogram.length));
  const { affected } = await manager.queryRunner!.query(
    sql,
    [
      ...keyColumns(added),
      integers(added.map((one) => one.checksTotal)),
      integers(added.map((one) => one.checksFailed)),
      integers(added.map((one) => one.checksLate)),
      integers(added.map((one) => one.responseCount)),
      doubles(added.map((one) => one.responseSumMs)),
      integers(ends.map((end, index) => end - counted[index]!.histogram.length + 1)),
      integers(ends),
      integers(counted.map(({ base }) => base?.checksTotal ?? 0)),
      integers(joined(counted.map(({ histogram }) => histogram))),
    ],
    true,
  );
  if (affected !== counted.length) throw new StaleMemory();
}

/** Concatenates lists, many times faster than `flat`. */
function joined(lists: readonly (readonly number[])[]): number[] {
  const all: number[] = [];
  for (const list of lists) for (const one of list) all.push(one);
  return all;
}

function keyColumns(added: readonly RollupCounts[]): Buffer[] {
  return [
    uuids(added.map((one) => one.monitorId)),
    dates(added.map((one) => one.day)),
    texts(added.map((one) => one.location)),
  ];
}

function sumUp(checks: readonly RecordableCheck[]): RollupCounts[] {
  const sums = new Map<string, RollupCounts>();
  for (const { monitorId, scheduledAt, checkedAt, location, attempt, trigger, status, outcome } of checks) {
    // Counting retries and requested checks would give hours with problems more weight than others.
    if (attempt !== 0 && trigger !== 'heartbeat') continue;
    const day = dateOf(scheduledAt);
    const key = keyText(monitorId, day, location);
    let sum = sums.get(key);
    if (!sum) {
      sum = {
        monitorId,
        day,
        location,
        checksTotal: 0,
        checksFailed: 0,
        checksLate: 0,
        responseCount: 0,
        responseSumMs: 0,
        histogram: [],
      };
      sums.set(key, sum);
    }
    sum.checksTotal += 1;
    if (status === 'down') sum.checksFailed += 1;
    if (checkedAt - scheduledAt > LATE_AFTER_MS) sum.checksLate += 1;
    if ((status === 'up' || status === 'degraded') && outcome.responseTimeMs !== null) {
      sum.responseCount += 1;
      sum.responseSumMs += outcome.responseTimeMs;
      sum.histogram = addLatency(sum.histogram, outcome.responseTimeMs);
    }
  }
  return [...sums.values()];
}

function keyText(monitorId: string, day: string, location: string): string {
  return `${monitorId}/${day}/${location}`;
}
