import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../domain/durations.js';
import { dateOf } from '../../domain/utc-day.js';
import { type LocationStanding, locationStandings } from '../monitors/state/location-standings.query.js';

/** What one location found out about a monitor. */
export interface LocationFigure extends LocationStanding {
  /** Mean response time since yesterday (UTC), in milliseconds; `null` if nothing responded. */
  responseMs: number | null;
}

/** Compares the locations from which a monitor is checked. */
@Injectable()
export class LocationFiguresService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the figures of each location of a monitor, in its order of them; none if it has only one. */
  async of(monitorId: string, nowMs: number): Promise<LocationFigure[]> {
    const standings = (await locationStandings(this.dataSource, [monitorId])).get(monitorId);
    if (!standings) return [];
    const means: { location: string; mean: number | null }[] = await this.dataSource.query(
      `SELECT location, (sum(response_sum_ms) / nullif(sum(response_count), 0))::float8 AS mean
       FROM daily_rollups WHERE monitor_id = $1 AND day >= $2 GROUP BY location`,
      [monitorId, dateOf(nowMs - DAY_MS)],
    );
    const byLocation = new Map(means.map(({ location, mean }) => [location, mean]));
    return standings.map((one) => ({ ...one, responseMs: byLocation.get(one.key) ?? null }));
  }
}
