import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ResultStatus } from '../../domain/check-result.js';
import { DAY_MS } from '../../domain/durations.js';

/** Twice the longest interval, so that a late check is found, too. Heartbeat monitors may expect reports less often. */
const LOOK_BACK_MS = 2 * DAY_MS;

export interface LatestCheck {
  checkedAt: Date;
  status: ResultStatus;
  /** Milliseconds; null if there was no response. */
  responseTimeMs: number | null;
}

/** Reads the newest check of each of many monitors. */
@Injectable()
export class LatestChecksService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the newest check by monitor id. The caller has verified that the team owns the monitors. Monitors without a
   * check in the past two days are omitted.
   */
  async of(monitorIds: readonly string[], nowMs = Date.now()): Promise<Map<string, LatestCheck>> {
    if (monitorIds.length === 0) return new Map();
    const rows: { id: string; checked_at: Date; status: ResultStatus; response_time_ms: number | null }[] =
      await this.dataSource.query(
        `SELECT t.id, c.checked_at, c.status, c.response_time_ms FROM unnest($1::uuid[]) AS t (id)
         CROSS JOIN LATERAL (
           SELECT checked_at, status, response_time_ms FROM checks
           WHERE monitor_id = t.id AND scheduled_at >= $2 ORDER BY scheduled_at DESC, attempt DESC LIMIT 1
         ) AS c`,
        [monitorIds, new Date(nowMs - LOOK_BACK_MS)],
      );
    return new Map(
      rows.map((row) => [
        row.id,
        { checkedAt: row.checked_at, status: row.status, responseTimeMs: row.response_time_ms },
      ]),
    );
  }
}
