import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { answers, startTarget, type Target } from './support/target.js';

let app: TestApp;
let api: Client;
let target: Target;
let up: MonitorDto;
let down: MonitorDto;
let slugs = 0;

beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
  target.behave('/hidden-path-down', answers(500));
  const define = (path: string, more: object) =>
    createMonitor(api, httpMonitor(target.url(path), { failureThreshold: 1, ...more }));
  up = await define('/hidden-path-up', { name: 'Shop', key: 'shop', headers: { 'X-Hidden': 'hidden-value' } });
  down = await define('/hidden-path-down', { name: 'Payments' });
  await untilStatus(api, up.id, 'up');
  await untilStatus(api, down.id, 'down');
});
afterAll(async () => {
  await app.close();
  await target.close();
});

async function create(more: Record<string, unknown> = {}): Promise<StatusPageDto> {
  const body = { name: 'Example', slug: `example-${(slugs += 1)}`, ...more };
  const { status, headers, body: page } = await api.post<StatusPageDto>('/v1/status-pages', body);
  expect({ status, page }).toMatchObject({ status: 201 });
  expect(headers.get('location')).toBe(`/v1/status-pages/${page.id}`);
  return page;
}

async function patch(id: string, change: Record<string, unknown>): Promise<StatusPageDto> {
  const { status, body } = await api.patch<StatusPageDto>(`/v1/status-pages/${id}`, change);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const view = (slug: string) => app.api().get<PublicPageDto>(`/status/${slug}.json`);

describe('a status page', () => {
  it('has defaults for omitted fields', async () => {
    const page = await create();
    expect(page).toMatchObject({
      revision: 1,
      key: null,
      name: 'Example',
      customDomain: null,
      description: null,
      published: true,
      accessType: 'public',
      timezone: 'UTC',
      historyDays: 90,
      theme: 'auto',
      accentColor: null,
      logoUrl: null,
      homepageUrl: null,
      components: [],
      status: 'unknown',
      publicUrl: `${app.origin}/status/${page.slug}`,
    });
    expect(page).not.toHaveProperty('password');
    expect((await api.get<StatusPageDto>(`/v1/status-pages/${page.id}`)).body).toEqual(page);
  });

  it('accepts monitors by id or key, in the order of the array', async () => {
    const { components } = await create({ monitorIds: [down.id, 'key:shop'] });
    expect(components).toMatchObject([
      { monitorId: down.id, name: 'Payments', description: null, group: null, showUptime: true },
      { monitorId: up.id, name: 'Shop' },
    ]);
  });

  it.each([
    ['every component up', ['key:shop'], 'operational'],
    ['one of two down', ['key:shop', 'down'], 'partial_outage'],
    ['every component down', ['down'], 'major_outage'],
    ['no components', [], 'unknown'],
  ])('with %s is %s', async (_, monitors, status) => {
    const monitorIds = monitors.map((one) => (one === 'down' ? down.id : one));
    const page = await create({ monitorIds });
    expect(page.status).toBe(status);
    expect((await view(page.slug)).body.status).toBe(status);
  });

  it('keeps the ids of components that are sent again, by id or by monitor', async () => {
    const { id, components } = await create({ monitorIds: [up.id, down.id] });
    const [first, second] = components.map((component) => component.id) as [string, string];
    const reversed = await patch(id, { monitorIds: [down.id, up.id] });
    expect(reversed.components.map((component) => component.id)).toEqual([second, first]);
    const swapped = await patch(id, { components: [{ id: first, monitorId: down.id, name: 'Swapped', group: 'G' }] });
    expect(swapped.components).toMatchObject([{ id: first, monitorId: down.id, name: 'Swapped', group: 'G' }]);
    expect((await patch(id, { name: 'Renamed' })).components).toEqual(swapped.components);
  });

  it('is changed by a merge patch: null restores a default, and the revision increments', async () => {
    const page = await create({
      description: 'Text',
      historyDays: 30,
      theme: 'dark',
      accentColor: '#0c8599',
      key: 'patched',
      published: false,
    });
    const after = await patch('key:patched', {
      description: null,
      historyDays: null,
      theme: null,
      accentColor: null,
      key: null,
      published: null,
    });
    const defaults = {
      description: null,
      historyDays: 90,
      theme: 'auto',
      accentColor: null,
      key: null,
      published: true,
    };
    expect(after).toEqual({ ...page, ...defaults, revision: 2, updatedAt: after.updatedAt });
  });

  it('loses the component of a monitor that is deleted', async () => {
    const monitor = await createMonitor(api, httpMonitor(target.url('/'), { paused: true }));
    const { id } = await create({ monitorIds: [up.id, monitor.id] });
    await api.delete(`/v1/monitors/${monitor.id}`);
    const { body } = await api.get<StatusPageDto>(`/v1/status-pages/${id}`);
    expect(body.components.map(({ monitorId }) => monitorId)).toEqual([up.id]);
  });

  it('has a unique slug and a unique key: 409', async () => {
    const first = await create({ key: 'unique' });
    const second = await create();
    const slug = first.slug;
    const taken = [
      [await api.post('/v1/status-pages', { name: 'x', slug }), 'slug_taken'],
      [await api.patch(`/v1/status-pages/${second.id}`, { slug }), 'slug_taken'],
      [await api.post('/v1/status-pages', { name: 'x', slug: 'other', key: 'unique' }), 'key_taken'],
      [await api.patch(`/v1/status-pages/${second.id}`, { key: 'unique' }), 'key_taken'],
    ] as const;
    for (const [answer, code] of taken) expect(answer).toMatchObject({ status: 409, body: { code } });
  });

  it.each([
    ['no slug', { slug: undefined }, '/slug'],
    ['an upper-case slug', { slug: 'Shop' }, '/slug'],
    ['a slug with a path', { slug: '../x' }, '/slug'],
    ['no name', { name: undefined }, '/name'],
    ['a script as homepage', { homepageUrl: 'javascript:alert(1)' }, '/homepageUrl'],
    ['a logo at a blocked address', { logoUrl: 'http://169.254.169.254/logo.svg' }, '/logoUrl'],
    ['the name of a colour', { accentColor: 'teal' }, '/accentColor'],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, '/timezone'],
    ['a history of zero days', { historyDays: 0 }, '/historyDays'],
    ['a fractional history', { historyDays: 1.5 }, '/historyDays'],
    ['a password page without password', { accessType: 'password' }, '/password'],
    ['a password on a public page', { password: 'long enough' }, '/password'],
    ['an unknown monitor', { monitorIds: ['key:nobody'] }, '/monitorIds/0'],
    ['a monitor twice', { monitorIds: ['key:shop', 'key:shop'] }, '/monitorIds/1'],
    ['both monitorIds and components', { monitorIds: ['key:shop'], components: [] }, '/monitorIds'],
    ['an unknown field of a component', { components: [{ monitorId: 'key:shop', url: 'x' }] }, '/components/0/url'],
    ['an unknown field', { css: '' }, '/css'],
    ['a read-only field', { publicUrl: '' }, '/publicUrl'],
  ])('is rejected with %s', async (_, change, pointer) => {
    const answer = await api.post('/v1/status-pages', { name: 'x', slug: 'refused', ...change });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  it('can be filtered by key and slug, and is listed in pages', async () => {
    const page = await create({ key: 'listed' });
    for (const query of ['?key=listed', `?slug=${page.slug}`, '?limit=1']) {
      expect((await api.get<Page<StatusPageDto>>(`/v1/status-pages${query}`)).body.data).toEqual([page]);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body }: { body: Page<StatusPageDto> } = await api.get(`/v1/status-pages?limit=3${query}`);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    const { body } = await api.get<Page<StatusPageDto>>('/v1/status-pages?limit=200');
    expect(seen).toEqual(body.data.map(({ id }) => id));
  });

  it('is deleted with its public page', async () => {
    const { id, slug } = await create();
    expect((await view(slug)).status).toBe(200);
    expect((await api.delete(`/v1/status-pages/${id}`)).status).toBe(204);
    expect((await api.delete(`/v1/status-pages/${id}`)).status).toBe(404);
    expect((await view(slug)).status).toBe(404);
  });
});

describe('the public page', () => {
  it('shows states and figures without a key, but no details of its monitors', async () => {
    const { slug } = await create({ monitorIds: [up.id, down.id], historyDays: 7 });
    const { status, body } = await view(slug);
    expect(status).toBe(200);
    expect(body.components).toMatchObject([
      { name: 'Shop', status: 'up' },
      { name: 'Payments', status: 'down' },
    ]);
    for (const { days } of body.components) expect(days).toHaveLength(7);
    const html = await app.api().get<string>(`/status/${slug}`);
    expect(html.headers.get('content-type')).toMatch(/^text\/html/);
    // The address of the page itself is public.
    const own = `${app.origin}/status/${slug}`;
    for (const text of [JSON.stringify(body), html.body.replaceAll(own, '')]) {
      expect(text).toContain('Payments');
      for (const secret of ['hidden-', target.origin, '127.0.0.1', 'unexpected_status', up.id, down.id, 'shop"']) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it('is 404 while it is not published', async () => {
    const { id, slug } = await create({ published: false });
    expect((await view(slug)).status).toBe(404);
    expect((await app.api().get(`/status/${slug}`)).status).toBe(404);
    await patch(id, { published: true });
    expect((await view(slug)).status).toBe(200);
  });

  it('requires its password, if it has one', async () => {
    const { id, slug } = await create({ accessType: 'password', password: 'correct horse' });
    const visit = (password: string) => {
      const authorization = `Basic ${Buffer.from(`anyone:${password}`).toString('base64')}`;
      return app.api().call('GET', `/status/${slug}.json`, { headers: { authorization } });
    };
    const asked = await view(slug);
    expect(asked.status).toBe(401);
    expect(asked.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await app.api().get(`/status/${slug}`)).status).toBe(401);
    expect((await visit('wrong horse')).status).toBe(401);
    expect((await visit('correct horse')).status).toBe(200);
    await patch(id, { password: 'another horse' });
    expect((await visit('correct horse')).status).toBe(401);
    expect((await visit('another horse')).status).toBe(200);
    const stored = await app.query(`SELECT 1 FROM status_pages p WHERE to_jsonb(p)::text LIKE '%horse%'`);
    expect(stored).toEqual([]);
    await patch(id, { accessType: 'public' });
    await eventually(async () => expect((await view(slug)).status).toBe(200));
  });
});
