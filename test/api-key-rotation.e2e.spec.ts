import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../src/domain/durations.js';
import { type ApiKeyDto, type ApiKeyWithSecretDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Answer, type Client } from './support/client.js';

const SELF = '/v1/api-keys/self';
const SECRET = /^dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}$/;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await sharedApp();
  admin = app.api(app.teams.ours.admin);
});
afterAll(() => app.close());

type Key = ApiKeyWithSecretDto & { secret: string };

async function create(definition: Record<string, unknown> = {}): Promise<Key> {
  const { body } = await admin.post<Key>('/v1/api-keys', { name: 'A key', scopes: ['read'], ...definition });
  return body;
}

const rotate = (id: string, body?: unknown, by = admin) => by.post<Key>(`/v1/api-keys/${id}/rotate`, body);
const rotateSelf = (secret: string, body?: unknown) => app.api(secret).post<Key>(`${SELF}/rotate`, body);
const statusOf = async (secret: string): Promise<number> => (await app.api(secret).get(SELF)).status;
const statuses = (...secrets: string[]): Promise<number[]> => Promise.all(secrets.map(statusOf));
const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string }).code];

describe('POST /v1/api-keys/:id/rotate', () => {
  it('keeps the id, returns the new secret once, uncacheable, and rejects the old one immediately', async () => {
    const { secret: old, ...made } = await create();
    expect(await statusOf(old)).toBe(200);
    const { status, headers, body } = await rotate(made.id);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { secret, ...shown } = body;
    expect(secret).toMatch(SECRET);
    expect(shown).toEqual({ ...made, lastUsedAt: shown.lastUsedAt, prefix: secret.slice(0, 11), revision: 2 });
    expect(headers.get('etag')).toMatch(/^"2\.\d+"$/);
    expect(headers.get('location')).toBeNull();
    expect(await statuses(old, secret)).toEqual([401, 200]);
    for (const path of [`/v1/api-keys/${made.id}`, '/v1/api-keys']) {
      const text = JSON.stringify((await admin.get(path)).body);
      expect(text).toContain(shown.prefix);
      expect(text).not.toContain(secret);
    }
  });

  it('accepts both secrets during an overlap and reports its end; another rotation ends it immediately', async () => {
    const first = await create();
    const before = Date.now();
    const { body: second } = await rotate(first.id, { overlapSeconds: 3_600 });
    const until = Date.parse(second.previousExpiresAt!) - 3_600_000;
    expect(until).toBeGreaterThanOrEqual(before);
    expect(until).toBeLessThanOrEqual(Date.now());
    expect(second.previousPrefix).toBe(first.prefix);
    expect(await statuses(first.secret, second.secret)).toEqual([200, 200]);

    const { body: third } = await rotate(first.id, { overlapSeconds: 60 });
    expect(third.previousPrefix).toBe(second.prefix);
    expect(await statuses(first.secret, second.secret, third.secret)).toEqual([401, 200, 200]);
    const { body: fourth } = await rotate(first.id, {});
    expect(fourth).toMatchObject({ previousPrefix: null, previousExpiresAt: null });
    expect(await statuses(second.secret, third.secret, fourth.secret)).toEqual([401, 401, 200]);
  });

  it('rejects the old secret from previousExpiresAt on, and stops reporting it', async () => {
    const { id, secret: old } = await create();
    const { body } = await rotate(id, { overlapSeconds: 1 });
    const until = Date.parse(body.previousExpiresAt!);
    for (let status = 200; status === 200;) {
      const sentAt = Date.now();
      status = await statusOf(old);
      if (status === 200) expect(sentAt).toBeLessThan(until);
    }
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    const { body: shown } = await admin.get<ApiKeyDto>(`/v1/api-keys/${id}`);
    expect(shown).toMatchObject({ previousPrefix: null, previousExpiresAt: null, revision: 2 });
  });

  it('does not let a key rotate a key with more rights than its own', async () => {
    const expiresAt = inHours(1);
    const short = app.api((await create({ scopes: ['admin'], expiresAt })).secret);
    const [endless, equal] = [await create(), await create({ expiresAt })];
    const answer = await rotate(endless.id, {}, short);
    expect(answer).toMatchObject({ status: 403, body: { errors: [{ pointer: '/expiresAt', code: 'exceeds_own' }] } });
    expect((await rotate(equal.id, {}, short)).status).toBe(200);
    expect(await statuses(endless.secret, equal.secret)).toEqual([200, 401]);
    for (const scope of ['read', 'write'] as const) {
      const weak = app.api((await create({ scopes: [scope] })).secret);
      expect(codeOf(await rotate(endless.id, {}, weak))).toEqual([403, 'insufficient_scope']);
    }
  });

  it('responds with 404 for a revoked key, and with 409 key_expired for an expired one', async () => {
    const [revoked, expiring] = [await create(), await create({ expiresAt: inHours(1) })];
    await admin.delete(`/v1/api-keys/${revoked.id}`);
    await app.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [expiring.id]);
    expect(codeOf(await rotate(revoked.id))).toEqual([404, 'not_found']);
    expect(codeOf(await rotate(expiring.id))).toEqual([409, 'key_expired']);
    expect((await admin.patch(`/v1/api-keys/${expiring.id}`, { expiresAt: inHours(1) })).status).toBe(200);
    expect((await rotate(expiring.id)).status).toBe(200);
  });
});

