import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { managerOf, Transactions } from '../../database/tx.js';
import { DAY_MS } from '../../domain/durations.js';
import { type SilenceFacts } from '../../domain/notification-plan/facts.js';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { type TeamId } from '../../http/auth/principal.js';
import { inspectBody, readObject } from '../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { KeysetLists, newestFirst } from '../../http/lists/keyset-lists.js';
import { Page } from '../../http/lists/page.js';
import { type FieldError, notFound, validationFailed } from '../../http/problems/problem.js';
import { EventLog } from '../events/event-log.service.js';
import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import {
  CreateSilenceDto,
  type ListSilencesDto,
  MAX_SILENCE_DAYS,
  SILENCE_READ_ONLY_FIELDS,
  type SilenceDto,
} from './dto/silence.dto.js';
import { shownMatch } from './notification-policy.mapper.js';
import { PolicyReferences } from './policy-references.service.js';
import { matchFaults, matchOf } from './policy-write.js';
import { Silence } from './silence.entity.js';

const ORDER = newestFirst<Silence>('s', 'created_at', (row) => row.createdAt);

/** Owns the silences of teams. One that has ended, by itself or early, stays stored, because it explains what was not sent. */
@Injectable()
export class SilencesService {
  constructor(
    @InjectRepository(Silence) private readonly silences: Repository<Silence>,
    private readonly references: PolicyReferences,
    private readonly transactions: Transactions,
    private readonly limits: TeamLimits,
    private readonly events: EventLog,
    private readonly lists: KeysetLists,
  ) {}

  /** Creates a silence, which begins at once. @throws 422 */
  async create(
    teamId: TeamId,
    author: string,
    body: unknown,
    keep: KeepAnswer = KEEPS_NOTHING,
    nowMs = Date.now(),
  ): Promise<SilenceDto> {
    const { endsAt, reason, ...accepted } = readSilence(body, nowMs);
    const match = await this.references.match(teamId, accepted.match);
    const existing = await this.references.existing(teamId, [match]);
    return this.transactions.run(async (tx) => {
      const createdAt = new Date(nowMs);
      const silence: Silence = { id: uuidv7(), teamId, match, reason, createdBy: author, createdAt, endsAt };
      const active = { teamId, endsAt: MoreThan(createdAt) };
      await this.limits.assertRoom(tx, teamId, 'MAX_SILENCES_PER_TEAM', Silence, active);
      await managerOf(tx).insert(Silence, silence);
      await this.events.record(tx, [silenceEvent('silence.created', silence)], nowMs);
      const answer = toSilenceDto(silence, existing);
      await keep.in(tx, answer);
      return answer;
    });
  }

  /** Lists the silences that have not ended, newest first. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: ListSilencesDto, nowMs = Date.now()): Promise<Page<SilenceDto>> {
    const from = { teamId, list: 'silences' };
    const page = await this.lists.page(
      from,
      query,
      {},
      {
        read: (_, after, count) => {
          const rows = this.silences.createQueryBuilder('s').where('s.team_id = :teamId', { teamId });
          rows.andWhere('s.ends_at > :now', { now: new Date(nowMs) });
          return ORDER.apply(rows, after, count).getMany();
        },
        keyOf: (row) => ORDER.keyOf(row),
      },
    );
    const matched = page.rows.map(({ match }) => match);
    const existing = await this.references.existing(teamId, matched);
    return new Page(
      page.rows.map((row) => toSilenceDto(row, existing)),
      page.nextCursor,
    );
  }

  /** Returns a silence. @throws 404, also if it has ended */
  async get(teamId: TeamId, id: string, nowMs = Date.now()): Promise<SilenceDto> {
    const active = { teamId, id, endsAt: MoreThan(new Date(nowMs)) };
    const row = isUuid(id) ? await this.silences.findOneBy(active) : null;
    if (!row) throw notFound();
    return toSilenceDto(row, await this.references.existing(teamId, [row.match]));
  }

  /** Ends a silence now. @throws 404, also if it has ended */
  async remove(teamId: TeamId, id: string, nowMs = Date.now()): Promise<void> {
    if (!isUuid(id)) throw notFound();
    const now = new Date(nowMs);
    await this.transactions.run(async (tx) => {
      const { affected } = await managerOf(tx).update(Silence, { teamId, id, endsAt: MoreThan(now) }, { endsAt: now });
      if (affected !== 1) throw notFound();
      const silence = await managerOf(tx).findOneByOrFail(Silence, { teamId, id });
      await this.events.record(tx, [silenceEvent('silence.deleted', silence)], nowMs);
    });
  }

  /** Returns the silences of the team that cover a moment, as plans need them. */
  async activeAt(teamId: TeamId, atMs: number): Promise<SilenceFacts[]> {
    const at = new Date(atMs);
    const rows = await this.silences.findBy({ teamId, createdAt: LessThanOrEqual(at), endsAt: MoreThan(at) });
    return rows.map(({ match, createdAt, endsAt }) => ({ match, from: createdAt.getTime(), to: endsAt.getTime() }));
  }
}

function silenceEvent(type: EventType, { id, teamId, reason, match, endsAt }: Silence): NewEvent {
  const data = { reason, match, until: endsAt.toISOString() };
  return { type, teamId, resource: { type: 'silence', id, name: reason }, data };
}

/** Validates a silence as sent by the caller, as of `nowMs`. @throws 422 with all errors at once */
function readSilence(body: unknown, nowMs: number): Pick<Silence, 'match' | 'reason' | 'endsAt'> {
  const rules = { readOnly: SILENCE_READ_ONLY_FIELDS };
  const { instance, errors } = inspectBody(CreateSilenceDto, readObject(body), rules);
  if (errors.length > 0) throw validationFailed(errors);
  const faults = [...matchFaults(instance.match), ...timeFaults(instance, nowMs)];
  if (faults.length > 0) throw validationFailed(faults);
  const { match, reason, until, durationSeconds } = instance;
  const endsAt = until == null ? new Date(nowMs + (durationSeconds ?? 0) * 1_000) : new Date(until);
  return { match: matchOf(match), reason, endsAt };
}

function timeFaults({ until, durationSeconds }: CreateSilenceDto, nowMs: number): FieldError[] {
  const fault = (code: FieldErrorCode, detail: string): FieldError[] => [{ pointer: '/until', code, detail }];
  if (until == null && durationSeconds == null) return fault('required', 'Set until or durationSeconds.');
  if (until == null) return [];
  if (durationSeconds != null) return fault('not_applicable', 'Set until or durationSeconds, not both.');
  const untilMs = Date.parse(until);
  if (untilMs > nowMs && untilMs <= nowMs + MAX_SILENCE_DAYS * DAY_MS) return [];
  return fault('out_of_range', `A silence must end in the future, at most ${MAX_SILENCE_DAYS} days from now.`);
}

function toSilenceDto(
  { id, match, endsAt, reason, createdBy, createdAt }: Silence,
  existing: ReadonlySet<string>,
): SilenceDto {
  return {
    id,
    match: shownMatch(match, existing),
    until: endsAt.toISOString(),
    reason,
    createdBy,
    createdAt: createdAt.toISOString(),
  };
}
