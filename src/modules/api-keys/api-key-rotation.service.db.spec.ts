import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type KeyStage, type MintedKey, openKeyStage } from '../../../test/support/key-stage.js';
import { SecretBox } from '../../database/secret-box.js';
import { ifMatchOf } from '../../http/items/if-match.decorator.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type ProblemException } from '../../http/problems/problem.js';
import { ApiKeyRotationService } from './api-key-rotation.service.js';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysService } from './api-keys.service.js';
import { type ApiKeyWithSecretDto } from './dto/api-key.dto.js';
import { type Caller } from './key-writer.types.js';
import { LastUsesService } from './last-uses.service.js';

const MISSING = '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55';
const HOUR_S = 3_600;
const HOUR_MS = HOUR_S * 1_000;
/** The time of the tests, in milliseconds. */
const T = Date.now();

let stage: KeyStage;
let keys: ApiKeysService;
let rotations: ApiKeyRotationService;
let verifier: ApiKeyVerifierService;
let teamId: TeamId;
let admin: MintedKey;

beforeAll(async () => {
  stage = await openKeyStage();
  keys = stage.context.get(ApiKeysService);
  rotations = stage.context.get(ApiKeyRotationService);
  verifier = stage.context.get(ApiKeyVerifierService);
});
afterAll(() => stage.close());
beforeEach(async () => {
  teamId = await stage.newTeam();
  admin = await stage.mint(teamId, ['admin']);
});

const at = (ms: number) => new Date(T + ms);
const iso = (ms: number) => at(ms).toISOString();
const problem = (code: string) => expect.objectContaining({ code });
const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? 'done' : (result.reason as ProblemException).code;
const works = async (secret: string, atMs = 0) => (await verifier.verify(secret, T + atMs)) !== null;
const prefixOf = (secret: string) => secret.slice(0, 11);

type Rotated = ApiKeyWithSecretDto & { secret: string };

async function rotate(by: Caller, id: string, body?: unknown, atMs = 0): Promise<Rotated> {
  return (await rotations.rotate(by.teamId, by, id, body, { now: T + atMs })) as Rotated;
}

/** Rotates a key with one of its own secrets. */
function rotateSelf(key: MintedKey, secret: string, overlapSeconds: number, atMs = 0): Promise<Rotated> {
  return rotate({ ...key, prefix: prefixOf(secret) }, key.keyId, { overlapSeconds }, atMs);
}

