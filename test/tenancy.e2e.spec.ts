import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type ApiKeyDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { rowsOf } from './support/rows.js';

let app: TestApp;
let ours: Client;
let theirs: Client;
let victim: { monitor: MonitorDto; page: StatusPageDto; componentId: string };
beforeAll(async () => {
  app = await sharedApp();
  ours = app.api(app.teams.ours.admin);
  theirs = app.api(app.teams.theirs.admin);
  const monitor = await createMonitor(theirs, paused({ key: 'shared-key', name: 'Theirs' }));
  const page = await theirs.post<StatusPageDto>('/v1/status-pages', {
    name: 'Theirs',
    key: 'shared-key',
    slug: 'their-page',
    monitorIds: [monitor.id],
  });
  victim = { monitor, page: page.body, componentId: page.body.components[0]!.id };
});
afterAll(() => app.close());

function paused(more: Record<string, unknown> = {}): Record<string, unknown> {
  return httpMonitor('http://127.0.0.1:9/', { paused: true, ...more });
}

/** Runs an attempt of our team and asserts that the rows of their team did not change. */
async function unharmed<T>(attempt: () => Promise<T>): Promise<T> {
  const before = await rowsOf(app, app.teams.theirs.id);
  const outcome = await attempt();
  expect(await rowsOf(app, app.teams.theirs.id)).toEqual(before);
  return outcome;
}

describe('an object of another team', () => {
  it('appears in none of our lists under any filter', async () => {
    for (const query of ['', '?key=shared-key', '?q=Theirs', '?status=paused']) {
      expect((await ours.get<Page<unknown>>(`/v1/monitors${query}`)).body.data).toEqual([]);
    }
    for (const query of ['', '?key=shared-key', '?slug=their-page']) {
      expect((await ours.get<Page<unknown>>(`/v1/status-pages${query}`)).body.data).toEqual([]);
    }
    const { body } = await ours.get<Page<ApiKeyDto>>('/v1/api-keys');
    expect(body.data).toHaveLength(3);
  });

  it('does not occupy its key: the same key in our team selects our object', async () => {
    const mine = await createMonitor(ours, paused({ key: 'shared-key' }));
    expect((await ours.get<MonitorDto>('/v1/monitors/key:shared-key')).body.id).toBe(mine.id);
    expect((await theirs.get<MonitorDto>('/v1/monitors/key:shared-key')).body.id).toBe(victim.monitor.id);
    await unharmed(() => ours.delete('/v1/monitors/key:shared-key'));
    expect((await ours.get('/v1/monitors/key:shared-key')).status).toBe(404);
  });

  it('is not accepted as a monitor of a new page: 422, and no page is created', async () => {
    const mine = await createMonitor(ours, paused());
    const page = { name: 'Mine', slug: 'my-page' };
    for (const monitorId of [victim.monitor.id, 'key:shared-key']) {
      for (const body of [
        { ...page, monitorIds: [mine.id, monitorId] },
        { ...page, components: [{ monitorId: mine.id }, { monitorId }] },
      ]) {
        const { status, body: problem } = await unharmed(() => ours.post('/v1/status-pages', body));
        expect({ status, errors: problem.errors }).toMatchObject({ status: 422, errors: [{ code: 'invalid_value' }] });
      }
    }
    expect((await ours.get<Page<unknown>>('/v1/status-pages')).body.data).toEqual([]);
  });

  it('is not accepted as a monitor by PATCH and PUT of a page: 422, without changes', async () => {
    const mine = await createMonitor(ours, paused());
    const page = { name: 'Mine', slug: 'our-page', monitorIds: [mine.id] };
    const before = await ours.put<StatusPageDto>('/v1/status-pages/key:our-page', page);
    const monitorIds = [mine.id, victim.monitor.id];
    for (const method of ['PATCH', 'PUT']) {
      const call = () => ours.call(method, '/v1/status-pages/key:our-page', { json: { ...page, monitorIds } });
      expect((await unharmed(call)).status).toBe(422);
    }
    expect((await ours.get<StatusPageDto>('/v1/status-pages/key:our-page')).body).toEqual(before.body);
    await ours.delete('/v1/status-pages/key:our-page');
  });

  it('is not accepted as a component of our page', async () => {
    const mine = await createMonitor(ours, paused());
    const { body: page } = await ours.post<StatusPageDto>('/v1/status-pages', {
      name: 'Mine',
      slug: 'with-one',
      monitorIds: [mine.id],
    });
    const components = [{ id: victim.componentId, monitorId: mine.id, name: 'Stolen' }];
    const answer = await unharmed(() => ours.patch(`/v1/status-pages/${page.id}`, { components, name: 'Changed' }));
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/components/0/id' }] } });
    expect((await ours.get<StatusPageDto>(`/v1/status-pages/${page.id}`)).body).toEqual(page);
  });

  it('occupies its slug, without disclosing whose it is', async () => {
    const answer = await unharmed(() => ours.post('/v1/status-pages', { name: 'Mine', slug: 'their-page' }));
    expect(answer).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    expect(JSON.stringify(answer.body)).not.toMatch(new RegExp(`Theirs|${victim.page.id}|${app.teams.theirs.id}`));
  });
});

describe('a body', () => {
  const OURS = ['teamId', 'team_id', 'role', 'createdBy', 'secretHash'];
  const READ_ONLY = ['id', 'revision', 'status', 'createdAt'];

  it.each([
    ['/v1/monitors', () => paused()],
    ['/v1/status-pages', () => ({ name: 'x', slug: 'x' })],
    ['/v1/api-keys', () => ({ name: 'x', scopes: ['read'] })],
  ])('of %s cannot set teams, roles and read-only fields: 422', async (path, definition) => {
    for (const name of [...OURS, ...READ_ONLY]) {
      const body = { ...definition(), [name]: app.teams.theirs.id };
      const answer = await unharmed(() => ours.post(path, body));
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: `/${name}` }] } });
    }
  });
});

/** Returns a generator of the same uniformly distributed numbers from 0 to below 1 in each run. */
function numbers(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('random operations of two teams', () => {
  it('never show one team an object of the other', async () => {
    const random = numbers();
    const clients = [ours, theirs];
    const own = [new Set<string>(), new Set<string>()];
    for (const [team, client] of clients.entries()) {
      const { body } = await client.get<Page<MonitorDto>>('/v1/monitors?limit=200');
      for (const { id } of body.data) own[team]!.add(id);
    }
    for (let turn = 0; turn < 150; turn += 1) {
      const team = random() < 0.5 ? 0 : 1;
      const [client, mine, foreign] = [clients[team]!, own[team]!, own[1 - team]!];
      const known = [...mine, ...foreign];
      const id = known[Math.floor(random() * known.length)];
      const expected = id !== undefined && mine.has(id);
      switch (Math.floor(random() * 4)) {
        case 0:
          mine.add((await createMonitor(client, paused())).id);
          break;
        case 1:
          expect((await client.get(`/v1/monitors/${id}`)).status).toBe(expected ? 200 : 404);
          break;
        case 2:
          expect((await client.patch(`/v1/monitors/${id}`, { name: `${turn}` })).status).toBe(expected ? 200 : 404);
          break;
        default: {
          const { body } = await client.get<Page<MonitorDto>>('/v1/monitors?limit=200');
          expect(new Set(body.data.map((monitor) => monitor.id))).toEqual(mine);
        }
      }
    }
  });
});
