import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { queriesDuring } from '../../../test/support/query-log.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openKeyContext } from '../../commands/key-context.js';
import { readConfig } from '../../config/app-config.js';
import { SecretBox } from '../../database/secret-box.js';
import { Transactions } from '../../database/tx.js';
import { KeyVerifier, type TeamId } from '../../http/auth/principal.js';
import { TeamsService } from '../teams/teams.service.js';
import { hashSecret } from './api-key-credential.js';
import { newSecret, prefixOf } from './api-key-secret.js';
import { type ApiKeyVerifierService } from './api-key-verifier.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysService, SYSTEM } from './api-keys.service.js';
import { LastUsesService } from './last-uses.service.js';

const SECRET_KEY = 'k'.repeat(32);
const T = Date.now();

let database: TestDatabase;
let context: INestApplicationContext;
let source: DataSource;
let verifier: ApiKeyVerifierService;
let uses: LastUsesService;
let teamId: TeamId;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openKeyContext(readConfig({ DATABASE_URL: database.url, SECRET_KEY }));
  source = context.get(DataSource);
  verifier = context.get(KeyVerifier);
  uses = context.get(LastUsesService);
  teamId = await context.get(Transactions).run((tx) => teams().create(tx, 'Team'));
});

const teams = () => context.get(TeamsService);

afterAll(async () => {
  await context.close();
  await database.drop();
});

beforeEach(() => verifier.forgetAll());

async function mint(expiresAt: Date | null = null): Promise<{ id: string; secret: string }> {
  const keys = context.get(ApiKeysService);
  return context
    .get(Transactions)
    .run((tx) => keys.mint(tx, teamId, { name: 'k', scopes: ['write'], expiresAt }, SYSTEM));
}

/** Writes as another process would. */
const change = (id: string, changes: Partial<ApiKey>) => source.getRepository(ApiKey).update({ id }, changes);

