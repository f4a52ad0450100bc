import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { entityColumns } from '../../database/entity-columns.js';
import { CursorCodec } from '../../http/lists/cursor.js';
import { type JsonObject } from '../../http/body/json.js';
import { Page, pageOf } from '../../http/lists/page.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type ListMonitorsQuery, type MonitorSort } from './dto/list-monitors.query.js';
import { MonitorDependenciesService } from './definition/monitor-dependencies.service.js';
import { MonitorReaderService } from './monitor-reader.service.js';
import { MonitorState } from './state/monitor-state.entity.js';
import { Monitor } from './definition/monitor.entity.js';
import { type MonitorDto, toDefinitionView, toMonitorDto } from './monitor.mapper.js';

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
    private readonly reader: MonitorReaderService,
    private readonly dependencies: MonitorDependenciesService,
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
      .select(entityColumns(this.monitors.metadata, 'm'))
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
    // Before the states are read: one that is deleted meanwhile must not make the list end here.
    const page = pageOf(await rows.getRawMany<Monitor & { sort_value: Date | string }>(), query.limit, (last) => {
      const value = last.sort_value instanceof Date ? last.sort_value.toISOString() : last.sort_value;
      return this.cursors.seal(scope, { params: filters, after: [value, last.id] });
    });
    if (filters.view === 'definition') {
      return new Page(await this.definitions(teamId, page.data), page.nextCursor);
    }
    const views = await this.reader.views(page.data);
    return new Page(
      views.map((view) => toMonitorDto(view, this.config.origin, nowMs)),
      page.nextCursor,
    );
  }

  /** The writable fields of these monitors of the team, in the same order. */
  async definitions(teamId: TeamId, monitors: readonly Monitor[]): Promise<JsonObject[]> {
    const parents = new Set(monitors.flatMap((monitor) => monitor.parentIds));
    const addresses = await this.dependencies.addresses(teamId, [...parents]);
    return monitors.map((monitor) => toDefinitionView(monitor, addresses, Date.now()));
  }

  private filtered(teamId: TeamId, filters: Filters): SelectQueryBuilder<Monitor> {
    const rows = this.monitors
      .createQueryBuilder('m')
      // By the team, too, so that the indexes of the states serve.
      .innerJoin(MonitorState, 's', 's.team_id = m.team_id AND s.monitor_id = m.id')
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
