import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArrayContains, type FindOptionsWhere, IsNull, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { managerOf, Transactions } from '../../database/tx.js';
import { KeysetLists, newestFirst } from '../../http/lists/keyset-lists.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { Page } from '../../http/lists/page.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound } from '../../http/problems/problem.js';
import { EventLog } from '../events/event-log.service.js';
import { type NewEvent } from '../events/new-event.types.js';
import { MonitorSelectionService } from '../monitors/definition/monitor-selection.service.js';
import { MonitorStatesService } from '../monitors/state/monitor-states.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { SpansService } from '../monitors/history/spans.service.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { type ExclusionDto, type ListExclusionsQuery } from './dto/exclusion.dto.js';
import { readExclusion } from './exclusion-write.js';
import { Exclusion } from './exclusion.entity.js';
import { toExclusionDto } from './exclusion.mapper.js';

interface Filters {
  [name: string]: string | boolean | undefined;
  monitorId?: string;
  from?: string;
  to?: string;
  deleted?: boolean;
}

const ORDER = newestFirst<Exclusion>('e', 'created_at', (row) => row.createdAt);

/** Owns the exclusions of teams, which can be created and deleted but not changed. Deleted ones are retained. */
@Injectable()
export class ExclusionsService {
  constructor(
    @InjectRepository(Exclusion) private readonly exclusions: Repository<Exclusion>,
    private readonly transactions: Transactions,
    private readonly monitors: MonitorsService,
    private readonly selections: MonitorSelectionService,
    private readonly states: MonitorStatesService,
    private readonly spans: SpansService,
    private readonly limits: TeamLimits,
    private readonly lists: KeysetLists,
    private readonly events: EventLog,
  ) {}

  /** Creates an exclusion, which takes effect in all figures immediately. @throws 422 */
  async create(
    teamId: TeamId,
    author: string,
    body: unknown,
    keep: KeepAnswer = KEEPS_NOTHING,
    nowMs = Date.now(),
  ): Promise<ExclusionDto> {
    const { selection, ...accepted } = readExclusion(body, nowMs);
    const resolved = await this.selections.resolve(teamId, selection);
    return this.transactions.run(async (tx) => {
      await this.limits.assertRoom(tx, teamId, 'MAX_EXCLUSIONS_PER_TEAM', Exclusion, { teamId, deletedAt: IsNull() });
      const locked = await this.states.lock(tx, await this.selections.members(teamId, resolved, tx));
      // Read again under the locks, because tags may have changed in the meantime.
      const memberIds = (await this.selections.members(teamId, resolved, tx)).filter((id) => locked.has(id));
      const made = { ...accepted, ...resolved, memberIds, createdBy: author, createdAt: new Date(nowMs) };
      const exclusion: Exclusion = { ...made, id: uuidv7(), teamId, deletedAt: null, deletedBy: null };
      await managerOf(tx).insert(Exclusion, exclusion);
      const { id, startsAt, endsAt } = exclusion;
      await this.spans.exclude(tx, id, memberIds, startsAt, endsAt);
      const answer = toExclusionDto(exclusion);
      await this.events.record(tx, [eventOf('exclusion.created', exclusion)], nowMs);
      await keep.in(tx, answer);
      return answer;
    });
  }

  /** Lists exclusions, newest first. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: ListExclusionsQuery): Promise<Page<ExclusionDto>> {
    const { monitorId, from, to, deleted } = query;
    const given: Filters = { monitorId, from, to, deleted };
    const page = await this.lists.page({ teamId, list: 'exclusions' }, query, given, {
      read: async (filters, after, count) => {
        const rows = await this.filtered(teamId, filters);
        return rows ? ORDER.apply(rows, after, count).getMany() : [];
      },
      keyOf: (row) => ORDER.keyOf(row),
      defaults: { deleted: false },
    });
    return new Page(page.rows.map(toExclusionDto), page.nextCursor);
  }

  /** Returns an exclusion, including a deleted one. @throws 404 */
  async get(teamId: TeamId, id: string): Promise<ExclusionDto> {
    return toExclusionDto(await this.find(teamId, id));
  }

  /** Returns an exclusion in effect that affects a monitor. @throws 404 */
  async ofMonitor(teamId: TeamId, monitorId: string, id: string): Promise<ExclusionDto> {
    const row = await this.find(teamId, id, { deletedAt: IsNull(), memberIds: ArrayContains([monitorId]) });
    return toExclusionDto(row);
  }

  /** Deletes an exclusion, so that its time counts again. @throws 404, also if it is already deleted */
  async remove(teamId: TeamId, author: string, id: string, nowMs = Date.now()): Promise<void> {
    const row = await this.find(teamId, id, { deletedAt: IsNull() });
    await this.transactions.run(async (tx) => {
      await this.states.lock(tx, row.memberIds);
      const changes = { deletedAt: new Date(nowMs), deletedBy: author };
      const { affected } = await managerOf(tx).update(Exclusion, { teamId, id: row.id, deletedAt: IsNull() }, changes);
      if (affected !== 1) throw notFound();
      await this.spans.includeAgain(tx, row.id);
      await this.events.record(tx, [eventOf('exclusion.deleted', row)], nowMs);
    });
  }

  /** @throws 404 unless the exclusion also meets these conditions */
  private async find(teamId: TeamId, id: string, where: FindOptionsWhere<Exclusion> = {}): Promise<Exclusion> {
    const row = isUuid(id) ? await this.exclusions.findOneBy({ ...where, teamId, id }) : null;
    if (!row) throw notFound();
    return row;
  }

  /** Returns a query for the filters; `null` if no exclusion can match. */
  private async filtered(teamId: TeamId, { monitorId, from, to, deleted }: Filters) {
    const rows = this.exclusions
      .createQueryBuilder('e')
      .where('e.team_id = :teamId', { teamId })
      .andWhere(`e.deleted_at IS ${deleted ? 'NOT NULL' : 'NULL'}`);
    if (monitorId !== undefined) {
      const id = await this.monitorNamed(teamId, monitorId);
      if (id === null) return null;
      rows.andWhere('e.member_ids @> ARRAY[:id]::uuid[]', { id });
    }
    if (from !== undefined) rows.andWhere('e.ends_at > :from', { from });
    if (to !== undefined) rows.andWhere('e.starts_at < :to', { to });
    return rows;
  }

  /** Returns the id of the monitor of a filter. A filter by id may refer to a deleted monitor. */
  private async monitorNamed(teamId: TeamId, address: string): Promise<string | null> {
    if (isUuid(address)) return address;
    return (await this.monitors.findOrNull(teamId, address))?.id ?? null;
  }
}

function eventOf(type: 'exclusion.created' | 'exclusion.deleted', exclusion: Exclusion): NewEvent {
  const { id, teamId, reason, monitorIds, tags, startsAt, endsAt } = exclusion;
  const data = { reason, monitorIds, tags, from: startsAt.toISOString(), to: endsAt.toISOString() };
  return { type, teamId, resource: { type: 'exclusion', id, name: reason }, data };
}

/**
 * Like `monitorsVersion`, returns an SQL expression for a text that changes whenever a team creates or deletes an
 * exclusion. Counts suffice, because rows are never removed.
 */
export function exclusionsVersion(teamId: string): string {
  return `(SELECT concat(count(*), ',', count(x.deleted_at)) FROM exclusions x WHERE x.team_id = ${teamId})`;
}
