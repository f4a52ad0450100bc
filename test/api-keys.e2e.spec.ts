import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type ApiKeyDto, type ApiKeyWithSecretDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { type LastUsesService } from '../src/modules/api-keys/last-uses.service.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';

const SECRET = /^dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}$/;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await sharedApp();
  admin = app.api(app.teams.ours.admin);
});
afterAll(() => app.close());

async function create(
  definition: Record<string, unknown> = {},
  by = admin,
): Promise<ApiKeyWithSecretDto & { secret: string }> {
  const { status, body } = await by.post<ApiKeyWithSecretDto>('/v1/api-keys', {
    name: 'A key',
    scopes: ['read'],
    ...definition,
  });
  expect({ status, body }).toMatchObject({ status: 201, body: { secret: expect.stringMatching(SECRET) } });
  return body as ApiKeyWithSecretDto & { secret: string };
}

async function selfOf(secret: string): Promise<ApiKeyDto> {
  const { status, body } = await app.api(secret).get<ApiKeyDto>('/v1/api-keys/self');
  expect(status).toBe(200);
  return body;
}

describe('creating a key', () => {
  it('returns the secret only in this response, uncacheable', async () => {
    const expiresAt = inHours(1);
    const body = { name: 'GitHub Actions', scopes: ['write'], expiresAt };
    const { status, headers, body: made } = await admin.post<ApiKeyWithSecretDto>('/v1/api-keys', body);
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('location')).toBe(`/v1/api-keys/${made.id}`);
    const own = await selfOf(app.teams.ours.admin);
    expect(made).toMatchObject({ ...body, lastUsedAt: null, revokedAt: null, createdBy: `api-key:${own.id}` });
    expect(made).toMatchObject({ previousPrefix: null, previousExpiresAt: null, prefix: made.secret?.slice(0, 11) });

    const { secret: _, ...shown } = made;
    const { body: got } = await admin.get<ApiKeyDto>(`/v1/api-keys/${made.id}`);
    expect(got).toEqual(shown);
    const { body: listed } = await admin.get<Page<ApiKeyDto>>('/v1/api-keys');
    expect(listed.data).toContainEqual(shown);
    const { body: changed } = await admin.patch<ApiKeyDto>(`/v1/api-keys/${made.id}`, { name: 'Renamed' });
    expect(changed).toEqual({ ...shown, name: 'Renamed', revision: 2 });
  });

  it('stores nothing from which the secret could be recovered', async () => {
    const { id, secret } = await create();
    const tables = await app.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const [random] = [secret.slice(11, 54)];
    for (const { name } of tables) {
      const found = await app.query(`SELECT 1 FROM ${name} t WHERE to_jsonb(t)::text LIKE '%' || $1 || '%'`, [random]);
      expect({ name, found }).toEqual({ name, found: [] });
    }
    const [row] = await app.query<{ secret_hash: Buffer }>('SELECT secret_hash FROM api_keys WHERE id = $1', [id]);
    expect(row?.secret_hash).toHaveLength(32);
  });

  it.each([
    ['no name', { name: undefined }, '/name', 'required'],
    ['no scope', { scopes: [] }, '/scopes', 'too_short'],
    ['an unknown scope', { scopes: ['root'] }, '/scopes/0', 'invalid_value'],
    ['a duplicate scope', { scopes: ['read', 'read'] }, '/scopes', 'duplicate'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt', 'out_of_range'],
    ['a local time', { expiresAt: '2999-01-01T00:00:00' }, '/expiresAt', 'invalid_value'],
    ['a date without a time', { expiresAt: '2999-01-01' }, '/expiresAt', 'invalid_value'],
    ['a secret of its own', { secret: 'x' }, '/secret', 'read_only_field'],
    ['another team', { teamId: 'x' }, '/teamId', 'unknown_field'],
    ['an unknown field that is null', { role: null }, '/role', 'unknown_field'],
  ])('is rejected with %s', async (_, change, pointer, code) => {
    const answer = await admin.post('/v1/api-keys', { name: 'x', scopes: ['read'], ...change });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
  });
});

