import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { checkNow, createMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { startTarget, type Target } from './support/target.js';

const MASK = '********';
type Definition = Record<string, unknown>;

let app: TestApp;
let api: Client;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

const paused = (more: Definition = {}): Definition => httpMonitor(target.url('/'), { paused: true, ...more });
const put = (key: string, definition: Definition) => api.put<MonitorDto>(`/v1/monitors/key:${key}`, definition);
async function definitionOf(path: string): Promise<Definition> {
  const { status, body } = await api.get<Definition>(`${path}/definition`);
  expect(status).toBe(200);
  return body;
}

describe('PUT /monitors/key:<key>', () => {
  it('creates a monitor: 201 with Location and ETag, and checks it immediately', async () => {
    const { status, headers, body } = await put('made', httpMonitor(target.url('/')));
    expect({ status, key: body.key, revision: body.revision }).toEqual({ status: 201, key: 'made', revision: 1 });
    expect(headers.get('location')).toBe(`/v1/monitors/${body.id}`);
    expect(headers.get('etag')).toMatch(/^"1\.\d+"$/);
    await eventually(async () =>
      expect(await listChecks(api, body.id)).toContainEqual(expect.objectContaining({ trigger: 'created' })),
    );
  });

  it('replaces it when repeated: 200 with the same id and no Location', async () => {
    const first = await put('repeated', paused());
    const second = await put('repeated', paused());
    expect(second).toMatchObject({ status: 200, body: { id: first.body.id, revision: 1 } });
    expect(second.headers.get('location')).toBeNull();
  });

  it('resets omitted fields to their defaults', async () => {
    const more = {
      description: 'Text',
      tags: ['a'],
      failureThreshold: 5,
      headers: { Accept: 'a' },
      expiresInSeconds: 99,
    };
    await put('defaults', paused(more));
    const { body } = await put('defaults', paused());
    expect(body).toMatchObject({ description: null, tags: [], failureThreshold: 2, headers: {}, expiresAt: null });
  });

  it('creates one monitor under concurrent requests: one creates it, the others replace it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => put('raced', paused({ name: `Writer ${i}` }))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.map(({ body }) => body.revision).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  it('succeeds with 200 or 201 concurrently with a deletion', async () => {
    for (let round = 0; round < 10; round += 1) {
      await put('deleted', paused());
      const [answer] = await Promise.all([put('deleted', paused()), api.delete('/v1/monitors/key:deleted')]);
      expect([200, 201]).toContain(answer.status);
    }
  });

  it.each([
    ['names another key than the address', { key: 'another' }, '/key'],
    ['has another type', { type: 'tcp', url: undefined, host: 'example.com', port: 1 }, '/type'],
    ['sets a read-only field', { status: 'up' }, '/status'],
  ])('responds with 422 if the body %s, without changes', async (_, change, pointer) => {
    const before = await put('refused', paused());
    const { status, body } = await put('refused', paused(change));
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect((await api.get('/v1/monitors/key:refused')).body).toEqual(before.body);
  });

  it.each(['Upper', 'dw_looks-like-a-key', 'a b', 'x'.repeat(101)])('responds with 422 to the key %s', async (key) => {
    const { status, body } = await api.put(`/v1/monitors/key:${encodeURIComponent(key)}`, paused());
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ pointer: '/key' }] } });
  });

  it('by id only replaces an existing monitor', async () => {
    const { id } = await createMonitor(api, paused({ key: 'by-id', tags: ['a'] }));
    const { status, body } = await api.put<MonitorDto>(`/v1/monitors/${id}`, paused({ key: 'renamed' }));
    expect({ status, id: body.id, key: body.key, tags: body.tags }).toEqual({
      status: 200,
      id,
      key: 'renamed',
      tags: [],
    });
    expect((await api.put('/v1/monitors/0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55', paused())).status).toBe(404);
  });

  it('responds with 409 if another monitor has the key in the body', async () => {
    await put('taken', paused());
    const { id } = await createMonitor(api, paused());
    expect(await api.put(`/v1/monitors/${id}`, paused({ key: 'taken' }))).toMatchObject({
      status: 409,
      body: { code: 'key_taken' },
    });
  });

  it('pauses and resumes by `paused`; an ongoing pause keeps its end', async () => {
    await put('pauses', paused());
    await api.post('/v1/monitors/key:pauses/pause', { durationSeconds: 600, reason: 'Deploying' });
    const kept = await put('pauses', paused());
    expect(kept.body).toMatchObject({ status: 'paused', pauseReason: 'Deploying', pausedUntil: expect.any(String) });
    const resumed = await put('pauses', httpMonitor(target.url('/')));
    expect(resumed.body).toMatchObject({ pausedAt: null, pauseReason: null, resumedAt: expect.any(String) });
    expect(resumed.body.status).not.toBe('paused');
    expect((await put('pauses', paused())).body).toMatchObject({ status: 'paused', pausedUntil: null });
  });
});

