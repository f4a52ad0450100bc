import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../src/domain/durations.js';
import { startApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { EventReader } from './support/event-reader.js';
import { openStream } from './support/event-stream.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { signedIn } from './support/people.js';

const MOST = 3;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

let app: TestApp;
let api: Client;
beforeAll(async () => {
  const limits = [
    'STATUS_PAGES',
    'MAINTENANCE_WINDOWS',
    'OPEN_INCIDENTS',
    'EXCLUSIONS',
    'PING_KEYS',
    'LIVE_PAGES',
    'EVENT_STREAMS',
    'NOTIFICATION_POLICIES',
    'SILENCES',
  ];
  const settings = Object.fromEntries(limits.map((one) => [`MAX_${one}_PER_TEAM`, String(MOST)]));
  // More than 500, because creates of single subscribers wait for each other only close to the limit.
  settings.MAX_SUBSCRIBERS_PER_TEAM = '1000';
  // Each test team already has three keys, and this one a monitor and a channel.
  const others = { MAX_API_KEYS_PER_TEAM: '6', MAX_MONITORS_PER_TEAM: '4', MAX_NOTIFICATION_CHANNELS_PER_TEAM: '4' };
  app = await startApp({ ...settings, ...others, METRICS_TOKEN, METRICS_PORT: '0' });
  api = app.api(app.teams.ours.admin);
  await putChannel(api, 'ops');
  expect(await api.put('/v1/monitors/key:known', monitor(0))).toMatchObject({ status: 201 });
});
afterAll(() => app.close());

const URL = 'https://shop.example/';
const monitor = (n: number) => ({ name: `Monitor ${n}`, type: 'http', url: URL, paused: true, tags: ['shop'] });

/** Path of a list, a factory for bodies, and the expected count in the rejection. */
const RESOURCES: [string, (n: number) => object, string][] = [
  ['/v1/monitors', monitor, '4 monitors'],
  ['/v1/status-pages', (n) => ({ name: `Page ${n}`, slug: `page-${n}` }), '3 status pages'],
  [
    '/v1/maintenance-windows',
    (n) => ({ name: `Window ${n}`, tags: ['shop'], startsAt: inHours(n + 1), endsAt: inHours(n + 2) }),
    '3 maintenance windows that are not over',
  ],
  ['/v1/incidents', (n) => ({ title: `Incident ${n}`, monitorIds: ['key:known'] }), '3 open manual incidents'],
  [
    '/v1/exclusions',
    (n) => ({ tags: ['shop'], reason: `Reason ${n}`, from: inHours(-2), to: inHours(-1) }),
    '3 exclusions',
  ],
  [
    '/v1/notification-channels',
    (n) => ({ name: `Channel ${n}`, type: 'webhook', settings: { url: URL } }),
    '4 notification channels',
  ],
  [
    '/v1/notification-policies',
    (n) => ({ name: `Policy ${n}`, match: { all: true }, steps: [{ afterSeconds: 0, channelIds: ['key:ops'] }] }),
    '3 notification policies',
  ],
  [
    '/v1/silences',
    (n) => ({ match: { all: true }, durationSeconds: 600, reason: `Reason ${n}` }),
    '3 silences that have not ended',
  ],
  ['/v1/ping-keys', (n) => ({ name: `Ping key ${n}` }), '3 ping keys'],
  ['/v1/api-keys', (n) => ({ name: `Key ${n}`, scopes: ['read'] }), '6 API keys'],
];

describe('a team', () => {
  it.each(RESOURCES)('cannot exceed the limit of %s, even by concurrent requests', async (path, make, named) => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => api.post(path, make(n))));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(3).fill(201),
      ...Array<number>(7).fill(422),
    ]);
    const refused = answers.find(({ status }) => status === 422)!;
    expect(refused.body).toMatchObject({
      code: 'limit_reached',
      detail: expect.stringContaining(`at most ${named}. Remove some,`),
    });
  });

  it('at its limit can delete and change objects', async () => {
    const { body } = await api.get<{ data: { id: string; key: string | null }[] }>('/v1/monitors');
    const other = body.data.find(({ key }) => key === null)!;
    expect(await api.put('/v1/monitors/key:new', monitor(8))).toMatchObject({
      status: 422,
      body: { code: 'limit_reached' },
    });
    expect(await api.put('/v1/monitors/key:known', monitor(9))).toMatchObject({ status: 200 });
    expect(await api.delete(`/v1/monitors/${other.id}`)).toMatchObject({ status: 204 });
    expect(await api.put('/v1/monitors/key:new', monitor(8))).toMatchObject({ status: 201 });
  });

  it('does not count resolved incidents and revoked keys', async () => {
    const { body: incidents } = await api.get<{ data: { id: string }[] }>('/v1/incidents?kind=manual&status=open');
    const path = `/v1/incidents/${incidents.data[0]!.id}/updates`;
    expect(await api.post(path, { phase: 'resolved', text: 'Over.' })).toMatchObject({ status: 201 });
    expect(await api.post('/v1/incidents', { title: 'Another', monitorIds: ['key:known'] })).toMatchObject({
      status: 201,
    });
    const { body: keys } = await api.get<{ data: { id: string; name: string }[] }>('/v1/api-keys');
    const made = keys.data.find(({ name }) => name.startsWith('Key '))!;
    expect(await api.delete(`/v1/api-keys/${made.id}`)).toMatchObject({ status: 204 });
    expect(await api.post('/v1/api-keys', { name: 'Key 11', scopes: ['read'] })).toMatchObject({ status: 201 });
  });

  it('cannot reopen incidents beyond the limit', async () => {
    const { body } = await api.get<{ data: { id: string }[] }>('/v1/incidents?kind=manual&status=resolved');
    const path = `/v1/incidents/${body.data[0]!.id}`;
    expect(await api.patch(path, { resolvedAt: null })).toMatchObject({ status: 422, body: { code: 'limit_reached' } });
    expect(await api.patch(path, { title: 'Still over' })).toMatchObject({ status: 200, body: { status: 'resolved' } });
  });

  it('does not count maintenance windows that are over', async () => {
    const path = '/v1/maintenance-windows';
    const { body } = await api.get<{ data: { id: string }[] }>(path);
    for (const { id } of body.data) expect(await api.delete(`${path}/${id}`)).toMatchObject({ status: 204 });
    for (let n = 0; n < 5; n += 1) {
      const deployment = `${path}/key:deployment-${n}`;
      expect(await api.put(deployment, { name: 'A deployment', tags: ['shop'] })).toMatchObject({ status: 201 });
      expect(await api.post(`${deployment}/start`, { durationSeconds: 60 })).toMatchObject({ status: 200 });
      expect(await api.post(`${deployment}/end`)).toMatchObject({ status: 200 });
      const past = { startsAt: inHours(-72 - n), endsAt: inHours(-71 - n), rrule: 'FREQ=DAILY;COUNT=2' };
      expect(await api.post(path, { name: 'Repeated once', tags: ['shop'], ...past })).toMatchObject({ status: 201 });
    }
    const unused = { name: 'To be started', tags: ['shop'] };
    for (let n = 0; n < 3; n += 1) expect(await api.post(path, unused)).toMatchObject({ status: 201 });
    expect(await api.post(path, unused)).toMatchObject({ status: 422, body: { code: 'limit_reached' } });
  });

  it('cannot make maintenance windows that are over count beyond the limit', async () => {
    const path = '/v1/maintenance-windows/key:deployment-0';
    const next = { startsAt: inHours(1), endsAt: inHours(2) };
    for (const refused of [
      await api.post(`${path}/start`, { durationSeconds: 60 }),
      await api.patch(path, next),
      await api.put(path, { name: 'A deployment', tags: ['shop'], ...next }),
    ]) {
      expect(refused).toMatchObject({ status: 422, body: { code: 'limit_reached' } });
    }
    expect(await api.get(path)).toMatchObject({ body: { revision: 3, startsAt: null, active: false } });
    expect(await api.patch(path, { name: 'A past deployment' })).toMatchObject({ status: 200 });
    const { body } = await api.get<{ data: { id: string; name: string }[] }>('/v1/maintenance-windows');
    const unused = `/v1/maintenance-windows/${body.data.find(({ name }) => name === 'To be started')!.id}`;
    expect(await api.patch(unused, next)).toMatchObject({ status: 200 });
    expect(await api.post(`${unused}/start`, { durationSeconds: 60 })).toMatchObject({ status: 200 });
    expect(await api.delete(unused)).toMatchObject({ status: 204 });
    expect(await api.post(`${path}/start`, { durationSeconds: 60 })).toMatchObject({ status: 200 });
  });

  it('cannot exceed the limit of subscribers by concurrent imports', async () => {
    const { body } = await api.get<{ data: { id: string }[] }>('/v1/status-pages');
    const path = `/v1/status-pages/${body.data[0]!.id}/subscribers`;
    const load = (first: number, count: number) => {
      const csv = Array.from({ length: count }, (_, n) => `${first + n}@shop.example`).join('\n');
      return api.post<{ imported: number }>(`${path}/import`, { csv, consentSource: 'Old page' });
    };
    const answers = await Promise.all([0, 1, 2, 3].map((n) => load(n * 400, 400)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
    expect(await load(1_600, 201)).toMatchObject({ status: 422, body: { code: 'limit_reached' } });
    expect(await load(1_600, 200)).toMatchObject({ status: 200, body: { imported: 200 } });
    // An address that has not been confirmed counts once an import confirms it.
    await app.query(
      `UPDATE status_page_subscribers SET status = 'pending', confirmed_at = NULL WHERE email = '1600@shop.example'`,
    );
    expect(await load(1_600, 200)).toMatchObject({ status: 200, body: { imported: 1 } });
    expect(await load(1_600, 201)).toMatchObject({ status: 422, body: { code: 'limit_reached' } });
  });

  it('does not affect the limits of another team', async () => {
    const theirs = app.api(app.teams.theirs.admin);
    expect(await theirs.post('/v1/monitors', monitor(1))).toMatchObject({ status: 201 });
  });

  it('is informed of a limit in the application, with the input preserved', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open('/status-pages/new');
    const { status, html } = await browser.submit('/status-pages/new', { name: 'One too many', slug: 'too-many' });
    expect(status).toBe(422);
    expect(html).toContain('The team can have at most 3 status pages.');
    expect(html).toContain('One too many');
  });

  it('cannot exceed the limit of live pages, even by several sessions', async () => {
    const [here, there] = await Promise.all([signedIn(app, 'viewer'), signedIn(app, 'viewer')]);
    const path = `/monitors/events?team=${app.teams.ours.id}&counts=true`;
    const readers = [await EventReader.open(here, path), await EventReader.open(here, path)];
    readers.push(await EventReader.open(there, path));
    expect((await there.call('GET', path)).status).toBe(422);
    for (const reader of readers) reader.close();
  });

  it('cannot exceed the limit of event streams, even by concurrent requests', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => openStream(app.origin, app.teams.ours.read)));
    const counted = opened.map(({ status }) => status).sort();
    for (const stream of opened) stream.close();
    expect(counted).toEqual([...Array<number>(3).fill(200), ...Array<number>(7).fill(422)]);
  });

  it('is counted in the metrics when it reaches a limit', async () => {
    const figures = await scrape(app);
    expect(figures.value('daywatch_team_limits_reached_total', { limit: 'MAX_MONITORS_PER_TEAM' })).toBe(8);
    expect(figures.value('daywatch_team_limits_reached_total', { limit: 'MAX_LIVE_PAGES_PER_TEAM' })).toBe(1);
  });
});
