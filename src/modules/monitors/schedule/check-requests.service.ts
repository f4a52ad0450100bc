import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../../database/tx.js';
import { type CheckTrigger } from '../../../domain/check-result.js';
import { KnownLocationsService } from '../../locations/known-locations.service.js';
import { type CheckKey, type RequestedCheck, type ShardFilter, textOfKey } from './check-plan.types.js';
import { hint } from './schedule-hints.js';
import { inShards } from './shard-filter.js';

/**
 * The requests `r` that a check can fulfil now, and their monitors `m`. Where no worker responds, checks would only fill
 * a queue, and whoever waits for them would wait for as long.
 */
const FULFILLABLE = `check_requests r
  JOIN monitors m ON m.id = r.monitor_id AND r.location = ANY(m.locations)
  JOIN locations l ON l.key = r.location AND l.enabled AND l.offline_since IS NULL`;

/** Owns the requests for checks outside the schedule. They are stored until the results are recorded. */
@Injectable()
export class CheckRequestsService {
  /**
   * Requests whose results exist but are not recorded yet, because the database is unavailable or earlier results are
   * recorded first.
   */
  private readonly answered = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly places: KnownLocationsService,
  ) {}

  /** Notes that these requests have results that will be recorded, so that `open` does not return them again. */
  noteAnswered(keys: readonly CheckKey[]): void {
    for (const key of keys) this.answered.add(textOfKey(key));
  }

  /**
   * Requests a check from each of these locations that is not disabled. The attempt comes from a descending sequence,
   * which makes the key unique.
   */
  async add(
    tx: Tx,
    monitorId: string,
    locations: readonly string[],
    trigger: CheckTrigger,
    nowMs: number,
  ): Promise<CheckKey[]> {
    const manager = managerOf(tx);
    const keys: CheckKey[] = [];
    for (const location of locations.filter((one) => !this.places.isDisabled(one))) {
      const rows: { attempt: number }[] = await manager.query(
        `INSERT INTO check_requests (monitor_id, scheduled_at, location, attempt, trigger)
         VALUES ($1, $2, $3, nextval('check_request_attempts'), $4) RETURNING attempt`,
        [monitorId, new Date(nowMs), location, trigger],
      );
      keys.push({ monitorId, scheduledAt: nowMs, location, attempt: rows[0]!.attempt });
    }
    await hint(manager, { requests: true });
    return keys;
  }

  /** Deletes the requests that these recorded checks fulfil. */
  async fulfil(tx: Tx, keys: readonly CheckKey[]): Promise<void> {
    if (keys.length === 0) return;
    await managerOf(tx).query(
      `DELETE FROM check_requests r
       USING unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::int[]) AS k (monitor_id, scheduled_at, location, attempt)
       WHERE r.monitor_id = k.monitor_id AND r.scheduled_at = k.scheduled_at
         AND r.location = k.location AND r.attempt = k.attempt`,
      [
        keys.map((key) => key.monitorId),
        keys.map((key) => new Date(key.scheduledAt)),
        keys.map((key) => key.location),
        keys.map((key) => key.attempt),
      ],
    );
    for (const key of keys) this.answered.delete(textOfKey(key));
  }

  /** Withdraws the requests of a monitor from all other locations, from which it is no longer checked. */
  async keepAt(tx: Tx, monitorId: string, locations: readonly string[]): Promise<void> {
    await managerOf(tx).query('DELETE FROM check_requests WHERE monitor_id = $1 AND location <> ALL($2)', [
      monitorId,
      locations,
    ]);
  }

  /** Counts the open requests of a team that can be fulfilled now, up to `limit`. */
  async waiting(teamId: string, limit: number): Promise<number> {
    const [row]: { waiting: number }[] = await this.dataSource.query(
      `SELECT count(*)::int AS waiting FROM (
         SELECT FROM ${FULFILLABLE} WHERE m.team_id = $1 LIMIT $2
       ) AS requests`,
      [teamId, limit],
    );
    return row!.waiting;
  }

  /**
   * Returns the oldest open requests of these shards, or of all, that can be fulfilled now, without those that already
   * have results. Teams and locations take turns, so that none waits for another.
   */
  async open(limit: number, filter: ShardFilter | null = null): Promise<RequestedCheck[]> {
    const rows: { monitor_id: string; scheduled_at: Date; location: string; attempt: number; trigger: CheckTrigger }[] =
      await this.dataSource.query(
        `SELECT monitor_id, scheduled_at, location, attempt, trigger FROM (
           SELECT r.*, row_number() OVER (PARTITION BY m.team_id, r.location ORDER BY r.scheduled_at) AS turn
           FROM ${FULFILLABLE} WHERE ${inShards('m.id', 2)}
         ) AS requests ORDER BY turn, scheduled_at LIMIT $1`,
        [limit + this.answered.size, filter?.shards ?? null, filter?.of ?? null],
      );
    const open = rows.map((row) => ({
      monitorId: row.monitor_id,
      scheduledAt: row.scheduled_at.getTime(),
      location: row.location,
      attempt: row.attempt,
      trigger: row.trigger,
    }));
    return open.filter((one) => !this.answered.has(textOfKey(one))).slice(0, limit);
  }
}
