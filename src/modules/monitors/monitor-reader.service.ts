import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { entityColumns } from '../../database/entity-columns.js';
import { GatheredReads } from '../../database/gathered-reads.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type CheckError } from '../../domain/check-result.js';
import { type ItemAddress } from '../../http/items/item-address.js';
import { type TeamId } from '../../http/auth/principal.js';
import { Monitor } from './definition/monitor.entity.js';
import { type MonitorView } from './monitor.mapper.js';

/** The id or key of a monitor, and its team. */
interface Named {
  teamId: TeamId;
  name: string;
}

/** The state of a monitor over all its locations. */
interface ViewRecord {
  status: string;
  verifying: string | null;
  status_since: Date;
  last_check_at: Date | null;
  last_error: CheckError | null;
}

const STATE_COLUMNS = 's.status, s.verifying, s.status_since, l.last_check_at, l.last_error';
const LATEST_CHECKS = `LEFT JOIN LATERAL (
    SELECT max(last_check_at) AS last_check_at,
           (array_agg(fold->'lastError' ORDER BY last_check_at DESC)
             FILTER (WHERE jsonb_typeof(fold->'lastError') = 'object'))[1] AS last_error
    FROM location_states WHERE monitor_id = s.monitor_id
  ) AS l ON true`;

/** Reads monitors with their current states. */
@Injectable()
export class MonitorReaderService {
  private readonly byId = new GatheredReads((named: readonly Named[]) => this.read(named, 'id', 'uuid'));
  private readonly byKey = new GatheredReads((named: readonly Named[]) => this.read(named, 'key', 'text'));

  constructor(@InjectRepository(Monitor) private readonly monitors: Repository<Monitor>) {}

  /** Returns `null` if the team has no such monitor. */
  find(teamId: TeamId, item: ItemAddress): Promise<MonitorView | null> {
    return 'id' in item ? this.byId.get({ teamId, name: item.id }) : this.byKey.get({ teamId, name: item.key });
  }

  /** Returns these monitors with their states, in the same order. Monitors deleted in the meantime are omitted. */
  async views(monitors: readonly Monitor[], tx?: Tx): Promise<MonitorView[]> {
    if (monitors.length === 0) return [];
    const rows: (ViewRecord & { monitor_id: string })[] = await (tx ? managerOf(tx) : this.monitors).query(
      `SELECT s.monitor_id, ${STATE_COLUMNS} FROM monitor_states s ${LATEST_CHECKS} WHERE s.monitor_id = ANY($1::uuid[])`,
      [monitors.map(({ id }) => id)],
    );
    const byId = new Map(rows.map((row) => [row.monitor_id, row]));
    return monitors.flatMap((monitor) => {
      const row = byId.get(monitor.id);
      return row ? [viewOf(monitor, row)] : [];
    });
  }

  private async read(
    named: readonly Named[],
    column: 'id' | 'key',
    type: 'uuid' | 'text',
  ): Promise<(MonitorView | null)[]> {
    const rows: (ViewRecord & Monitor & { place: number })[] = await this.monitors.query(
      `SELECT t.place::int, ${STATE_COLUMNS}, ${entityColumns(this.monitors.metadata, 'm')}
       FROM unnest($1::uuid[], $2::${type}[]) WITH ORDINALITY AS t (team_id, name, place)
       JOIN monitors m ON m.team_id = t.team_id AND m.${column} = t.name
       JOIN monitor_states s ON s.monitor_id = m.id ${LATEST_CHECKS}`,
      [named.map(({ teamId }) => teamId), named.map(({ name }) => name)],
    );
    const views = named.map((): MonitorView | null => null);
    for (const row of rows) views[row.place - 1] = viewOf(row, row);
    return views;
  }
}

function viewOf(monitor: Monitor, row: ViewRecord): MonitorView {
  return {
    monitor,
    state: { status: row.status, verifying: row.verifying, statusSince: row.status_since },
    lastCheckAt: row.last_check_at,
    lastError: row.last_error,
  };
}
