import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident, storeDetected } from './support/incidents.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { createPage } from './support/status-pages.js';
import { answers, startTarget, type Target } from './support/target.js';

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

/** Creates a page with the components `Shop` and `Blog`, whose monitors have internal names. */
async function publish(path: string) {
  const make = (name: string) =>
    createMonitor(api, httpMonitor(target.url(`${path}/${name}`), { name: `internal-${name}`, failureThreshold: 1 }));
  const [shop, blog] = await Promise.all([make('shop'), make('blog')]);
  await Promise.all([shop, blog].map(({ id }) => untilStatus(api, id, 'up')));
  const slug = randomUUID();
  const { body } = await api.post<StatusPageDto>('/v1/status-pages', {
    name: 'Example',
    slug,
    components: [
      { monitorId: shop.id, name: 'Shop' },
      { monitorId: blog.id, name: 'Blog' },
    ],
  });
  const [shopPart, blogPart] = body.components.map(({ id }) => id);
  const view = async (): Promise<PublicPageDto> =>
    (await app.api(null).get<PublicPageDto>(`/status/${slug}.json`)).body;
  const html = async (): Promise<string> => (await fetch(`${app.origin}/status/${slug}`)).text();
  const feed = async (): Promise<string> => (await fetch(`${app.origin}/status/${slug}/feed.atom`)).text();
  return { pageId: body.id, shop, blog, shopPart, blogPart, view, html, feed };
}

it('reports an outage by its component, without details of the monitor', async () => {
  const { shop, shopPart, view, html, feed } = await publish('/detected');
  expect((await view()).incidents).toEqual([]);
  target.behave('/detected/shop', answers(503));
  await untilStatus(api, shop.id, 'down');
  const [incident] = (await api.get<Page<IncidentDto>>(`/v1/monitors/${shop.id}/incidents`)).body.data;
  const updates = `/v1/incidents/${incident!.id}/updates`;
  await api.post(updates, { text: 'Disk of db-3 is full.' });
  await api.post(updates, { phase: 'identified', text: '**We know why.**' });

  const page = await view();
  expect(page.status).toBe('partial_outage');
  expect(page.incidents).toEqual([
    {
      id: incident!.id,
      title: 'Shop is down',
      status: 'open',
      impact: 'down',
      startedAt: incident!.startedAt,
      resolvedAt: null,
      componentIds: [shopPart],
      updates: [
        {
          at: expect.any(String),
          phase: 'identified',
          text: '**We know why.**',
          textHtml: '<p><strong>We know why.</strong></p>',
        },
      ],
    },
  ]);
  const text = (await html()) + JSON.stringify(page);
  for (const secret of ['internal-shop', 'Disk of db-3', shop.id, 'unexpected_status', target.origin]) {
    expect(text).not.toContain(secret);
  }
  expect(text).toContain('<div class="markdown" dir="auto"><p><strong>We know why.</strong></p></div>');
  expect(await feed()).toContain('&lt;p&gt;&lt;strong&gt;We know why.&lt;/strong&gt;&lt;/p&gt;');

  target.behave('/detected/shop', answers(200));
  await untilStatus(api, shop.id, 'up');
  expect((await view()).incidents).toMatchObject([{ title: 'Shop was down', status: 'resolved' }]);
  await api.patch(`/v1/incidents/${incident!.id}`, { title: 'A full disk' });
  expect((await view()).incidents).toMatchObject([{ title: 'A full disk' }]);
  expect(await html()).toMatch(/Past incidents.*A full disk/s);
});

it('describes a flapping component as intermittently unavailable on the page, in its JSON and in the feed', async () => {
  const { shop, view, html, feed } = await publish('/flapping');
  for (let outage = 0; outage < 3; outage++) {
    target.behave('/flapping/shop', answers(503));
    await untilStatus(api, shop.id, 'down');
    target.behave('/flapping/shop', answers(200));
    await untilStatus(api, shop.id, 'up');
  }
  await eventually(async () =>
    expect(await view()).toMatchObject({ status: 'operational', components: [{ status: 'up' }, {}] }),
  );
  const title = 'Shop is intermittently unavailable';
  expect((await view()).incidents[0]).toMatchObject({ title, status: 'open' });
  const text = await html();
  expect(text).toContain('All systems are up right now.');
  expect(text).toContain(`<p dir="auto">${title}.</p>`);
  expect(text).not.toContain('Shop is down');
  expect(await feed()).toContain(`<title>${title}</title>`);
});

