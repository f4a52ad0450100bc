import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { signedIn } from './support/people.js';
import { EAST, TwoLocations, WEST } from './support/two-locations.js';

let app: TestApp;
let api: Client;
let two: TwoLocations;
beforeAll(async () => {
  app = await startApp();
  api = app.api(app.teams.ours.write);
  two = await TwoLocations.add(app);
  await app.query(
    `UPDATE locations SET name = CASE key WHEN $1 THEN 'Amsterdam' ELSE 'Tokyo' END WHERE key <> 'default'`,
    [EAST],
  );
});
afterAll(() => app.close());

async function publish(slug: string, monitorIds: readonly string[], more: object = {}): Promise<string> {
  const made = await api.post<StatusPageDto>('/v1/status-pages', { name: 'Example', slug, monitorIds, ...more });
  expect(made.status).toBe(201);
  return made.body.id;
}

/** Returns the locations of each component. */
async function locationsOn(slug: string): Promise<PublicPageDto['components'][number]['locations'][]> {
  const { body } = await app.api(null).get<PublicPageDto>(`/status/${slug}.json`);
  return body.components.map(({ locations }) => locations);
}

it('shows no locations unless it is asked to', async () => {
  const monitorId = await two.create({ quorum: 'all' });
  await two.failInTheEast(monitorId);
  const id = await publish('silent', [monitorId]);
  expect((await api.get<StatusPageDto>(`/v1/status-pages/${id}`)).body.showLocations).toBe(false);
  expect(await locationsOn('silent')).toEqual([[]]);
  expect(await (await fetch(`${app.origin}/status/silent`)).text()).not.toContain('Amsterdam');
});

it('shows at once where a component is up and down, by the names of the locations', async () => {
  const several = await two.create({ quorum: 'all' });
  const single = await two.create({ locations: [WEST] });
  await two.failInTheEast(several);
  await two.record(single, WEST, [[20, 'up']]);
  await publish('regions', [several, single], { showLocations: true });
  const east = { name: 'Amsterdam', status: 'down' };
  expect(await locationsOn('regions')).toEqual([[east, { name: 'Tokyo', status: 'up' }], []]);
  // The component stays degraded.
  await two.record(several, WEST, [
    [10, 'degraded'],
    [9, 'degraded'],
  ]);
  expect(await locationsOn('regions')).toEqual([[east, { name: 'Tokyo', status: 'degraded' }], []]);
  const html = await (await fetch(`${app.origin}/status/regions`)).text();
  expect(html).toMatch(/by location.*Amsterdam.*Down.*Tokyo.*Degraded/s);
});

it('shows at once that a location was renamed', async () => {
  const monitorId = await two.create({ quorum: 'all' });
  await two.failInTheEast(monitorId);
  await publish('renamed', [monitorId], { showLocations: true });
  expect((await locationsOn('renamed'))[0]![1]).toEqual({ name: 'Tokyo', status: 'up' });
  await app.query(`UPDATE locations SET name = 'Osaka' WHERE key = $1`, [WEST]);
  expect((await locationsOn('renamed'))[0]![1]).toEqual({ name: 'Osaka', status: 'up' });
});

it('does not show what checks find during maintenance', async () => {
  const monitorId = await two.create();
  await two.failInTheEast(monitorId);
  await publish('maintained', [monitorId], { showLocations: true });
  const window = '/v1/maintenance-windows/key:regions';
  expect((await api.put(window, { name: 'Work', monitorIds: [monitorId] })).status).toBe(201);
  expect((await api.post(`${window}/start`, { durationSeconds: 600 })).status).toBe(200);
  expect(await locationsOn('maintained')).toEqual([[]]);
});

it('is told to do so in the editor', async () => {
  const id = await publish('edited', [await two.create()]);
  const browser = await signedIn(app, 'editor');
  await browser.open(`/status-pages/${id}/edit`);
  expect((await browser.submit(`/status-pages/${id}/edit`, { do: 'save', showLocations: 'on' })).status).toBe(200);
  expect((await api.get<StatusPageDto>(`/v1/status-pages/${id}`)).body.showLocations).toBe(true);
  const { html } = await browser.open(`/status-pages/${id}/edit`);
  expect(html).toMatch(/<input[^>]*name="showLocations"[^>]*checked/);
});
