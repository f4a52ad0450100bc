import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HOLD_GRACE_MS } from '../../domain/monitor-state.js';
import { type ConfirmedStatus } from '../../domain/quorum.js';
import { DAY_MS, dateOf } from '../../domain/utc-day.js';

/** What one location found out about a monitor. */
export interface LocationFigure {
  key: string;
  name: string;
  /** `unknown` if it has no recent result. */
  status: ConfirmedStatus | 'unknown';
  lastCheckAt: Date | null;
  /** Mean response time since yesterday (UTC), in milliseconds; `null` if nothing responded. */
  responseMs: number | null;
}

/** Compares the locations from which a monitor is checked. */
@Injectable()
export class LocationFiguresService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the figures of each location of a monitor, in its order of them; none if it has only one. */
  async of(monitorId: string, nowMs: number): Promise<LocationFigure[]> {
    return this.dataSource.query(
      `SELECT place.key, coalesce(min(known.name), place.key) AS name,
         CASE WHEN bool_or(l.holds_until >= $2) THEN min(l.fold ->> 'status') ELSE 'unknown' END AS status,
         max(l.last_check_at) AS "lastCheckAt",
         (sum(r.response_sum_ms) / nullif(sum(r.response_count), 0))::float8 AS "responseMs"
       FROM monitors m CROSS JOIN LATERAL unnest(m.locations) WITH ORDINALITY AS place (key, at)
       LEFT JOIN locations known ON known.key = place.key
       LEFT JOIN location_states l ON l.monitor_id = m.id AND l.location = place.key
       LEFT JOIN daily_rollups r ON r.monitor_id = m.id AND r.location = place.key AND r.day >= $3
       WHERE m.id = $1 AND cardinality(m.locations) > 1 GROUP BY place.key, place.at ORDER BY place.at`,
      [monitorId, new Date(nowMs - HOLD_GRACE_MS), dateOf(nowMs - DAY_MS)],
    );
  }
}
