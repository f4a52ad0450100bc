import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { SecretBox } from '../../database/secret-box.js';
import { leavesAsIs } from '../../database/leaves-as-is.js';
import { afterCommit, managerOf, Transactions, type Tx } from '../../database/tx.js';
import { KeysetLists, newestFirst } from '../../http/lists/keyset-lists.js';
import { type KeepAnswer, KEEPS_NOTHING } from '../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { Page } from '../../http/lists/page.js';
import { authorOf, grants, type Person, type Scope, type TeamId } from '../../http/auth/principal.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { readObject } from '../../http/body/validation.js';
import { EventLog } from '../events/event-log.service.js';
import { MembersService } from '../teams/members.service.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { storedSecret } from './api-key-credential.js';
import { type ApiKeyDefinition, assertWithin, patched, readDefinition } from './api-key-definition.js';
import { changesOfKey, keyEvent } from './api-key-events.js';
import {
  assertAdminLeft,
  assertOwnKey,
  authorsBehind,
  callersGrant,
  revokeMadeBy,
  writableKey,
} from './api-key-rows.js';
import { NO_PREVIOUS } from './api-key-rotation.js';
import { newSecret } from './api-key-secret.js';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';
import { ApiKey } from './api-key.entity.js';
import { toApiKeyDto } from './api-key.mapper.js';
import { type ApiKeyDto, type ApiKeyWithSecretDto } from './dto/api-key.dto.js';
import { type ListApiKeysDto } from './dto/list-api-keys.dto.js';
import { type KeyWriter } from './key-writer.types.js';

/** `createdBy` of keys that no caller created: those of the first start and of commands. */
export const SYSTEM = 'system';

const ORDER = newestFirst<ApiKey>('k', 'created_at', (row) => row.createdAt);

