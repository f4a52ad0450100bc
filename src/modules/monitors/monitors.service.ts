import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { itemAddress } from '../../http/items/item-address.js';
import { type Page } from '../../http/lists/page.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound } from '../../http/problems/problem.js';
import { Representation } from '../../http/items/representation.js';
import { type ListMonitorsQuery } from './dto/list-monitors.query.js';
import { type MonitorDefinitionView, type MonitorDto, type MonitorStatus } from './dto/monitor.dto.js';
import { MonitorDependenciesService } from './definition/monitor-dependencies.service.js';
import { type MonitorFilters, MonitorListService } from './monitor-list.service.js';
import { MonitorReaderService } from './monitor-reader.service.js';
import { type MonitorCounts } from './state/monitor-counts.service.js';
import { MonitorStatesService } from './state/monitor-states.service.js';
import { Monitor } from './definition/monitor.entity.js';
import { type MonitorView, toMonitorDto } from './monitor.mapper.js';

/** A team can have more tags than a list to choose from can show. */
const MAX_TAGS = 100;

export interface TagCount {
  tag: string;
  count: number;
}

/** Reads monitors. `MonitorWritesService` and `MonitorPausesService` write them. */
@Injectable()
export class MonitorsService {
  constructor(
    @InjectRepository(Monitor) private readonly monitors: Repository<Monitor>,
    private readonly states: MonitorStatesService,
    private readonly lists: MonitorListService,
    private readonly reader: MonitorReaderService,
    private readonly dependencies: MonitorDependenciesService,
    private readonly config: AppConfig,
  ) {}

  list(teamId: TeamId, query: ListMonitorsQuery): Promise<Page<MonitorDto>> {
    return this.lists.page(teamId, query);
  }

  /** Returns the number of monitors that match a query, over all of its pages. */
  count(teamId: TeamId, query: Partial<ListMonitorsQuery>): Promise<number> {
    return this.lists.count(teamId, query);
  }

  /** Returns the numbers of monitors that match the filters, by status. Statuses without monitors are omitted. */
  countByStatus(teamId: TeamId, filters: MonitorFilters): Promise<MonitorCounts> {
    return this.lists.countByStatus(teamId, filters);
  }

  /** Returns the tags of the team's monitors with the number of monitors of each, the most frequent first. */
  tagCounts(teamId: TeamId): Promise<TagCount[]> {
    return this.monitors.query(
      `SELECT tag, count(*)::int AS count FROM monitors, unnest(tags) AS tag WHERE team_id = $1
       GROUP BY tag ORDER BY count DESC, tag LIMIT $2`,
      [teamId, MAX_TAGS],
    );
  }

  /** Lists monitors in the view of the query, or of the query that returned its cursor. */
  listAsAsked(teamId: TeamId, query: ListMonitorsQuery): Promise<Page<MonitorDto | MonitorDefinitionView>> {
    return this.lists.pageAsAsked(teamId, query);
  }

  /** Lists the writable fields of monitors. */
  listDefinitions(teamId: TeamId, query: ListMonitorsQuery): Promise<Page<MonitorDefinitionView>> {
    return this.lists.definitionPage(teamId, query);
  }

  /** Returns the ids of all monitors of the team that match the filters of a list, in ascending order. */
  matching(teamId: TeamId, filters: MonitorFilters): Promise<string[]> {
    return this.lists.matching(teamId, filters);
  }

  /** Returns a monitor. @throws 404 */
  async get(teamId: TeamId, address: string): Promise<MonitorDto> {
    const monitor = await this.getOrNull(teamId, address);
    if (!monitor) throw notFound();
    return monitor;
  }

  async getOrNull(teamId: TeamId, address: string): Promise<MonitorDto | null> {
    const view = await this.viewOrNull(teamId, address);
    return view && this.shownAs(view);
  }

  /** Returns the writable fields, with secrets masked, as PUT accepts them. @throws 404 */
  async definition(teamId: TeamId, address: string): Promise<Representation<MonitorDefinitionView>> {
    const monitor = await this.find(teamId, address);
    const [definition] = await this.lists.definitions(teamId, [monitor]);
    return new Representation(definition!, monitor.revision);
  }

