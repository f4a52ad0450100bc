import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../../database/tx.js';
import { type Schedule } from '../../../domain/schedule-fidelity.js';
import { groupBy } from '../../../domain/group-by.js';
import { type CheckKey } from './check-plan.types.js';

/** The schedules of a monitor, oldest first, at least one, and its current timeout. */
export interface ScheduleHistory {
  schedules: Schedule[];
  timeoutMs: number;
}

/** The part of a definition that determines the slots, and how the states of the locations are merged. */
export interface ScheduleDefinition {
  intervalSeconds: number;
  locations: string[];
  quorum: string;
}

/** Owns the history of schedules. */
@Injectable()
export class ScheduleHistoryService {
  /** Records the schedule of a new or locked monitor from `atMs` on. */
  async note(tx: Tx, monitorId: string, { intervalSeconds, locations, quorum }: ScheduleDefinition, atMs: number) {
    const manager = managerOf(tx);
    // If the clock was set back, schedules recorded for later times never took effect.
    await manager.query('DELETE FROM monitor_schedules WHERE monitor_id = $1 AND from_at >= $2', [
      monitorId,
      new Date(atMs),
    ]);
    await manager.query(
      `INSERT INTO monitor_schedules (monitor_id, from_at, interval_seconds, locations, quorum)
       VALUES ($1, $2, $3, $4, $5)`,
      [monitorId, new Date(atMs), intervalSeconds, locations, quorum],
    );
  }

  /** Records the schedule of a locked monitor if a write changes it. */
  async noteChange(tx: Tx, before: ScheduleDefinition & { id: string }, after: ScheduleDefinition, atMs: number) {
    const same =
      before.intervalSeconds === after.intervalSeconds &&
      before.quorum === after.quorum &&
      JSON.stringify(before.locations) === JSON.stringify(after.locations);
    if (!same) await this.note(tx, before.id, after, atMs);
  }

  /** Returns of each of these checks whether its monitor was checked from its location at the time of its slot. */
  async ofFormerLocations(tx: Tx, checks: readonly CheckKey[]): Promise<boolean[]> {
    const rows: { had: boolean | null }[] = await managerOf(tx).query(
      `SELECT (SELECT t.location = ANY(s.locations) FROM monitor_schedules s
               WHERE s.monitor_id = t.monitor_id AND s.from_at <= t.at ORDER BY s.from_at DESC LIMIT 1) AS had
       FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS t (monitor_id, location, at, place)
       ORDER BY t.place`,
      [
        checks.map(({ monitorId }) => monitorId),
        checks.map(({ location }) => location),
        checks.map(({ scheduledAt }) => new Date(scheduledAt)),
      ],
    );
    return rows.map(({ had }) => had === true);
  }

  /** Returns the schedules of these monitors, at all locations or at one. Monitors that do not exist are omitted. */
  async read(tx: Tx, monitorIds: readonly string[], location?: string): Promise<Map<string, ScheduleHistory>> {
    const rows: ScheduleRecord[] = await managerOf(tx).query(
      // A previous version of the service, which may still be running, does not record schedules.
      `SELECT m.id, m.timeout_ms, coalesce(s.from_at, m.created_at) AS from_at,
              coalesce(s.interval_seconds, m.interval_seconds) AS interval_seconds,
              CASE WHEN $2::text IS NULL THEN cardinality(coalesce(s.locations, m.locations))
                WHEN $2 = ANY(coalesce(s.locations, m.locations)) THEN 1 ELSE 0 END AS locations
       FROM monitors m LEFT JOIN monitor_schedules s ON s.monitor_id = m.id
       WHERE m.id = ANY($1::uuid[]) ORDER BY m.id, s.from_at`,
      [monitorIds, location ?? null],
    );
    return new Map(
      [...groupBy(rows, ({ id }) => id)].map(([id, group]) => {
        const schedules = group.map((row) => ({
          from: row.from_at.getTime(),
          intervalMs: row.interval_seconds * 1_000,
          locations: row.locations,
        }));
        return [id, { schedules, timeoutMs: group[0]!.timeout_ms }];
      }),
    );
  }
}

interface ScheduleRecord {
  id: string;
  timeout_ms: number;
  from_at: Date;
  interval_seconds: number;
  locations: number;
}
