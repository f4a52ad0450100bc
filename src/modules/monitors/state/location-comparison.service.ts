import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../../database/tx.js';
import { type Comparison } from '../../../domain/location-votes.js';
import { HOLD_GRACE_MS } from '../../../domain/monitor-state.js';

/** Compares what locations find out about the monitors that they have in common. */
@Injectable()
export class LocationComparisonService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the teams with monitors that are checked from a location, not counting those that wait for reports. */
  async teamsAt(tx: Tx, location: string): Promise<string[]> {
    const rows: { team_id: string }[] = await managerOf(tx).query(
      `SELECT DISTINCT team_id FROM monitors
       WHERE $1 = ANY(locations) AND paused_at IS NULL AND interval_seconds > 0 ORDER BY team_id`,
      [location],
    );
    return rows.map((row) => row.team_id);
  }

  /**
   * Returns the comparison of each location that shares monitors with others, by the latest checks that still hold.
   * @param voteless locations in whose favour nothing counts
   */
  async compare(voteless: readonly string[], nowMs: number): Promise<Comparison[]> {
    return this.dataSource.query(
      `WITH seen AS MATERIALIZED (
         SELECT l.monitor_id, l.location, l.fold -> 'streak' ->> 'status' = 'down' AS fails
         FROM monitors m JOIN location_states l ON l.monitor_id = m.id AND l.location = ANY(m.locations)
         WHERE cardinality(m.locations) > 1 AND m.paused_at IS NULL AND l.holds_until >= $2)
       SELECT a.location, count(*)::int AS compared, count(*) FILTER (WHERE a.fails)::int AS failing
       FROM seen a WHERE EXISTS (
         SELECT FROM seen b WHERE b.monitor_id = a.monitor_id AND b.location <> a.location AND NOT b.fails
           AND b.location <> ALL($1::text[]))
       GROUP BY a.location`,
      [voteless, new Date(nowMs - HOLD_GRACE_MS)],
    );
  }
  /**
   * Returns which of these locations have results that hold, but none for a monitor with such results from another
   * location.
   * @param voteless locations in whose favour nothing counts
   */
  async unrivalled(locations: readonly string[], voteless: readonly string[], nowMs: number): Promise<string[]> {
    const rows: { location: string }[] = await this.dataSource.query(
      `WITH seen AS MATERIALIZED (
         SELECT m.id, m.locations, l.location FROM monitors m
         JOIN location_states l ON l.monitor_id = m.id AND l.location = ANY(m.locations)
         WHERE l.location = ANY($1::text[]) AND m.paused_at IS NULL AND l.holds_until >= $3)
       SELECT location FROM seen
       EXCEPT SELECT a.location FROM seen a
       JOIN location_states b ON b.monitor_id = a.id AND b.location = ANY(a.locations) AND b.location <> a.location
       WHERE b.location <> ALL($2::text[]) AND b.holds_until >= $3`,
      [locations, voteless, new Date(nowMs - HOLD_GRACE_MS)],
    );
    return rows.map((row) => row.location);
  }
}
