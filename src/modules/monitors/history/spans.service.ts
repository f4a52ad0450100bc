import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, type Tx } from '../../../database/tx.js';
import { isInScope, type Shard, type ShardScope } from '../../../domain/shard.js';
import { type Span } from '../../../domain/span.js';
import { OWN_NETWORK } from '../../../domain/unobserved.js';
import { EventLog } from '../../events/event-log.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { locationEvent } from './location-event.js';

/**
 * Why no checks were made. `not_running`: no process of the service was running, or none that was running could
 * dispatch checks. `disabled`: the operator had disabled the location.
 */
export type AbsenceReason = 'not_running' | 'disabled';

/** Time without checks; epoch milliseconds. */
export interface ShardAbsence {
  /** The monitors to which it applies: all, or those of one of `of` shards. */
  shard: Shard;
  of: number;
  from: number;
  to: number;
}

/** A loss of the network at a location, which monitors of a team show. Times are epoch milliseconds. */
export interface NetworkLoss {
  /** The id of the event that records it. */
  id: string;
  teamId: string;
  location: string;
  since: number;
  error: { errorCode: string; message: string };
  monitorCount: number;
}

/** Writes the spans of absences, pauses and exclusions. */
@Injectable()
export class SpansService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly teams: TeamsService,
    private readonly events: EventLog,
  ) {}

  /**
   * Records that no checks were made from these locations: a single row for each location and shard, whatever the number
   * of monitors, and one event for each location and team.
   */
  async addAbsences(
    tx: Tx,
    locations: readonly string[],
    absences: readonly ShardAbsence[],
    reason: AbsenceReason,
  ): Promise<void> {
    const past = absences.filter(({ from, to }) => from < to);
    if (past.length === 0) return;
    for (const location of locations) {
      for (const { shard, of, from, to } of past) {
        await managerOf(tx).query(
          `INSERT INTO spans (id, location, shard, shards, kind, starts_at, ends_at, reason)
           VALUES ($1, $2, $3, $4, 'absence', $5, $6, $7)`,
          [uuidv7(), location, ...(shard === 'all' ? [null, null] : [shard, of]), new Date(from), new Date(to), reason],
        );
      }
    }
    const from = Math.min(...past.map((one) => one.from));
    const to = Math.max(...past.map((one) => one.to));
    const teams = await this.teams.ids(tx);
    const data = { reason, startedAt: new Date(from).toISOString(), resolvedAt: new Date(to).toISOString() };
    await this.events.record(
      tx,
      teams.flatMap((id) =>
        locations.flatMap((location) => [
          locationEvent('checking.interrupted', id, location, from, data),
          locationEvent('checking.resumed', id, location, to, data),
        ]),
      ),
    );
  }

  /** Records that a location has lost the network, as far as the monitors of a team show it. No event per monitor. */
  async recordNetworkLoss(tx: Tx, loss: NetworkLoss, nowMs: number): Promise<void> {
    const { id, teamId, location, since, error: cause, monitorCount } = loss;
    const data = { reason: OWN_NETWORK, startedAt: new Date(since).toISOString(), cause, monitorCount };
    await this.events.record(
      tx,
      [{ ...locationEvent('checking.interrupted', teamId, location, since, data), id }],
      nowMs,
    );
  }

  /** Records that the network is back, for losses by their ids. */
  async recordNetworkReturn(tx: Tx, lossIds: readonly string[], nowMs: number): Promise<void> {
    if (lossIds.length === 0) return;
    const losses: { team_id: string; resource_id: string; started_at: string }[] = await managerOf(tx).query(
      `SELECT team_id, resource_id, data ->> 'startedAt' AS started_at FROM events WHERE id = ANY($1::uuid[]) ORDER BY id`,
      [lossIds],
    );
    const resolvedAt = new Date(nowMs).toISOString();
    const events = losses.map(({ team_id: teamId, resource_id: location, started_at: startedAt }) => {
      const data = { reason: OWN_NETWORK, startedAt, resolvedAt };
      return locationEvent('checking.resumed', teamId, location, nowMs, data);
    });
    await this.events.record(tx, events, nowMs);
  }

  /**
   * Returns when reports of these monitors were not expected, because of maintenance, and when they could not be seen,
   * because the service was absent at the location, as far as that may touch the deadlines. Reports arrive at a location
   * even if it is disabled.
   */
  async obstacles(
    location: string,
    deadlines: readonly { monitorId: string; dueMs: number }[],
  ): Promise<Map<string, ReportObstacles>> {
    const ids = deadlines.map(({ monitorId }) => monitorId);
    const rows: (SpanTimes & ShardScope & { monitor_id: string | null })[] = await this.dataSource.query(
      `SELECT monitor_id, starts_at, ends_at, shard, shards FROM spans
       WHERE (ends_at IS NULL OR ends_at >= $3) AND (monitor_id = ANY($1::uuid[]) AND kind = 'maintenance'
         OR monitor_id IS NULL AND kind = 'absence' AND location = $2 AND reason IS DISTINCT FROM 'disabled')`,
      [ids, location, new Date(Math.min(...deadlines.map(({ dueMs }) => dueMs)))],
    );
    return new Map(
      ids.map((id) => [
        id,
        {
          expected: rows.filter((row) => row.monitor_id === id).map(spanOf),
          seen: rows.filter((row) => row.monitor_id === null && isInScope(id, row)).map(spanOf),
        },
      ]),
    );
  }

  /** Begins a pause, or changes the end and reason of the current one. */
  async pause(tx: Tx, monitorId: string, nowMs: number, untilMs: number | null, reason: string | null): Promise<void> {
    const manager = managerOf(tx);
    const until = untilMs === null ? null : new Date(untilMs);
    const changed: [unknown[], number] = await manager.query(
      `UPDATE spans SET ends_at = $3, reason = $4
       WHERE monitor_id = $1 AND kind = 'pause' AND (ends_at IS NULL OR ends_at > $2)`,
      [monitorId, new Date(nowMs), until, reason],
    );
    if (changed[1] > 0) return;
    await manager.query(
      `INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at, reason) VALUES ($1, $2, 'pause', $3, $4, $5)`,
      [uuidv7(), monitorId, new Date(nowMs), until, reason],
    );
  }

  /** Ends the current pause, if there is one. */
  async resume(tx: Tx, monitorId: string, nowMs: number): Promise<void> {
    await managerOf(tx).query(
      `UPDATE spans SET ends_at = $2
       WHERE monitor_id = $1 AND kind = 'pause' AND (ends_at IS NULL OR ends_at > $2)`,
      [monitorId, new Date(nowMs)],
    );
  }

  /** Adds the spans of an exclusion to locked monitors. */
  async exclude(tx: Tx, exclusionId: string, monitorIds: readonly string[], from: Date, to: Date): Promise<void> {
    await managerOf(tx).query(
      `INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at, exclusion_id)
       SELECT id, monitor_id, 'exclusion', $3, $4, $5 FROM unnest($1::uuid[], $2::uuid[]) AS t (id, monitor_id)`,
      [monitorIds.map(() => uuidv7()), monitorIds, from, to, exclusionId],
    );
  }

  /** Removes the spans of an exclusion from its monitors, which are locked. */
  async includeAgain(tx: Tx, exclusionId: string): Promise<void> {
    await managerOf(tx).query('DELETE FROM spans WHERE exclusion_id = $1', [exclusionId]);
  }
}

/** What keeps the reports of a monitor from being expected, and from being seen. */
export interface ReportObstacles {
  expected: Span[];
  seen: Span[];
}

interface SpanTimes {
  starts_at: Date;
  ends_at: Date | null;
}

function spanOf({ starts_at: from, ends_at: to }: SpanTimes): Span {
  return { from: from.getTime(), to: to?.getTime() ?? null };
}