describe('rotate', () => {
  it.each([undefined, {}, { overlapSeconds: 0 }, { overlapSeconds: null }])(
    'with %j gives the same key a new secret and refuses the old one immediately',
    async (body) => {
      const { keyId, secret: old } = await stage.mint(teamId, ['read'], at(HOUR_MS));
      expect(await works(old)).toBe(true);
      const before = await keys.get(teamId, keyId);
      const { secret, ...shown } = await rotate(admin, keyId, body);
      expect(secret).toMatch(/^dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}$/);
      expect(shown).toEqual({ ...before, prefix: prefixOf(secret), revision: 2 });
      expect(await keys.get(teamId, keyId)).toEqual(shown);
      expect([await works(old), await works(secret)]).toEqual([false, true]);
    },
  );

  it('with an overlap accepts both secrets, and refuses the old one exactly at previousExpiresAt', async () => {
    const key = await stage.mint(teamId, ['write']);
    const { secret, ...shown } = await rotate(admin, key.keyId, { overlapSeconds: HOUR_S });
    expect(shown).toMatchObject({ previousPrefix: key.prefix, previousExpiresAt: iso(HOUR_MS) });
    const principal = { keyId: key.keyId, name: 'key', teamId, scopes: ['write'] };
    expect(await verifier.verify(key.secret, T)).toEqual({ ...principal, prefix: key.prefix });
    expect(await verifier.verify(secret, T)).toEqual({ ...principal, prefix: shown.prefix });
    expect(await works(key.secret, HOUR_MS - 1)).toBe(true);
    expect(await works(key.secret, HOUR_MS)).toBe(false);
    expect(await works(secret, HOUR_MS)).toBe(true);
  });

  it('no longer shows the previous secret once its overlap is over', async () => {
    const key = await stage.mint(teamId, ['read']);
    await rotate(admin, key.keyId, { overlapSeconds: HOUR_S }, -2 * HOUR_MS);
    const none = { previousPrefix: null, previousExpiresAt: null };
    expect(await keys.get(teamId, key.keyId)).toMatchObject(none);
    const { data } = await keys.list(teamId, { limit: 50 });
    expect(data).toContainEqual(expect.objectContaining({ id: key.keyId, ...none }));
  });

  it('ends the overlap at the expiry of the key, even if that expiry is removed later', async () => {
    const key = await stage.mint(teamId, ['read'], at(HOUR_MS));
    const shown = await rotate(admin, key.keyId, { overlapSeconds: 604_800 });
    expect(shown.previousExpiresAt).toBe(iso(HOUR_MS));
    await keys.update(teamId, admin, key.keyId, { expiresAt: null });
    expect(await works(key.secret, HOUR_MS - 1)).toBe(true);
    expect(await works(key.secret, HOUR_MS)).toBe(false);
  });

  it('retains one old secret: during an overlap, it refuses the older one immediately', async () => {
    const key = await stage.mint(teamId, ['write']);
    const second = await rotateSelf(key, key.secret, HOUR_S);
    const third = await rotateSelf(key, second.secret, 60);
    expect(third).toMatchObject({ previousPrefix: second.prefix, previousExpiresAt: iso(60_000) });
    expect(await Promise.all([key, second, third].map(({ secret }) => works(secret)))).toEqual([false, true, true]);
    const fourth = await rotateSelf(key, third.secret, 0);
    const all = [key, second, third, fourth].map(({ secret }) => works(secret));
    expect(await Promise.all(all)).toEqual([false, false, false, true]);
  });

  it('can be repeated with the old secret if the response was lost, and refuses the lost secret', async () => {
    const key = await stage.mint(teamId, ['write']);
    const lost = [await rotateSelf(key, key.secret, HOUR_S), await rotateSelf(key, key.secret, HOUR_S, 1_000)];
    const last = await rotateSelf(key, key.secret, 2 * HOUR_S, 2_000);
    // Clients with the old secret were promised this end, and it is never extended.
    expect(last).toMatchObject({ previousPrefix: key.prefix, previousExpiresAt: iso(HOUR_MS), revision: 4 });
    const secrets = [...lost, key, last].map(({ secret }) => secret);
    expect(await Promise.all(secrets.map((secret) => works(secret)))).toEqual([false, false, true, true]);
    expect([await works(key.secret, HOUR_MS - 1), await works(key.secret, HOUR_MS)]).toEqual([true, false]);
  });

  it('does not accept the old secret after its overlap, or after another rotation', async () => {
    const key = await stage.mint(teamId, ['write']);
    const { secret } = await rotateSelf(key, key.secret, HOUR_S);
    await expect(rotateSelf(key, key.secret, 0, HOUR_MS)).rejects.toEqual(problem('invalid_token'));
    await rotateSelf(key, secret, 0, HOUR_MS - 1);
    await expect(rotateSelf(key, key.secret, 0, HOUR_MS - 1)).rejects.toEqual(problem('invalid_token'));
  });

  it('lets a replaced secret write nothing, although another process may accept it for a second', async () => {
    const old = await stage.mint(teamId, ['admin']);
    await rotate(admin, old.keyId);
    const before = await stage.rows();
    for (const attempt of [
      rotate(old, old.keyId, { overlapSeconds: HOUR_S }),
      keys.create(teamId, old, { name: 'x', scopes: ['read'] }),
      keys.update(teamId, old, old.keyId, { name: 'x' }),
    ]) {
      await expect(attempt).rejects.toEqual(problem('invalid_token'));
    }
    expect(await stage.rows()).toEqual(before);
  });

  it('succeeds once when requested concurrently without an overlap, and leaves one secret', async () => {
    const key = await stage.mint(teamId, ['write']);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => rotateSelf(key, key.secret, 0)));
    expect(results.map(codeOf).sort()).toEqual(['done', ...Array.from({ length: 5 }, () => 'invalid_token')]);
    const done = results.find((result) => result.status === 'fulfilled')!;
    expect([await works(key.secret), await works(done.value.secret)]).toEqual([false, true]);
  });

  it('leaves two secrets when requested concurrently with an overlap: the last one and the old one', async () => {
    const key = await stage.mint(teamId, ['write']);
    const made = await Promise.all(Array.from({ length: 6 }, () => rotateSelf(key, key.secret, HOUR_S)));
    const last = made.find(({ revision }) => revision === 7);
    const working = [];
    for (const { secret } of [key, ...made]) if (await works(secret)) working.push(secret);
    expect(working).toEqual([key.secret, last?.secret]);
  });

  it('makes another process refuse the old secret within 1 s', async () => {
    const key = await stage.mint(teamId, ['read']);
    const [box, uses] = [stage.context.get(SecretBox), stage.context.get(LastUsesService)];
    const elsewhere = new ApiKeyVerifierService(stage.source.getRepository(ApiKey), box, uses);
    expect(await elsewhere.verify(key.secret, T)).not.toBeNull();
    const { secret } = await rotate(admin, key.keyId);
    expect(await elsewhere.verify(secret, T)).not.toBeNull();
    expect(await elsewhere.verify(key.secret, T + 999)).not.toBeNull();
    expect(await elsewhere.verify(key.secret, T + 1_000)).toBeNull();
  });

  it('does not count as revoking: the last admin key of a team can be rotated', async () => {
    const { secret } = await rotate(admin, admin.keyId);
    expect([await works(admin.secret), await works(secret)]).toEqual([false, true]);
  });
});

