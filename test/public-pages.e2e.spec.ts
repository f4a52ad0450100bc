import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { MINUTE_MS } from '../src/domain/durations.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type PublishedPages } from '../src/modules/status-pages/published-pages.service.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';
import { childrenOf, parseXml } from './support/xml.js';

let app: TestApp;
let api: Client;
/** A paused monitor, so that only the tests change what is shown. */
let monitor: MonitorDto;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  monitor = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name: 'Internal', paused: true }));
});
afterAll(() => app.close());

const publish = (more: Record<string, unknown> = {}): Promise<StatusPageDto> =>
  createPage(api, { components: [{ monitorId: monitor.id, name: 'Shop' }], ...more });

const formsOf = (slug: string): string[] => [`/status/${slug}`, `/status/${slug}.json`, `/status/${slug}/feed.atom`];
const textOf = async (path: string): Promise<string> => {
  const response = await fetch(app.origin + path);
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  return response.text();
};
const viewOf = async (slug: string): Promise<PublicPageDto> =>
  (await app.api().get<PublicPageDto>(`/status/${slug}.json`)).body;

/** Returns the response without decompressing its body. */
async function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    httpRequest(app.origin + path, { method, headers }, resolve)
      .on('error', reject)
      .end(),
  );
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

describe('every format of a page immediately reflects a change', () => {
  it('of an incident: created, updated, renamed, resolved', async () => {
    const { slug } = await publish();
    for (const path of formsOf(slug)) expect(await textOf(path)).not.toContain('Payments');
    const body = { title: 'Payments fail', monitorIds: [monitor.id], impact: 'down' };
    const { id } = (await api.post<IncidentDto>('/v1/incidents', body)).body;
    for (const path of formsOf(slug)) expect(await textOf(path)).toContain('Payments fail');
    for (let count = 1; count <= 5; count += 1) {
      await api.post(`/v1/incidents/${id}/updates`, { phase: 'identified', text: `Step ${count}` });
      for (const path of formsOf(slug)) expect(await textOf(path)).toContain(`Step ${count}`);
    }
    await api.patch(`/v1/incidents/${id}`, { title: 'Payments failed' });
    for (const path of formsOf(slug)) expect(await textOf(path)).toContain('Payments failed');
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'All is well.' });
    expect((await viewOf(slug)).incidents).toMatchObject([{ status: 'resolved' }]);
  });

  it('of maintenance: announced, changed, started, withdrawn', async () => {
    const { slug } = await publish();
    await viewOf(slug);
    const day = (days: number): string => new Date(Date.now() + days * 24 * 60 * MINUTE_MS).toISOString();
    const times = { startsAt: day(1), endsAt: day(1.1) };
    const window = '/v1/maintenance-windows/key:window';
    await api.put(window, { name: 'New disks', monitorIds: [monitor.id], ...times });
    for (const path of formsOf(slug)) expect(await textOf(path)).toContain('New disks');
    await api.patch(window, { name: 'Old disks', startsAt: day(2), endsAt: day(2.1) });
    for (const path of formsOf(slug)) expect(await textOf(path)).toContain('Old disks');
    await api.post(`${window}/start`, { durationSeconds: 600 });
    expect((await viewOf(slug)).maintenance).toMatchObject([{ name: 'Old disks', active: true }]);
    await api.patch(window, { public: false });
    expect((await viewOf(slug)).maintenance).toEqual([]);
    await api.delete(window);
  });

  it('of the page and its components', async () => {
    const { id, slug } = await publish();
    await viewOf(slug);
    await api.patch(`/v1/status-pages/${id}`, { name: 'Renamed', components: [] });
    for (const path of formsOf(slug)) expect(await textOf(path)).toContain('Renamed');
    expect((await viewOf(slug)).components).toEqual([]);
    await api.patch(`/v1/status-pages/${id}`, { monitorIds: [monitor.id], historyDays: 3 });
    expect((await viewOf(slug)).components[0]!.days).toHaveLength(3);
    for (const accentColor of ['#0c8599', '#d9480f', null]) {
      await api.patch(`/v1/status-pages/${id}`, { accentColor });
      expect((await viewOf(slug)).accentColor).toBe(accentColor);
      const found = /accent-[0-9a-f]{6}/.exec(await textOf(`/status/${slug}`))?.[0] ?? null;
      expect(found).toBe(accentColor && accentColor.replace('#', 'accent-'));
    }
  });

  it('of a monitor: paused, resumed, excluded, deleted', async () => {
    const own = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { intervalSeconds: 86_400 }));
    const { slug } = await publish({ components: [{ monitorId: own.id, name: 'Own' }], historyDays: 2 });
    await viewOf(slug);
    await api.post(`/v1/monitors/${own.id}/pause`);
    expect((await viewOf(slug)).components).toMatchObject([{ status: 'paused' }]);
    await api.post(`/v1/monitors/${own.id}/resume`);
    expect((await viewOf(slug)).components[0]!.status).not.toBe('paused');
    const stretch = { from: new Date(Date.now() - 10 * MINUTE_MS).toISOString(), to: new Date().toISOString() };
    const excluded = async (): Promise<number> => {
      const days = (await viewOf(slug)).components[0]!.days!;
      return days.reduce((sum, { excludedSeconds }) => sum + excludedSeconds, 0);
    };
    expect(await excluded()).toBe(0);
    const exclusion = { monitorIds: [own.id], reason: 'Load test', ...stretch };
    const { id } = (await api.post<{ id: string }>('/v1/exclusions', exclusion)).body;
    expect(await excluded()).toBeGreaterThan(0);
    await api.delete(`/v1/exclusions/${id}`);
    expect(await excluded()).toBe(0);
    await api.delete(`/v1/monitors/${own.id}`);
    expect((await viewOf(slug)).components).toEqual([]);
  });

  it('by another process, directly in the database', async () => {
    const { id, slug } = await publish();
    await viewOf(slug);
    await app.query(`UPDATE status_pages SET name = 'By another process' WHERE id = $1`, [id]);
    expect((await viewOf(slug)).name).toBe('By another process');
  });
});