  /** Returns a monitor, including the uncommitted writes of this transaction. @throws 404 */
  async shownIn(tx: Tx, teamId: TeamId, id: string): Promise<MonitorDto> {
    const view = await this.reader.findIn(tx, teamId, id);
    if (!view) throw notFound();
    return this.shownAs(view);
  }

  /** Returns the monitor at an address. @throws 404 */
  async find(teamId: TeamId, address: string): Promise<Monitor> {
    const monitor = await this.findOrNull(teamId, address);
    if (!monitor) throw notFound();
    return monitor;
  }

  async findOrNull(teamId: TeamId, address: string): Promise<Monitor | null> {
    return (await this.viewOrNull(teamId, address))?.monitor ?? null;
  }

  /** Returns the ids and names of the team's monitors by address. Addresses without a monitor are omitted. */
  async resolve(teamId: TeamId, addresses: readonly string[]): Promise<Map<string, { id: string; name: string }>> {
    const items = addresses.map((address) => ({ address, item: itemAddress(address) }));
    const ids = items.flatMap(({ item }) => (item && 'id' in item ? [item.id] : []));
    const keys = items.flatMap(({ item }) => (item && 'key' in item ? [item.key] : []));
    const rows: { id: string; key: string | null; name: string }[] = await this.monitors.query(
      'SELECT id, key, name FROM monitors WHERE team_id = $1 AND (id = ANY($2::uuid[]) OR key = ANY($3::text[]))',
      [teamId, ids, keys],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return new Map(
      items.flatMap(({ address, item }) => {
        const row = item && ('id' in item ? byId.get(item.id) : byKey.get(item.key));
        return row ? [[address, { id: row.id, name: row.name }]] : [];
      }),
    );
  }

  /**
   * Returns the address of each of these monitors of the team: `key:<key>` if it has a key, else its id. Deleted
   * monitors are omitted.
   */
  addresses(teamId: TeamId, ids: readonly string[], tx?: Tx): Promise<Map<string, string>> {
    return this.dependencies.addresses(teamId, ids, tx);
  }

  /** Returns the tags of these monitors of the team. Monitors that do not exist are omitted. */
  async tags(teamId: TeamId, ids: readonly string[], tx?: Tx): Promise<Map<string, string[]>> {
    const rows: { id: string; tags: string[] }[] = await (tx ? managerOf(tx) : this.monitors).query(
      'SELECT id, tags FROM monitors WHERE team_id = $1 AND id = ANY($2::uuid[])',
      [teamId, ids],
    );
    return new Map(rows.map(({ id, tags }) => [id, tags]));
  }

  /**
   * Returns the reported status of these monitors. The caller has verified that the team owns them. Monitors that do
   * not exist are omitted. With `tx`, its uncommitted writes are included.
   */
  async shown(ids: readonly string[], tx?: Tx): Promise<Map<string, { status: MonitorStatus; since: Date }>> {
    const rows: { monitor_id: string; status: MonitorStatus; status_since: Date }[] = await (
      tx ? managerOf(tx) : this.monitors
    ).query('SELECT monitor_id, status, status_since FROM monitor_states WHERE monitor_id = ANY($1::uuid[])', [ids]);
    return new Map(rows.map((row) => [row.monitor_id, { status: row.status, since: row.status_since }]));
  }

  /** Returns a monitor after taking the lock that every writer of its state takes. @throws 404 */
  async lockOne(tx: Tx, teamId: TeamId, id: string): Promise<Monitor> {
    await this.states.lock(tx, [id]);
    const monitor = await managerOf(tx).findOneBy(Monitor, { teamId, id });
    if (!monitor) throw notFound();
    return monitor;
  }

  private async viewOrNull(teamId: TeamId, address: string): Promise<MonitorView | null> {
    const item = itemAddress(address);
    return item && this.reader.find(teamId, item);
  }

  private shownAs(view: MonitorView): MonitorDto {
    return toMonitorDto(view, this.config.origin, Date.now());
  }
}

/**
 * Returns an SQL expression for a text that changes with every write to the definition or the reported state of the
 * monitors in this array of ids. It consists of the row versions (`xmin`). A check that does not change the state does
 * not change the text.
 */
export function monitorsVersion(monitorIds: string): string {
  return `(SELECT string_agg(concat(m.xmin, ',', s.xmin), ' ' ORDER BY m.id)
    FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id WHERE m.id = ANY(${monitorIds}))`;
}