it('shows a manual incident and includes its impact in the overall status', async () => {
  const { pageId, blog, blogPart, view, html } = await publish('/manual');
  const statuses = async (): Promise<string[]> => [
    (await view()).status,
    (await api.get<StatusPageDto>(`/v1/status-pages/${pageId}`)).body.status,
  ];
  expect(await statuses()).toEqual(['operational', 'operational']);
  const title = '<script>alert(1)</script> "Comments" are slow';
  const { body: incident } = await api.post<IncidentDto>('/v1/incidents', {
    title,
    monitorIds: [blog.id],
    impact: 'degraded',
    update: { phase: 'investigating', text: '<img src=x onerror=alert(1)>' },
  });
  expect(await statuses()).toEqual(['degraded', 'degraded']);
  const page = await view();
  expect(page.components.map(({ status }) => status)).toEqual(['up', 'up']);
  expect(page.incidents).toMatchObject([{ title, impact: 'degraded', componentIds: [blogPart] }]);
  expect(await html()).toContain('&lt;script>alert(1)&lt;/script>');
  expect(await html()).not.toMatch(/<script(?! type="module" src="\/status\/_\/\w+\/status-page\.js"><)|<img/);

  await api.patch(`/v1/incidents/${incident.id}`, { impact: 'down' });
  expect(await statuses()).toEqual(['partial_outage', 'partial_outage']);
  await api.patch(`/v1/incidents/${incident.id}`, { impact: 'none' });
  expect(await statuses()).toEqual(['operational', 'operational']);
  expect((await view()).incidents).toHaveLength(1);
  await api.patch(`/v1/incidents/${incident.id}`, { impact: 'down' });
  await api.post(`/v1/incidents/${incident.id}/updates`, { phase: 'resolved', text: 'Fast again.' });
  expect(await statuses()).toEqual(['operational', 'operational']);
});

it('announces the maintenance of its components a week ahead, and shows active windows', async () => {
  const { pageId, shop, blog, shopPart, blogPart, view, html } = await publish('/maintenance');
  const at = (days: number): string => new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * DAY_MS).toISOString();
  const make = async (name: string, more: Record<string, unknown>) => {
    const { status, body } = await api.post<{ id: string }>('/v1/maintenance-windows', { name, ...more });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.id;
  };
  await api.patch(`/v1/monitors/${blog.id}`, { tags: ['blogs'] });
  const soon = { startsAt: at(6), endsAt: at(6.5) };
  const planned = await make('Planned', { ...soon, tags: ['blogs'], description: '<b>All</b> of it' });
  await make('Far off', { startsAt: at(8), endsAt: at(9), monitorIds: [shop.id] });
  await make('Of our own', { ...soon, monitorIds: [shop.id], public: false });
  const running = await make('Deploying', { monitorIds: [shop.id] });
  expect((await view()).maintenance.map(({ name }) => name)).toEqual(['Planned']);
  expect((await api.post(`/v1/maintenance-windows/${running}/start`, { durationSeconds: 600 })).status).toBe(200);

  const page = await view();
  expect(page.status).toBe('maintenance');
  expect(page.maintenance).toMatchObject([
    { id: running, name: 'Deploying', active: true, componentIds: [shopPart] },
    { id: planned, name: 'Planned', active: false, description: '<b>All</b> of it', ...soon, componentIds: [blogPart] },
  ]);
  const { startsAt, endsAt } = page.maintenance[0]!;
  expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(600_000);
  expect(await html()).toMatch(/Deploying.*In progress.*Planned.*Scheduled.*&lt;b>All&lt;\/b> of it/s);
  expect((await api.get<StatusPageDto>(`/v1/status-pages/${pageId}`)).body.status).toBe('maintenance');
});

it('omits incidents that ended more than two weeks ago or concern other monitors', async () => {
  const { shop, view } = await publish('/old');
  const other = await createMonitor(api, httpMonitor(target.url('/old/other'), { paused: true }));
  const at = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  const make = async (title: string, monitorId: string, resolvedAt: string | null) =>
    expect(
      (await api.post('/v1/incidents', { title, monitorIds: [monitorId], startedAt: at(20), resolvedAt })).status,
    ).toBe(201);
  await make('long over', shop.id, at(14.01));
  await make('over', shop.id, at(13.99));
  await make('elsewhere', other.id, null);
  expect((await view()).incidents.map(({ title }) => title)).toEqual(['over']);
});

it('shows an open manual incident however many newer ones there are', async () => {
  const shop = await createMonitor(api, httpMonitor(target.url('/crowded'), { paused: true }));
  const { slug } = await createPage(api, { components: [{ monitorId: shop.id, name: 'Shop' }] });
  const startedAt = new Date(Date.now() - DAY_MS).toISOString();
  const { id } = await reportIncident(api, [shop.id], { title: 'Payments fail', impact: 'down', startedAt });
  const newer = await Promise.all(Array.from({ length: 50 }, () => storeDetected(app, shop.id)));
  const read = async (path: string): Promise<string> => (await fetch(`${app.origin}/status/${slug}${path}`)).text();
  const oldest = async (path: string): Promise<unknown> =>
    (JSON.parse(await read(path)) as Pick<PublicPageDto, 'incidents'>).incidents.at(-1)?.id;
  const resolve = 'UPDATE incidents SET resolved_at = started_at WHERE id = ANY($1::uuid[])';
  for (const act of [null, () => app.query(resolve, [newer.map((one) => one.id)])]) {
    await act?.();
    for (const path of ['.json', '/api/v2/summary.json', '/api/v2/incidents.json']) {
      expect({ path, oldest: await oldest(path) }).toEqual({ path, oldest: id });
    }
    expect(await read('/feed.atom')).toContain('<title>Payments fail</title>');
  }
  expect(await read('')).toMatch(/class="overall"[^>]*>\s*Payments fail/);
});
