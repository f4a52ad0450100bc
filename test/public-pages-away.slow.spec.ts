import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../src/database/migrate.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { OwnCluster } from './support/own-cluster.js';

const PATIENCE_MS = 60_000;
/** Maximum time that a request may wait for a database that does not respond. */
const A_FEW_SECONDS_MS = 20_000;

let app: TestApp;
let api: Client;
let cluster: OwnCluster;
beforeAll(async () => {
  cluster = await OwnCluster.make();
  await migrate(cluster.url);
  app = await startApp({}, () => cluster.url);
  api = app.api(app.teams.ours.write);
}, 120_000);
afterAll(async () => {
  await app.close();
  await cluster.remove();
}, 120_000);

const FORMS = ['', '.json', '/feed.atom'];
const get = (path: string, headers: Record<string, string> = {}) => fetch(app.origin + path, { headers });
const basic = (password: string) => ({ authorization: `Basic ${btoa(`anyone:${password}`)}` });

async function visitAll(slug: string, headers: Record<string, string> = {}): Promise<string[]> {
  const answers = await Promise.all(FORMS.map((form) => get(`/status/${slug}${form}`, headers)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  return Promise.all(answers.map((answer) => answer.text()));
}

describe('public pages while the database is stopped', () => {
  let computedAt: string;
  let incidentId: string;

  beforeAll(async () => {
    const monitor = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { paused: true }));
    const components = [{ monitorId: monitor.id, name: 'Shop' }];
    const pages = [
      { slug: 'seen' },
      { slug: 'unseen' },
      { slug: 'hidden' },
      { slug: 'changed' },
      { slug: 'closed' },
      { slug: 'secret', accessType: 'password', password: 'correct horse' },
    ];
    ({ id: incidentId } = await reportIncident(api, [monitor.id], { title: 'Payments fail' }));
    const ids = new Map<string, string>();
    for (const page of pages) {
      const { body } = await api.post<{ id: string }>('/v1/status-pages', { name: 'Example', components, ...page });
      ids.set(page.slug, body.id);
    }
    for (const slug of ['hidden', 'changed']) await visitAll(slug);
    await api.patch(`/v1/status-pages/${ids.get('hidden')}`, { published: false });
    await api.patch(`/v1/status-pages/${ids.get('changed')}`, { accessType: 'password', password: 'a new horse' });
    await visitAll('secret', basic('correct horse'));
    await visitAll('closed');
    // Like a change by another process, which this one detects at the next request.
    await app.query(`UPDATE status_pages SET (access_type, password_hash) =
      (SELECT access_type, password_hash FROM status_pages WHERE slug = 'secret') WHERE slug = 'closed'`);
    expect((await get('/status/closed')).status).toBe(401);
    const [, json] = await visitAll('seen');
    ({ computedAt } = JSON.parse(json!) as PublicPageDto);
    await cluster.kill();
  }, 120_000);

  it('are served from the last copy, with its age', async () => {
    const [html, json, feed] = await Promise.all(FORMS.map((form) => get(`/status/seen${form}`)));
    for (const { status, headers } of [html!, json!, feed!]) {
      expect({ status, control: headers.get('cache-control'), etag: headers.get('etag') }).toEqual({
        status: 200,
        control: 'no-store',
        etag: null,
      });
      expect(Number(headers.get('age'))).toBeGreaterThanOrEqual(0);
    }
    const page = await html!.text();
    expect(page).toMatch(/These figures are from <time [^>]*>[^<]*UTC<\/time> \(\d+ (second|minute)s? ago\)\./);
    expect(page).toContain('Shop');
    expect(((await json!.json()) as PublicPageDto).computedAt).toBe(computedAt);
    expect(await feed!.text()).toContain('<feed ');
  });

  it('are served in parts that the copy has, while others are 503', async () => {
    const incident = await get(`/status/seen/incidents/${incidentId}`);
    expect({ status: incident.status, control: incident.headers.get('cache-control') }).toEqual({
      status: 200,
      control: 'no-store',
    });
    expect(await incident.text()).toMatch(/Newer data is temporarily unavailable\..*Payments fail/s);
    expect((await get('/status/seen/api/v2/summary.json')).status).toBe(200);
    expect((await get('/status/seen/api/v2/incidents.json')).status).toBe(200);
    for (const part of ['history', 'maintenance.ics', 'incidents/0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01']) {
      const { status, headers } = await get(`/status/seen/${part}`);
      expect({ part, status, retryAfter: headers.get('retry-after') }).toEqual({ part, status: 503, retryAfter: '5' });
    }
  });

  it('are 503 without a copy', async () => {
    for (const form of FORMS) {
      const { status, headers } = await get(`/status/unseen${form}`);
      expect({ form, status, retryAfter: headers.get('retry-after') }).toEqual({ form, status: 503, retryAfter: '5' });
    }
  });

  it('still require their password', async () => {
    for (const form of FORMS) {
      expect((await get(`/status/secret${form}`)).status).toBe(401);
      expect((await get(`/status/secret${form}`, basic('wrong horse'))).status).toBe(401);
      const { status, headers } = await get(`/status/secret${form}`, basic('correct horse'));
      expect({ status, control: headers.get('cache-control') }).toEqual({ status: 200, control: 'private, no-store' });
    }
  });

  it('are 503 if they were unpublished or password-protected before', async () => {
    for (const slug of ['hidden', 'changed', 'closed']) {
      for (const form of FORMS) expect((await get(`/status/${slug}${form}`)).status).toBe(503);
    }
  });

  it(
    'are served from the database again after it has recovered',
    async () => {
      await cluster.start();
      await eventually(async () => {
        const response = await get('/status/seen');
        expect(response.headers.get('cache-control')).toBe('public, max-age=10');
        expect(await response.text()).not.toContain('These figures are from');
      }, PATIENCE_MS);
      expect((await get('/status/hidden')).status).toBe(404);
    },
    2 * PATIENCE_MS,
  );

  it(
    'are served from the last copy within seconds if the database hangs',
    async () => {
      await visitAll('seen');
      await cluster.freeze();
      const startedAt = performance.now();
      for (const form of FORMS) {
        const { status, headers } = await get(`/status/seen${form}`);
        expect({ status, control: headers.get('cache-control') }).toEqual({ status: 200, control: 'no-store' });
      }
      expect(performance.now() - startedAt).toBeLessThan(FORMS.length * A_FEW_SECONDS_MS);
      await cluster.thaw();
    },
    2 * PATIENCE_MS,
  );
});
