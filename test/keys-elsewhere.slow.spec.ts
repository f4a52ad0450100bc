import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type ApiKeyWithSecretDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { createTestDatabase, type TestDatabase } from './support/database.js';
import { eventually } from './support/eventually.js';
import { ServiceProcess } from './support/service.js';

const SELF = '/v1/api-keys/self';
/** Documented limit: a revoked key is rejected by every process within 1 s. */
const REFUSED_WITHIN_MS = 1_000;

let database: TestDatabase;
let dataDir: string;
let client: Client;
let first: ServiceProcess;
let second: ServiceProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-keys-'));
  client = new Client({ connectionString: database.url });
  await client.connect();
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(40), DATABASE_POOL: '4', LOG_LEVEL: 'debug' };
  first = await ServiceProcess.start(dataDir, settings);
  second = await ServiceProcess.start(dataDir, settings);
}, 60_000);

afterAll(async () => {
  await first?.end('SIGTERM');
  await second?.end('SIGTERM');
  await client?.end();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

type Key = ApiKeyWithSecretDto & { secret: string };

async function create(scopes = ['write']): Promise<Key> {
  return (await first.call<Key>('POST', '/v1/api-keys', { name: 'A key', scopes })).body;
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const statusAt = async (service: ServiceProcess, secret: string): Promise<number> =>
  (await service.call('GET', SELF, undefined, bearer(secret))).status;

/** Sends requests until the key is rejected, which must be the case a second after `since`. */
async function refusedInTime(service: ServiceProcess, secret: string, since: number): Promise<void> {
  for (let status = 200; status !== 401;) {
    const sentAt = Date.now();
    status = await statusAt(service, secret);
    if (sentAt - since >= REFUSED_WITHIN_MS) expect(status).toBe(401);
  }
}

describe('a key accepted by two processes', () => {
  it.each<[string, (key: Key) => Promise<{ status: number }>]>([
    ['revoked', ({ id }) => first.call('DELETE', `/v1/api-keys/${id}`)],
    ['rotated', ({ id }) => first.call('POST', `/v1/api-keys/${id}/rotate`)],
    ['rotated by itself', ({ secret }) => first.call('POST', `${SELF}/rotate`, {}, bearer(secret))],
    [
      'deleted with its team',
      async ({ id }) => {
        await client.query(`INSERT INTO teams (id, name) VALUES (gen_random_uuid(), 'Gone')`);
        await client.query(`UPDATE api_keys SET team_id = (SELECT id FROM teams WHERE name = 'Gone') WHERE id = $1`, [
          id,
        ]);
        await client.query(`DELETE FROM teams WHERE name = 'Gone'`);
        return { status: 204 };
      },
    ],
  ])('is rejected within 1 s by both after it was %s on one', async (_, end) => {
    const key = await create();
    expect([await statusAt(first, key.secret), await statusAt(second, key.secret)]).toEqual([200, 200]);
    expect((await end(key)).status).toBeLessThan(300);
    const since = Date.now();
    await Promise.all([refusedInTime(first, key.secret, since), refusedInTime(second, key.secret, since)]);
  });

  it('is rejected immediately by the process that revoked it', async () => {
    const { id, secret } = await create();
    expect(await statusAt(first, secret)).toBe(200);
    expect((await first.call('DELETE', `/v1/api-keys/${id}`)).status).toBe(204);
    expect(await statusAt(first, secret)).toBe(401);
  });

  it('cannot create or rotate a key while the other process still caches it', async () => {
    const key = await create(['admin']);
    expect(await statusAt(second, key.secret)).toBe(200);
    await first.call('POST', `/v1/api-keys/${key.id}/rotate`);
    const since = Date.now();
    for (const [path, body] of [
      ['/v1/api-keys', { name: 'Left behind', scopes: ['admin'] }],
      [`${SELF}/rotate`, { overlapSeconds: 600 }],
    ] as const) {
      expect((await second.call('POST', path, body, bearer(key.secret))).status).toBe(401);
    }
    await refusedInTime(second, key.secret, since);
  });
});

describe('a secret', () => {
  /** The random characters behind the public prefix. */
  const hidden = (secret: string): string => secret.slice(11, 54);
  let id: string;
  let secrets: string[];

  beforeAll(async () => {
    // With an Idempotency-Key, because the responses are then stored.
    const keptAs = (key: string) => ({ 'idempotency-key': key });
    const definition = { name: 'A key', scopes: ['write'] };
    const made = await first.call<Key>('POST', '/v1/api-keys', definition, keptAs('made'));
    const { secret } = made.body;
    id = made.body.id;
    const headers = { ...bearer(secret), ...keptAs('rotated') };
    const rotated = await second.call<Key>('POST', `${SELF}/rotate`, { overlapSeconds: 600 }, headers);
    secrets = [secret, rotated.body.secret];
    for (const one of secrets) expect(hidden(one)).toMatch(/^[0-9A-Za-z]{43}$/);
  });

  it('does not appear in later responses, the OpenAPI document, the docs or the metrics', async () => {
    const [secret] = secrets;
    const paths = [
      SELF,
      '/v1/monitors',
      '/v1/api-keys',
      '/v1/api-keys?revoked=true',
      '/docs',
      '/docs/openapi.json',
      '/docs/openapi.yaml',
      '/docs/swagger-ui-init.js',
      '/healthz',
      '/readyz',
      '/metrics',
    ];
    for (const path of paths) {
      for (const authorization of [`Bearer ${secret}`, `Bearer ${first.key}`]) {
        const text = await (await fetch(`${first.origin}${path}`, { headers: { authorization } })).text();
        for (const one of [...secrets, first.key]) expect(text).not.toContain(hidden(one));
      }
    }
  });

  it('does not appear in any table', async () => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['public.api_keys', 'public.idempotency_keys']),
    );
    const forms = [...secrets, first.key].flatMap((secret) => [
      hidden(secret),
      ...(['hex', 'base64'] as const).map((encoding) => Buffer.from(hidden(secret)).toString(encoding).slice(0, 40)),
    ]);
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`SELECT to_jsonb(t)::text AS text FROM ${name} t`);
      const found = forms.filter((form) => rows.some(({ text }) => text.includes(form)));
      expect({ name, found }).toEqual({ name, found: [] });
    }
  });

  it('does not appear in debug logs, even if a client sends it in the query, path, body or a header', async () => {
    const [secret = ''] = secrets;
    const places = [
      () => first.call('GET', `${SELF}?access_token=${secret}`, undefined, { authorization: '' }),
      () => first.call('GET', `${SELF}?access_token=${secret}`, undefined, bearer(secret)),
      () => first.call('GET', `/v1/monitors/key:${secret}`, undefined, bearer(secret)),
      () => first.call('GET', `/v1/api-keys/${secret}`),
      () => fetch(`${first.origin}/status/${secret}`),
      () => first.call('POST', '/v1/api-keys', { name: secret, secret, scopes: [secret] }),
      () => first.call('PATCH', `/v1/api-keys/${id}`, { [secret]: 1 }),
      () => first.call('GET', '/v1/monitors', undefined, { ...bearer(secret), 'x-request-id': secret }),
    ];
    for (const place of places) await place();
    // Server errors are logged, which shows that this test reads the log.
    await client.query('ALTER TABLE api_keys RENAME TO api_keys_away');
    try {
      await eventually(async () => {
        const { status } = await first.call('GET', `/v1/monitors/key:${secret}`, undefined, bearer(secret));
        expect(status).toBeGreaterThanOrEqual(500);
      });
      for (const place of places) await place();
    } finally {
      await client.query('ALTER TABLE api_keys_away RENAME TO api_keys');
    }
    await eventually(() => expect(first.log).toContain(`/v1/monitors/key:${secret.slice(0, 11)}…`));
    for (const one of [...secrets, first.key]) {
      for (const { log } of [first, second]) expect(log).not.toContain(hidden(one));
    }
    const printed = [...first.lines, ...second.lines].filter((line) => line.includes(hidden(first.key)));
    expect(printed).toHaveLength(1);
  });
});
