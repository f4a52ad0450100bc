import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../src/domain/durations.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import {
  type StatuspageIncidentsDto,
  type StatuspageMaintenancesDto,
  type StatuspageSummaryDto,
} from '../src/modules/status-pages/statuspage/statuspage-files.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';

const FILES = [
  'summary',
  'status',
  'components',
  'incidents',
  'incidents/unresolved',
  'scheduled-maintenances',
  'scheduled-maintenances/upcoming',
  'scheduled-maintenances/active',
];
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

/** Publishes a page with two paused monitors, so that only the tests change what is shown. */
async function publish(more: Record<string, unknown> = {}) {
  const make = (name: string): Promise<MonitorDto> =>
    createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name, paused: true }));
  const [shop, blog] = await Promise.all([make('internal-shop'), make('internal-blog')]);
  const components = [
    { monitorId: shop.id, name: 'Shop', group: 'Sales', description: 'Carts' },
    { monitorId: blog.id, name: 'Blog', showUptime: false },
  ];
  const page = await createPage(api, { slug: randomUUID(), components, timezone: 'Europe/Berlin', ...more });
  const read = async <T>(file: string): Promise<T> =>
    (await app.api(null).get<T>(`/status/${page.slug}/api/v2/${file}.json`)).body;
  return { shop, blog, page, read };
}