describe('access to a page', () => {
  it('ends as soon as it is unpublished, and is restored when it is published again', async () => {
    const { id, slug, components } = await publish();
    const surfaces = [...formsOf(slug), `/badges/${slug}/${components[0]!.id}/status.svg`];
    const statuses = () => Promise.all(surfaces.map(async (path) => (await raw(path)).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await api.patch(`/v1/status-pages/${id}`, { published: false });
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    await api.patch(`/v1/status-pages/${id}`, { published: true });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await api.delete(`/v1/status-pages/${id}`);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
  });

  it('moves to its new slug, and the old one is 404 until another page uses it', async () => {
    const { id, slug } = await publish();
    await viewOf(slug);
    const moved = randomUUID();
    await api.patch(`/v1/status-pages/${id}`, { slug: moved });
    for (const path of formsOf(slug)) expect((await raw(path)).status).toBe(404);
    for (const path of formsOf(moved)) expect((await raw(path)).status).toBe(200);
    await publish({ slug, name: 'Another' });
    expect((await viewOf(slug)).name).toBe('Another');
    expect((await viewOf(moved)).name).toBe('Example');
  });

  it('returns the requested page under concurrent requests for several', async () => {
    const pages = await Promise.all(['One', 'Two', 'Three'].map((name) => publish({ name })));
    const asked = Array.from({ length: 30 }, (_, n) => pages[n % 3]!);
    const names = await Promise.all(asked.map(async ({ slug }) => (await viewOf(slug)).name));
    expect(names).toEqual(asked.map(({ name }) => name));
  });

  it('requires its password for every format, immediately after a change, and is then uncacheable', async () => {
    const { id, slug } = await publish({ accessType: 'password', password: 'correct horse' });
    const basic = (password: string) => ({ authorization: `Basic ${btoa(`anyone:${password}`)}` });
    const statuses = (password: string) =>
      Promise.all(formsOf(slug).map(async (path) => (await raw(path, basic(password))).status));
    for (const path of formsOf(slug)) expect((await raw(path)).status).toBe(401);
    for (const path of formsOf(slug)) {
      const { status, headers } = await raw(path, { ...basic('correct horse'), 'if-none-match': '*' });
      expect({ status, control: headers['cache-control'], etag: headers.etag }).toEqual({
        status: 200,
        control: 'private, no-store',
        etag: undefined,
      });
    }
    await api.patch(`/v1/status-pages/${id}`, { password: 'another horse' });
    expect(await statuses('correct horse')).toEqual([401, 401, 401]);
    expect(await statuses('another horse')).toEqual([200, 200, 200]);
  });

  it('requires a password that was set while the page was being read', async () => {
    const { id, slug } = await publish();
    const { status } = await app.backstage.duringCall<PublishedPages, { status?: number }>(
      ['PublishedPages', 'find'],
      () => raw(formsOf(slug)[0]!),
      () => api.patch(`/v1/status-pages/${id}`, { accessType: 'password', password: 'correct horse' }),
    );
    expect(status).toBe(401);
  });
});

describe('scripts of other sites', () => {
  const origin = 'https://shop.example';
  const allowed = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await raw(path, { origin, ...headers }, method);
    return [answer.status, answer.headers['access-control-allow-origin']];
  };

  it('may read the JSON and the feed of a page, also if they are unchanged', async () => {
    const { slug } = await publish();
    const [page, ...data] = formsOf(slug);
    for (const path of data) {
      expect(await allowed(path)).toEqual([200, '*']);
      expect(await allowed(path, { 'if-none-match': '*' })).toEqual([304, '*']);
    }
    expect(await allowed(page!)).toEqual([200, undefined]);
  });

  it('may not read a page that requires a password', async () => {
    const { slug } = await publish({ accessType: 'password', password: 'correct horse' });
    const authorization = `Basic ${btoa('anyone:correct horse')}`;
    for (const path of formsOf(slug)) expect(await allowed(path, { authorization })).toEqual([200, undefined]);
  });

  it('may not call /v1', async () => {
    const authorization = `Bearer ${app.teams.ours.read}`;
    expect(await allowed('/v1/status-pages', { authorization })).toEqual([200, undefined]);
    expect(await allowed('/v1/status-pages')).toEqual([401, undefined]);
    const preflight = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
    expect(await allowed('/v1/status-pages', preflight, 'OPTIONS')).toEqual([405, undefined]);
  });
});

describe('a response', () => {
  it('is 304 if its ETag matches, which differs by content encoding', async () => {
    const { slug } = await publish();
    for (const path of formsOf(slug)) {
      const tags = new Set<string>();
      for (const coding of ['', 'gzip', 'br']) {
        const takes = { ...(coding !== '' && { 'accept-encoding': coding }) };
        const { headers } = await raw(path, takes);
        const etag = headers.etag!;
        expect(etag).toMatch(/^"[\w-]+"$/);
        tags.add(etag);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const again = await raw(path, { ...takes, 'if-none-match': known });
          expect({ path, known, status: again.status, bytes: again.body.length }).toMatchObject({
            status: 304,
            bytes: 0,
          });
          expect(again.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=10', vary: 'Accept-Encoding' });
        }
        expect((await raw(path, { ...takes, 'if-none-match': '"other"' })).status).toBe(200);
      }
      expect(tags.size).toBe(3);
    }
  });

  it('has a new ETag after a change', async () => {
    const { id, slug } = await publish();
    for (const path of formsOf(slug)) {
      const { etag } = (await raw(path)).headers;
      await api.patch(`/v1/status-pages/${id}`, { description: path });
      expect((await raw(path, { 'if-none-match': etag! })).status).toBe(200);
    }
  });

  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['deflate', undefined, (body: Buffer) => body],
    ['identity', undefined, (body: Buffer) => body],
  ])('to a client that accepts %s is encoded as %s', async (takes, coding, open) => {
    const { slug } = await publish();
    for (const path of formsOf(slug)) {
      const { headers, body } = await raw(path, { 'accept-encoding': takes });
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(body.length) });
      expect(headers['content-encoding']).toBe(coding);
      expect(open(body).toString()).toBe((await raw(path)).body.toString());
    }
  });

  it('to HEAD consists of headers only', async () => {
    const { slug } = await publish();
    for (const path of formsOf(slug)) {
      const { status, headers, body } = await raw(path, {}, 'HEAD');
      expect({ status, bytes: body.length }).toEqual({ status: 200, bytes: 0 });
      expect(Number(headers['content-length'])).toBe((await raw(path)).body.length);
    }
  });
});

