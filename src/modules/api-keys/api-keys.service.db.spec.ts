import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type KeyStage, type MintedKey, openKeyStage } from '../../../test/support/key-stage.js';
import { Transactions } from '../../database/tx.js';
import { HOUR_MS } from '../../domain/durations.js';
import { UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { type Scope, type TeamId } from '../../http/auth/principal.js';
import { type ProblemException } from '../../http/problems/problem.js';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';
import { ApiKeysService } from './api-keys.service.js';

const MISSING = '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55';

let stage: KeyStage;
let keys: ApiKeysService;
let verifier: ApiKeyVerifierService;
let teamId: TeamId;
/** The caller: an admin key without an expiry. */
let admin: MintedKey;

beforeAll(async () => {
  stage = await openKeyStage();
  keys = stage.context.get(ApiKeysService);
  verifier = stage.context.get(ApiKeyVerifierService);
});

afterAll(() => stage.close());

beforeEach(async () => {
  teamId = await newTeam();
  admin = await mint(teamId, ['admin']);
});

const newTeam: KeyStage['newTeam'] = () => stage.newTeam();
const mint: KeyStage['mint'] = (...args) => stage.mint(...args);
const rows: KeyStage['rows'] = () => stage.rows();
const later = (ms: number) => new Date(Date.now() + ms);
const problem = (code: string) => expect.objectContaining({ code });
const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? 'done' : (result.reason as ProblemException).code;

describe('assertMayStillWrite', () => {
  it.each<[string, (caller: MintedKey) => Promise<unknown>, string]>([
    ['was revoked', ({ keyId }) => keys.revoke(teamId, keyId), 'invalid_token'],
    ['may only read', ({ keyId }) => keys.update(teamId, admin, keyId, { scopes: ['read'] }), 'forbidden'],
  ])('refuses a key that %s after it was verified', async (_, change, code) => {
    const caller = await mint(teamId, ['write']);
    const ask = () => stage.context.get(Transactions).run((tx) => keys.assertMayStillWrite(tx, teamId, caller));
    await ask();
    await change(caller);
    await expect(ask()).rejects.toEqual(problem(code));
  });
});

describe('create', () => {
  it('returns the key with its secret, which is then accepted', async () => {
    const body = { name: 'CI', scopes: ['read'], expiresAt: '2099-01-01T00:00:00+01:00' };
    const { secret, ...key } = await keys.create(teamId, admin, body);
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      revision: 1,
      name: 'CI',
      prefix: secret?.slice(0, 11),
      scopes: ['read'],
      expiresAt: '2098-12-31T23:00:00.000Z',
      lastUsedAt: null,
      createdAt: expect.any(String),
      createdBy: `api-key:${admin.keyId}`,
      revokedAt: null,
      previousPrefix: null,
      previousExpiresAt: null,
    });
    expect(await keys.get(teamId, key.id)).toEqual(key);
    expect(await verifier.verify(secret!)).toEqual({
      keyId: key.id,
      name: key.name,
      teamId,
      scopes: ['read'],
      prefix: key.prefix,
    });
  });

  it.each<[string, Scope[], number | null, unknown, string]>([
    ['an expiring key create one that never expires', ['admin'], HOUR_MS, { scopes: ['read'] }, 'forbidden'],
    [
      'an expiring key create one that expires later',
      ['admin'],
      HOUR_MS,
      { scopes: ['read'], expiresAt: '2099-01-01T00:00:00Z' },
      'forbidden',
    ],
    ['a key create one with a scope that it lacks', ['write'], null, { scopes: ['admin'] }, 'forbidden'],
    [
      'an expired key create one',
      ['admin'],
      -1,
      { scopes: ['read'], expiresAt: '2099-01-01T00:00:00Z' },
      'invalid_token',
    ],
  ])('does not let %s', async (_, scopes, expiresInMs, body, code) => {
    const caller = await mint(teamId, scopes, expiresInMs === null ? null : later(expiresInMs));
    const before = await rows();
    await expect(keys.create(teamId, caller, { name: 'x', ...(body as object) })).rejects.toEqual(problem(code));
    expect(await rows()).toEqual(before);
  });

  it('lets an expiring key create one that expires with it', async () => {
    const caller = await mint(teamId, ['admin'], later(HOUR_MS));
    const { expiresAt } = await keys.get(teamId, caller.keyId);
    await expect(keys.create(teamId, caller, { name: 'x', scopes: ['admin'], expiresAt })).resolves.toMatchObject({
      expiresAt,
    });
  });

  it('refuses a calling key that was revoked after its verification, or belongs to another team', async () => {
    const caller = await mint(teamId, ['admin']);
    await keys.revoke(teamId, caller.keyId);
    const body = { name: 'x', scopes: ['read'] };
    await expect(keys.create(teamId, caller, body)).rejects.toEqual(problem('invalid_token'));
    await expect(keys.create(await newTeam(), admin, body)).rejects.toEqual(problem('invalid_token'));
  });

  it('either succeeds or leaves no key behind while the calling key is being revoked', async () => {
    for (let round = 0; round < 10; round++) {
      const caller = await mint(teamId, ['admin']);
      const name = `by ${caller.keyId}`;
      const [revoked, created] = await Promise.allSettled([
        keys.revoke(teamId, caller.keyId),
        keys.create(teamId, caller, { name, scopes: ['admin'] }),
      ]);
      expect(codeOf(revoked)).toBe('done');
      expect(['done', 'invalid_token']).toContain(codeOf(created));
      const made = (await rows()).filter((key) => key.name === name);
      expect(made).toHaveLength(codeOf(created) === 'done' ? 1 : 0);
    }
  });
});