describe('a page in the format of Statuspage', () => {
  it('has the state of an incident also after many notes', async () => {
    const { shop, page, read } = await publish();
    const update = { phase: 'monitoring', text: 'A fix is in place.' };
    const { id } = await reportIncident(api, [shop.id], { update });
    for (let n = 1; n <= 11; n += 1) {
      const note = { phase: 'note', text: `Note ${n}.`, public: true };
      expect((await api.post(`/v1/incidents/${id}/updates`, note)).status).toBe(201);
    }
    const [incident] = (await read<StatuspageIncidentsDto>('incidents')).incidents;
    expect(incident).toMatchObject({ status: 'monitoring', monitoring_at: TIME });
    const bodies = incident!.incident_updates.map(({ body }) => body);
    expect(bodies).toEqual([...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `Note ${n}.`), 'A fix is in place.']);
    expect(await (await fetch(`${app.origin}/status/${page.slug}`)).text()).toContain('<strong>Monitoring</strong>');
  });

  it('has the fields that Statuspage documents, and no internal details', async () => {
    const { shop, blog, page, read } = await publish();
    const update = { phase: 'identified', text: 'A disk.' };
    const incident = await reportIncident(api, [shop.id], { title: 'Payments fail', impact: 'down', update });
    const summary = await read<StatuspageSummaryDto>('summary');
    const url = `${app.origin}/status/${page.slug}`;
    expect(summary.page).toEqual({ id: ID, name: 'Example', url, time_zone: 'Europe/Berlin', updated_at: TIME });
    expect(summary.status).toEqual({ indicator: 'critical', description: 'Major Service Outage' });
    const common = {
      status: 'operational',
      created_at: TIME,
      updated_at: TIME,
      start_date: null,
      page_id: summary.page.id,
      only_show_if_degraded: false,
    };
    const [shopId, blogId] = page.components.map(({ id }) => id);
    const group = summary.components[0]!.id;
    const shopPart = {
      ...common,
      ...{ id: shopId, name: 'Shop', description: 'Carts', position: 2, showcase: true, group: false, group_id: group },
    };
    expect(summary.components).toEqual([
      {
        ...common,
        ...{ id: ID, name: 'Sales', description: null, position: 1, showcase: false, group: true, group_id: null },
        components: [shopId],
      },
      shopPart,
      {
        ...common,
        ...{ id: blogId, name: 'Blog', description: null, position: 3, showcase: false, group: false, group_id: null },
      },
    ]);
    expect(summary.incidents).toEqual([
      {
        id: incident.id,
        name: 'Payments fail',
        status: 'identified',
        created_at: TIME,
        updated_at: TIME,
        monitoring_at: null,
        resolved_at: null,
        impact: 'major',
        shortlink: `${url}/incidents/${incident.id}`,
        started_at: incident.startedAt,
        page_id: summary.page.id,
        incident_updates: [
          {
            id: ID,
            status: 'identified',
            body: 'A disk.',
            incident_id: incident.id,
            created_at: TIME,
            updated_at: TIME,
            display_at: TIME,
            affected_components: null,
            deliver_notifications: false,
            custom_tweet: null,
            tweet_id: null,
          },
        ],
        components: [shopPart],
      },
    ]);
    expect((await fetch(summary.incidents[0]!.shortlink)).status).toBe(200);
    for (const secret of [shop.id, blog.id, page.id, 'internal-', '127.0.0.1:9']) {
      expect(JSON.stringify(summary)).not.toContain(secret);
    }
  });

  it('lists resolved incidents of any age among all, but not among the unresolved ones', async () => {
    const { shop, read } = await publish();
    const { id } = await reportIncident(api, [shop.id], { impact: 'degraded' });
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'Done.' });
    const long = [40, 39].map((days) => new Date(Date.now() - days * DAY_MS));
    await app.query('UPDATE incidents SET started_at = $2, resolved_at = $3 WHERE id = $1', [id, ...long]);
    const open = await reportIncident(api, [shop.id], { impact: 'none' });
    const all = (await read<StatuspageIncidentsDto>('incidents')).incidents;
    expect(all).toMatchObject([
      { id: open.id, impact: 'none', status: 'investigating' },
      { id, impact: 'minor', status: 'resolved', resolved_at: long[1]!.toISOString() },
    ]);
    expect((await read<StatuspageIncidentsDto>('incidents/unresolved')).incidents).toMatchObject([{ id: open.id }]);
    expect((await read<StatuspageSummaryDto>('summary')).incidents).toMatchObject([{ id: open.id }]);
  });

  it('lists upcoming, active and completed public maintenance', async () => {
    const { shop, read } = await publish();
    const at = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
    const create = async (name: string, more: Record<string, unknown>): Promise<string> => {
      const body = { name, monitorIds: [shop.id], ...more };
      return (await api.post<{ id: string }>('/v1/maintenance-windows', body)).body.id;
    };
    const times = { startsAt: at(2), endsAt: at(2.1) };
    await create('New disks', { ...times, description: 'Slower for a while.' });
    await create('Not public', { ...times, public: false });
    for (const [name, over] of [
      ['Deploying', false],
      ['Deployed', true],
    ] as const) {
      const id = await create(name, {});
      await api.post(`/v1/maintenance-windows/${id}/start`, { durationSeconds: 600 });
      if (over) await api.post(`/v1/maintenance-windows/${id}/end`);
    }
    const listed = async (file: string) => (await read<StatuspageMaintenancesDto>(file)).scheduled_maintenances;
    const active = { name: 'Deploying', status: 'in_progress', impact: 'maintenance', resolved_at: null };
    const upcoming = {
      name: 'New disks',
      status: 'scheduled',
      scheduled_for: times.startsAt,
      scheduled_until: times.endsAt,
    };
    expect(await listed('scheduled-maintenances')).toMatchObject([
      active,
      { ...upcoming, incident_updates: [{ status: 'scheduled', body: 'Slower for a while.' }] },
      { name: 'Deployed', status: 'completed', resolved_at: TIME, incident_updates: [{ status: 'completed' }, {}, {}] },
    ]);
    expect(await listed('scheduled-maintenances/active')).toMatchObject([active]);
    expect(await listed('scheduled-maintenances/upcoming')).toMatchObject([upcoming]);
    const summary = await read<StatuspageSummaryDto>('summary');
    expect(summary.scheduled_maintenances).toMatchObject([active, upcoming]);
    expect(summary.status).toEqual({ indicator: 'none', description: 'No Current Data' });
  });

  it('is readable by scripts of other sites, cacheable, and 304 if unchanged', async () => {
    const { page } = await publish();
    for (const file of FILES) {
      const url = `${app.origin}/status/${page.slug}/api/v2/${file}.json`;
      const { status, headers } = await fetch(url, { headers: { origin: 'https://shop.example' } });
      expect({ file, status, control: headers.get('cache-control') }).toEqual({
        file,
        status: 200,
        control: 'public, max-age=10',
      });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect((await fetch(url, { headers: { 'if-none-match': headers.get('etag')! } })).status).toBe(304);
    }
  });

  it('requires the password of the page, which scripts of other sites cannot read, and is 404 with it', async () => {
    const secret = await publish({ accessType: 'password', password: 'correct horse' });
    const hidden = await publish({ published: false });
    const authorization = `Basic ${btoa('anyone:correct horse')}`;
    for (const file of FILES) {
      const path = `${app.origin}/status/${secret.page.slug}/api/v2/${file}.json`;
      expect((await fetch(path)).status).toBe(401);
      const { status, headers } = await fetch(path, { headers: { authorization } });
      expect({ status, control: headers.get('cache-control') }).toEqual({ status: 200, control: 'private, no-store' });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      for (const slug of [hidden.page.slug, 'unknown', 'UNKNOWN!']) {
        const answer = await app.api(null).get(`/status/${slug}/api/v2/${file}.json`);
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
    expect((await fetch(`${app.origin}/status/${secret.page.slug}/api/v2/other.json`)).status).toBe(404);
  });
});
