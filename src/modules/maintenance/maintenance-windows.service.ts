import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type Tx } from '../../database/tx.js';
import { type CursorScope } from '../../http/lists/cursor.js';
import { KeysetLists, newestFirst, RowOrder } from '../../http/lists/keyset-lists.js';
import { itemAddress } from '../../http/items/item-address.js';
import { Page, type PageQueryDto } from '../../http/lists/page.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound } from '../../http/problems/problem.js';
import { Representation } from '../../http/items/representation.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type ListMaintenanceWindowsDto, type WindowState } from './dto/list-maintenance-windows.dto.js';
import { type MaintenanceWindowDefinitionDto, type MaintenanceWindowDto } from './dto/maintenance-window.dto.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';
import { toDefinitionDto, toWindowDto } from './maintenance-window.mapper.js';

interface Filters {
  [name: string]: string | string[] | boolean | undefined;
  key?: string;
  active?: boolean;
  state?: WindowState;
  monitorId?: string;
  tag?: string[];
  view?: 'definition';
}

const ORDER = newestFirst<MaintenanceWindow>('w', 'created_at', (row) => row.createdAt);
/** The start of the next occurrence of an upcoming window. */
const NEXT_START = 'coalesce(w.next_starts_at, w.active_from)';
const SOONEST_FIRST = new RowOrder<MaintenanceWindow>(
  [
    { sql: NEXT_START, cast: 'timestamptz', of: (row) => (row.nextStartsAt ?? row.activeFrom)!.toISOString() },
    { sql: 'w.id', cast: 'uuid', of: (row) => row.id },
  ],
  'ASC',
);
const IS_ACTIVE = 'coalesce(w.active_from <= :now AND w.active_until > :now, false)';
/** Uses times of the last pass, which is repeated whenever a window begins or ends. */
const WILL_BE = 'coalesce(w.next_starts_at > :now OR w.active_from > :now, false)';
const STATES: Readonly<Record<WindowState, string>> = {
  active: IS_ACTIVE,
  upcoming: `NOT ${IS_ACTIVE} AND ${WILL_BE}`,
  over: `NOT ${IS_ACTIVE} AND NOT ${WILL_BE}`,
};

/** Reads maintenance windows. `MaintenanceWindowWritesService` writes them. */
@Injectable()
export class MaintenanceWindowsService {
  constructor(
    @InjectRepository(MaintenanceWindow) private readonly windows: Repository<MaintenanceWindow>,
    private readonly monitors: MonitorsService,
    private readonly lists: KeysetLists,
  ) {}

  /** Lists maintenance windows, newest first; with `view=definition`, only their writable fields. */
  list(
    teamId: TeamId,
    query: ListMaintenanceWindowsDto,
  ): Promise<Page<MaintenanceWindowDto | MaintenanceWindowDefinitionDto>> {
    return this.page({ teamId, list: 'maintenance-windows' }, query, ORDER);
  }

  /** Lists the upcoming windows by their next start, the soonest first. */
  async upcoming(teamId: TeamId, { cursor, limit }: PageQueryDto): Promise<Page<MaintenanceWindowDto>> {
    const scope = { teamId, list: 'maintenance-windows/upcoming' };
    const { data, nextCursor } = await this.page(scope, { cursor, limit, state: 'upcoming' }, SOONEST_FIRST);
    return new Page(data as MaintenanceWindowDto[], nextCursor);
  }

  /** Returns the first of the windows that are active, by their end, and then of those that will be, by their start. */
  async soonest(teamId: TeamId, limit: number): Promise<MaintenanceWindowDto[]> {
    const nowMs = Date.now();
    const rows = await this.windows
      .createQueryBuilder('w')
      .where(`w.team_id = :teamId AND (${IS_ACTIVE} OR ${WILL_BE})`, { teamId, now: new Date(nowMs) })
      .orderBy(`CASE WHEN ${IS_ACTIVE} THEN 0 ELSE 1 END`)
      .addOrderBy(`CASE WHEN ${IS_ACTIVE} THEN w.active_until ELSE ${NEXT_START} END`)
      .addOrderBy('w.id')
      .limit(limit)
      .getMany();
    const addresses = await this.addresses(teamId, rows);
    return rows.map((window) => toWindowDto(window, addresses, nowMs));
  }

