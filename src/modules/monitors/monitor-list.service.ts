import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { entityColumns } from '../../database/entity-columns.js';
import { KeysetLists, type OrderColumn, RowOrder, type RowPage } from '../../http/lists/keyset-lists.js';
import { Page } from '../../http/lists/page.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type ListMonitorsQuery, type MonitorSort } from './dto/list-monitors.query.js';
import { MonitorDependenciesService } from './definition/monitor-dependencies.service.js';
import { notifiedCondition } from '../notification-policies/notified-monitors.query.js';
import { STATE_COLUMNS, type StateRecord, viewOf } from './monitor-reader.service.js';
import { type MonitorCounts } from './state/monitor-counts.service.js';
import { MonitorState } from './state/monitor-state.entity.js';
import { Monitor } from './definition/monitor.entity.js';
import { type MonitorDefinitionView, type MonitorDto, type MonitorStatus } from './dto/monitor.dto.js';
import { toDefinitionView, toMonitorDto } from './monitor.mapper.js';

/** What a listed monitor must match; see `ListMonitorsQuery`. */
export interface MonitorFilters {
  status?: string[];
  type?: string;
  tag?: string[];
  q?: string;
  notified?: boolean;
}

interface Filters extends MonitorFilters {
  [name: string]: string | string[] | boolean | undefined;
  key?: string;
  sort?: MonitorSort;
  view?: 'definition';
}

type ListedMonitor = Monitor & StateRecord & { sort_values: string[] };

/** An order by these values and then by the id, of which `idSql` is the SQL. */
function orderBy(idSql: string, ...values: Pick<OrderColumn<ListedMonitor>, 'sql' | 'cast'>[]) {
  const columns = values.map((value, at) => ({ ...value, of: (row: ListedMonitor) => row.sort_values[at]! }));
  return [...columns, { sql: idSql, cast: 'uuid', of: (row) => row.id }] satisfies OrderColumn<ListedMonitor>[];
}

/** The rank of a state, of which 0 is the worst. The index `monitor_states_severity` contains the same expression. */
export const SEVERITY = `
  CASE
    WHEN s.status = 'down' THEN 0
    WHEN s.verifying IN ('down', 'degraded') AND s.status IN ('pending', 'up', 'degraded') THEN 1
    WHEN s.status = 'degraded' THEN 2
    WHEN s.status = 'unknown' THEN 3
    WHEN s.status = 'pending' THEN 4
    WHEN s.status = 'maintenance' THEN 5
    WHEN s.status = 'paused' THEN 6
    ELSE 7
  END`;
const SINCE = { sql: 's.status_since', cast: 'timestamptz' } as const;
/** The id is that of the table with the other values, so that one index has them all. */
const ORDERS: Record<string, OrderColumn<ListedMonitor>[]> = {
  createdAt: orderBy('m.id', { sql: 'm.created_at', cast: 'timestamptz' }),
  name: orderBy('m.id', { sql: 'm.name', cast: 'text' }),
  statusSince: orderBy('s.monitor_id', SINCE),
  severity: orderBy('s.monitor_id', { sql: SEVERITY, cast: 'int' }, SINCE),
};
/** The team is a parameter of every query of a list. */
const NOTIFIED = notifiedCondition(':teamId');

/** Lists monitors with their states, or their definitions. */
@Injectable()
export class MonitorListService {
  constructor(
    @InjectRepository(Monitor) private readonly monitors: Repository<Monitor>,
    private readonly dependencies: MonitorDependenciesService,
    private readonly lists: KeysetLists,
    private readonly config: AppConfig,
  ) {}

  /** Returns a page of monitors with their states. */
  async page(teamId: TeamId, query: ListMonitorsQuery): Promise<Page<MonitorDto>> {
    const nowMs = Date.now();
    const { rows, nextCursor } = await this.rows(teamId, query);
    return new Page(this.views(rows, nowMs), nextCursor);
  }

  /** Returns a page of monitors with only their writable fields. */
  async definitionPage(teamId: TeamId, query: ListMonitorsQuery): Promise<Page<MonitorDefinitionView>> {
    const { rows, nextCursor } = await this.rows(teamId, { ...query, view: 'definition' });
    return new Page(await this.definitions(teamId, rows), nextCursor);
  }

  /** Returns a page in the view of the query, or of the query that returned its cursor. */
  async pageAsAsked(teamId: TeamId, query: ListMonitorsQuery): Promise<Page<MonitorDto | MonitorDefinitionView>> {
    const nowMs = Date.now();
    const { rows, filters, nextCursor } = await this.rows(teamId, query);
    if (filters.view === 'definition') return new Page(await this.definitions(teamId, rows), nextCursor);
    return new Page(this.views(rows, nowMs), nextCursor);
  }