describe('list', () => {
  it('pages through all keys, newest first, while keys are added', async () => {
    const made: string[] = [admin.keyId];
    for (let n = 0; n < 6; n++) made.push((await mint(teamId, ['read'])).keyId);
    await mint(await newTeam(), ['admin']);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await keys.list(teamId, { limit: 3, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      await mint(teamId, ['read']);
    } while (cursor !== undefined);
    expect(seen).toEqual(made.toReversed());
  });

  it('pages through keys created in the same millisecond without gaps or repeats', async () => {
    for (let n = 0; n < 5; n++) await mint(teamId, ['read']);
    await stage.source.query('UPDATE api_keys SET created_at = $2 WHERE team_id = $1', [teamId, new Date()]);
    const first = await keys.list(teamId, { limit: 3 });
    const second = await keys.list(teamId, { limit: 3, cursor: first.nextCursor! });
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(6);
    expect(second.nextCursor).toBeNull();
  });

  it('lists revoked keys separately, and binds a cursor to its filter and its team', async () => {
    const revoked = [await mint(teamId, ['read']), await mint(teamId, ['read'])];
    for (const { keyId } of revoked) await keys.revoke(teamId, keyId);
    expect((await keys.list(teamId, { limit: 50 })).data.map(({ id }) => id)).toEqual([admin.keyId]);
    const page = await keys.list(teamId, { limit: 1, revoked: true });
    expect(page.data).toEqual([expect.objectContaining({ id: revoked[1]?.keyId, revokedAt: expect.any(String) })]);
    const cursor = page.nextCursor!;
    for (const again of [{ cursor }, { cursor, revoked: true }]) {
      expect((await keys.list(teamId, { limit: 5, ...again })).data.map(({ id }) => id)).toEqual([revoked[0]?.keyId]);
    }
    await expect(keys.list(teamId, { limit: 5, cursor, revoked: false })).rejects.toEqual(problem('invalid_cursor'));
    await expect(keys.list(await newTeam(), { limit: 5, cursor })).rejects.toEqual(problem('invalid_cursor'));
  });
});

describe('a key that cannot be found', () => {
  it.each([MISSING, 'self', 'undefined', 'null', ':id', '1', '', `${MISSING}0`])('answers 404 for %j', async (id) => {
    await expect(keys.get(teamId, id)).rejects.toEqual(problem('not_found'));
    await expect(keys.update(teamId, admin, id, { name: 7 })).rejects.toEqual(problem('not_found'));
    await expect(keys.revoke(teamId, id)).rejects.toEqual(problem('not_found'));
  });

  it("answers 404 if it is another team's, and does not change", async () => {
    const { keyId } = await mint(await newTeam(), ['read']);
    const before = await rows();
    await expect(keys.get(teamId, keyId)).rejects.toEqual(problem('not_found'));
    await expect(keys.update(teamId, admin, keyId, { name: 'x' })).rejects.toEqual(problem('not_found'));
    await expect(keys.revoke(teamId, keyId)).rejects.toEqual(problem('not_found'));
    expect(await rows()).toEqual(before);
  });

  it('can still be read if it is revoked, but not written', async () => {
    const { keyId } = await mint(teamId, ['read']);
    await keys.revoke(teamId, keyId);
    expect(await keys.get(teamId, keyId)).toMatchObject({ revokedAt: expect.any(String) });
    await expect(keys.revoke(teamId, keyId)).rejects.toEqual(problem('not_found'));
    await expect(keys.update(teamId, admin, keyId, { name: 'x' })).rejects.toEqual(problem('not_found'));
  });
});

describe('update', () => {
  it.each([
    [{ name: 'new' }, { name: 'new' }],
    [{ scopes: ['read', 'admin'] }, { scopes: ['read', 'admin'] }],
    [{ expiresAt: '2099-01-01T00:00:00.000Z' }, { expiresAt: '2099-01-01T00:00:00.000Z' }],
    [{ expiresAt: null }, { expiresAt: null }],
  ])('merges %j', async (patch, changes) => {
    const { keyId } = await mint(teamId, ['write'], later(HOUR_MS));
    const before = await keys.get(teamId, keyId);
    expect(await keys.update(teamId, admin, keyId, patch)).toEqual({ ...before, ...changes, revision: 2 });
    expect(await keys.get(teamId, keyId)).toEqual({ ...before, ...changes, revision: 2 });
  });

  it.each<[unknown, string]>([
    [{ name: null }, 'validation_failed'],
    [{ scopes: null }, 'validation_failed'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'validation_failed'],
    [{ revokedAt: null }, 'validation_failed'],
    [{ role: null }, 'validation_failed'],
    [{ secret: 'x' }, 'validation_failed'],
    [{ teamId: MISSING }, 'validation_failed'],
    [[], 'validation_failed'],
    [null, 'validation_failed'],
  ])('refuses %j', async (patch, code) => {
    const { keyId } = await mint(teamId, ['write']);
    const before = await rows();
    await expect(keys.update(teamId, admin, keyId, patch)).rejects.toEqual(problem(code));
    expect(await rows()).toEqual(before);
  });

  it.each<[string, number | null, unknown]>([
    ['remove the expiry of another key', HOUR_MS, { expiresAt: null }],
    ['extend another key beyond its own expiry', HOUR_MS, { expiresAt: '2099-01-01T00:00:00Z' }],
    ['change a key that outlasts it', null, { name: 'x' }],
    ['shorten a key that outlasts it', null, { expiresAt: '2026-12-31T00:00:00Z' }],
  ])('does not let an expiring key %s', async (_, targetMs, patch) => {
    const caller = await mint(teamId, ['admin'], later(2 * HOUR_MS));
    const { keyId } = await mint(teamId, ['read'], targetMs === null ? null : later(targetMs));
    const before = await rows();
    const now = Math.min(Date.now(), Date.parse('2026-12-30T00:00:00Z'));
    await expect(keys.update(teamId, caller, keyId, patch, UNCONDITIONAL, now)).rejects.toEqual(problem('forbidden'));
    expect(await rows()).toEqual(before);
  });

  it('does not let the calling key extend itself', async () => {
    const caller = await mint(teamId, ['admin'], later(HOUR_MS));
    for (const expiresAt of [null, '2099-01-01T00:00:00Z']) {
      await expect(keys.update(teamId, caller, caller.keyId, { expiresAt })).rejects.toEqual(problem('forbidden'));
    }
  });

  it('renames an expired key without extending it, and reactivates it with a later expiry', async () => {
    const { keyId, secret } = await mint(teamId, ['read'], later(-HOUR_MS));
    await expect(keys.update(teamId, admin, keyId, { name: 'old' })).resolves.toMatchObject({ name: 'old' });
    expect(await verifier.verify(secret)).toBeNull();
    await keys.update(teamId, admin, keyId, { expiresAt: null });
    expect(await verifier.verify(secret)).not.toBeNull();
  });

  it('takes effect in this process immediately', async () => {
    const { keyId, secret } = await mint(teamId, ['write']);
    expect(await verifier.verify(secret)).toMatchObject({ scopes: ['write'] });
    await keys.update(teamId, admin, keyId, { scopes: ['read'] });
    expect(await verifier.verify(secret)).toMatchObject({ scopes: ['read'] });
  });

  it('loses none of several concurrent patches', async () => {
    const { keyId } = await mint(teamId, ['write']);
    await Promise.all([
      keys.update(teamId, admin, keyId, { name: 'new' }),
      keys.update(teamId, admin, keyId, { scopes: ['read'] }),
      keys.update(teamId, admin, keyId, { expiresAt: '2099-01-01T00:00:00.000Z' }),
    ]);
    expect(await keys.get(teamId, keyId)).toMatchObject({
      name: 'new',
      scopes: ['read'],
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    expect((await rows()).find(({ id }) => id === keyId)?.revision).toBe(4);
  });
});

describe('the expiry of an admin key', () => {
  const atHour = (hours: number) => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS);

  it.each<[string, string, () => Promise<unknown>]>([
    ['it is the only one', 'last_admin_key', () => Promise.resolve()],
    ['another one never expires', 'done', () => mint(teamId, ['admin'])],
    ['another one expires later', 'done', () => mint(teamId, ['admin'], atHour(3))],
    ['another one expires at the same time', 'last_admin_key', () => mint(teamId, ['admin'], atHour(2))],
    ['another one expires earlier', 'last_admin_key', () => mint(teamId, ['admin'], atHour(1))],
    ['only write keys never expire', 'last_admin_key', () => mint(teamId, ['write'])],
    ["only another team's never expires", 'last_admin_key', async () => mint(await newTeam(), ['admin'])],
    [
      'the other one is revoked',
      'last_admin_key',
      async () => keys.revoke(teamId, (await mint(teamId, ['admin'])).keyId),
    ],
  ])('when set while %s, gives %s', async (_, expected, others) => {
    await others();
    const patch = { expiresAt: atHour(2).toISOString() };
    const before = await rows();
    const [result] = await Promise.allSettled([keys.update(teamId, admin, admin.keyId, patch)]);
    expect(codeOf(result)).toBe(expected);
    if (expected !== 'done') expect(await rows()).toEqual(before);
  });

  it('cannot be brought forward on the key that lasts longest, whose other fields can change', async () => {
    const longest = await mint(teamId, ['admin'], atHour(2));
    await mint(teamId, ['admin'], atHour(1));
    await keys.revoke(teamId, admin.keyId);
    const change = (patch: object) => keys.update(teamId, longest, longest.keyId, patch);
    await expect(change({ expiresAt: atHour(1).toISOString() })).rejects.toEqual(problem('last_admin_key'));
    await expect(change({ name: 'renamed', expiresAt: atHour(2).toISOString() })).resolves.toMatchObject({
      name: 'renamed',
    });
  });

  it('can be set, changed and removed while another admin key never expires', async () => {
    const { keyId } = await mint(teamId, ['admin']);
    for (const expiresAt of [atHour(2).toISOString(), atHour(1).toISOString(), null]) {
      await expect(keys.update(teamId, admin, keyId, { expiresAt })).resolves.toMatchObject({ expiresAt });
    }
  });
});

describe('revoke', () => {
  it('makes this process refuse the key immediately', async () => {
    const { keyId, secret } = await mint(teamId, ['read']);
    expect(await verifier.verify(secret)).not.toBeNull();
    await keys.revoke(teamId, keyId);
    expect(await verifier.verify(secret)).toBeNull();
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['refuses the only admin key', () => Promise.resolve(), 'last_admin_key'],
    ['refuses the only admin key beside a write key', () => mint(teamId, ['write']), 'last_admin_key'],
    ['refuses the only admin key beside an expired one', () => mint(teamId, ['admin'], later(-1)), 'last_admin_key'],
    [
      "refuses the only admin key beside another team's",
      async () => mint(await newTeam(), ['admin']),
      'last_admin_key',
    ],
    [
      'refuses the only admin key beside a revoked one',
      async () => keys.revoke(teamId, (await mint(teamId, ['admin'])).keyId),
      'last_admin_key',
    ],
    ['accepts an admin key beside another one', () => mint(teamId, ['admin']), 'done'],
  ])('%s', async (_, others, expected) => {
    await others();
    const demote = () => keys.update(teamId, admin, admin.keyId, { scopes: ['write'] });
    if (expected !== 'done') expect(codeOf((await Promise.allSettled([demote()]))[0])).toBe(expected);
    expect(codeOf((await Promise.allSettled([keys.revoke(teamId, admin.keyId)]))[0])).toBe(expected);
  });

  it('accepts an expired admin key even if no other is left', async () => {
    const { keyId } = await mint(teamId, ['admin'], later(-1));
    await expect(keys.revoke(teamId, keyId)).resolves.toBeUndefined();
  });

  it('leaves one admin key, however many are revoked or demoted concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const team = await newTeam();
      const admins = await Promise.all(Array.from({ length: 4 }, () => mint(team, ['admin'])));
      const results = await Promise.allSettled(
        admins.map((key, n) =>
          n % 2 ? keys.revoke(team, key.keyId) : keys.update(team, key, key.keyId, { scopes: ['read'] }),
        ),
      );
      expect(results.map(codeOf).sort()).toEqual(['done', 'done', 'done', 'last_admin_key']);
    }
  });

  it('succeeds once when requested twice concurrently', async () => {
    const { keyId } = await mint(teamId, ['read']);
    const results = await Promise.allSettled([keys.revoke(teamId, keyId), keys.revoke(teamId, keyId)]);
    expect(results.map(codeOf).sort()).toEqual(['done', 'not_found']);
  });
});
