import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { HOLD_GRACE_MS } from '../../../domain/data-gap.js';
import { SYSTEM_ACTOR } from '../../../http/auth/actor.js';
import { awaitsReports } from '../../../probes/index.js';
import { EventLog } from '../../events/event-log.service.js';
import { monitorEvent } from '../definition/monitor-events.js';
import { CheckRequestsService } from '../schedule/check-requests.service.js';
import { MonitorDependenciesService } from '../definition/monitor-dependencies.service.js';
import { MaintenanceSpansService } from '../history/maintenance-spans.service.js';
import { MonitorStatesService } from './monitor-states.service.js';
import { hint } from '../schedule/schedule-hints.js';

const BATCH = 500;
/** Finding stale states reads all states, so many are found at once. */
const MOST_STALE = 20 * BATCH;
const SHOW_STALE_FOR_MS = 2_000;

const PAUSE_IS_OVER = 'paused_until <= $1 AND paused_at IS NOT NULL';
const IS_EXPIRED = 'expires_at <= $1';
const MAINTENANCE_CHANGES = `SELECT monitor_id FROM monitor_states
    WHERE maintenance_until IS NOT NULL AND maintenance_until <= $1
  UNION SELECT monitor_id FROM monitor_states
    WHERE maintenance_from IS NOT NULL AND status NOT IN ('maintenance', 'paused') AND maintenance_from <= $1`;
/** SQL condition: a pause has reached its end by `$1`. */
export const PAUSES_DUE = `EXISTS (SELECT FROM monitors WHERE ${PAUSE_IS_OVER})`;
/** SQL condition: a monitor has expired by `$1`. */
export const EXPIRIES_DUE = `EXISTS (SELECT FROM monitors WHERE ${IS_EXPIRED})`;
/** SQL condition: maintenance of a monitor has begun or ended by `$1`, and its status does not show it. */
export const MAINTENANCE_STATES_DUE = `EXISTS (${MAINTENANCE_CHANGES})`;

interface MonitorRow {
  id: string;
  team_id: string;
  key: string | null;
  name: string;
}

interface ResumedRow extends MonitorRow {
  type: string;
  locations: string[];
}

const BY_ITSELF = { actor: SYSTEM_ACTOR };
const EXPIRED = { ...BY_ITSELF, data: { because: 'expired' } };

function named({ team_id: teamId, ...row }: MonitorRow) {
  return { ...row, teamId };
}

/** Changes monitors as time passes. Each call handles a bounded number of monitors; the next call handles the rest. */
@Injectable()
export class MonitorLifecycleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly states: MonitorStatesService,
    private readonly requests: CheckRequestsService,
    private readonly dependencies: MonitorDependenciesService,
    private readonly maintenance: MaintenanceSpansService,
    private readonly events: EventLog,
  ) {}

  /** Ends pauses whose time is up, as if the monitors had been resumed at that time, and checks them immediately. */
  async endPauses(nowMs: number): Promise<void> {
    const ids = await this.ids(PAUSE_IS_OVER, nowMs);
    if (ids.length === 0) return;
    await this.transactions.run(async (tx) => {
      const locked = await this.states.lock(tx, ids);
      for (const monitor of locked.values()) {
        if (monitor.pausedAt === null || monitor.pausedUntil === null || monitor.pausedUntil > nowMs) continue;
        const resumed = await this.clearPause(tx, monitor.monitorId);
        if (!resumed) continue;
        if (!awaitsReports(resumed.type)) {
          await this.requests.add(tx, monitor.monitorId, resumed.locations, 'resumed', nowMs);
        }
        await this.events.record(tx, [monitorEvent('monitor.resumed', named(resumed), BY_ITSELF)], nowMs);
        await hint(managerOf(tx), { monitorId: monitor.monitorId });
      }
      await this.states.refresh(tx, await this.states.lock(tx, ids), nowMs);
    });
  }

  /** Deletes monitors that have expired. */
  async deleteExpired(nowMs: number): Promise<void> {
    const ids = await this.ids(IS_EXPIRED, nowMs);
    if (ids.length === 0) return;
    await this.transactions.run(async (tx) => {
      await this.states.lock(tx, ids);
      // Meanwhile, they may have been deleted, or their expiry may have been changed.
      const rows: MonitorRow[] = await managerOf(tx).query(
        `SELECT id, team_id, key, name FROM monitors WHERE ${IS_EXPIRED} AND id = ANY($2::uuid[])`,
        [new Date(nowMs), ids],
      );
      const expired = rows.map(({ id }) => id);
      await this.dependencies.release(tx, expired);
      await managerOf(tx).query('DELETE FROM monitors WHERE id = ANY($1::uuid[])', [expired]);
      for (const monitorId of expired) await hint(managerOf(tx), { monitorId });
      const events = rows.map((row) => monitorEvent('monitor.deleted', named(row), EXPIRED));
      await this.events.record(tx, events, nowMs);
    });
  }

  /** Sets the status of monitors to `unknown` if their state no longer holds because results are missing. */
  async showStale(nowMs: number): Promise<void> {
    const until = performance.now() + SHOW_STALE_FOR_MS;
    const ids = await this.transactions.run((tx) => this.states.stale(tx, nowMs - HOLD_GRACE_MS, MOST_STALE));
    for (let from = 0; from < ids.length && performance.now() < until; from += BATCH) {
      await this.transactions.run(async (tx) => {
        const monitors = await this.states.lock(tx, ids.slice(from, from + BATCH));
        await this.states.refresh(tx, monitors, nowMs);
      });
    }
  }

  /** Updates the status of monitors whose maintenance has begun or ended. */
  async showMaintenance(nowMs: number): Promise<void> {
    const rows: { monitor_id: string }[] = await this.dataSource.query(
      `${MAINTENANCE_CHANGES} ORDER BY monitor_id LIMIT ${BATCH}`,
      [new Date(nowMs)],
    );
    const ids = rows.map((row) => row.monitor_id);
    if (ids.length > 0) await this.transactions.run((tx) => this.maintenance.show(tx, ids, nowMs));
  }

  private async clearPause(tx: Tx, monitorId: string): Promise<ResumedRow | undefined> {
    const [rows]: [ResumedRow[], number] = await managerOf(tx).query(
      `UPDATE monitors SET resumed_at = paused_until, paused_at = NULL, paused_until = NULL, pause_reason = NULL
       WHERE id = $1 RETURNING id, team_id, key, name, type, locations`,
      [monitorId],
    );
    return rows[0];
  }

  private async ids(condition: string, nowMs: number): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM monitors WHERE ${condition} ORDER BY id LIMIT ${BATCH}`,
      [new Date(nowMs)],
    );
    return rows.map((row) => row.id);
  }
}