  /** Returns the writable fields of these monitors of the team, in the same order. */
  async definitions(teamId: TeamId, monitors: readonly Monitor[]): Promise<MonitorDefinitionView[]> {
    const parents = new Set(monitors.flatMap((monitor) => monitor.parentIds));
    const addresses = await this.dependencies.addresses(teamId, [...parents]);
    return monitors.map((monitor) => toDefinitionView(monitor, addresses, Date.now()));
  }

  /** Returns the number of monitors that match a query, over all of its pages. */
  async count(teamId: TeamId, { status, type, tag, key, q, notified }: Partial<ListMonitorsQuery>): Promise<number> {
    const filters = { status, type, tag, key, q, notified };
    const rows = status?.length ? this.filtered(teamId, filters) : this.defined(teamId, filters);
    // `getCount` counts distinct ids, for which it sorts all of them.
    return (await rows.select('count(*)::int', 'count').getRawOne<{ count: number }>())!.count;
  }

  /** Returns the numbers of monitors that match the filters, by status. Statuses without monitors are omitted. */
  async countByStatus(teamId: TeamId, filters: MonitorFilters): Promise<MonitorCounts> {
    const rows = await this.filtered(teamId, { ...filters })
      .select('s.status', 'status')
      .addSelect('count(*)::int', 'count')
      .groupBy('s.status')
      .getRawMany<{ status: MonitorStatus; count: number }>();
    return new Map(rows.map(({ status, count }) => [status, count]));
  }

  /** Returns the ids of all monitors of the team that match the filters, in ascending order. */
  async matching(teamId: TeamId, filters: MonitorFilters): Promise<string[]> {
    const rows = this.filtered(teamId, { ...filters })
      .select('m.id', 'id')
      .orderBy('m.id');
    return (await rows.getRawMany<{ id: string }>()).map(({ id }) => id);
  }

  /** `nowMs` is before the rows were read, so that a check that fell due since is still reported as the next one. */
  private views(rows: readonly ListedMonitor[], nowMs: number): MonitorDto[] {
    return rows.map((row) => toMonitorDto(viewOf(row), this.config.origin, nowMs));
  }

  private rows(teamId: TeamId, query: ListMonitorsQuery): Promise<RowPage<Filters, ListedMonitor>> {
    const { status, type, tag, key, q, notified, sort, view } = query;
    const given: Filters = { status, type, tag, key, q, notified, sort, view };
    return this.lists.page({ teamId, list: 'monitors' }, query, given, {
      read: (all, after, count) => {
        const order = orderOf(all.sort);
        const values = order.columns.slice(0, -1).map(({ sql }) => `(${sql})::text`);
        const rows = this.filtered(teamId, all)
          .select(`${entityColumns(this.monitors.metadata, 'm')}, ${STATE_COLUMNS}`)
          .addSelect(NOTIFIED, 'notified')
          // As text, because only the values of the last row are needed, for the cursor.
          .addSelect(`ARRAY[${values.join(', ')}]`, 'sort_values');
        return order.apply(rows, after, count).getRawMany<ListedMonitor>();
      },
      keyOf: (row) => [...row.sort_values, row.id],
    });
  }

  /** Returns a query of the monitors that match the filters, `m`, with their states, `s`. */
  private filtered(teamId: TeamId, { status, ...filters }: Filters): SelectQueryBuilder<Monitor> {
    const rows = this.defined(teamId, filters)
      // Also joined by team, so that the indexes of `monitor_states` can be used.
      .innerJoin(MonitorState, 's', 's.team_id = m.team_id AND s.monitor_id = m.id');
    if (status?.length) rows.andWhere('s.status IN (:...status)', { status });
    return rows;
  }

  /** Returns a query of the monitors whose definitions match the filters. */
  private defined(teamId: TeamId, filters: Filters): SelectQueryBuilder<Monitor> {
    const rows = this.monitors.createQueryBuilder('m').where('m.team_id = :teamId', { teamId });
    if (filters.type !== undefined) rows.andWhere('m.type = :type', { type: filters.type });
    if (filters.tag?.length) rows.andWhere('m.tags @> :tags', { tags: filters.tag });
    if (filters.key !== undefined) rows.andWhere('m.key = :key', { key: filters.key });
    if (filters.q !== undefined) {
      const patterns = filters.q
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
      rows.andWhere(`concat(m.name, ' ', m.target) ILIKE ALL (CAST(:patterns AS text[]))`, { patterns });
    }
    if (filters.notified !== undefined) rows.andWhere(filters.notified ? NOTIFIED : `NOT ${NOTIFIED}`);
    return rows;
  }
}

function orderOf(sort: MonitorSort = '-createdAt'): RowOrder<ListedMonitor> {
  return new RowOrder(ORDERS[sort.replace('-', '')]!, sort.startsWith('-') ? 'DESC' : 'ASC');
}