describe('secrets in a PUT', () => {
  const SECRET = 'aladdin-secret';
  const secret = (more: Definition = {}): Definition => httpMonitor(target.url('/secrets'), { paused: true, ...more });
  const basic = { type: 'basic', username: 'aladdin', password: SECRET };
  const sent = async (): Promise<string | undefined> => {
    const { id } = (await api.get<MonitorDto>('/v1/monitors/key:secrets')).body;
    await checkNow(api, id);
    return target.requests('/secrets').at(-1)?.headers.authorization;
  };
  const authorization = `Basic ${Buffer.from(`aladdin:${SECRET}`).toString('base64')}`;

  it.each([
    ['masked', { auth: { ...basic, password: MASK } }],
    ['omitted from auth', { auth: { type: 'basic', username: 'aladdin' } }],
    ['omitted with auth', {}],
  ])('are kept if they are %s', async (_, change) => {
    await put('secrets', secret({ auth: basic }));
    const { status, body } = await put('secrets', secret(change));
    expect({ status, auth: body.auth }).toEqual({ status: 200, auth: { ...basic, password: MASK } });
    expect(await sent()).toBe(authorization);
  });

  it('are removed by null', async () => {
    await put('secrets', secret({ auth: basic }));
    expect((await put('secrets', secret({ auth: null }))).body.auth).toBeNull();
    expect(await sent()).toBeUndefined();
  });

  it('in headers are kept if headers is omitted; headers that are sent replace all others', async () => {
    await put('secrets', secret({ auth: null, headers: { 'X-Api-Key': SECRET, Accept: 'a' } }));
    expect((await put('secrets', secret())).body.headers).toEqual({ 'X-Api-Key': MASK });
    expect((await put('secrets', secret({ headers: { 'x-api-key': MASK, Accept: 'b' } }))).body.headers).toEqual({
      'x-api-key': MASK,
      Accept: 'b',
    });
    expect((await put('secrets', secret({ headers: {} }))).body.headers).toEqual({});
  });

  it('in marked headers are kept with their mark if both are omitted', async () => {
    const headers = { 'X-Internal': SECRET, Accept: 'a' };
    await put('marked', secret({ auth: null, headers, secretHeaders: ['x-internal', 'X-Absent'] }));
    const { body } = await put('marked', secret());
    expect(body).toMatchObject({ headers: { 'X-Internal': MASK }, secretHeaders: ['x-internal'] });
    expect((await put('marked', await definitionOf('/v1/monitors/key:marked'))).body.revision).toBe(body.revision);
    const change = { headers: { 'X-Internal': 'public' } };
    expect((await put('marked', secret(change))).body).toMatchObject({ ...change, secretHeaders: [] });
  });

  it('in settings are kept with their account if settings is omitted, and removed by null', async () => {
    const redis = (more: Definition = {}): Definition => {
      return { name: 'Jobs', type: 'redis', host: '127.0.0.1', port: 9, paused: true, ...more };
    };
    const stored = await put('jobs', redis({ settings: { username: 'mon', password: SECRET } }));
    const kept = await put('jobs', redis());
    expect(kept).toMatchObject({ status: 200, body: { revision: 1, settings: { username: 'mon', password: MASK } } });
    expect(kept.body).toEqual(stored.body);
    const removed = await put('jobs', redis({ settings: { username: null } }));
    expect(removed).toMatchObject({ status: 200, body: { settings: { username: null, password: null } } });
  });

  it.each([
    ['headers are omitted', { secretHeaders: [] }],
    ['headers are omitted and the names are null', { secretHeaders: null }],
    ['headers are masked', { headers: { 'x-internal': MASK } }],
  ])('in headers that are no longer marked are required again if %s', async (_, change) => {
    const marked = secret({ auth: null, headers: { 'x-internal': SECRET }, secretHeaders: ['X-Internal'] });
    const before = await put('marked', marked);
    const { status, body } = await put('marked', secret(change));
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/headers/x-internal', code: 'secret_required' }] },
    });
    expect((await api.get('/v1/monitors/key:marked')).body).toEqual(before.body);
  });

  it.each([
    ['masked', { auth: { ...basic, password: MASK } }],
    ['omitted', {}],
  ])('%s are required again when the origin changes: 422 secret_required', async (_, change) => {
    await put('secrets', secret({ auth: basic }));
    const { status, body } = await put('secrets', { ...paused(change), url: 'http://127.0.0.2:9/' });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/auth/password', code: 'secret_required' }] },
    });
  });

  it('are rejected if they are masked but not stored: 422 secret_required', async () => {
    const { status, body } = await put('no-secret', paused({ auth: { ...basic, password: MASK } }));
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/auth/password', code: 'secret_required' }] },
    });
  });
});