describe('rotate refuses, and changes nothing', () => {
  it.each<[string, () => Promise<string> | string, string]>([
    ['an unknown key', () => MISSING, 'not_found'],
    ['a value that is not an id', () => 'self', 'not_found'],
    ["another team's key", async () => (await stage.mint(await stage.newTeam(), ['read'])).keyId, 'not_found'],
    [
      'a revoked key',
      async () => {
        const { keyId } = await stage.mint(teamId, ['read']);
        await keys.revoke(teamId, keyId);
        return keyId;
      },
      'not_found',
    ],
    ['an expired key', async () => (await stage.mint(teamId, ['read'], at(-1))).keyId, 'key_expired'],
    ['a key exactly at its expiry', async () => (await stage.mint(teamId, ['read'], at(0))).keyId, 'key_expired'],
  ])('%s', async (_, id, code) => {
    const target = await id();
    const before = await stage.rows();
    await expect(rotate(admin, target)).rejects.toEqual(problem(code));
    expect(await stage.rows()).toEqual(before);
  });

  it.each<[string, number | null, number | null]>([
    ['never expires', HOUR_MS, null],
    ['expires later than the caller', HOUR_MS, 2 * HOUR_MS],
  ])('a key that %s, for a caller that expires', async (_, ownMs, targetMs) => {
    const caller = await stage.mint(teamId, ['admin'], at(ownMs!));
    const { keyId } = await stage.mint(teamId, ['read'], targetMs === null ? null : at(targetMs));
    const before = await stage.rows();
    await expect(rotate(caller, keyId)).rejects.toMatchObject({
      code: 'forbidden',
      errors: [{ pointer: '/expiresAt', code: 'exceeds_own' }],
    });
    expect(await stage.rows()).toEqual(before);
  });

  it('a key with more scopes than the caller', async () => {
    const caller = await stage.mint(teamId, ['write']);
    await expect(rotate(caller, admin.keyId)).rejects.toMatchObject({
      code: 'forbidden',
      errors: [{ pointer: '/scopes', code: 'exceeds_own' }],
    });
    expect(await works(admin.secret)).toBe(true);
  });

  it.each<[unknown, string, string]>([
    [{ overlapSeconds: -1 }, '/overlapSeconds', 'out_of_range'],
    [{ overlapSeconds: 604_801 }, '/overlapSeconds', 'out_of_range'],
    [{ overlapSeconds: 1.5 }, '/overlapSeconds', 'invalid_type'],
    [{ overlapSeconds: '60' }, '/overlapSeconds', 'invalid_type'],
    [{ overlapSeconds: Infinity }, '/overlapSeconds', 'out_of_range'],
    [{ secret: 'dw_x' }, '/secret', 'unknown_field'],
    [{ expiresAt: null }, '/expiresAt', 'unknown_field'],
    [[], '', 'invalid_type'],
    [null, '', 'invalid_type'],
  ])('the body %j', async (body, pointer, code) => {
    const { keyId } = await stage.mint(teamId, ['read']);
    const before = await stage.rows();
    const result = rotate(admin, keyId, body);
    await expect(result).rejects.toMatchObject({ code: 'validation_failed' });
    const errors = await result.catch((error: ProblemException) => error.errors);
    expect(errors).toContainEqual(expect.objectContaining({ pointer, code }));
    expect(await stage.rows()).toEqual(before);
  });

  it('a key at another revision with 412, before validating the body', async () => {
    const { keyId } = await stage.mint(teamId, ['read']);
    const given = (tag: string, body: unknown) =>
      rotations.rotate(teamId, admin, keyId, body, { ifMatch: ifMatchOf({ 'if-match': tag }), now: T });
    await expect(given('"1.0"', {})).resolves.toMatchObject({ revision: 2 });
    await expect(given('"1.0"', { overlapSeconds: -1 })).rejects.toEqual(problem('precondition_failed'));
    await expect(given('"2.0"', { overlapSeconds: -1 })).rejects.toEqual(problem('validation_failed'));
  });
});

describe('lastUsedAt', () => {
  it('belongs to the key, whichever of its secrets was used', async () => {
    const key = await stage.mint(teamId, ['read']);
    const { secret } = await rotate(admin, key.keyId, { overlapSeconds: HOUR_S });
    const lastUsedAt = async () => (await keys.get(teamId, key.keyId)).lastUsedAt;
    for (const [one, ms] of [
      [key.secret, 10],
      [secret, 20],
      [key.secret, 30],
    ] as const) {
      await verifier.verify(one, T + ms);
      await stage.context.get(LastUsesService).flush();
      expect(await lastUsedAt()).toBe(iso(ms));
    }
    await verifier.verify(key.secret, T + HOUR_MS);
    await stage.context.get(LastUsesService).flush();
    expect(await lastUsedAt()).toBe(iso(30));
  });
});
