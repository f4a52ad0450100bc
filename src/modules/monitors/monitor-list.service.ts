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

type ListedMonitor = Monitor & StateRecord & { sort_value: string };

const sortColumn = (sql: string, cast: OrderColumn<ListedMonitor>['cast']): OrderColumn<ListedMonitor> => ({
  sql,
  cast,
  of: (row) => row.sort_value,
});
/** The rank of a state, and within it the milliseconds of its beginning, as one number. */
const SEVERITY = `
  CASE
    WHEN s.status = 'down' THEN 0
    WHEN s.verifying IN ('down', 'degraded') AND s.status IN ('pending', 'up', 'degraded') THEN 1
    WHEN s.status = 'degraded' THEN 2
    WHEN s.status = 'unknown' THEN 3
    WHEN s.status = 'pending' THEN 4
    WHEN s.status = 'maintenance' THEN 5
    WHEN s.status = 'paused' THEN 6
    ELSE 7
  END * 10000000000000 + (extract(epoch FROM s.status_since) * 1000)::bigint`;
/** The team is a parameter of every query of a list. */
const NOTIFIED = notifiedCondition(':teamId');
const SORT_COLUMNS: Record<string, OrderColumn<ListedMonitor>> = {
  createdAt: sortColumn('m.created_at', 'timestamptz'),
  name: sortColumn('m.name', 'text'),
  statusSince: sortColumn('s.status_since', 'timestamptz'),
  severity: sortColumn(SEVERITY, 'bigint'),
};

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
  count(teamId: TeamId, { status, type, tag, key, q, notified }: Partial<ListMonitorsQuery>): Promise<number> {
    return this.filtered(teamId, { status, type, tag, key, q, notified }).getCount();
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
        const { column, order } = orderOf(all.sort);
        const rows = this.filtered(teamId, all)
          .select(`${entityColumns(this.monitors.metadata, 'm')}, ${STATE_COLUMNS}`)
          .addSelect(NOTIFIED, 'notified')
          // As text, because only the value of the last row is needed, for the cursor.
          .addSelect(`(${column.sql})::text`, 'sort_value');
        return order.apply(rows, after, count).getRawMany<ListedMonitor>();
      },
      keyOf: (row) => [row.sort_value, row.id],
    });
  }

  private filtered(teamId: TeamId, filters: Filters): SelectQueryBuilder<Monitor> {
    const rows = this.monitors
      .createQueryBuilder('m')
      // Also joined by team, so that the indexes of `monitor_states` can be used.
      .innerJoin(MonitorState, 's', 's.team_id = m.team_id AND s.monitor_id = m.id')
      .where('m.team_id = :teamId', { teamId });
    if (filters.status?.length) rows.andWhere('s.status IN (:...status)', { status: filters.status });
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

function orderOf(sort: MonitorSort = '-createdAt') {
  const column = SORT_COLUMNS[sort.replace('-', '')]!;
  const id: OrderColumn<ListedMonitor> = { sql: 'm.id', cast: 'uuid', of: (row) => row.id };
  return { column, order: new RowOrder([column, id], sort.startsWith('-') ? 'DESC' : 'ASC') };
}
