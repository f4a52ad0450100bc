import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, type Tx } from '../../../database/tx.js';
import { type MaintenancePlan, type MaintenanceRow } from '../../../domain/maintenance-plan.js';
import { type ClosedSpan, coverage } from '../../../domain/span.js';
import { groupBy } from '../../../domain/group-by.js';
import { awaitsReports } from '../../../probes/index.js';
import { CheckRequestsService } from '../schedule/check-requests.service.js';
import { MonitorStatesService } from '../state/monitor-states.service.js';
import { type LockedMonitor } from '../state/state-records.js';

/** A period of maintenance that took place. */
export interface HeldMaintenance {
  windowId: string;
  monitorIds: string[];
  startsAt: Date;
  endsAt: Date;
}

/** Monitors that join or leave give a stretch several different spans. */
const SPANS_PER_STRETCH = 10;

/** Owns the maintenance spans of monitors. Writers of a window's spans must hold the lock on the row of the window. */
@Injectable()
export class MaintenanceSpansService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly states: MonitorStatesService,
    private readonly requests: CheckRequestsService,
  ) {}

  /** Returns the stored spans of a window that end after `afterMs`. */
  async rows(tx: Tx, windowId: string, afterMs: number): Promise<MaintenanceRow[]> {
    const rows: { id: string; monitor_id: string; starts_at: Date; ends_at: Date }[] = await managerOf(tx).query(
      'SELECT id, monitor_id, starts_at, ends_at FROM spans WHERE window_id = $1 AND ends_at > $2 ORDER BY starts_at',
      [windowId, new Date(afterMs)],
    );
    return rows.map((row) => ({
      id: row.id,
      monitorId: row.monitor_id,
      from: row.starts_at.getTime(),
      to: row.ends_at.getTime(),
    }));
  }

  /** Returns the ids of the monitors that a window has in maintenance after `afterMs`, in ascending order. */
  async monitorIds(windowId: string, afterMs: number): Promise<string[]> {
    const rows: { monitor_id: string }[] = await this.dataSource.query(
      'SELECT DISTINCT monitor_id FROM spans WHERE window_id = $1 AND ends_at > $2 ORDER BY monitor_id',
      [windowId, new Date(afterMs)],
    );
    return rows.map((row) => row.monitor_id);
  }

  /**
   * Returns the maintenance of these windows and monitors that ended in `[fromMs, toMs)`, latest end first, at most
   * `limit`. A stretch during which monitors joined or left is one; while others are still in it, it has not ended.
   */
  async ended(
    windowIds: readonly string[],
    monitorIds: readonly string[],
    { fromMs, toMs }: { fromMs: number; toMs: number },
    limit: number,
  ): Promise<HeldMaintenance[]> {
    const rows: { window_id: string; monitor_ids: string[]; starts_at: Date; ends_at: Date }[] =
      await this.dataSource.query(
        `SELECT window_id, min(starts_at) AS starts_at, max(ends_at) AS ends_at,
           array_agg(DISTINCT monitor_id) AS monitor_ids
         FROM (
           SELECT *, count(*) FILTER (WHERE is_apart) OVER (PARTITION BY window_id ORDER BY starts_at, id) AS stretch
           FROM (
             SELECT id, window_id, monitor_id, starts_at, ends_at, starts_at > max(ends_at) OVER (
               PARTITION BY window_id ORDER BY starts_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS is_apart
             FROM spans WHERE window_id = ANY($1::uuid[]) AND monitor_id = ANY($2::uuid[])
               AND ends_at >= $3 AND starts_at < $4) AS held) AS numbered
         GROUP BY window_id, stretch HAVING max(ends_at) < $4 ORDER BY max(ends_at) DESC, window_id LIMIT $5`,
        [windowIds, monitorIds, new Date(fromMs), new Date(toMs), limit],
      );
    return rows.map((row) => ({
      windowId: row.window_id,
      monitorIds: row.monitor_ids,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
    }));
  }

  /**
   * Returns the latest `count` stretches in which a window had monitors in maintenance and that began by `nowMs`, newest
   * first. One that is still active has its present end. A stretch during which monitors joined or left counts as one.
   */
  async latest(windowId: string, nowMs: number, count: number): Promise<ClosedSpan[]> {
    const rows: { starts_at: Date; ends_at: Date }[] = await this.dataSource.query(
      `SELECT DISTINCT starts_at, ends_at FROM spans WHERE window_id = $1 AND starts_at <= $2
       ORDER BY ends_at DESC, starts_at LIMIT $3`,
      [windowId, new Date(nowMs), count * SPANS_PER_STRETCH],
    );
    const spans = rows.map((row) => ({ from: row.starts_at.getTime(), to: row.ends_at.getTime() }));
    return coverage(spans, -Infinity, Infinity).reverse().slice(0, count);
  }

  /** Applies a plan. The span of a monitor that was created after the start of maintenance begins at its creation. */
  async write(tx: Tx, windowId: string, { insert, end, remove }: MaintenancePlan): Promise<void> {
    const manager = managerOf(tx);
    const date = (at: number): Date => new Date(at);
    // Lock the states before writing the spans, whose foreign keys lock the monitors: deletions lock in this order too.
    await this.states.lock(tx, idsOf({ insert, end, remove }));
    if (remove.length > 0) {
      await manager.query('DELETE FROM spans WHERE id = ANY($1::uuid[])', [remove.map(({ id }) => id)]);
    }
    if (end.length > 0) {
      await manager.query(
        `UPDATE spans s SET ends_at = t.ends_at FROM unnest($1::uuid[], $2::timestamptz[]) AS t (id, ends_at)
         WHERE s.id = t.id`,
        [end.map(({ id }) => id), end.map(({ to }) => date(to))],
      );
    }
    if (insert.length > 0) {
      await manager.query(
        `INSERT INTO spans (id, monitor_id, window_id, kind, starts_at, ends_at)
         SELECT t.id, m.id, $1, 'maintenance', greatest(t.starts_at, m.created_at), t.ends_at
         FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[]) AS t (id, monitor_id, starts_at, ends_at)
         JOIN monitors m ON m.id = t.monitor_id WHERE t.ends_at > m.created_at`,
        [
          windowId,
          insert.map(() => uuidv7()),
          insert.map(({ monitorId }) => monitorId),
          insert.map(({ from }) => date(from)),
          insert.map(({ to }) => date(to)),
        ],
      );
    }
  }

  /**
   * Updates the displayed maintenance of monitors as of `nowMs`, from the stored spans of all windows. Requests a check of
   * those whose maintenance is over and that are down or degraded.
   */
  async show(tx: Tx, monitorIds: readonly string[], nowMs: number): Promise<void> {
    if (monitorIds.length === 0) return;
    const manager = managerOf(tx);
    const locked = await this.states.lock(tx, monitorIds);
    const rows: { monitor_id: string; starts_at: Date; ends_at: Date }[] = await manager.query(
      `SELECT monitor_id, starts_at, ends_at FROM spans
       WHERE monitor_id = ANY($1::uuid[]) AND kind = 'maintenance' AND ends_at > $2`,
      [[...locked.keys()], new Date(nowMs)],
    );
    const spansOf = groupBy(rows, (row) => row.monitor_id);
    const changed: LockedMonitor[] = [];
    const released: string[] = [];
    for (const monitor of locked.values()) {
      const own = spansOf.get(monitor.monitorId) ?? [];
      const spans = own.map((row) => ({ from: row.starts_at.getTime(), to: row.ends_at.getTime() }));
      const [stretch = null] = coverage(spans, -Infinity, Infinity);
      const { maintenance } = monitor;
      if (stretch?.from === maintenance?.from && stretch?.to === maintenance?.to) continue;
      // Not the status: a result that was recorded since the end has changed it.
      const isOver = maintenance !== null && maintenance.from <= nowMs && !(stretch && stretch.from <= nowMs);
      if (isOver) released.push(monitor.monitorId);
      monitor.maintenance = stretch;
      changed.push(monitor);
    }
    if (changed.length > 0) {
      const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at));
      await manager.query(
        `UPDATE monitor_states s SET maintenance_from = t.from_at, maintenance_until = t.until_at
         FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS t (monitor_id, from_at, until_at)
         WHERE s.monitor_id = t.monitor_id`,
        [
          changed.map(({ monitorId }) => monitorId),
          changed.map(({ maintenance }) => dateOf(maintenance?.from)),
          changed.map(({ maintenance }) => dateOf(maintenance?.to)),
        ],
      );
    }
    await this.states.refresh(tx, locked, nowMs);
    await this.checkFailing(tx, released, nowMs);
  }

  /** Requests a check of those monitors that are down or degraded: an alert waits for the first failure from now on. */
  private async checkFailing(tx: Tx, monitorIds: readonly string[], nowMs: number): Promise<void> {
    if (monitorIds.length === 0) return;
    const rows: { id: string; type: string; locations: string[] }[] = await managerOf(tx).query(
      `SELECT m.id, m.type, m.locations FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
       WHERE m.id = ANY($1::uuid[]) AND s.status IN ('down', 'degraded')`,
      [monitorIds],
    );
    for (const { id, locations } of rows.filter(({ type }) => !awaitsReports(type))) {
      await this.requests.add(tx, id, locations, 'resumed', nowMs);
    }
  }
}

/** Returns the ids of the monitors that a plan affects. */
export function idsOf({ insert, end, remove }: MaintenancePlan): string[] {
  return [...new Set([...insert, ...end, ...remove].map(({ monitorId }) => monitorId))];
}
