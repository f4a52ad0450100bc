import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { quietMonitor } from './support/console.js';
import { signedIn } from './support/people.js';
import { createPage } from './support/status-pages.js';

const PATH = '/status-pages';
const NEW = `${PATH}/new`;

let app: TestApp;
let api: Client;
let ids: string[];
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  ids = [];
  for (const name of ['Editor one', 'Editor two', 'Editor three']) ids.push(await quietMonitor(app, name));
});
afterAll(() => app.close());

/** Creates an unpublished page, by default with all three monitors. */
const make = (more: Record<string, unknown> = {}): Promise<StatusPageDto> =>
  createPage(api, { published: false, ...(!more.components && { monitorIds: ids }), ...more });
const stored = async (id: string) => (await api.get<StatusPageDto>(`/v1/status-pages/${id}`)).body;
const idOf = (path: string): string => /^\/status-pages\/([0-9a-f-]{36})/.exec(path)![1]!;
const guest = async (path: string): Promise<Response> => new Browser(app.origin).call('GET', path);

describe('a page created by a form', () => {
  it('is composed in steps that preserve the input, and then saved as unpublished', async () => {
    const browser = await signedIn(app, 'editor');
    const slug = randomUUID();
    await browser.open(NEW);
    const typed = {
      name: 'Our shop',
      slug,
      description: 'All of it.',
      timezone: 'Europe/Berlin',
      historyDays: '30',
      theme: 'dark',
      logoUrl: 'https://example.com/l.svg',
      homepageUrl: 'https://example.com/',
      accessType: 'password',
      password: 'correct horse battery',
      accentColor: '#0c8599',
    };
    const found = await browser.submit(NEW, { ...typed, q: 'editor', do: 'search' });
    for (const id of ids) expect(found.html).toContain(`name="pick" value="${id}"`);
    for (const id of ids) await browser.submit(NEW, { pick: id, do: 'add' });
    const own = { 'c0.name': 'First', 'c2.name': 'Third', 'c2.description': 'Carts' };
    await browser.submit(NEW, { ...own, do: 'up:c2' });
    await browser.submit(NEW, { do: 'up:c1' });
    await browser.submit(NEW, { do: 'down:c1' });
    expect(Object.fromEntries(browser.form(NEW).fields)).toMatchObject({
      ...typed,
      layout: 'g0 c0 c1 c2',
      'c0.name': 'Third',
      'c0.description': 'Carts',
      'c0.monitorId': ids[2],
      'c2.name': 'First',
    });
    await browser.submit(NEW, { do: 'remove:c1' });
    await browser.submit(NEW, { do: 'new-group' });
    await browser.submit(NEW, { 'g1.name': 'Shop', do: 'into:c0 g1' });
    await browser.submit(NEW, { do: 'up:g1' });
    const { path, html } = await browser.submit(NEW, { do: 'save' });
    expect(html).toContain('Check the preview before you publish it.');
    const { accessType, ...rest } = typed;
    const { password: _, ...shown } = rest;
    expect(await stored(idOf(path))).toMatchObject({
      ...shown,
      historyDays: 30,
      accessType,
      published: false,
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

  it('can be published immediately', async () => {
    const browser = await signedIn(app, 'editor');
    const slug = randomUUID();
    await browser.open(NEW);
    await browser.submit(NEW, { name: 'At once', slug, do: 'publish' });
    expect((await guest(`/status/${slug}`)).status).toBe(200);
  });

  it('is rejected with every error beside its field and the input preserved', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(NEW);
    await browser.submit(NEW, { pick: ids[0]!, do: 'add' });
    const bad = {
      name: '',
      slug: 'Not A Slug',
      timezone: 'Europe/Atlantis',
      historyDays: '0',
      theme: 'red',
      accentColor: 'teal',
      logoUrl: 'javascript:alert(1)',
      homepageUrl: 'x',
      accessType: 'password',
      password: 'short',
      'g0.name': 'x'.repeat(101),
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
      'groups-0',
    ]) {
      expect(html).toContain(`href="#page-${field}"`);
      expect(html).toContain(`id="page-${field}-error"`);
    }
    expect(html).toContain('value="Not A Slug"');
    expect(html).toContain('Name of group 1 must have at most');
  });

  it('cannot have a slug that is taken', async () => {
    const { slug } = await make();
    const browser = await signedIn(app, 'editor');
    await browser.open(NEW);
    const { status, html } = await browser.submit(NEW, { name: 'x', slug, do: 'save' });
    expect(status).toBe(409);
    expect(html).toContain('Another status page on this instance already has this slug.');
  });

  it('does not accept a monitor of another team', async () => {
    const theirs = await quietMonitor(app, 'Editor theirs', app.teams.theirs);
    const browser = await signedIn(app, 'editor');
    await browser.open(NEW);
    expect((await browser.submit(NEW, { q: 'editor theirs', do: 'search' })).html).not.toContain(theirs);
    const added = await browser.submit(NEW, { pick: theirs, do: 'add' });
    expect(added.html).not.toContain('Editor theirs');
    const { status, html } = await browser.submit(NEW, { name: 'x', slug: randomUUID(), do: 'save' });
    expect(status).toBe(422);
    expect(html).toContain('id="page-components-0-error"');
  });

  it('can have all monitors with a tag, or all that a search shows', async () => {
    const tag = randomUUID();
    const tagged: string[] = [];
    for (const name of ['Tagged b', 'Tagged a']) {
      const id = await quietMonitor(app, name);
      await api.patch(`/v1/monitors/${id}`, { tags: [tag] });
      tagged.push(id);
    }
    const browser = await signedIn(app, 'editor');
    expect((await browser.open(NEW)).html).toContain(`<option value="${tag}">${tag} (2)</option>`);
    await browser.submit(NEW, { tag, do: 'add-tagged' });
    const added = Object.fromEntries(browser.form(NEW).fields);
    expect([added['c0.monitorId'], added['c1.monitorId']]).toEqual(tagged.toReversed());
    await browser.open(NEW);
    await browser.submit(NEW, { q: 'tagged', do: 'search' });
    const { html } = await browser.submit(NEW, { do: 'add-shown' });
    expect(Object.fromEntries(browser.form(NEW).fields)).toMatchObject({ layout: 'g0 c0 c1' });
    expect(html).not.toContain('Add selected');
  });

  it('has an address after its name, and a warning while it is published without components', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(NEW);
    const { path, html } = await browser.submit(NEW, { name: 'São Paulo: Status 2!', slug: '', do: 'publish' });
    expect(html).toContain('/status/sao-paulo-status-2');
    expect(html).toContain('Visitors see no components.');
    await browser.open(`${path.split('?')[0]}/edit`);
    const id = await quietMonitor(app, 'Shown');
    const { html: after } = await browser.submit(`${path.split('?')[0]}/edit`, { pick: id, do: 'save' });
    expect(after).not.toContain('Visitors see no components.');
  });

  it('is ordered by its layout alone, and refusals appear beside the component they concern', async () => {
    const { id } = await make();
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}/edit`;
    await browser.open(path);
    const layout = 'g0 c2 c0 c1';
    const { status, html } = await browser.submit(path, { layout, 'c2.name': 'x'.repeat(201), do: 'save' });
    expect(status).toBe(422);
    expect(html).toContain('id="page-components-0-name-error"');
    expect(Object.fromEntries(browser.form(path).fields)).toMatchObject({ layout });
    await browser.submit(path, { 'c2.name': 'Moved', do: 'save' });
    const { components } = await stored(id);
    expect(components.map(({ monitorId }) => monitorId)).toEqual([ids[2], ids[0], ids[1]]);
    expect(components[0]!.name).toBe('Moved');
  });

  it('ignores a password that was typed before the page became public', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(NEW);
    const answer = await browser.submit(NEW, { name: 'x', slug: randomUUID(), password: 'short', do: 'save' });
    expect(answer.status).toBe(200);
  });

  it('can have as many components as the API accepts', async () => {
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
  it('can be changed, and its components keep their ids when they move', async () => {
    const page = await make({ key: 'kept', accessType: 'password', password: 'correct horse battery' });
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${page.id}/edit`;
    await browser.open(path);
    await browser.submit(path, { do: 'down:c0' });
    await browser.submit(path, { description: 'New', do: 'save' });
    const after = await stored(page.id);
    const [first, second, third] = page.components;
    expect(after).toMatchObject({ key: 'kept', description: 'New', accessType: 'password', published: false });
    expect(after.components).toEqual([second, first, third]);
  });

  it('keeps the line breaks of a description that is not edited, which its field cannot hold', async () => {
    const components = ids.slice(0, 2).map((monitorId) => ({ monitorId, description: 'Carts\nand checkout' }));
    const { id } = await make({ components });
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}/edit`);
    // Browsers remove line breaks from a line of text.
    const sent = { 'c0.description': 'Cartsand checkout', 'c1.description': 'Carts' };
    await browser.submit(`${PATH}/${id}/edit`, { ...sent, name: 'Renamed', do: 'save' });
    const { name, components: saved } = await stored(id);
    expect({ name, saved }).toMatchObject({
      name: 'Renamed',
      saved: [{ description: 'Carts\nand checkout' }, { description: 'Carts' }],
    });
  });

  it('accepts a colour in upper case, and an empty one as none', async () => {
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

  it('is not overwritten over a concurrent change without a warning; the second person may save again', async () => {
    const { id } = await make();
    const [first, second] = [await signedIn(app, 'editor'), await signedIn(app, 'editor')];
    const path = `${PATH}/${id}/edit`;
    await first.open(path);
    await second.open(path);
    await first.submit(path, { name: 'By the first', do: 'save' });
    await second.submit(path, { do: 'remove:c2' });
    const refused = await second.submit(path, { name: 'By the second', do: 'save' });
    expect(refused.status).toBe(412);
    expect(refused.html).toContain('Someone else changed this while you were editing');
    expect(refused.html).toContain('value="By the second"');
    expect(await stored(id)).toMatchObject({ name: 'By the first', components: { length: 3 } });
    await second.submit(path, { do: 'save' });
    expect(await stored(id)).toMatchObject({ name: 'By the second', components: { length: 2 } });
  });

  it('overwrites the removal of a component when it is saved again, which adds it as a new one', async () => {
    const { id, components: before } = await make();
    const [first, second] = [await signedIn(app, 'editor'), await signedIn(app, 'editor')];
    const path = `${PATH}/${id}/edit`;
    await first.open(path);
    await second.open(path);
    await first.submit(path, { do: 'remove:c1' });
    await first.submit(path, { do: 'save' });
    const refused = await second.submit(path, { 'c1.description': 'Carts', do: 'save' });
    expect(refused.status).toBe(412);
    expect((await second.submit(path, { do: 'save' })).status).toBe(200);
    const { components } = await stored(id);
    expect(components.map(({ monitorId }) => monitorId)).toEqual(before.map(({ monitorId }) => monitorId));
    expect(components[1]).toMatchObject({ name: before[1]!.name, description: 'Carts' });
    expect(components.map((one) => before.some((other) => other.id === one.id))).toEqual([true, false, true]);
  });
});
