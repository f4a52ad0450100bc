import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';

let app: TestApp;
let api: Client;
let monitorId: string;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'https://watch.example', ALLOWED_HOSTS: 'daywatch.internal' });
  api = app.api(app.teams.ours.write);
  monitorId = (await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name: 'Internal', paused: true }))).id;
});
afterAll(() => app.close());

const newDomain = (): string => `${randomUUID()}.example`;
const publish = (more: Record<string, unknown> = {}): Promise<StatusPageDto> =>
  createPage(api, { slug: randomUUID(), components: [{ monitorId, name: 'Shop' }], ...more });

/** Sends a request to a host. `fetch` does not allow another host. */
async function ask(
  host: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  { origin }: TestApp = app,
) {
  const sent = request(origin + path, { method, headers: { host, ...headers }, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, body: await text(response) };
}

describe('a page with its own domain', () => {
  it('is served at the root of the domain in all forms, with links on the same host', async () => {
    const customDomain = newDomain();
    const { slug } = await publish({ customDomain });
    const { id } = await reportIncident(api, [monitorId], { title: 'Payments fail' });
    const home = await ask(customDomain, '/');
    expect(home.status).toBe(200);
    const links = [...home.body.matchAll(/ (?:href|src)="([^"#]+)"/g)].map(([, link]) => link!);
    expect(links).toEqual(
      expect.arrayContaining(['/status.json', '/feed.atom', '/maintenance.ics', '/history', `/incidents/${id}`]),
    );
    for (const link of links) {
      expect(link).not.toContain(slug);
      expect(await ask(customDomain, link)).toMatchObject({ status: 200 });
    }
    for (const file of ['summary', 'incidents/unresolved', 'scheduled-maintenances/upcoming']) {
      expect((await ask(customDomain, `/api/v2/${file}.json`)).status).toBe(200);
    }
    expect((await ask(customDomain, '/history?month=9999-01')).status).toBe(404);
    expect((await ask(`${customDomain.toUpperCase()}:8443`, '/')).status).toBe(200);
  });

  it('has absolute links to the domain, and under its other address to the service, whatever the port', async () => {
    const customDomain = newDomain();
    const { slug, publicUrl } = await publish({ customDomain });
    expect(publicUrl).toBe(`https://watch.example/status/${slug}`);
    const feed = await ask(`${customDomain}:666`, '/feed.atom');
    expect(feed.body).toContain(`href="https://${customDomain}/feed.atom"`);
    expect(feed.body).not.toMatch(/:666|watch\.example/);
    const { body } = await ask('watch.example', `/status/${slug}/feed.atom`);
    expect(body).toContain(`href="https://watch.example/status/${slug}/feed.atom"`);
    const summary = await ask(customDomain, '/api/v2/summary.json');
    expect(JSON.parse(summary.body)).toMatchObject({ page: { url: `https://${customDomain}/` } });
  });

  it.each([
    '/v1/monitors',
    '/v1/status-pages',
    '/docs',
    '/docs/openapi.json',
    '/sign-in',
    '/setup',
    '/monitors',
    '/status/_',
    '/nothing',
    '//',
    '/v1',
    '/assets/x/console.css',
  ])('serves nothing else of the service: %s', async (path) => {
    const customDomain = newDomain();
    const { slug } = await publish({ customDomain });
    const other = await publish();
    const authorization = `Bearer ${app.teams.ours.admin}`;
    for (const asked of [path, `/status/${slug}`, `/status/${other.slug}`, `/status/${other.slug}.json`]) {
      const { status, headers } = await ask(customDomain, asked, { authorization, accept: 'text/html' });
      expect({ asked, status, type: headers['content-type'] }).toEqual({
        asked,
        status: 404,
        type: 'text/html; charset=utf-8',
      });
    }
    expect((await ask(customDomain, path, { authorization }, 'POST')).status).toBe(405);
  });

  it('does not promise HTTPS for the domain', async () => {
    const customDomain = newDomain();
    await publish({ customDomain });
    expect((await ask('watch.example', '/sign-in')).headers['strict-transport-security']).toBeDefined();
    expect((await ask(customDomain, '/')).headers['strict-transport-security']).toBeUndefined();
  });

  it.each(['status', 'uptime', 'response-time'])('has its badges there: %s', async (kind) => {
    const customDomain = newDomain();
    const { slug, components } = await publish({ customDomain });
    const other = await publish();
    const path = `/badges/${components[0]!.id}/${kind}.svg`;
    const there = await ask(customDomain, `${path}?label=Till`);
    expect(there).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml; charset=utf-8' } });
    expect(there.body).toContain('Till');
    expect(there.body).toBe((await ask('watch.example', `/badges/${slug}${path.slice(7)}?label=Till`)).body);
    expect(there.headers['strict-transport-security']).toBeUndefined();
    const etag = there.headers.etag!;
    expect((await ask(customDomain, `${path}?label=Till`, { 'if-none-match': etag })).status).toBe(304);
    for (const elsewhere of [
      `/badges/${other.components[0]!.id}/${kind}.svg`,
      `/badges/${slug}/${components[0]!.id}/${kind}.svg`,
      `/badges/${other.slug}/${other.components[0]!.id}/${kind}.svg`,
      `/badges/${components[0]!.id}/unknown.svg`,
    ]) {
      expect({ elsewhere, status: (await ask(customDomain, elsewhere)).status }).toEqual({ elsewhere, status: 404 });
    }
  });

  it('requires its password there too, and is 404 while it is not published', async () => {
    const customDomain = newDomain();
    const { id, components } = await publish({ customDomain, accessType: 'password', password: 'correct horse' });
    const authorization = `Basic ${btoa('anyone:correct horse')}`;
    const badge = `/badges/${components[0]!.id}/status.svg`;
    for (const path of ['/', '/status.json', '/feed.atom', '/history', '/api/v2/status.json', badge]) {
      expect((await ask(customDomain, path)).status).toBe(401);
      expect((await ask(customDomain, path, { authorization })).status).toBe(200);
    }
    await api.patch(`/v1/status-pages/${id}`, { published: false });
    expect((await ask(customDomain, '/', { authorization })).status).toBe(404);
  });

  it('is reached as soon as the domain is set, and no longer once it is removed or the page deleted', async () => {
    const [first, second] = [newDomain(), newDomain()];
    const { id } = await publish();
    const statuses = () => Promise.all([first, second].map(async (host) => (await ask(host, '/')).status));
    expect(await statuses()).toEqual([421, 421]);
    await api.patch(`/v1/status-pages/${id}`, { customDomain: first });
    expect(await statuses()).toEqual([200, 421]);
    await api.patch(`/v1/status-pages/${id}`, { customDomain: second });
    expect(await statuses()).toEqual([421, 200]);
    await api.patch(`/v1/status-pages/${id}`, { slug: randomUUID() });
    expect(await statuses()).toEqual([421, 200]);
    await api.delete(`/v1/status-pages/${id}`);
    expect(await statuses()).toEqual([421, 421]);
  });

  it('is noticed within seconds if another process has set the domain', async () => {
    const { id } = await publish();
    const customDomain = newDomain();
    expect((await ask(customDomain, '/')).status).toBe(421);
    await app.query('UPDATE status_pages SET custom_domain = $2 WHERE id = $1', [id, customDomain]);
    await eventually(async () => expect((await ask(customDomain, '/')).status).toBe(200), 20_000);
  });
});

describe('the domain of a page', () => {
  it('is unique in the instance', async () => {
    const customDomain = newDomain();
    await publish({ customDomain });
    const { id } = await publish();
    const theirs = app.api(app.teams.theirs.write);
    for (const answer of [
      await api.patch(`/v1/status-pages/${id}`, { customDomain }),
      await theirs.post('/v1/status-pages', { name: 'Theirs', slug: randomUUID(), customDomain }),
      await theirs.put('/v1/status-pages/key:theirs', { name: 'Theirs', slug: randomUUID(), customDomain }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'domain_taken' } });
    }
  });

  it.each([
    'watch.example',
    'daywatch.internal',
    'localhost',
    '192.0.2.1',
    '[2001:db8::1]',
    'Status.example.com',
    'https://status.example.com',
    'status.example.com:80',
    '*.example.com',
    'status',
    '',
    7,
  ])('cannot be %j', async (customDomain) => {
    const { id } = await publish();
    const answer = await api.patch(`/v1/status-pages/${id}`, { customDomain });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/customDomain' }] } });
  });
});

describe('while the service answers to any host', () => {
  let any: TestApp;
  beforeAll(async () => {
    any = await startApp({ ALLOWED_HOSTS: '*' });
  });
  afterAll(() => any.close());

  it('no page can take a domain, nor be served on one', async () => {
    const writer = any.api(any.teams.ours.write);
    const customDomain = newDomain();
    const { id } = await createPage(writer, { slug: randomUUID() });
    expect(await writer.patch(`/v1/status-pages/${id}`, { customDomain })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/customDomain', code: 'unavailable' }] },
    });
    await any.query('UPDATE status_pages SET custom_domain = $2 WHERE id = $1', [id, customDomain]);
    const authorization = `Bearer ${any.teams.ours.read}`;
    expect((await ask(customDomain, '/v1/monitors', { authorization }, 'GET', any)).status).toBe(200);
  });
});
