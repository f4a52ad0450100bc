import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../database/tx.js';
import { addLatency, EMPTY_HISTOGRAM, type LatencyHistogram, mergeHistograms } from '../../domain/latency-histogram.js';
import { dateOf } from '../../domain/utc-day.js';
import { type FinishedCheck } from '../checks/checks.service.js';

/** Counts of one monitor, UTC day and location. */
export interface RollupCounts {
  monitorId: string;
  day: string;
  location: string;
  checksTotal: number;
  checksFailed: number;
  responseCount: number;
  responseSumMs: number;
  histogram: LatencyHistogram;
}

/** Owns the daily roll-ups. */
@Injectable()
export class RollupsService {
  /** Counts newly inserted checks, each once, those at their slots alone; the caller has locked their monitors. */
  async count(tx: Tx, checks: readonly FinishedCheck[]): Promise<void> {
    const added = sumUp(checks);
    if (added.length === 0) return;
    const manager = managerOf(tx);
    const key = [added.map((one) => one.monitorId), added.map((one) => one.day), added.map((one) => one.location)];
    // Under the lock on the monitor nobody else writes these rows between the read and the write.
    const stored: { monitor_id: string; day: string; location: string; histogram: number[] }[] = await manager.query(
      `SELECT monitor_id, day::text, location, histogram FROM daily_rollups
       WHERE (monitor_id, day, location) IN (SELECT * FROM unnest($1::uuid[], $2::date[], $3::text[]))`,
      key,
    );
    const histograms = new Map(stored.map((row) => [keyText(row.monitor_id, row.day, row.location), row.histogram]));
    const merged = added.map((one) =>
      mergeHistograms(histograms.get(keyText(one.monitorId, one.day, one.location)) ?? EMPTY_HISTOGRAM, one.histogram),
    );
    await manager.query(
      `INSERT INTO daily_rollups AS r
         (monitor_id, day, location, checks_total, checks_failed, response_count, response_sum_ms, histogram)
       SELECT monitor_id, day, location, total, failed, responses, response_sum, histogram::int[]
       FROM unnest($1::uuid[], $2::date[], $3::text[], $4::int[], $5::int[], $6::int[], $7::float8[], $8::text[])
         AS t (monitor_id, day, location, total, failed, responses, response_sum, histogram)
       ON CONFLICT (monitor_id, day, location) DO UPDATE SET
         checks_total = r.checks_total + excluded.checks_total,
         checks_failed = r.checks_failed + excluded.checks_failed,
         response_count = r.response_count + excluded.response_count,
         response_sum_ms = r.response_sum_ms + excluded.response_sum_ms,
         histogram = excluded.histogram`,
      [
        ...key,
        added.map((one) => one.checksTotal),
        added.map((one) => one.checksFailed),
        added.map((one) => one.responseCount),
        added.map((one) => one.responseSumMs),
        merged.map((histogram) => `{${histogram.join(',')}}`),
      ],
    );
  }
}

function sumUp(checks: readonly FinishedCheck[]): RollupCounts[] {
  const sums = new Map<string, RollupCounts>();
  for (const { monitorId, scheduledAt, location, attempt, status, outcome } of checks) {
    // Retries and checks off the slots would weigh troubled hours more than quiet ones.
    if (attempt !== 0) continue;
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
        responseCount: 0,
        responseSumMs: 0,
        histogram: [],
      };
      sums.set(key, sum);
    }
    sum.checksTotal += 1;
    if (status === 'down') sum.checksFailed += 1;
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