describe('definitions', () => {
  it('are accepted by PUT, so that GET, edit and PUT change only what was edited', async () => {
    const more = {
      tags: ['a'],
      metadata: { a: '1' },
      auth: { type: 'bearer', token: 'secret-token' },
      expiresInSeconds: 3_600,
    };
    const { body: before } = await put('round', paused(more));
    const definition = await definitionOf('/v1/monitors/key:round');
    expect(definition).not.toHaveProperty('id');
    const { status, body: after } = await put('round', { ...definition, name: 'Edited' });
    expect(status).toBe(200);
    expect(after).toEqual({ ...before, name: 'Edited', revision: 2, updatedAt: after.updatedAt });
    expect(await definitionOf('/v1/monitors/key:round')).toEqual({ ...definition, name: 'Edited' });
  });

  it('have an ETag for conditional writes', async () => {
    await put('tagged', paused());
    const { headers, body } = await api.get<Definition>('/v1/monitors/key:tagged/definition');
    const tag = { 'if-match': headers.get('etag')! };
    const edited = { ...body, name: 'Edited' };
    expect((await api.put('/v1/monitors/key:tagged', edited, tag)).status).toBe(200);
    expect((await api.put('/v1/monitors/key:tagged', edited, tag)).status).toBe(412);
  });

  it('export a whole team, which another team can import', async () => {
    const theirs = app.api(app.teams.theirs.write);
    for (let i = 0; i < 5; i += 1) await put(`export-${i}`, paused({ tags: ['export'] }));
    await api.put('/v1/status-pages/key:export', {
      name: 'Exported',
      slug: 'exported',
      components: [
        { monitorId: 'key:export-1', group: 'A' },
        { monitorId: 'key:export-0', name: 'Zero' },
      ],
      accentColor: '#0c8599',
    });
    const monitors: Definition[] = [];
    let query = '?tag=export&limit=2';
    for (;;) {
      const { body } = await api.get<Page<Definition>>(`/v1/definitions/monitors${query}`);
      monitors.push(...body.data);
      if (body.nextCursor === null) break;
      query = `?cursor=${body.nextCursor}`;
    }
    expect(monitors).toHaveLength(5);
    for (const one of monitors) expect((await theirs.put(`/v1/monitors/key:${String(one.key)}`, one)).status).toBe(201);

    const { body: pages } = await api.get<Page<Definition>>('/v1/definitions/status-pages?key=export');
    const page = { ...pages.data[0], slug: 'imported' };
    expect((await theirs.put('/v1/status-pages/key:export', page)).status).toBe(201);
    const { body } = await theirs.get<Definition>('/v1/status-pages/key:export/definition');
    expect(body).toEqual(page);
    const ids = (await theirs.get<Page<MonitorDto>>('/v1/monitors?tag=export')).body.data.map(({ id }) => id);
    const shown = (await theirs.get<StatusPageDto>('/v1/status-pages/key:export')).body.components;
    for (const { monitorId } of shown) expect(ids).toContain(monitorId);
  });

  it('of an empty list are an empty page', async () => {
    const { status, body } = await api.get<Page<Definition>>('/v1/definitions/monitors?key=nobody');
    expect({ status, body }).toEqual({ status: 200, body: { data: [], nextCursor: null } });
  });

  it('are also returned by ?view=definition for older clients', async () => {
    const old = app.undocumented(app.teams.ours.write);
    const items = {
      monitors: paused(),
      'status-pages': { name: 'Viewed', slug: 'viewed' },
      'maintenance-windows': { name: 'Viewed', tags: ['viewed'] },
    };
    for (const [plural, item] of Object.entries(items)) {
      const path = `/v1/${plural}`;
      await api.put(`${path}/key:viewed`, item);
      for (const [before, now] of [
        [`${path}/key:viewed?view=definition`, `${path}/key:viewed/definition`],
        [`${path}?view=definition&key=viewed`, `/v1/definitions/${plural}?key=viewed`],
      ] as const) {
        const { status, headers, body } = await old.get(before);
        const documented = await api.get(now);
        expect(documented.status).toBe(200);
        expect({ status, etag: headers.get('etag'), body }).toEqual({
          status: 200,
          etag: documented.headers.get('etag'),
          body: documented.body,
        });
      }
      expect((await old.get(`${path}?view=full`)).status).toBe(400);
    }
  });
});

