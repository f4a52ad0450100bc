import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository, type SelectQueryBuilder } from 'typeorm';
import { managerOf, type Tx } from '../../database/tx.js';
import { KeysetLists, newestFirst } from '../../http/lists/keyset-lists.js';
import { itemAddress } from '../../http/items/item-address.js';
import { Page } from '../../http/lists/page.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound } from '../../http/problems/problem.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type Impact, type IncidentDto } from './dto/incident.dto.js';
import { type ListIncidentsQuery, type ListMonitorIncidentsQuery } from './dto/list-incidents.dto.js';
import { IncidentMonitor } from './incident-monitor.entity.js';
import { IncidentUpdate } from './incident-update.entity.js';
import { Incident } from './incident.entity.js';
import { DOWN_AT_LOCATION, type IncidentOutage, outagesByIncident } from './incident-outages.js';
import { type IncidentView, toIncidentDto } from './incident.mapper.js';

export { type IncidentView } from './incident.mapper.js';

interface Filters {
  [name: string]: string | string[] | undefined;
  status?: string;
  kind?: string;
  monitorId?: string;
  tag?: string[];
  location?: string;
  from?: string;
  to?: string;
}

const ORDER = newestFirst<Incident>('i', 'started_at', (row) => row.startedAt);
/** Maximum number of updates of each incident in a list; a single incident has all of them. */
const UPDATES_IN_LISTS = 10;
/** Maximum numbers of outages at locations of each incident, newest first. */
const OUTAGES_SHOWN = 200;
const OUTAGES_IN_LISTS = 10;
/** Maximum number of open incidents of several monitors. */
const MOST_OPEN = 200;

interface ViewOptions {
  /** Reads within this transaction. */
  tx?: Tx;
  /** Maximum number of updates of each incident, newest first; all if omitted. */
  newest?: number;
  /**
   * Only updates for status pages. Besides the newest ones, these are the latest of each phase: otherwise an incident
   * would lose its state after some notes.
   */
  publicUpdates?: boolean;
}

/**
 * Reads incidents. `IncidentWritesService` writes them, `DetectedIncidentsService` opens and resolves detected ones, and
 * `DrillsService` starts and ends drills.
 */
@Injectable()
export class IncidentsService {
  constructor(
    @InjectRepository(Incident) private readonly incidents: Repository<Incident>,
    private readonly monitors: MonitorsService,
    private readonly lists: KeysetLists,
  ) {}

  /** Returns a page of incidents by `startedAt`, newest first. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: ListIncidentsQuery): Promise<Page<IncidentDto>> {
    return this.page(teamId, 'incidents', query, async (rows, { monitorId }) => {
      if (monitorId === undefined) return;
      const monitor = await this.monitors.findOrNull(teamId, monitorId);
      about(rows, monitor ? [monitor.id] : []);
    });
  }

  /** Returns the newest incidents without drills: what really happened. */
  async newest(teamId: TeamId, query: { limit: number }): Promise<IncidentDto[]> {
    const { data } = await this.page(teamId, 'incidents', query, (rows) => Promise.resolve(withoutDrills(rows)));
    return data;
  }

  /** Returns the open incidents of these monitors without drills, newest first; at most 200. */
  async openOf(teamId: TeamId, monitorIds: readonly string[]): Promise<IncidentDto[]> {
    if (monitorIds.length === 0) return [];
    const { data } = await this.page(teamId, 'incidents', { status: 'open', limit: MOST_OPEN }, (rows) => {
      withoutDrills(rows);
      about(rows, monitorIds);
      return Promise.resolve();
    });
    return data;
  }

  /** Returns a page of the incidents of a monitor. @throws 404, 400 `invalid_cursor` */
  async listOf(teamId: TeamId, address: string, query: ListMonitorIncidentsQuery): Promise<Page<IncidentDto>> {
    const { id } = await this.monitors.find(teamId, address);
    return this.page(teamId, `incidents/${id}`, query, (rows) => Promise.resolve(about(rows, [id])));
  }

  /** Returns the numbers of open incidents of a team. */
  async countOpen(teamId: TeamId): Promise<{ drills: number; others: number }> {
    const open = { teamId, resolvedAt: IsNull() };
    const [drills, others] = await Promise.all([
      this.incidents.countBy({ ...open, kind: 'drill' }),
      this.incidents.countBy({ ...open, kind: Not('drill') }),
    ]);
    return { drills, others };
  }

  /** @throws 404 */
  async get(teamId: TeamId, id: string): Promise<IncidentDto> {
    return this.show(await this.find(teamId, id));
  }

  /** Returns the titles of these incidents of the team, by id. */
  async titles(teamId: TeamId, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.incidents.find({ select: { id: true, title: true }, where: { teamId, id: In([...ids]) } });
    return new Map(rows.map(({ id, title }) => [id, title]));
  }

  /** Returns the incident that a path names. @throws 404 */
  async find(teamId: TeamId, address: string): Promise<Incident> {
    const item = itemAddress(address);
    const incident = item && 'id' in item ? await this.incidents.findOneBy({ teamId, id: item.id }) : null;
    if (!incident) throw notFound();
    return incident;
  }