describe('a key cannot create or change a key that exceeds its own', () => {
  it('expiry', async () => {
    const expiresAt = inHours(1);
    const short = app.api((await create({ scopes: ['admin'], expiresAt })).secret);
    for (const later of [null, undefined, inHours(2)]) {
      const answer = await short.post('/v1/api-keys', { name: 'x', scopes: ['read'], expiresAt: later });
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'forbidden', errors: [{ pointer: '/expiresAt', code: 'exceeds_own' }] },
      });
    }
    const made = await create({ expiresAt }, short);
    expect((await short.patch(`/v1/api-keys/${made.id}`, { expiresAt: null })).status).toBe(403);
    const unlimited = await create();
    expect((await short.patch(`/v1/api-keys/${unlimited.id}`, { name: 'Taken over' })).status).toBe(403);
    const own = await short.get<ApiKeyDto>('/v1/api-keys/self');
    expect((await short.patch(`/v1/api-keys/${own.body.id}`, { expiresAt: null })).status).toBe(403);
    expect((await selfOf(unlimited.secret)).name).toBe('A key');
  });

  it('scopes; without admin, it cannot create a key at all', async () => {
    for (const scope of ['read', 'write'] as const) {
      const weak = app.api((await create({ scopes: [scope] })).secret);
      expect((await weak.post('/v1/api-keys', { name: 'x', scopes: ['admin'] })).status).toBe(403);
      const { body: own } = await weak.get<ApiKeyDto>('/v1/api-keys/self');
      expect((await weak.patch(`/v1/api-keys/${own.id}`, { scopes: ['admin'] })).status).toBe(403);
      expect((await weak.get<ApiKeyDto>('/v1/api-keys/self')).body.scopes).toEqual([scope]);
    }
  });
});

describe('a key', () => {
  it('is rejected as soon as its revocation is confirmed, and remains in the list of revoked keys', async () => {
    const { id, secret } = await create();
    await selfOf(secret);
    expect((await admin.delete(`/v1/api-keys/${id}`)).status).toBe(204);
    expect(await app.api(secret).get('/v1/api-keys/self')).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    });
    expect((await admin.delete(`/v1/api-keys/${id}`)).status).toBe(404);
    expect((await admin.patch(`/v1/api-keys/${id}`, { name: 'x' })).status).toBe(404);
    const ids = async (query: string) =>
      (await admin.get<Page<ApiKeyDto>>(`/v1/api-keys${query}`)).body.data.map((key) => key.id);
    expect(await ids('')).not.toContain(id);
    expect(await ids('?revoked=false')).not.toContain(id);
    expect(await ids('?revoked=true')).toEqual([id]);
    expect((await admin.get<ApiKeyDto>(`/v1/api-keys/${id}`)).body.revokedAt).toEqual(expect.any(String));
  });

  it('is rejected with 401 exactly at its expiry', async () => {
    const expiresAt = new Date(Date.now() + 400).toISOString();
    const { secret } = await create({ expiresAt });
    let status = 200;
    while (status === 200) {
      const sentAt = Date.now();
      ({ status } = await app.api(secret).get('/v1/api-keys/self'));
      if (status === 200) expect(sentAt).toBeLessThan(Date.parse(expiresAt));
    }
    expect(status).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
  });

  it('loses a removed scope immediately', async () => {
    const { id, secret } = await create({ scopes: ['write'] });
    const body = { name: 'A page', slug: 'by-a-key' };
    expect((await app.api(secret).post('/v1/status-pages', body)).status).toBe(201);
    await admin.patch(`/v1/api-keys/${id}`, { scopes: ['read'] });
    expect((await app.api(secret).delete('/v1/status-pages/key:none')).status).toBe(403);
  });

  it('reports when it was last used', async () => {
    const before = Date.now();
    const { id, secret } = await create();
    await selfOf(secret);
    await app.backstage.provider<LastUsesService>('LastUsesService').flush();
    const { lastUsedAt } = (await admin.get<ApiKeyDto>(`/v1/api-keys/${id}`)).body;
    expect(Date.parse(lastUsedAt!)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(lastUsedAt!)).toBeLessThanOrEqual(Date.now());
  });

  it('is listed in pages, newest first', async () => {
    const made = [await create(), await create(), await create()].map(({ id }) => id);
    const first = await admin.get<Page<ApiKeyDto>>('/v1/api-keys?limit=2');
    const second = await admin.get<Page<ApiKeyDto>>(`/v1/api-keys?limit=1&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(made.reverse());
  });
});

describe('the last admin key of a team', () => {
  let last: ApiKeyWithSecretDto & { secret: string };

  it('cannot be revoked or lose admin (409) until there is another one', async () => {
    const theirs = app.api(app.teams.theirs.admin);
    const { id } = await selfOf(app.teams.theirs.admin);
    for (const answer of [
      await theirs.delete(`/v1/api-keys/${id}`),
      await theirs.patch(`/v1/api-keys/${id}`, { scopes: ['write'] }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin_key' } });
    }
    last = await create({ scopes: ['admin'] }, theirs);
    expect((await theirs.delete(`/v1/api-keys/${id}`)).status).toBe(204);
    expect((await app.api(last.secret).delete(`/v1/api-keys/${last.id}`)).status).toBe(409);
  });

  it('remains when all admin keys revoke themselves concurrently', async () => {
    const by = app.api(last.secret);
    const others = await Promise.all(Array.from({ length: 4 }, () => create({ scopes: ['admin'] }, by)));
    const answers = await Promise.all(
      [last, ...others].map(({ id, secret }) => app.api(secret).delete(`/v1/api-keys/${id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 204, 204, 409]);
  });
});