describe('the preview of a link', () => {
  it('states the overall state, and has the logo of the page if it is not a vector graphic', async () => {
    const hostile = '"><script>alert(1)</script>';
    const { id, slug } = await publish({ name: hostile, logoUrl: 'https://example.com/logo.png' });
    const html = await textOf(`/status/${slug}`);
    const of = (property: string): string | undefined =>
      new RegExp(`<meta property="og:${property}" content="([^"]*)"`).exec(html)?.[1];
    expect(['title', 'description', 'url', 'image'].map(of)).toEqual([
      '○ Unknown · &quot;>&lt;script>alert(1)&lt;/script>',
      'Checks are paused.',
      `${app.origin}/status/${slug}`,
      'https://example.com/logo.png',
    ]);
    await api.patch(`/v1/status-pages/${id}`, { logoUrl: 'https://example.com/logo.svg' });
    expect(await textOf(`/status/${slug}`)).not.toContain('og:image');
  });
});

describe('the feed', () => {
  it('is linked from the page, with the same contents and without details of the monitors', async () => {
    const { slug } = await publish();
    const title = 'Orders <b>wait</b> & stay';
    await api.post('/v1/incidents', {
      title,
      monitorIds: [monitor.id],
      update: { phase: 'investigating', text: 'Why?' },
    });
    const html = await textOf(`/status/${slug}`);
    const address = `/status/${slug}/feed.atom`;
    expect(html).toMatch(new RegExp(`<link rel="alternate" type="application/atom\\+xml" [^>]*href="${address}"`));
    expect(html).toContain(`<a href="${address}">`);
    const { headers, body } = await app.api().get<string>(address);
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    const entries = childrenOf(parseXml(body), 'entry');
    const entry = entries.find((one) => childrenOf(one, 'title')[0]!.text === title)!;
    const link = childrenOf(entry, 'link')[0]!.attributes.href!;
    expect(link.startsWith(`${app.origin}/status/${slug}/incidents/`)).toBe(true);
    expect(html).toContain(`<a href="${new URL(link).pathname}">`);
    for (const secret of [monitor.id, 'Internal', '127.0.0.1:9']) expect(body).not.toContain(secret);
  });
});