describe('PUT /status-pages/key:<key>', () => {
  const page = (more: Definition = {}): Definition => ({ name: 'A page', slug: 'put-page', ...more });
  const putPage = (body: Definition, key = 'public') => api.put<StatusPageDto>(`/v1/status-pages/key:${key}`, body);

  it('creates a page, then replaces it entirely; components keep their ids by monitor', async () => {
    for (const key of ['one', 'two']) await put(key, paused());
    const made = await putPage(page({ description: 'Text', monitorIds: ['key:one', 'key:two'] }));
    expect(made).toMatchObject({ status: 201, body: { key: 'public', revision: 1 } });
    expect(made.headers.get('location')).toBe(`/v1/status-pages/${made.body.id}`);
    const [one, two] = made.body.components;
    const { status, body } = await putPage(page({ monitorIds: ['key:two', 'key:one'] }));
    expect({ status, description: body.description, revision: body.revision }).toEqual({
      status: 200,
      description: null,
      revision: 2,
    });
    expect(body.components.map(({ id }) => id)).toEqual([two!.id, one!.id]);
    expect((await putPage(page())).body.components).toEqual([]);
  });

  it('creates one page under concurrent requests: one creates it, the others replace it', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => putPage(page({ slug: 'raced-page' }), 'raced')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('keeps a stored password if none is sent, and requires one if none is stored', async () => {
    const locked = page({ slug: 'locked', accessType: 'password' });
    expect(await putPage(locked, 'locked')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password' }] },
    });
    expect((await putPage({ ...locked, password: 'open sesame' }, 'locked')).status).toBe(201);
    expect((await putPage(await definitionOf('/v1/status-pages/key:locked'), 'locked')).status).toBe(200);
    const headers = { authorization: `Basic ${Buffer.from('anyone:open sesame').toString('base64')}` };
    expect((await app.undocumented().call('GET', '/status/locked.json', { headers })).status).toBe(200);
    expect((await app.undocumented().call('GET', '/status/locked.json')).status).toBe(401);
  });

  it('responds with 409 to a slug that is taken, without changes', async () => {
    await putPage(page({ slug: 'first-slug' }), 'first');
    const before = await putPage(page({ slug: 'second-slug' }), 'second');
    expect(await putPage(page({ slug: 'first-slug' }), 'second')).toMatchObject({
      status: 409,
      body: { code: 'slug_taken' },
    });
    expect((await api.get('/v1/status-pages/key:second')).body).toEqual(before.body);
  });
});