  /** Returns the incident as it is in this transaction. @throws 404 */
  async shownIn(tx: Tx, teamId: TeamId, id: string): Promise<IncidentDto> {
    const incident = await managerOf(tx).findOneBy(Incident, { teamId, id });
    if (!incident) throw notFound();
    return this.show(incident, tx);
  }

  /** Returns the incidents with their monitors and updates, in the same order. */
  private async views(incidents: readonly Incident[], options: ViewOptions): Promise<IncidentView[]> {
    if (incidents.length === 0) return [];
    const { tx, newest = null, publicUpdates = false } = options;
    const manager = tx ? managerOf(tx) : this.incidents.manager;
    const ids = incidents.map(({ id }) => id);
    const ranked = manager
      .createQueryBuilder(IncidentUpdate, 'u')
      .select('u.id', 'id')
      .addSelect('row_number() OVER (PARTITION BY u.incident_id ORDER BY u.at DESC, u.id DESC)', 'place')
      .addSelect('row_number() OVER (PARTITION BY u.incident_id, u.phase ORDER BY u.at DESC, u.id DESC)', 'of_phase')
      .where('u.incident_id IN (:...ids) AND (u.public OR NOT :publicUpdates)');
    const monitors = await manager.find(IncidentMonitor, {
      where: { incidentId: In(ids) },
      order: { monitorId: 'ASC' },
    });
    const updates = await manager
      .createQueryBuilder(IncidentUpdate, 'u')
      .innerJoin(`(${ranked.getQuery()})`, 'ranked', 'ranked.id = u.id')
      .where('(:newest::int IS NULL OR ranked.place <= :newest::int OR (:publicUpdates AND ranked.of_phase = 1))')
      .setParameters({ ids, publicUpdates, newest })
      .orderBy('u.at', 'ASC')
      .addOrderBy('u.id', 'ASC')
      .getMany();
    const views = new Map<string, IncidentView>(
      incidents.map((incident) => [incident.id, { incident, monitorIds: [], updates: [] }]),
    );
    for (const one of monitors) views.get(one.incidentId)?.monitorIds.push(one.monitorId);
    for (const one of updates) views.get(one.incidentId)?.updates.push(one);
    return [...views.values()];
  }

  /**
   * Returns incidents of any kind that affect these monitors, whose team the caller has verified; newest first. If there
   * are more than `limit`, open ones take precedence over resolved ones, and among them manual ones over detected ones:
   * an announcement must not disappear because many monitors fail after it.
   */
  async about(monitorIds: readonly string[], sinceMs: number, limit: number): Promise<IncidentView[]> {
    const incidents = await this.affecting(monitorIds)
      .andWhere('(i.resolved_at IS NULL OR i.resolved_at >= :since)', { since: new Date(sinceMs) })
      .orderBy(`CASE WHEN i.resolved_at IS NOT NULL THEN 2 WHEN i.kind = 'manual' THEN 0 ELSE 1 END`)
      .addOrderBy('i.started_at', 'DESC')
      .addOrderBy('i.id', 'DESC')
      .limit(limit)
      .getMany();
    return this.views(incidents.sort(byStartNewestFirst), { publicUpdates: true, newest: UPDATES_IN_LISTS });
  }

  /** Returns the incidents that affect these monitors and overlap `[fromMs, toMs)`, otherwise like `about`. */
  async during(
    monitorIds: readonly string[],
    { fromMs, toMs }: { fromMs: number; toMs: number },
    limit: number,
  ): Promise<IncidentView[]> {
    const incidents = await this.affecting(monitorIds)
      .andWhere('i.started_at < :to AND (i.resolved_at IS NULL OR i.resolved_at >= :from)', {
        from: new Date(fromMs),
        to: new Date(toMs),
      })
      .orderBy('i.started_at', 'DESC')
      .addOrderBy('i.id', 'DESC')
      .limit(limit)
      .getMany();
    return this.views(incidents, { publicUpdates: true, newest: UPDATES_IN_LISTS });
  }

  /** Returns the start of the earliest incident that `during` may return, in epoch milliseconds; null if none. */
  async earliestStart(monitorIds: readonly string[]): Promise<number | null> {
    const incident = await this.affecting(monitorIds).orderBy('i.started_at', 'ASC').limit(1).getOne();
    return incident?.startedAt.getTime() ?? null;
  }

  /** Returns one of the incidents that `about` may return, whatever its age, with all public updates; null if none. */
  async oneAbout(monitorIds: readonly string[], id: string): Promise<IncidentView | null> {
    const incident = await this.affecting(monitorIds).andWhere('i.id = :id', { id }).getOne();
    const [view = null] = await this.views(incident ? [incident] : [], { publicUpdates: true });
    return view;
  }

  /** Selects the incidents that affect any of these monitors. */
  private affecting(monitorIds: readonly string[]): SelectQueryBuilder<Incident> {
    return (
      this.incidents
        .createQueryBuilder('i')
        .where(
          'i.id IN (SELECT im.incident_id FROM incident_monitors im WHERE im.monitor_id = ANY(:monitorIds::uuid[]))',
          { monitorIds },
        )
        // A withdrawn incident and a drill have no outages.
        .andWhere(`(i.kind = 'manual' OR i.outage_count > 0)`)
    );
  }

