import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { HOSTILE, quietMonitor, stranger } from './support/console.js';
import { unescaped } from './support/html-forms.js';
import { signedIn } from './support/people.js';
import { createPage } from './support/status-pages.js';

const PATH = '/status-pages';

let app: TestApp;
let api: Client;
let ids: string[];
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  ids = [];
  for (const name of ['Shown one', 'Shown two']) ids.push(await quietMonitor(app, name));
});
afterAll(() => app.close());

/** Creates an unpublished page, by default with both monitors. */
const make = (more: Record<string, unknown> = {}): Promise<StatusPageDto> =>
  createPage(api, { published: false, ...(!more.components && { monitorIds: ids }), ...more });
const stored = async (id: string) => (await api.get<StatusPageDto>(`/v1/status-pages/${id}`)).body;
const guest = async (path: string): Promise<Response> => new Browser(app.origin).call('GET', path);

describe('a page', () => {
  it('has a preview that is identical to the published page and visible only to the team', async () => {
    const looks = { logoUrl: 'https://logo.example.com/l.svg', accentColor: '#0c8599' };
    const { id, slug } = await make({ ...looks, homepageUrl: 'https://example.com/' });
    const viewer = await signedIn(app, 'viewer');
    const preview = await viewer.open(`${PATH}/${id}/preview`);
    expect(preview.status).toBe(200);
    expect(preview.headers.get('cache-control')).toBe('no-store');
    expect(preview.headers.get('content-security-policy')).toMatch(/img-src [^;]*https:\/\/logo\.example\.com/);
    expect((await guest(`${PATH}/${id}/preview`)).status).toBe(303);
    expect((await guest(`/status/${slug}`)).status).toBe(404);
    await api.patch(`/v1/status-pages/${id}`, { published: true });
    const page = await (await guest(`/status/${slug}`)).text();
    expect(page).toContain('/accent-0c8599.css');
    const timeless = (html: string): string =>
      html.replace(/\d\d:\d\d(:\d\d)?|\d+ (second|minute)s?|datetime="[^"]+"/g, '');
    expect(timeless(preview.html)).toBe(timeless(page));
  });

  it('can be published and unpublished, and deleted after a confirmation', async () => {
    const { id, slug } = await make();
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}`;
    await browser.open(path);
    expect((await browser.submit(`${path}/publish`)).html).toContain('Status page published.');
    expect((await guest(`/status/${slug}`)).status).toBe(200);
    await browser.open(`${path}/unpublish`);
    expect((await browser.submit(`${path}/unpublish`)).html).toContain('Its URL now returns 404.');
    expect((await guest(`/status/${slug}`)).status).toBe(404);
    await browser.open(`${path}/delete`);
    expect((await browser.submit(`${path}/delete`)).html).toContain('Status page deleted.');
    expect((await browser.open(path)).status).toBe(404);
  });

  it('shows the addresses of its badges, with Markdown, and of its JSON and feed', async () => {
    const { id, slug, components } = await make({
      published: true,
      components: [
        { monitorId: ids[0], name: 'A [shop]' },
        { monitorId: ids[1], showUptime: false },
      ],
    });
    const [first, second] = components;
    const browser = await signedIn(app, 'viewer');
    const html = unescaped((await browser.open(`${PATH}/${id}`)).html);
    const badge = `${app.origin}/badges/${slug}/${first!.id}`;
    expect(html).toContain(`<a href="${app.origin}/status/${slug}"><img src="${badge}/uptime.svg"`);
    // They are also shown as they look, from the same origin.
    expect(html).toContain(`<img src="/badges/${slug}/${first!.id}/status.svg" alt="state of A [shop]"`);
    expect(html).toContain(`[![state of A \\[shop\\]](${badge}/status.svg)](${app.origin}/status/${slug})`);
    for (const file of ['status', 'uptime', 'response-time']) {
      expect(html).toContain(`${badge}/${file}.svg`);
      expect((await fetch(`${badge}/${file}.svg`)).status).toBe(200);
    }
    expect(html).toContain(`${app.origin}/badges/${slug}/${second!.id}/status.svg`);
    expect(html).not.toContain(`${app.origin}/badges/${slug}/${second!.id}/uptime.svg`);
    expect(html).toContain(`${app.origin}/status/${slug}.json`);
    expect(html).toContain(`${app.origin}/status/${slug}/feed.atom`);
  });
});

describe('the preview of a page', () => {
  it('may be framed by the editor and by no other site, and the editor by nobody', async () => {
    const { id } = await make();
    const browser = await signedIn(app, 'editor');
    const preview = (await browser.open(`${PATH}/${id}/preview`)).headers;
    expect(preview.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(preview.get('content-security-policy')).toContain("frame-ancestors 'self'");
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/edit`, `${PATH}/new`]) {
      const { headers } = await browser.open(path);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      const frames = headers.get('content-security-policy')!.includes("frame-src 'self'");
      expect({ path, frames }).toEqual({ path, frames: path !== `${PATH}/${id}` });
    }
  });

  it('is rendered from the unsaved form, which is not stored', async () => {
    const page = await make({ components: [{ monitorId: ids[0], name: 'Before' }] });
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${page.id}/edit`;
    await browser.open(path);
    const values = { name: 'Unsaved', 'c0.name': 'After', 'g0.name': 'Grouped', slug: '', do: 'preview' };
    const { status, html, headers } = await browser.submit(path, values, `${PATH}/preview`);
    expect(status).toBe(200);
    for (const text of ['Unsaved', 'After', 'Grouped']) expect(html).toContain(text);
    expect(html).not.toContain('Before');
    // Its script would reload it.
    expect(html).not.toContain('<script');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(await stored(page.id)).toEqual(page);
  });

  it('names what is wrong with the form, and shows no monitors of other teams', async () => {
    const theirs = await quietMonitor(app, 'Preview theirs', app.teams.theirs);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const wrong = await browser.submit(`${PATH}/new`, { historyDays: '0', do: 'preview' }, `${PATH}/preview`);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('Days of history must be');
    await browser.open(`${PATH}/new`);
    const foreign = await browser.submit(`${PATH}/new`, { 'c0.monitorId': theirs }, `${PATH}/preview`);
    expect(foreign.status).toBe(422);
    expect(foreign.html).not.toContain('Preview theirs');
  });
});

describe('/status', () => {
  it('lists the published pages for members of the team, and remains unknown to everybody else', async () => {
    const open = await make({ published: true });
    // As many newer drafts as fit on one page of the list.
    const [draft] = await Promise.all(Array.from({ length: 50 }, () => make()));
    const { html } = await (await signedIn(app, 'viewer')).open('/status');
    expect(html).toContain(`href="/status/${open.slug}"`);
    expect(html).not.toContain(draft!.slug);
    expect((await (await stranger(app)).open('/status')).html).not.toContain(open.slug);
    const answer = await guest('/status');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });
});

describe('without the rights to change a page', () => {
  it('a viewer can read and preview it, but sees no forms', async () => {
    const { id } = await make();
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}/${id}`);
    expect(html).not.toMatch(/action="\/status-pages/);
    expect(html).not.toMatch(/\/(edit|delete)"/);
    expect((await browser.open(PATH)).html).not.toContain(`${PATH}/new`);
  });

  it('a member of another team receives 404 everywhere', async () => {
    const before = await make();
    const browser = await stranger(app);
    const form = { _token: browser.formToken, name: 'x', slug: 'theirs', do: 'save', revision: '1' };
    for (const step of ['', '/edit', '/delete', '/preview']) {
      expect((await browser.open(`${PATH}/${before.id}${step}`)).status).toBe(404);
    }
    for (const step of ['edit', 'publish', 'unpublish', 'delete']) {
      expect((await browser.call('POST', `${PATH}/${before.id}/${step}`, { form })).status).toBe(404);
    }
    expect(await stored(before.id)).toEqual(before);
    expect((await browser.open(PATH)).html).not.toContain(before.id);
  });
});

it('pages render hostile texts as plain text', async () => {
  const monitorId = await quietMonitor(app, HOSTILE.slice(0, 100));
  const component = { monitorId, name: HOSTILE, description: HOSTILE, group: HOSTILE.slice(0, 100) };
  const { id } = await make({ name: HOSTILE, description: HOSTILE, components: [component] });
  const browser = await signedIn(app, 'editor');
  for (const path of [PATH, ...['', '/edit', '/delete', '/preview'].map((page) => `${PATH}/${id}${page}`)]) {
    const { html, status } = await browser.open(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    // Each page loads its own scripts by address.
    expect(html.match(/<script(?! [^>]*src="\/(assets|status\/_)\/)/g)).toBeNull();
    expect(html).not.toMatch(/<img/);
  }
});