  listDefinitions(teamId: TeamId, query: ListMaintenanceWindowsDto): Promise<Page<MaintenanceWindowDefinitionDto>> {
    return this.list(teamId, { ...query, view: 'definition' });
  }

  /** Returns a window. @throws 404 */
  async get(teamId: TeamId, address: string): Promise<MaintenanceWindowDto> {
    const window = await this.find(teamId, address);
    return toWindowDto(window, await this.addresses(teamId, [window]), Date.now());
  }

  /** Returns only the writable fields, as PUT accepts them. @throws 404 */
  async definition(teamId: TeamId, address: string): Promise<Representation<MaintenanceWindowDefinitionDto>> {
    const window = await this.find(teamId, address);
    return new Representation(toDefinitionDto(window, await this.addresses(teamId, [window])), window.revision);
  }

  /** Returns the window at an address. @throws 404 */
  async find(teamId: TeamId, address: string): Promise<MaintenanceWindow> {
    const window = await this.findOrNull(teamId, address);
    if (!window) throw notFound();
    return window;
  }

  async findOrNull(teamId: TeamId, address: string): Promise<MaintenanceWindow | null> {
    const item = itemAddress(address);
    return item && this.windows.findOneBy({ teamId, ...item });
  }

  /** Returns a window as the API returns it, including the uncommitted writes of this transaction. */
  async shownIn(tx: Tx, window: MaintenanceWindow, nowMs: number): Promise<MaintenanceWindowDto> {
    return toWindowDto(window, await this.addresses(window.teamId as TeamId, [window], tx), nowMs);
  }

  private async page(
    scope: CursorScope,
    query: ListMaintenanceWindowsDto,
    order: RowOrder<MaintenanceWindow>,
  ): Promise<Page<MaintenanceWindowDto | MaintenanceWindowDefinitionDto>> {
    const { teamId } = scope;
    const { key, active, state, monitorId, tag, view } = query;
    const given: Filters = { key, active, state, monitorId, tag, view };
    const nowMs = Date.now();
    const page = await this.lists.page(scope, query, given, {
      read: async (filters, after, count) => {
        const rows = await this.filtered(teamId, filters, nowMs);
        return rows ? order.apply(rows, after, count).getMany() : [];
      },
      keyOf: (row) => order.keyOf(row),
    });
    const addresses = await this.addresses(teamId, page.rows);
    const show = page.filters.view === 'definition' ? toDefinitionDto : toWindowDto;
    return new Page(
      page.rows.map((window) => show(window, addresses, nowMs)),
      page.nextCursor,
    );
  }

  /** Returns a query for the filters; `null` if no window can match. */
  private async filtered(teamId: TeamId, filters: Filters, nowMs: number) {
    const rows = this.windows.createQueryBuilder('w').where('w.team_id = :teamId', { teamId });
    if (filters.key !== undefined) rows.andWhere('w.key = :key', { key: filters.key });
    if (filters.tag?.length) rows.andWhere('w.tags @> :tags', { tags: filters.tag });
    if (filters.active !== undefined) {
      rows.andWhere(`${IS_ACTIVE} = :active`, { now: new Date(nowMs), active: filters.active });
    }
    if (filters.state !== undefined) rows.andWhere(STATES[filters.state], { now: new Date(nowMs) });
    if (filters.monitorId !== undefined) {
      const monitor = await this.monitors.findOrNull(teamId, filters.monitorId);
      if (!monitor) return null;
      const { id, tags } = monitor;
      rows.andWhere('(w.monitor_ids @> ARRAY[:monitorId]::uuid[] OR w.tags && :monitorTags)', {
        monitorId: id,
        monitorTags: tags,
      });
    }
    return rows;
  }

  private addresses(teamId: TeamId, windows: readonly MaintenanceWindow[], tx?: Tx): Promise<Map<string, string>> {
    return this.monitors.addresses(teamId, [...new Set(windows.flatMap(({ monitorIds }) => monitorIds))], tx);
  }
}
