import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { HOSTILE, quietMonitor, stranger } from './support/console.js';
import { unescaped } from './support/html-forms.js';
import { signedIn } from './support/people.js';

const PATH = '/status-pages';
const NEW = `${PATH}/new`;

let app: TestApp;
let api: Client;
let ids: string[];
let slugs = 0;
beforeAll(async () => {
  app = await startApp();
  api = app.api(app.teams.ours.write);
  ids = [];
  for (const name of ['Editor one', 'Editor two', 'Editor three']) ids.push(await quietMonitor(app, name));
});
afterAll(() => app.close());

const newSlug = (): string => `edited-${(slugs += 1)}`;

async function make(more: Record<string, unknown> = {}): Promise<StatusPageDto> {
  const body = {
    name: 'Example',
    slug: newSlug(),
    published: false,
    ...(!more.components && { monitorIds: ids }),
    ...more,
  };
  const answer = await api.post<StatusPageDto>('/v1/status-pages', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

const stored = async (id: string) => (await api.get<StatusPageDto>(`/v1/status-pages/${id}`)).body;
const idOf = (path: string): string => /^\/status-pages\/([0-9a-f-]{36})/.exec(path)![1]!;
const guest = async (path: string): Promise<Response> => new Browser(app.origin).call('GET', path);

describe('a page that somebody makes', () => {
  it('is put together in steps that keep all that was typed, and then saved, unpublished', async () => {
    const browser = await signedIn(app, 'editor');
    const slug = newSlug();
    await browser.open(NEW);
    const typed = {
      ...{ name: 'Our shop', slug, description: 'All of it.', timezone: 'Europe/Berlin', historyDays: '30' },
      ...{ theme: 'dark', logoUrl: 'https://example.com/l.svg', homepageUrl: 'https://example.com/' },
      ...{ accessType: 'password', password: 'correct horse battery', accentColor: '#0c8599' },
    };
    const found = await browser.submit(NEW, { ...typed, q: 'editor', do: 'search' });
    for (const id of ids) expect(found.html).toContain(`value="add:${id}"`);
    for (const id of ids) await browser.submit(NEW, { do: `add:${id}` });
    const own = { 'c0.name': 'First', 'c2.name': 'Third', 'c2.group': 'Shop', 'c2.description': 'Carts' };
    await browser.submit(NEW, { ...own, do: 'up:2' });
    await browser.submit(NEW, { do: 'up:1' });
    await browser.submit(NEW, { do: 'down:1' });
    expect(Object.fromEntries(browser.form(NEW).fields)).toMatchObject({
      ...typed,
      ...{
        'c0.name': 'Third',
        'c0.group': 'Shop',
        'c0.description': 'Carts',
        'c0.monitorId': ids[2],
        'c2.name': 'First',
      },
    });
    await browser.submit(NEW, { do: 'remove:1' });
    const { path, html } = await browser.submit(NEW, { do: 'save' });
    expect(html).toContain('Look at the preview before you publish it.');
    const { accessType, ...rest } = typed;
    const { password: _, ...shown } = rest;
    expect(await stored(idOf(path))).toMatchObject({
      ...{ ...shown, historyDays: 30, accessType, published: false },
      components: [
        { monitorId: ids[2], name: 'Third', group: 'Shop', description: 'Carts', showUptime: true },
        { monitorId: ids[0], name: 'First', group: null, description: null, showUptime: true },
      ],
    });
    expect((await guest(`/status/${slug}`)).status).toBe(404);
    await browser.submit(`${PATH}/${idOf(path)}/publish`);
    const headers = { authorization: `Basic ${btoa(`x:${typed.password}`)}` };
    expect((await fetch(`${app.origin}/status/${slug}`, { headers })).status).toBe(200);
    expect((await guest(`/status/${slug}`)).status).toBe(401);
  });

  it('may be published at once', async () => {
    const browser = await signedIn(app, 'editor');
    const slug = newSlug();
    await browser.open(NEW);
    await browser.submit(NEW, { name: 'At once', slug, do: 'publish' });
    expect((await guest(`/status/${slug}`)).status).toBe(200);
  });

  it('is refused with every fault beside its field, and what was typed', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(NEW);
    await browser.submit(NEW, { do: `add:${ids[0]}` });
    const bad = {
      ...{ name: '', slug: 'Not A Slug', timezone: 'Europe/Atlantis', historyDays: '0', theme: 'red' },
      ...{
        accentColor: 'teal',
        logoUrl: 'javascript:alert(1)',
        homepageUrl: 'x',
        password: 'short',
        'c0.group': 'x'.repeat(101),
      },
    };
    const { status, html } = await browser.submit(NEW, { ...bad, do: 'save' });
    expect(status).toBe(422);
    for (const field of [
      'name',
      'slug',
      'timezone',
      'historyDays',
      'theme',
      'accentColor',
      'logoUrl',
      'homepageUrl',
      'password',
      'components-0-group',
    ]) {
      expect(html).toContain(`href="#page-${field}"`);
      expect(html).toContain(`id="page-${field}-error"`);
    }
    expect(html).toContain('value="Not A Slug"');
    expect(html).toContain('Group of component 1 may have');
  });

  it('cannot have an address that is taken', async () => {
    const { slug } = await make();
    const browser = await signedIn(app, 'editor');
    await browser.open(NEW);
    const { status, html } = await browser.submit(NEW, { name: 'x', slug, do: 'save' });
    expect(status).toBe(409);
    expect(html).toContain('Another status page of this instance has this slug.');
  });

  it('takes no monitor of another team', async () => {
    const theirs = await quietMonitor(app, 'Editor theirs', app.teams.theirs);
    const browser = await signedIn(app, 'editor');
    await browser.open(NEW);
    expect((await browser.submit(NEW, { q: 'editor theirs', do: 'search' })).html).not.toContain(theirs);
    const added = await browser.submit(NEW, { do: `add:${theirs}` });
    expect(added.html).not.toContain('Editor theirs</legend>');
    const { status, html } = await browser.submit(NEW, { name: 'x', slug: newSlug(), do: 'save' });
    expect(status).toBe(422);
    expect(html).toContain('id="page-components-0-error"');
  });

  it('may show as many components as the API takes', async () => {
    const browser = await signedIn(app, 'editor');
    const many: string[] = [];
    for (let at = 0; at < 200; at += 1) many.push(await quietMonitor(app, `Number ${at}`));
    const { id } = await make({
      components: many.map((monitorId) => ({ monitorId, description: 'Some words. '.repeat(8) })),
    });
    await browser.open(`${PATH}/${id}/edit`);
    const saved = await browser.submit(`${PATH}/${id}/edit`, { name: 'All of them', do: 'save' });
    expect(saved.status).toBe(200);
    expect((await stored(id)).components).toHaveLength(200);
  });
});

describe('a page', () => {
  it('is changed, and its components keep their ids, wherever they move', async () => {
    const page = await make({ key: 'kept', accessType: 'password', password: 'correct horse battery' });
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${page.id}/edit`;
    await browser.open(path);
    await browser.submit(path, { do: 'down:0' });
    await browser.submit(path, { description: 'New', do: 'save' });
    const after = await stored(page.id);
    const [first, second, third] = page.components;
    expect(after).toMatchObject({ key: 'kept', description: 'New', accessType: 'password', published: false });
    expect(after.components).toEqual([second, first, third]);
  });

  it('takes its colour in capitals, and has none where that is left empty', async () => {
    const { id } = await make({ accentColor: '#0c8599' });
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}/edit`;
    expect((await browser.open(path)).html).toContain('value="#0c8599"');
    await browser.submit(path, { accentColor: ' #D9480F ', do: 'save' });
    expect((await stored(id)).accentColor).toBe('#d9480f');
    await browser.open(path);
    await browser.submit(path, { accentColor: '', do: 'save' });
    expect((await stored(id)).accentColor).toBeNull();
  });

  it('overwrites nobody unasked: who comes second is told, and may save again', async () => {
    const { id } = await make();
    const [first, second] = [await signedIn(app, 'editor'), await signedIn(app, 'editor')];
    const path = `${PATH}/${id}/edit`;
    await first.open(path);
    await second.open(path);
    await first.submit(path, { name: 'By the first', do: 'save' });
    await second.submit(path, { do: 'remove:2' });
    const refused = await second.submit(path, { name: 'By the second', do: 'save' });
    expect(refused.status).toBe(412);
    expect(refused.html).toContain('Somebody else has saved a change since you opened this page');
    expect(refused.html).toContain('value="By the second"');
    expect(await stored(id)).toMatchObject({ name: 'By the first', components: { length: 3 } });
    await second.submit(path, { do: 'save' });
    expect(await stored(id)).toMatchObject({ name: 'By the second', components: { length: 2 } });
  });

  it('is previewed exactly as its readers will see it, by the team alone', async () => {
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

  it('is published and unpublished, and deleted after a question', async () => {
    const { id, slug } = await make();
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}`;
    await browser.open(path);
    expect((await browser.submit(`${path}/publish`)).html).toContain('The status page is published.');
    expect((await guest(`/status/${slug}`)).status).toBe(200);
    expect((await browser.submit(`${path}/unpublish`)).html).toContain('no longer published');
    expect((await guest(`/status/${slug}`)).status).toBe(404);
    await browser.open(`${path}/delete`);
    expect((await browser.submit(`${path}/delete`)).html).toContain('The status page is deleted.');
    expect((await browser.open(path)).status).toBe(404);
  });

  it('gives the addresses of its badges, with Markdown, and of its JSON and feed', async () => {
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

describe('who is not to', () => {
  it('as a viewer reads and previews, and finds nothing to change', async () => {
    const { id } = await make();
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}/${id}`);
    expect(html).not.toMatch(/action="\/status-pages/);
    expect(html).not.toMatch(/\/(edit|delete)"/);
    expect((await browser.open(PATH)).html).not.toContain(NEW);
  });

  it('as one of another team meets 404 everywhere', async () => {
    const before = await make();
    const browser = await stranger(app);
    const form = { _token: browser.formToken, name: 'x', slug: newSlug(), do: 'save', revision: '1' };
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

it('writes hostile texts as texts', async () => {
  const monitorId = await quietMonitor(app, HOSTILE.slice(0, 100));
  const component = { monitorId, name: HOSTILE, description: HOSTILE, group: HOSTILE.slice(0, 100) };
  const { id } = await make({ name: HOSTILE, description: HOSTILE, components: [component] });
  const browser = await signedIn(app, 'editor');
  for (const path of [PATH, ...['', '/edit', '/delete', '/preview'].map((page) => `${PATH}/${id}${page}`)]) {
    const { html, status } = await browser.open(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    // Each page brings the one of its own.
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<img/);
  }
});
