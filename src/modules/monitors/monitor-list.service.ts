import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type CheckError } from '../../domain/check-result.js';
import { CursorCodec } from '../../http/cursor.js';
import { type JsonObject } from '../../http/json.js';
import { Page, pageOf } from '../../http/page.js';
import { type TeamId } from '../../http/principal.js';
import { type ListMonitorsQuery, type MonitorSort } from './dto/list-monitors.query.js';
import { MonitorState } from './monitor-state.entity.js';
import { Monitor } from './monitor.entity.js';
import { type MonitorDto, type MonitorView, toDefinitionView, toMonitorDto } from './monitor.mapper.js';

interface Filters {
  [name: string]: string | string[] | undefined;
  status?: string[];
  type?: string;
  tag?: string[];
  key?: string;
  q?: string;
  sort?: MonitorSort;
  view?: 'definition';
}

/** A sort column, and its type for comparisons with a cursor. */
interface SortKey {
  column: string;
  cast: string;
}

const SORT_KEYS: Record<string, SortKey> = {
  createdAt: { column: 'm.created_at', cast: 'timestamptz' },
  name: { column: 'm.name', cast: 'text' },
  statusSince: { column: 's.status_since', cast: 'timestamptz' },
};

/** Lists of monitors with what is known of each. */
@Injectable()
export class MonitorListService {
  constructor(
    @InjectRepository(Monitor) private readonly monitors: Repository<Monitor>,
    @InjectRepository(MonitorState) private readonly states: Repository<MonitorState>,
    private readonly cursors: CursorCodec,
    private readonly config: AppConfig,
  ) {}

  async page(teamId: TeamId, query: ListMonitorsQuery): Promise<Page<MonitorDto | JsonObject>> {
    const { status, type, tag, key, q, sort, view } = query;
    const given: Filters = { status, type, tag, key, q, sort, view };
    const scope = { teamId, list: 'monitors' };
    const cursor = query.cursor === undefined ? null : this.cursors.open<Filters>(scope, query.cursor, given);
    const filters = cursor?.params ?? given;
    const descending = (filters.sort ?? '-createdAt').startsWith('-');
    const sortKey = SORT_KEYS[(filters.sort ?? 'createdAt').replace('-', '')]!;

    const rows = this.filtered(teamId, filters)
      // In parentheses it is an expression, and not the entity's own column under another name.
      .addSelect(`(${sortKey.column})`, 'sort_value')
      .orderBy(sortKey.column, descending ? 'DESC' : 'ASC')
      .addOrderBy('m.id', descending ? 'DESC' : 'ASC')
      .limit(query.limit + 1);
    if (cursor) {
      const [value, id] = cursor.after;
      rows.andWhere(`(${sortKey.column}, m.id) ${descending ? '<' : '>'} (:value::${sortKey.cast}, :id::uuid)`, {
        value,
        id,
      });
    }
    const nowMs = Date.now();
    const { entities, raw } = await rows.getRawAndEntities<{ sort_value: Date | string }>();
    // Before the states are read: one that is deleted meanwhile must not make the list end here.
    const page = pageOf(entities, query.limit, (last) => {
      const sortValue = raw[entities.indexOf(last)]!.sort_value;
      const value = sortValue instanceof Date ? sortValue.toISOString() : sortValue;
      return this.cursors.seal(scope, { params: filters, after: [value, last.id] });
    });
    if (filters.view === 'definition') {
      return new Page(
        page.data.map((monitor) => toDefinitionView(monitor, nowMs)),
        page.nextCursor,
      );
    }
    const views = await this.views(page.data);
    return new Page(
      views.map((view) => toMonitorDto(view, this.config.origin, nowMs)),
      page.nextCursor,
    );
  }

  /** The monitors with their states, in the same order. One that is deleted meanwhile is left out. */
  async views(monitors: readonly Monitor[], tx?: Tx): Promise<MonitorView[]> {
    if (monitors.length === 0) return [];
    const ids = monitors.map((monitor) => monitor.id);
    const states: StateRecord[] = await (tx ? managerOf(tx) : this.states).query(
      `SELECT s.monitor_id, s.team_id, s.status, s.verifying, s.status_since, s.version + coalesce(sum(l.version), 0)::int AS version,
              max(l.last_check_at) AS last_check_at,
              (array_agg(l.fold->'lastError' ORDER BY l.last_check_at DESC)
                FILTER (WHERE jsonb_typeof(l.fold->'lastError') = 'object'))[1] AS last_error
       FROM monitor_states s LEFT JOIN location_states l ON l.monitor_id = s.monitor_id
       WHERE s.monitor_id = ANY($1::uuid[]) GROUP BY s.monitor_id`,
      [ids],
    );
    const byId = new Map(states.map((row) => [row.monitor_id, row]));
    return monitors.flatMap((monitor) => {
      const row = byId.get(monitor.id);
      return row ? [{ monitor, state: stateOf(row), lastCheckAt: row.last_check_at, lastError: row.last_error }] : [];
    });
  }

  private filtered(teamId: TeamId, filters: Filters): SelectQueryBuilder<Monitor> {
    const rows = this.monitors
      .createQueryBuilder('m')
      .innerJoin(MonitorState, 's', 's.monitor_id = m.id')
      .where('m.team_id = :teamId', { teamId });
    if (filters.status?.length) rows.andWhere('s.status IN (:...status)', { status: filters.status });
    if (filters.type !== undefined) rows.andWhere('m.type = :type', { type: filters.type });
    if (filters.tag?.length) rows.andWhere('m.tags @> :tags', { tags: filters.tag });
    if (filters.key !== undefined) rows.andWhere('m.key = :key', { key: filters.key });
    if (filters.q !== undefined) {
      const pattern = `%${filters.q.replace(/[\\%_]/g, '\\$&')}%`;
      rows.andWhere('(m.name ILIKE :pattern OR m.target ILIKE :pattern)', { pattern });
    }
    return rows;
  }
}

interface StateRecord {
  monitor_id: string;
  team_id: string;
  status: string;
  verifying: string | null;
  status_since: Date;
  version: number;
  last_check_at: Date | null;
  last_error: CheckError | null;
}

function stateOf(row: StateRecord): MonitorState {
  return {
    monitorId: row.monitor_id,
    teamId: row.team_id,
    status: row.status,
    verifying: row.verifying,
    statusSince: row.status_since,
    version: row.version,
  };
}