/** The API keys of a team. Writes lock the team, because rules span all of its keys. Errors are thrown as problems. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly transactions: Transactions,
    private readonly teams: TeamsService,
    private readonly limits: TeamLimits,
    private readonly members: MembersService,
    private readonly box: SecretBox,
    private readonly lists: KeysetLists,
    private readonly verifier: ApiKeyVerifierService,
    private readonly events: EventLog,
  ) {}

  /** Creates a key. Throws 403 if it would exceed the caller's own scopes or expiry. `keep` stores no secret. */
  create(
    teamId: TeamId,
    caller: KeyWriter,
    body: unknown,
    keep: KeepAnswer = KEEPS_NOTHING,
    now = Date.now(),
  ): Promise<ApiKeyWithSecretDto> {
    const definition = readDefinition(body, now);
    return this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      const own = await callersGrant(tx, this.members, teamId, caller, now);
      assertWithin(own, definition);
      await this.limits.assertRoom(tx, teamId, 'MAX_API_KEYS_PER_TEAM', ApiKey, { teamId, revokedAt: IsNull() });
      const made = await this.mint(tx, teamId, definition, authorOf(caller), { shownTo: own.holder, now });
      await keep.in(tx, { ...made, secret: null });
      return made;
    });
  }

  /**
   * Creates a key in the caller's transaction, without checking permissions. Only the return value contains the secret.
   */
  async mint(
    tx: Tx,
    teamId: TeamId,
    definition: ApiKeyDefinition,
    createdBy: string,
    { shownTo = createdBy, now = Date.now() } = {},
  ) {
    const secret = newSecret();
    const key = managerOf(tx).create(ApiKey, {
      ...definition,
      id: uuidv7(),
      teamId,
      revision: 1,
      ...storedSecret(this.box, secret),
      shownTo,
      noticedExpiry: null,
      lastUsedAt: null,
      createdAt: new Date(now),
      createdBy,
      revokedAt: null,
      ...NO_PREVIOUS,
    });
    await managerOf(tx).insert(ApiKey, key);
    await this.events.record(tx, [keyEvent('api_key.created', key)], now);
    return { ...toApiKeyDto(key, now), secret };
  }

  /** Lists keys, newest first. */
  async list(teamId: TeamId, query: Pick<ListApiKeysDto, 'cursor' | 'limit' | 'revoked'>): Promise<Page<ApiKeyDto>> {
    const page = await this.lists.page(
      { teamId, list: 'api-keys' },
      query,
      { revoked: query.revoked },
      {
        read: ({ revoked }, after, count) => {
          const rows = this.keys.createQueryBuilder('k').where('k.team_id = :teamId', { teamId });
          rows.andWhere(`k.revoked_at IS ${revoked ? 'NOT NULL' : 'NULL'}`);
          return ORDER.apply(rows, after, count).getMany();
        },
        keyOf: (row) => ORDER.keyOf(row),
        defaults: { revoked: false },
      },
    );
    const now = Date.now();
    return new Page(
      page.rows.map((key) => toApiKeyDto(key, now)),
      page.nextCursor,
    );
  }

  /** Returns a key of the team, including a revoked one; throws 404 otherwise. */
  async get(teamId: TeamId, id: string): Promise<ApiKeyDto> {
    const key = isUuid(id) ? await this.keys.findOneBy({ teamId, id }) : null;
    if (!key) throw notFound();
    return toApiKeyDto(key, Date.now());
  }

  /**
   * Applies a merge patch. Throws 404 for a revoked key, 412 for another revision, 403 if the key exceeds the caller's
   * own scopes or expiry, before or after the change, or is not theirs to change, and 409 if the team would be left
   * without an admin key, now or when this one expires.
   */
  async update(
    teamId: TeamId,
    caller: KeyWriter,
    id: string,
    patch: unknown,
    ifMatch = UNCONDITIONAL,
    now = Date.now(),
  ): Promise<ApiKeyDto> {
    const key = await this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      const own = await callersGrant(tx, this.members, teamId, caller, now);
      const before = await writableKey(tx, teamId, id);
      assertOwnKey(caller, own, before);
      ifMatch.assert(before.revision);
      const definition = readDefinition(patched(before, readObject(patch)), now, before.expiresAt);
      assertWithin(own, before);
      assertWithin(own, definition);
      if (leavesAsIs(before, definition)) return before;
      const after: ApiKey = { ...before, ...definition, revision: before.revision + 1 };
      await assertAdminLeft(tx, before, after, now);
      await managerOf(tx).update(ApiKey, { teamId, id }, { ...definition, revision: after.revision });
      await this.events.record(tx, [keyEvent('api_key.updated', after, changesOfKey(before, after))], now);
      return after;
    });
    this.verifier.forgetAll();
    return toApiKeyDto(key, now);
  }

  /**
   * Revokes a key: this process refuses it immediately, and all others within 1 s. Throws 404 for a revoked key, 412
   * for another revision, 409 for the last admin key, and 403 if a person is given (`by`) who may not change the key.
   */
  async revoke(
    teamId: TeamId,
    id: string,
    { ifMatch = UNCONDITIONAL, by, now = Date.now() }: { ifMatch?: IfMatch; by?: Person; now?: number } = {},
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      const before = await writableKey(tx, teamId, id);
      if (by) assertOwnKey(by, await callersGrant(tx, this.members, teamId, by, now), before);
      ifMatch.assert(before.revision);
      const changes = { revokedAt: new Date(now), revision: before.revision + 1 };
      await assertAdminLeft(tx, before, { ...before, ...changes }, now);
      await managerOf(tx).update(ApiKey, { teamId, id }, changes);
      await this.events.record(tx, [keyEvent('api_key.revoked', before)], now);
    });
    this.verifier.forgetAll();
  }

  /**
   * Locks the team and asserts that the author may still write in it. Credentials of other kinds are created after this,
   * so that none are left behind by a key that was revoked, or a role that ended, since the request was admitted.
   * Returns who is shown them: see `CallersGrant.holder`.
   * @throws 401, 403
   */
  async assertMayStillWrite(tx: Tx, teamId: TeamId, author: KeyWriter, now = Date.now()): Promise<string> {
    await this.teams.lock(tx, teamId);
    const { scopes, holder } = await callersGrant(tx, this.members, teamId, author, now);
    if (grants(scopes, 'write')) return holder;
    throw new ProblemException(403, 'forbidden', 'The scopes of the API key have been reduced.');
  }

  /** Returns as whom a person can act in a team: see `authorsBehind`. */
  authorsBehind(tx: Tx, person: Pick<Person, 'teamId' | 'userId'>): Promise<string[]> {
    return authorsBehind(tx, person);
  }

  /**
   * Revokes keys when a person leaves a team or loses access in it: see `revokeMadeBy`. This process refuses them from
   * the commit on. Requires the team to be locked. Returns the number of revoked keys.
   */
  async revokeMadeBy(
    tx: Tx,
    teamId: TeamId,
    authors: readonly string[],
    kept: readonly Scope[],
    now = Date.now(),
  ): Promise<number> {
    const events = await revokeMadeBy(tx, teamId, authors, kept, now);
    afterCommit(tx, () => this.verifier.forgetAll());
    await this.events.record(tx, events, now);
    return events.filter(({ type }) => type === 'api_key.revoked').length;
  }
}