describe('POST /v1/api-keys/self/rotate', () => {
  it('rotates the calling key, but rejects a key with the scope read', async () => {
    const [writer, reader] = [await create({ scopes: ['write'] }), await create()];
    const { status, headers, body } = await rotateSelf(writer.secret, { overlapSeconds: 60 });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ id: writer.id, revision: 2, scopes: ['write'], previousPrefix: writer.prefix });
    expect(await statuses(writer.secret, body.secret)).toEqual([200, 200]);
    expect(codeOf(await rotateSelf(reader.secret))).toEqual([403, 'insufficient_scope']);
    expect(await statusOf(reader.secret)).toBe(200);
  });

  it('can be repeated with the old secret after a lost response, and rejects the lost secret', async () => {
    const old = await create({ scopes: ['write'] });
    const { body: lost } = await rotateSelf(old.secret, { overlapSeconds: 600 });
    const { body: again } = await rotateSelf(old.secret, { overlapSeconds: 3_600 });
    expect(again).toMatchObject({ previousPrefix: old.prefix, previousExpiresAt: lost.previousExpiresAt });
    expect(await statuses(old.secret, lost.secret, again.secret)).toEqual([200, 401, 200]);
  });

  it('responds with 401 to the old secret after a rotation without an overlap', async () => {
    const old = await create({ scopes: ['write'] });
    const { body } = await rotateSelf(old.secret);
    expect(codeOf(await rotateSelf(old.secret))).toEqual([401, 'invalid_token']);
    expect(await statusOf(body.secret)).toBe(200);
  });
});

describe('If-Match', () => {
  it.each<[string, string, unknown]>([
    ['PATCH', '', { name: 'Renamed' }],
    ['POST', '/rotate', {}],
    ['DELETE', '', undefined],
  ])('%s of a key%s responds with 412 and has no effect if the key has changed since', async (method, path, json) => {
    const { id, secret } = await create();
    const address = `/v1/api-keys/${id}`;
    const { headers } = await admin.get(address);
    const stale = headers.get('etag')!;
    await admin.patch(address, { name: 'Changed' });
    const { body: before, headers: fresh } = await admin.get<ApiKeyDto>(address);
    const send = (tag: string) => admin.call(method, address + path, { json, headers: { 'if-match': tag } });
    for (const tag of [stale, `W/${fresh.get('etag')}`]) {
      expect(codeOf(await send(tag))).toEqual([412, 'precondition_failed']);
    }
    expect((await admin.get(address)).body).toEqual(before);
    expect(await statusOf(secret)).toBe(200);
    expect((await send(fresh.get('etag')!)).status).toBeLessThan(300);
  });

  it('applies to a rotation of the calling key', async () => {
    const { secret } = await create({ scopes: ['write'] });
    const send = (tag: string) =>
      app.api(secret).call('POST', `${SELF}/rotate`, { json: {}, headers: { 'if-match': tag } });
    expect(codeOf(await send('"2.0"'))).toEqual([412, 'precondition_failed']);
    expect((await send('"1.0"')).status).toBe(200);
  });
});

describe('a repeated request with an Idempotency-Key', () => {
  const post = (key: string, path: string, json: unknown, by: string) =>
    app.api(by).call<Key>('POST', path, { json, headers: { 'idempotency-key': key } });

  it.each<[string, (key: Key) => { path: string; json: unknown; by: (key: Key) => string }]>([
    ['of a creation', () => ({ path: '/v1/api-keys', json: { name: 'Once', scopes: ['read'] }, by: adminSecret })],
    ['of a rotation', ({ id }) => ({ path: `/v1/api-keys/${id}/rotate`, json: {}, by: adminSecret })],
    [
      'of a rotation by the key itself',
      () => ({ path: `${SELF}/rotate`, json: { overlapSeconds: 60 }, by: ({ secret }) => secret }),
    ],
  ])('%s has no second effect, and returns no secret', async (name, callOf) => {
    const existing = await create({ scopes: ['write'] });
    const { path, json, by } = callOf(existing);
    const first = await post(name.replaceAll(' ', '-'), path, json, by(existing));
    const { secret, ...made } = first.body;
    expect(secret).toMatch(SECRET);
    const again = await post(name.replaceAll(' ', '-'), path, json, by(existing));
    expect(again).toMatchObject({ status: first.status, body: { ...made, secret: null } });
    const headers = ['idempotent-replayed', 'cache-control', 'location'].map((header) => again.headers.get(header));
    expect(headers).toEqual(['true', 'no-store', first.headers.get('location')]);
    expect((await admin.get<ApiKeyDto>(`/v1/api-keys/${made.id}`)).body.revision).toBe(made.revision);
    expect(await statusOf(secret)).toBe(200);
  });

  const adminSecret = () => app.teams.ours.admin;

  it('replays a rotation for either secret, and rotates again under another Idempotency-Key', async () => {
    const { secret: old } = await create({ scopes: ['write'] });
    const rotation = (key: string, by: string) => post(key, `${SELF}/rotate`, { overlapSeconds: 60 }, by);
    const { body: made } = await rotation('one', old);
    expect((await rotation('one', made.secret)).body).toEqual({ ...made, secret: null });
    const { body: again } = await rotation('two', old);
    expect(await statuses(old, made.secret, again.secret)).toEqual([200, 401, 200]);
  });

  it('is evaluated anew if the first rotation was rejected', async () => {
    const { id } = await create();
    const path = `/v1/api-keys/${id}/rotate`;
    const stale = { json: {}, headers: { 'idempotency-key': 'refused', 'if-match': '"9.0"' } };
    expect((await admin.call('POST', path, stale)).status).toBe(412);
    expect((await post('refused', path, {}, adminSecret())).status).toBe(200);
  });
});
