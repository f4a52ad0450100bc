import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { SecretBox } from '../../../database/secret-box.js';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { authorOf, type TeamId } from '../../../http/auth/principal.js';
import { validateBody } from '../../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../../http/idempotency/keep-answer.js';
import { KeysetLists, newestFirst } from '../../../http/lists/keyset-lists.js';
import { Page, type PageQueryDto } from '../../../http/lists/page.js';
import { notFound } from '../../../http/problems/problem.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { type KeyWriter } from '../../api-keys/key-writer.types.js';
import { EventLog } from '../../events/event-log.service.js';
import { type NewEvent } from '../../events/new-event.types.js';
import { ScheduleSourceService } from '../../monitors/schedule/schedule-source.service.js';
import { TeamLimits } from '../../teams/team-limits.service.js';
import {
  CreatePingKeyDto,
  PING_KEY_READ_ONLY_FIELDS,
  type PingKeyDto,
  type PingKeyWithSecretDto,
} from './dto/ping-key.dto.js';
import { newPingKey, prefixOf } from './ping-key-secret.js';
import { PingKey } from './ping-key.entity.js';

const PURPOSE = 'ping-key';
const ORDER = newestFirst<PingKey>('k', 'created_at', (row) => row.createdAt);

/** What is needed to accept reports with a ping key. */
export type KnownPingKey = Pick<PingKey, 'id' | 'teamId' | 'name' | 'mac'>;

/** The ping keys of teams, which can be created and deleted but not changed. */
@Injectable()
export class PingKeysService {
  constructor(
    @InjectRepository(PingKey) private readonly keys: Repository<PingKey>,
    private readonly transactions: Transactions,
    private readonly apiKeys: ApiKeysService,
    private readonly limits: TeamLimits,
    private readonly lists: KeysetLists,
    private readonly box: SecretBox,
    private readonly events: EventLog,
    private readonly source: ScheduleSourceService,
  ) {}

  /** Creates a key. Only the return value contains the secret; `keep` stores none. @throws 401, 403, 422 */
  create(
    teamId: TeamId,
    author: KeyWriter,
    body: unknown,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<PingKeyWithSecretDto> {
    const { name } = validateBody(CreatePingKeyDto, body, { readOnly: PING_KEY_READ_ONLY_FIELDS });
    const secret = newPingKey();
    const mac = this.macOf(secret);
    return this.transactions.run(async (tx) => {
      const shownTo = await this.apiKeys.assertMayStillWrite(tx, teamId, author);
      const row: PingKey = {
        ...{ id: uuidv7(), teamId, name, mac, prefix: prefixOf(secret) },
        ...{ createdAt: new Date(), createdBy: authorOf(author), shownTo },
      };
      await this.limits.assertRoom(tx, teamId, 'MAX_PING_KEYS_PER_TEAM', PingKey, { teamId });
      await managerOf(tx).insert(PingKey, row);
      await this.events.record(tx, [eventOf('ping_key.created', row)]);
      const made = { ...toPingKeyDto(row), secret };
      await keep.in(tx, { ...made, secret: null });
      return made;
    });
  }

  /** Lists keys, newest first. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: PageQueryDto): Promise<Page<PingKeyDto>> {
    const { rows, nextCursor } = await this.lists.page(
      { teamId, list: 'ping-keys' },
      query,
      {},
      {
        read: (_, after, count) => {
          const found = this.keys.createQueryBuilder('k').where('k.team_id = :teamId', { teamId });
          return ORDER.apply(found, after, count).getMany();
        },
        keyOf: (row) => ORDER.keyOf(row),
      },
    );
    return new Page(rows.map(toPingKeyDto), nextCursor);
  }

  /** Returns a key, without its secret. @throws 404 */
  async get(teamId: TeamId, id: string): Promise<PingKeyDto> {
    return toPingKeyDto(await this.find(teamId, id));
  }

  /** Deletes a key, which is rejected from then on. @throws 404 */
  async remove(teamId: TeamId, id: string): Promise<void> {
    if (!isUuid(id)) throw notFound();
    const removed = await this.transactions.run((tx) => this.delete(tx, { teamId, id }));
    if (removed === 0) throw notFound();
  }

  /** Deletes the keys of a team that these authors (`authorOf`) created or were shown. Returns their number. */
  removeMadeBy(tx: Tx, teamId: TeamId, authors: readonly string[]): Promise<number> {
    return this.delete(tx, [
      { teamId, createdBy: In(authors) },
      { teamId, shownTo: In(authors) },
    ]);
  }

  /** Returns the keyed hash by which a key is found. */
  macOf(secret: string): Buffer {
    return this.box.hmac(PURPOSE, secret);
  }

  /** Returns all keys, or those with these keyed hashes. */
  known(macs?: readonly Buffer[]): Promise<KnownPingKey[]> {
    const select = { id: true, teamId: true, name: true, mac: true } as const;
    return this.keys.find({ select, where: macs ? { mac: In(macs) } : {} });
  }

  private async delete(tx: Tx, where: FindOptionsWhere<PingKey> | FindOptionsWhere<PingKey>[]): Promise<number> {
    const rows = await managerOf(tx).find(PingKey, { where, lock: { mode: 'pessimistic_write' } });
    if (rows.length === 0) return 0;
    await managerOf(tx).delete(PingKey, { id: In(rows.map(({ id }) => id)) });
    await this.events.record(
      tx,
      rows.map((row) => eventOf('ping_key.deleted', row)),
    );
    await this.source.announce(tx, { pingKeys: true });
    return rows.length;
  }

  private async find(teamId: TeamId, id: string): Promise<PingKey> {
    const row = isUuid(id) ? await this.keys.findOneBy({ teamId, id }) : null;
    if (!row) throw notFound();
    return row;
  }
}

function toPingKeyDto({ id, name, prefix, createdAt, createdBy }: PingKey): PingKeyDto {
  return { id, name, prefix, createdAt: createdAt.toISOString(), createdBy };
}

function eventOf(type: 'ping_key.created' | 'ping_key.deleted', { id, teamId, name, prefix }: PingKey): NewEvent {
  return { type, teamId, resource: { type: 'ping_key', id, name }, data: { prefix } };
}