  /** Returns the worst impact of open manual incidents for each monitor. The caller has verified their team. */
  async impacts(monitorIds: readonly string[], tx?: Tx): Promise<Map<string, Impact>> {
    const rows: { monitor_id: string; impact: Impact }[] = await (tx ? managerOf(tx) : this.incidents).query(
      // max() works because `down` also sorts after `degraded`.
      `SELECT im.monitor_id, max(i.impact) AS impact FROM incident_monitors im JOIN incidents i ON i.id = im.incident_id
       WHERE im.monitor_id = ANY($1::uuid[]) AND i.kind = 'manual' AND i.resolved_at IS NULL AND i.impact <> 'none'
       GROUP BY im.monitor_id`,
      [monitorIds],
    );
    return new Map(rows.map((row) => [row.monitor_id, row.impact]));
  }

  private async show(incident: Incident, tx?: Tx): Promise<IncidentDto> {
    const [view] = await this.views([incident], { tx });
    const outages = await this.outages([incident], OUTAGES_SHOWN, tx);
    return toIncidentDto(view!, outages.get(incident.id));
  }

  private outages(incidents: readonly Incident[], newest: number, tx?: Tx): Promise<Map<string, IncidentOutage[]>> {
    const detected = incidents.filter(({ kind }) => kind === 'detected').map(({ id }) => id);
    if (detected.length === 0) return Promise.resolve(new Map<string, IncidentOutage[]>());
    return outagesByIncident(tx ? managerOf(tx) : this.incidents.manager, detected, newest);
  }

  private async page(
    teamId: TeamId,
    list: string,
    query: ListIncidentsQuery,
    narrow: (rows: SelectQueryBuilder<Incident>, filters: Filters) => Promise<void>,
  ): Promise<Page<IncidentDto>> {
    const { status, kind, monitorId, tag, location, from, to } = query;
    const given: Filters = { status, kind, monitorId, tag, location, from, to };
    const page = await this.lists.page({ teamId, list }, query, given, {
      read: async (filters, after, count) => {
        const rows = filtered(this.incidents.createQueryBuilder('i').where('i.team_id = :teamId', { teamId }), filters);
        await narrow(rows, filters);
        return ORDER.apply(rows, after, count).getMany();
      },
      keyOf: (row) => ORDER.keyOf(row),
    });
    const [views, outages] = await Promise.all([
      this.views(page.rows, { newest: UPDATES_IN_LISTS }),
      this.outages(page.rows, OUTAGES_IN_LISTS),
    ]);
    return new Page(
      views.map((view) => toIncidentDto(view, outages.get(view.incident.id))),
      page.nextCursor,
    );
  }
}

function byStartNewestFirst(a: Incident, b: Incident): number {
  return b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? 1 : -1);
}

function withoutDrills(rows: SelectQueryBuilder<Incident>): void {
  rows.andWhere(`i.kind <> 'drill'`);
}

/** Selects incidents that affect at least one of these monitors. */
function about(rows: SelectQueryBuilder<Incident>, monitorIds: readonly string[]): void {
  const affecting = 'SELECT im.incident_id FROM incident_monitors im WHERE im.monitor_id = ANY(:monitorIds::uuid[])';
  rows.andWhere(`i.id IN (${affecting})`, { monitorIds });
}

function filtered(rows: SelectQueryBuilder<Incident>, filters: Filters): SelectQueryBuilder<Incident> {
  const { status, kind, tag, location, from, to } = filters;
  if (status !== undefined) rows.andWhere(`i.resolved_at IS ${status === 'open' ? 'NULL' : 'NOT NULL'}`);
  if (kind !== undefined) rows.andWhere('i.kind = :kind', { kind });
  if (tag?.length) {
    const tagged = `SELECT im.incident_id FROM incident_monitors im JOIN monitors m ON m.id = im.monitor_id
                    WHERE m.team_id = :teamId AND m.tags @> :tag`;
    rows.andWhere(`i.id IN (${tagged})`, { tag });
  }
  if (location !== undefined) rows.andWhere(DOWN_AT_LOCATION, { location });
  if (from !== undefined) rows.andWhere('(i.resolved_at IS NULL OR i.resolved_at > :from)', { from });
  if (to !== undefined) rows.andWhere('i.started_at < :to', { to });
  return rows;
}

/**
 * Returns SQL, like `monitorsVersion`, for a text that changes with every write of an incident that `about` would
 * return. Updates of an incident are covered, because they increment its revision.
 */
export function incidentsVersion(monitorIds: string, since: string): string {
  return `(SELECT string_agg(concat(i.id, ',', i.xmin), ' ' ORDER BY i.id) FROM incidents i
    WHERE i.kind <> 'drill' AND i.id IN (SELECT im.incident_id FROM incident_monitors im WHERE im.monitor_id = ANY(${monitorIds}))
      AND (i.resolved_at IS NULL OR i.resolved_at >= ${since}))`;
}
