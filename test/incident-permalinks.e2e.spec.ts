import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../src/domain/durations.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';

let app: TestApp;
let api: Client;
/** Paused monitors, so that only the tests change what is shown. */
let monitor: MonitorDto;
let other: MonitorDto;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  [monitor, other] = await Promise.all(
    ['Internal', 'Elsewhere'].map((name) =>
      createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name, paused: true })),
    ) as [Promise<MonitorDto>, Promise<MonitorDto>],
  );
});
afterAll(() => app.close());

const publish = (more: Record<string, unknown> = {}) =>
  createPage(api, { slug: randomUUID(), components: [{ monitorId: monitor.id, name: 'Shop' }], ...more });

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.origin + path, { headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

describe('the page of an incident', () => {
  it('shows the incident with all public updates, linked from the page and without internal details', async () => {
    const { slug } = await publish();
    const { id } = await reportIncident(api, [monitor.id, other.id], { title: 'Payments fail', impact: 'down' });
    for (let step = 1; step <= 12; step += 1) {
      await api.post(`/v1/incidents/${id}/updates`, { phase: 'identified', text: `Step ${step}.` });
    }
    await api.post(`/v1/incidents/${id}/updates`, { text: 'For the team only.', public: false });
    const path = `/status/${slug}/incidents/${id}`;
    expect((await open(`/status/${slug}`)).html).toContain(`<a href="${path}">Payments fail</a>`);
    const { status, headers, html } = await open(path);
    expect({ status, type: headers.get('content-type'), control: headers.get('cache-control') }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      control: 'public, max-age=10',
    });
    expect(html).toContain('<title>Payments fail · Example</title>');
    expect(html).toMatch(/Payments fail.*Affects <span dir="auto">Shop<\/span>.*Step 12\..*Step 1\./s);
    expect(html).toContain(`<a href="/status/${slug}">`);
    expect(html).toContain('<meta property="og:title" content="Payments fail · Example"');
    expect(html).toContain('<meta property="og:description" content="Identified. Step 12."');
    expect(html).toContain(`<meta property="og:url" content="${app.origin}${path}"`);
    for (const secret of [monitor.id, other.id, 'Internal', 'Elsewhere', 'For the team only.']) {
      expect(html).not.toContain(secret);
    }
  });

  it('reflects a change at once, and stays after the incident was resolved long ago', async () => {
    const { slug } = await publish();
    const { id } = await reportIncident(api, [monitor.id], { title: 'Slow' });
    const path = `/status/${slug}/incidents/${id}`;
    expect((await open(path)).html).toContain('Slow');
    await api.patch(`/v1/incidents/${id}`, { title: 'Very slow' });
    expect((await open(path)).html).toContain('Very slow');
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'Fast again.' });
    expect((await open(path)).html).toMatch(/Resolved.*Fast again\./s);
    const then = new Date(Date.now() - 40 * DAY_MS);
    await app.query('UPDATE incidents SET started_at = $2, resolved_at = $3 WHERE id = $1', [
      id,
      then,
      new Date(then.getTime() + 60_000),
    ]);
    expect((await open(`/status/${slug}`)).html).not.toContain('Very slow');
    expect(await open(path)).toMatchObject({ status: 200, html: expect.stringContaining('Very slow') });
  });

  it('returns 304 to a browser that has it', async () => {
    const { slug } = await publish();
    const { id } = await reportIncident(api, [monitor.id]);
    const path = `/status/${slug}/incidents/${id}`;
    const etag = (await open(path)).headers.get('etag')!;
    expect((await open(path, { 'if-none-match': etag })).status).toBe(304);
  });

  it('renders hostile texts as plain text', async () => {
    const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&';
    const { slug } = await publish({ name: hostile, components: [{ monitorId: monitor.id, name: hostile }] });
    const update = { phase: 'investigating', text: hostile };
    const { id } = await reportIncident(api, [monitor.id], { title: hostile, update });
    const { html } = await open(`/status/${slug}/incidents/${id}`);
    expect(html).not.toMatch(/<script(?! type="module" src="\/status\/_\/\w+\/status-page\.js"><)|<img/);
    expect(html).toContain('&lt;script>alert(1)&lt;/script>');
  });

  it('is 404 as HTML if the page does not show the incident', async () => {
    const { id: pageId, slug } = await publish();
    const elsewhere = await reportIncident(api, [other.id]);
    const { id } = await reportIncident(api, [monitor.id]);
    for (const unknown of [elsewhere.id, randomUUID(), 'x', `key:${id}`, '%00', '..%2f..']) {
      const { status, headers } = await open(`/status/${slug}/incidents/${unknown}`);
      expect({ unknown, status }).toEqual({ unknown, status: 404 });
      if (unknown !== '%00') expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    const path = `/status/${slug}/incidents/${id}`;
    expect((await open(path)).status).toBe(200);
    await api.patch(`/v1/status-pages/${pageId}`, { monitorIds: [other.id] });
    expect((await open(path)).status).toBe(404);
    await api.patch(`/v1/status-pages/${pageId}`, { monitorIds: [monitor.id], published: false });
    expect((await open(path)).status).toBe(404);
  });

  it('requires the password of the page', async () => {
    const { slug } = await publish({ accessType: 'password', password: 'correct horse' });
    const { id } = await reportIncident(api, [monitor.id]);
    const path = `/status/${slug}/incidents/${id}`;
    expect((await open(path)).status).toBe(401);
    const { status, headers } = await open(path, { authorization: `Basic ${btoa('anyone:correct horse')}` });
    expect({ status, control: headers.get('cache-control') }).toEqual({ status: 200, control: 'private, no-store' });
  });
});
