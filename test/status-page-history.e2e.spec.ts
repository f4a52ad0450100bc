import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

/** Publishes a page of a paused monitor, so that only the tests change what is shown. */
async function publish(more: Record<string, unknown> = {}) {
  const monitor: MonitorDto = await createMonitor(
    api,
    httpMonitor('http://127.0.0.1:9/', { name: 'Internal', paused: true }),
  );
  const components = [{ monitorId: monitor.id, name: 'Shop' }];
  const { slug } = await createPage(api, { slug: randomUUID(), components, ...more });
  return { monitor, slug, path: `/status/${slug}/history` };
}

/** Stores an incident with these times, which callers cannot choose. */
async function pastIncident(monitor: MonitorDto, title: string, from: string, to: string): Promise<string> {
  const { id } = await reportIncident(api, [monitor.id], { title });
  await app.query('UPDATE incidents SET started_at = $2, resolved_at = $3 WHERE id = $1', [id, from, to]);
  return id;
}

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.origin + path, { headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

describe('the history of a page', () => {
  it('shows the incidents of a month in the time zone of the page, with links to the months next to it', async () => {
    const { monitor, slug, path } = await publish({ timezone: 'Europe/Berlin' });
    await pastIncident(monitor, 'In December', '2025-12-31T22:00:00Z', '2025-12-31T22:30:00Z');
    const id = await pastIncident(monitor, 'In both', '2025-12-31T22:40:00Z', '2025-12-31T23:10:00Z');
    await pastIncident(monitor, 'In January', '2026-01-31T22:59:00Z', '2026-01-31T23:00:00Z');
    await pastIncident(monitor, 'In February', '2026-01-31T23:30:00Z', '2026-02-01T00:00:00Z');
    const january = await open(`${path}?month=2026-01`);
    expect(january.status).toBe(200);
    expect(january.html).toMatch(/January 2026.*In January.*In both/s);
    expect(january.html).not.toMatch(/In December|In February/);
    expect(january.html).toContain(`<a href="/status/${slug}/incidents/${id}">In both</a>`);
    expect(january.html).toContain(`<a href="${path}?month=2025-12" rel="prev">`);
    expect(january.html).toContain(`<a href="${path}?month=2026-02" rel="next">`);
    const december = await open(`${path}?month=2025-12`);
    expect(december.html).toMatch(/In both.*In December/s);
    expect(december.html).not.toContain('rel="prev"');
    expect((await open(`${path}?month=2025-11`)).status).toBe(404);
  });

  it('begins with the current month, linked from the page, and reflects a change at once', async () => {
    const { monitor, slug, path } = await publish();
    expect((await open(`/status/${slug}`)).html).toContain(`<a href="${path}">`);
    const { html } = await open(path);
    expect(html).toContain('No incidents in ');
    expect(html).not.toMatch(/rel="(prev|next)"/);
    await reportIncident(api, [monitor.id], { title: 'Payments fail' });
    expect((await open(path)).html).toContain('Payments fail');
  });

  it('shows completed public maintenance, and neither private nor future one', async () => {
    const { monitor, path } = await publish();
    const window = async (name: string, more: Record<string, unknown> = {}): Promise<void> => {
      const { body } = await api.post<{ id: string }>('/v1/maintenance-windows', {
        name,
        monitorIds: [monitor.id],
        ...more,
      });
      await api.post(`/v1/maintenance-windows/${body.id}/start`, { durationSeconds: 600 });
      await api.post(`/v1/maintenance-windows/${body.id}/end`);
    };
    await window('New disks');
    await window('Secret disks', { public: false });
    const startsAt = new Date(Date.now() + 3_600_000).toISOString();
    const endsAt = new Date(Date.now() + 7_200_000).toISOString();
    await api.post('/v1/maintenance-windows', { name: 'Later', monitorIds: [monitor.id], startsAt, endsAt });
    const { html } = await open(path);
    expect(html).toMatch(/Completed maintenance.*New disks.*Completed/s);
    expect(html).not.toMatch(/Secret disks|Later/);
    for (const secret of [monitor.id, 'Internal']) expect(html).not.toContain(secret);
  });

  it.each(['2026-13', '2026-1', '', 'x', '9999-12', '0000-01'])('is 404 as HTML for the month %j', async (month) => {
    const { path } = await publish();
    const { status, headers } = await open(`${path}?month=${month}`);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
  });

  it('requires the password of the page, is cacheable without one, and is 404 with the page', async () => {
    const secret = await publish({ accessType: 'password', password: 'correct horse' });
    expect((await open(secret.path)).status).toBe(401);
    const authorization = `Basic ${btoa('anyone:correct horse')}`;
    expect((await open(secret.path, { authorization })).headers.get('cache-control')).toBe('private, no-store');
    const { headers } = await open((await publish()).path);
    expect(headers.get('cache-control')).toBe('public, max-age=10');
    expect((await open((await publish({ published: false })).path)).status).toBe(404);
  });

  it('renders hostile texts as plain text', async () => {
    const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&';
    const { monitor, path } = await publish({ name: hostile });
    await reportIncident(api, [monitor.id], { title: hostile, update: { phase: 'identified', text: hostile } });
    const { html } = await open(path);
    expect(html).not.toMatch(/<script(?! type="module" src="\/status\/_\/\w+\/status-page\.js"><)|<img/);
  });
});
