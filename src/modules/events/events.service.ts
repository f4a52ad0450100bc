import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type Scope, type TeamId } from '../../http/auth/principal.js';
import { KeysetLists, type OrderColumn, RowOrder } from '../../http/lists/keyset-lists.js';
import { Page } from '../../http/lists/page.js';
import { invalidQuery } from '../../http/body/validation.js';
import { notFound } from '../../http/problems/problem.js';
import { type EventDto } from './dto/event.dto.js';
import { type EventFiltersDto, type ListEventsDto } from './dto/list-events.dto.js';
import { ERA, type EventPosition, SETTLED } from './event-position.js';
import { visibleTo } from './event.types.js';
import { Event } from './event.entity.js';
import { toEventDto } from './event.mapper.js';

/** Who reads the log. */
export interface EventReader {
  teamId: TeamId;
  scopes: readonly Scope[];
}

interface Filters {
  [name: string]: string | string[] | undefined;
  type?: string[];
  resourceType?: string;
  resourceId?: string;
  actorId?: string;
  from?: string;
  to?: string;
  after?: string;
}

const COLUMNS: readonly OrderColumn<Event>[] = [
  { sql: 'e.era', cast: 'int', of: ({ era }) => era },
  { sql: 'e.transaction_id', cast: 'bigint', of: ({ transactionId }) => transactionId },
  { sql: 'e.sequence', cast: 'bigint', of: ({ sequence }) => sequence },
];
const NEWEST_FIRST = new RowOrder(COLUMNS, 'DESC');
const OLDEST_FIRST = new RowOrder(COLUMNS, 'ASC');

/** Reads the log of events of a team. `EventLog` writes it. */
@Injectable()
export class EventsService {
  constructor(
    @InjectRepository(Event) private readonly events: Repository<Event>,
    private readonly lists: KeysetLists,
  ) {}

  /**
   * Lists events, newest first, or with `after` those that follow an event, oldest first. @throws 400 `invalid_cursor`,
   * `invalid_query` for an event that does not exist
   */
  async list(reader: EventReader, query: ListEventsDto): Promise<Page<EventDto>> {
    const { type, resourceType, resourceId, actorId, from, to, after } = query;
    const given: Filters = { type, resourceType, resourceId, actorId, from, to, after };
    const { teamId } = reader;
    const page = await this.lists.page({ teamId, list: 'events' }, query, given, {
      read: async (filters, position, count) => {
        const rows = this.matching(reader, filters);
        if (filters.after === undefined) return NEWEST_FIRST.apply(rows, position, count).getMany();
        const start = position ?? keyOf(await this.position(reader, filters.after));
        return OLDEST_FIRST.apply(rows, start, count).getMany();
      },
      keyOf: (row) => NEWEST_FIRST.keyOf(row),
    });
    return new Page(page.rows.map(toEventDto), page.nextCursor);
  }

  /** @throws 404 */
  async get(reader: EventReader, id: string): Promise<EventDto> {
    const found = isUuid(id) ? await this.matching(reader, {}).andWhere('e.id = :id', { id }).getOne() : null;
    if (!found) throw notFound();
    return toEventDto(found);
  }

  /** Returns those of these events that the reader may see and that are still stored, by id. */
  async byId(reader: EventReader, ids: readonly string[]): Promise<Map<string, EventDto>> {
    if (ids.length === 0) return new Map();
    const found = await this.matching(reader, {}).andWhere('e.id = ANY(:ids::uuid[])', { ids }).getMany();
    return new Map(found.map((row) => [row.id, toEventDto(row)]));
  }

  /** Returns up to `count` events after a position, and up to another if there is one, oldest first. */
  async following(
    reader: EventReader,
    filters: EventFiltersDto,
    after: EventPosition,
    upTo: EventPosition | null,
    count: number,
  ): Promise<{ position: EventPosition; event: EventDto }[]> {
    const { type, resourceType, resourceId, actorId } = filters;
    const rows = this.matching(reader, { type, resourceType, resourceId, actorId });
    if (upTo) rows.andWhere(`(e.era, e.transaction_id, e.sequence) <= (${UP_TO})`, { ...upTo });
    const found = await OLDEST_FIRST.apply(rows, keyOf(after), count).getMany();
    return found.map((row) => ({ position: positionOf(row), event: toEventDto(row) }));
  }

  /** Returns the position of the event of the team that is `count` events after a position; null if there are fewer. */
  async ahead({ teamId }: EventReader, after: EventPosition, count: number): Promise<EventPosition | null> {
    const rows = this.events.createQueryBuilder('e').where('e.team_id = :teamId', { teamId }).andWhere(SETTLED);
    const found = await OLDEST_FIRST.apply(rows, keyOf(after), 1)
      .offset(count - 1)
      .getOne();
    return found && positionOf(found);
  }

  /** Returns the position of an event of the team. @throws 400 `invalid_query` */
  async position({ teamId }: EventReader, id: string, parameter = 'after'): Promise<EventPosition> {
    const found = isUuid(id) ? await this.events.findOneBy({ teamId, id }) : null;
    if (found) return positionOf(found);
    const detail = 'There is no such event. It may be older than the retention period and have been deleted.';
    throw invalidQuery([{ parameter, code: 'invalid_value', detail }]);
  }

  /** Returns the position after all events that are visible now. */
  async end(): Promise<EventPosition> {
    const [now]: { era: number; horizon: string }[] = await this.events.query(
      `SELECT ${ERA} AS era, (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text AS horizon`,
    );
    return { era: now!.era, transactionId: now!.horizon, sequence: LAST };
  }

  private matching({ teamId, scopes }: EventReader, filters: Filters): SelectQueryBuilder<Event> {
    const { type, resourceType, resourceId, actorId, from, to } = filters;
    const rows = this.events.createQueryBuilder('e').where('e.team_id = :teamId', { teamId }).andWhere(SETTLED);
    const visible = visibleTo(scopes);
    if (visible) rows.andWhere('e.resource_type = ANY(:visible::text[])', { visible });
    if (type) rows.andWhere('e.type LIKE ANY(:patterns::text[])', { patterns: type.map(patternOf) });
    if (resourceType !== undefined) rows.andWhere('e.resource_type = :resourceType', { resourceType });
    if (resourceId !== undefined) rows.andWhere('e.resource_id = :resourceId', { resourceId });
    if (actorId !== undefined) rows.andWhere('e.actor_id = :actorId', { actorId });
    if (from !== undefined) rows.andWhere('e.occurred_at >= :from', { from });
    if (to !== undefined) rows.andWhere('e.occurred_at < :to', { to });
    return rows;
  }
}

const UP_TO = ':era::int, :transactionId::bigint, :sequence::bigint';

/** The greatest sequence of PostgreSQL. */
const LAST = '9223372036854775807';

/** Returns the LIKE pattern of a type, or of the types that begin with what precedes a final `*`. */
function patternOf(type: string): string {
  const escaped = type.replace(/\*$/, '').replace(/[\\%_]/g, '\\$&');
  return type.endsWith('*') ? `${escaped}%` : escaped;
}

function positionOf({ era, transactionId, sequence }: Event): EventPosition {
  return { era, transactionId, sequence };
}

function keyOf({ era, transactionId, sequence }: EventPosition): (string | number)[] {
  return [era, transactionId, sequence];
}
