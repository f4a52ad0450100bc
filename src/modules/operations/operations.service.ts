import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { SecretBox } from '../../database/secret-box.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { currentActor } from '../../http/auth/actor.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { KeysetLists, RowOrder } from '../../http/lists/keyset-lists.js';
import { Page } from '../../http/lists/page.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { TeamsService } from '../teams/teams.service.js';
import { type BulkAction } from './bulk-request.js';
import { type BulkTarget } from './bulk-selection.service.js';
import { type ListOperationResultsQuery, type OperationDto, type OperationResultDto } from './dto/operation.dto.js';
import {
  CLAIM,
  type ClaimedOperation,
  OperationClaimsService,
  type OperationParameters,
} from './operation-claims.service.js';
import { OperationItem } from './operation-item.entity.js';
import { type OperationRecord, toOperationDto, toResultDto } from './operation.mapper.js';

/** Of each team, so that one cannot fill the queue. */
const MAX_UNFINISHED = 10;
const RETRY_AFTER_SECONDS = '5';
/** Of an address without a monitor, which fails as soon as the operation is created. */
const { code, detail } = notFound();
const NOT_FOUND = JSON.stringify({ code, detail, errors: [] });

const ORDER = new RowOrder<OperationItem>([{ sql: 'i.place', cast: 'int', of: (row) => row.place }], 'ASC');

interface Filters {
  [name: string]: string | undefined;
  status?: string;
}

/** An operation to create. */
export interface NewOperation {
  teamId: TeamId;
  author: string;
  action: BulkAction;
  targets: readonly BulkTarget[];
  /** Whether this process claims it at once. */
  claim: boolean;
}

/** Owns the operations of teams. */
@Injectable()
export class OperationsService {
  constructor(
    @InjectRepository(OperationItem) private readonly items: Repository<OperationItem>,
    private readonly transactions: Transactions,
    private readonly teams: TeamsService,
    private readonly claims: OperationClaimsService,
    private readonly box: SecretBox,
    private readonly lists: KeysetLists,
  ) {}

  /** Stores an operation with its items. @throws 429 if the team has too many unfinished ones */
  async create({ teamId, author, action, targets, claim }: NewOperation, keep: KeepAnswer): Promise<ClaimedOperation> {
    const id = uuidv7();
    const actor = currentActor();
    const parameters: OperationParameters = { ...action, actor };
    await this.transactions.run(async (tx) => {
      const manager = managerOf(tx);
      await this.assertRoom(tx, teamId);
      await manager.query(
        `INSERT INTO operations (id, team_id, action, parameters, created_by, started_at, claimed_by, claimed_until)
         VALUES ($1, $2, $3, $4, $5, CASE WHEN $7 THEN now() END,
           CASE WHEN $7 THEN $6::uuid END, CASE WHEN $7 THEN now() + ${CLAIM} END)`,
        [id, teamId, action.kind, this.box.seal(JSON.stringify(parameters)), author, this.claims.holder, claim],
      );
      await manager.query(
        `INSERT INTO operation_items (operation_id, place, address, name, status, error)
         SELECT $1::uuid, place, address, name,
           CASE WHEN name IS NULL THEN 'failed' END, CASE WHEN name IS NULL THEN $4::jsonb END
         FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS t (address, name, place)`,
        [id, targets.map(({ address }) => address), targets.map(({ name }) => name), NOT_FOUND],
      );
      await keep.promiseIn(tx, toOperationDto((await this.read(teamId, id, tx))!));
    });
    return { id, teamId, action, actor };
  }

  /** Returns an operation. @throws 404 */
  async get(teamId: TeamId, id: string): Promise<OperationDto> {
    const found = await this.find(teamId, id);
    if (!found) throw notFound();
    return found;
  }

  /** Returns an operation; null if the team has none with this id. */
  async find(teamId: TeamId, id: string): Promise<OperationDto | null> {
    const row = isUuid(id) ? await this.read(teamId, id) : null;
    return row && toOperationDto(row);
  }

  /** Lists the results of an operation by ascending monitor id. @throws 404, 400 `invalid_cursor` */
  async results(teamId: TeamId, id: string, query: ListOperationResultsQuery): Promise<Page<OperationResultDto>> {
    const { id: operationId } = await this.get(teamId, id);
    const given: Filters = { status: query.status };
    const page = await this.lists.page({ teamId, list: `operations/${operationId}` }, query, given, {
      read: (filters, after, count) => {
        const rows = this.items.createQueryBuilder('i').where('i.operation_id = :operationId', { operationId });
        if (filters.status !== undefined) rows.andWhere('i.status = :status', { status: filters.status });
        return ORDER.apply(rows, after, count).getMany();
      },
      keyOf: (row) => ORDER.keyOf(row),
    });
    return new Page(page.rows.map(toResultDto), page.nextCursor);
  }

  /** Returns all results of a small operation. */
  async allResults({ id }: ClaimedOperation): Promise<OperationResultDto[]> {
    return (await this.items.find({ where: { operationId: id }, order: { place: 'ASC' } })).map(toResultDto);
  }

  private async read(teamId: TeamId, id: string, tx?: Tx): Promise<OperationRecord | null> {
    const [row]: OperationRecord[] = await (tx ? managerOf(tx) : this.items).query(
      `SELECT o.id, o.action, o.created_by, o.created_at, o.started_at, o.finished_at,
         i.total, i.done, i.unchanged, i.failed
       FROM operations o CROSS JOIN LATERAL (
         SELECT count(*)::int AS total, count(status)::int AS done,
           (count(*) FILTER (WHERE status = 'unchanged'))::int AS unchanged,
           (count(*) FILTER (WHERE status = 'failed'))::int AS failed
         FROM operation_items WHERE operation_id = o.id
       ) AS i WHERE o.team_id = $1 AND o.id = $2`,
      [teamId, id],
    );
    return row ?? null;
  }

  private async assertRoom(tx: Tx, teamId: TeamId): Promise<void> {
    // Concurrent creates wait here, and then count this operation, too.
    await this.teams.lock(tx, teamId);
    const [row]: { unfinished: number }[] = await managerOf(tx).query(
      'SELECT count(*)::int AS unfinished FROM operations WHERE team_id = $1 AND finished_at IS NULL',
      [teamId],
    );
    if (row!.unfinished < MAX_UNFINISHED) return;
    const text = `The team has ${MAX_UNFINISHED} unfinished operations. Try again when one has finished.`;
    throw new ProblemException(429, 'rate_limited', text, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
  }
}