describe('ApiKeyVerifierService', () => {
  it('identifies a key by its secret', async () => {
    const { id, secret } = await mint();
    expect(await verifier.verify(secret, T)).toEqual({
      keyId: id,
      name: 'k',
      teamId,
      scopes: ['write'],
      prefix: secret.slice(0, 11),
    });
  });

  it('stores no secret, neither in the database nor in memory', async () => {
    const { id, secret } = await mint();
    await verifier.verify(secret, T);
    const [row]: { text: string }[] = await source.query('SELECT k::text AS text FROM api_keys k WHERE id = $1', [id]);
    expect(row?.text).not.toContain(secret.slice(11, 54));
    const remembered = (verifier as unknown as { lookups: { entries: Map<string, unknown> } }).lookups.entries;
    expect([...remembered.keys()].join()).not.toContain(secret.slice(11, 54));
  });

  it('refuses an unknown secret, and one that shares only its prefix with a key', async () => {
    const { id } = await mint();
    const other = newSecret();
    expect(await verifier.verify(other, T)).toBeNull();
    await change(id, { prefix: prefixOf(other)! });
    verifier.forgetAll();
    expect(await verifier.verify(other, T)).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['a letter', 'x'],
    ['the start of a key', 'dw_'],
    ['10 kB', 'x'.repeat(10_000)],
    ['NUL', '\0'],
    ['Unicode', 'é'],
    ['a truncated key', newSecret().slice(0, -1)],
    ['a key with an extra character', `${newSecret()}0`],
    ['a bad checksum', newSecret().replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
  ])('refuses %s without a query', async (_, secret) => {
    const queries = await queriesDuring(source, async () => expect(await verifier.verify(secret, T)).toBeNull());
    expect(queries).toEqual([]);
  });

  it('makes one query per secret and second, and no write', async () => {
    const { secret } = await mint();
    for (const one of [secret, newSecret()]) {
      const queries = await queriesDuring(source, async () => {
        for (let ms = 0; ms < 1_000; ms += 50) await verifier.verify(one, T + ms);
      });
      expect(queries).toEqual([expect.stringMatching(/^SELECT /)]);
    }
  });

  it('throws if the query fails, and queries again the next time', async () => {
    const { secret } = await mint();
    await source.query('ALTER TABLE api_keys RENAME TO api_keys_away');
    try {
      await expect(verifier.verify(secret, T)).rejects.toThrow();
    } finally {
      await source.query('ALTER TABLE api_keys_away RENAME TO api_keys');
    }
    expect(await verifier.verify(secret, T)).not.toBeNull();
  });

  it('refuses a key exactly at expiry, cached or not', async () => {
    const { secret } = await mint(new Date(T + 500));
    expect(await verifier.verify(secret, T)).not.toBeNull();
    expect(await verifier.verify(secret, T + 499)).not.toBeNull();
    expect(await verifier.verify(secret, T + 500)).toBeNull();
    verifier.forgetAll();
    expect(await verifier.verify(secret, T + 500)).toBeNull();
    expect(await verifier.verify(secret, T + 499)).not.toBeNull();
  });

  it('refuses a key within a second after another process revoked it', async () => {
    const { id, secret } = await mint();
    expect(await verifier.verify(secret, T)).not.toBeNull();
    await change(id, { revokedAt: new Date(T) });
    expect(await verifier.verify(secret, T + 999)).not.toBeNull();
    expect(await verifier.verify(secret, T + 1_000)).toBeNull();
  });

  it('refuses it earlier for a caller that asks for less', async () => {
    const { id, secret } = await mint();
    expect(await verifier.verify(secret, T)).not.toBeNull();
    await change(id, { revokedAt: new Date(T) });
    expect(await verifier.verify(secret, T + 499, 500)).not.toBeNull();
    expect(await verifier.verify(secret, T + 500, 500)).toBeNull();
  });

  it('caches unknown secrets for a second, too', async () => {
    const { id } = await mint();
    const secret = newSecret();
    expect(await verifier.verify(secret, T)).toBeNull();
    const secretHash = hashSecret(new SecretBox(SECRET_KEY), secret);
    await change(id, { prefix: prefixOf(secret)!, secretHash });
    expect(await verifier.verify(secret, T + 999)).toBeNull();
    expect(await verifier.verify(secret, T + 1_000)).toMatchObject({ keyId: id });
  });

  it('accepts the previous secret until its overlap ends', async () => {
    const { id, secret: previous } = await mint();
    const secret = newSecret();
    const stored = await source.getRepository(ApiKey).findOneByOrFail({ id });
    await change(id, {
      prefix: prefixOf(secret)!,
      secretHash: hashSecret(new SecretBox(SECRET_KEY), secret),
      previousPrefix: stored.prefix,
      previousSecretHash: stored.secretHash,
      previousExpiresAt: new Date(T + 500),
    });
    expect(await verifier.verify(secret, T)).toMatchObject({ keyId: id });
    expect(await verifier.verify(previous, T + 499)).toMatchObject({ keyId: id });
    expect(await verifier.verify(previous, T + 500)).toBeNull();
    expect(await verifier.verify(secret, T + 500)).toMatchObject({ keyId: id });
  });

  it('shares one look-up among concurrent requests', async () => {
    const { secret } = await mint();
    const answers = await Promise.all(Array.from({ length: 200 }, () => verifier.verify(secret, T)));
    expect(answers.every((principal) => principal !== null)).toBe(true);
    expect((verifier as unknown as { lookups: { size: number } }).lookups.size).toBe(1);
  });
});

describe('LastUsesService', () => {
  const lastUsed = async (id: string) => (await source.getRepository(ApiKey).findOneByOrFail({ id })).lastUsedAt;

  it('writes the latest use when it flushes, and only that of accepted keys', async () => {
    const { id, secret } = await mint(new Date(T + 5_000));
    await verifier.verify(secret, T + 20);
    await verifier.verify(secret, T + 10);
    await verifier.verify(secret, T + 6_000);
    expect(await lastUsed(id)).toBeNull();
    await uses.flush();
    expect(await lastUsed(id)).toEqual(new Date(T + 20));
  });

  it('never moves a time backward', async () => {
    const { id } = await mint();
    await change(id, { lastUsedAt: new Date(T + 100) });
    uses.note(id, T);
    await uses.flush();
    expect(await lastUsed(id)).toEqual(new Date(T + 100));
  });

  it('retries what it could not write', async () => {
    const { id } = await mint();
    uses.note(id, T);
    await source.query('ALTER TABLE api_keys RENAME TO api_keys_away');
    try {
      await uses.flush();
    } finally {
      await source.query('ALTER TABLE api_keys_away RENAME TO api_keys');
    }
    expect(await lastUsed(id)).toBeNull();
    await uses.flush();
    expect(await lastUsed(id)).toEqual(new Date(T));
  });

  it('does not deadlock with the flushes of other processes', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await mint()).id));
    const others = Array.from({ length: 8 }, () => new LastUsesService(source));
    for (const [n, other] of others.entries()) {
      for (const id of n % 2 ? ids : ids.toReversed()) other.note(id, T + n);
    }
    await Promise.all(others.map((other) => other.flush()));
    expect(await Promise.all(ids.map(lastUsed))).toEqual(ids.map(() => new Date(T + 7)));
  });

  it('flushes when the application stops', async () => {
    const { id, secret } = await mint();
    const second = await openKeyContext(readConfig({ DATABASE_URL: database.url, SECRET_KEY }));
    await second.get(KeyVerifier).verify(secret);
    await second.close();
    expect(await lastUsed(id)).not.toBeNull();
  });
});
