import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type Page } from '../src/http/lists/page.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type Browser } from './support/browser.js';
import { attributesOf, unescaped } from './support/html-forms.js';
import { createMonitor, untilStatus } from './support/monitors.js';
import { makePerson, signedIn, signIn } from './support/people.js';
import { startTarget, type Target } from './support/target.js';

let app: TestApp;
let target: Target;
let browser: Browser;
beforeAll(async () => {
  app = await sharedApp();
  target = await startTarget();
  browser = await signedIn(app, 'editor');
});
afterAll(async () => {
  await app.close();
  await target.close();
});

/** Returns the names in the rows of the list in order. */
function namesIn(html: string): string[] {
  return [...html.matchAll(/<th scope="row"><span class="subject">(?:<input [^<]*)?<a [^>]*>([^<]*)</g)].map(
    ([, name]) => unescaped(name!),
  );
}

/** Returns the chips of states that are shown, by their words: the count, the address and whether it is a filter. */
function chipsIn(html: string): Record<string, { count: string; href: string; isChosen: boolean }> {
  const chips = [
    ...html.matchAll(/<li(?: data-live-state="\w+")?><a (class="chip"[^>]*)>.*?<strong>(.*?)<\/strong> (.*?)<\/span>/g),
  ];
  return Object.fromEntries(
    chips.map(([, tag, count, word]) => {
      const { href = '', 'aria-current': current } = attributesOf(` ${tag!}`);
      return [word!, { count: count!, href, isChosen: current === 'true' }];
    }),
  );
}

/** Returns the options of a select, by their values. */
function optionsIn(html: string, name: string): Record<string, string> {
  const [, options] = new RegExp(`<select id="filter-${name}"[^>]*>([^]*?)</select>`).exec(html)!;
  return Object.fromEntries(
    [...options!.matchAll(/(<option [^>]*>)([^<]*)</g)].map(([, tag, words]) => [attributesOf(tag!).value!, words!]),
  );
}

/** Returns the address of the next page, if there is one. */
function nextIn(html: string): string | undefined {
  const tag = /<a [^>]*rel="next"[^>]*>/.exec(html)?.[0];
  return tag && attributesOf(tag).href;
}

/** Returns the position of the page in the list, such as `1–25 of 60`. */
function positionIn(html: string): string {
  return /<nav class="pages"[^>]*><span class="quiet">([^<]*)</.exec(html)![1]!;
}

async function listed(path: string): Promise<string[]> {
  const { status, html } = await browser.open(path);
  expect(status).toBe(200);
  return namesIn(html);
}

describe('a team without monitors', () => {
  it('sees what monitors are for and how to create the first one', async () => {
    const { html } = await browser.open('/monitors');
    expect(html).toContain('A monitor checks a URL, a port');
    expect(html).toContain('href="/monitors/new"');
    expect(unescaped(html)).toContain(`'${app.origin}/v1/monitors'`);
    const viewer = await signedIn(app, 'viewer');
    const seen = (await viewer.open('/monitors')).html;
    expect(seen).toContain('an editor or owner can create one');
    expect(seen).not.toContain('href="/monitors/new"');
  });
});

describe('the page with the list of monitors', () => {
  beforeAll(async () => {
    const api = app.api(app.teams.ours.write);
    const paused = { paused: true, intervalSeconds: 60 };
    const { id } = await createMonitor(api, {
      name: 'Alpha',
      type: 'http',
      url: target.url('/a'),
      intervalSeconds: 60,
      tags: ['x'],
    });
    await createMonitor(api, {
      name: 'Beta',
      type: 'tcp',
      host: 'db.example.com',
      port: 5432,
      tags: ['x', 'y'],
      ...paused,
    });
    await createMonitor(api, {
      name: 'Gamma <b>',
      type: 'dns',
      host: 'example.com',
      settings: { recordType: 'MX' },
      ...paused,
    });
    await createMonitor(app.api(app.teams.theirs.write), {
      name: 'Foreign Alpha',
      type: 'tcp',
      host: 'x.test',
      port: 1,
      ...paused,
    });
    await untilStatus(api, id, 'up');
  });

  it.each<[string, string[]]>([
    ['/monitors', ['Beta', 'Gamma <b>', 'Alpha']],
    ['/monitors?sort=name', ['Alpha', 'Beta', 'Gamma <b>']],
    ['/monitors?sort=-name', ['Gamma <b>', 'Beta', 'Alpha']],
    ['/monitors?status=up', ['Alpha']],
    ['/monitors?status=up&status=paused&sort=name', ['Alpha', 'Beta', 'Gamma <b>']],
    ['/monitors?status=down', []],
    ['/monitors?type=tcp', ['Beta']],
    ['/monitors?tag=x&sort=name', ['Alpha', 'Beta']],
    ['/monitors?tag=x%2C+y', ['Beta']],
    ['/monitors?tag=x&tag=y', ['Beta']],
    ['/monitors?q=DB.example', ['Beta']],
    ['/monitors?q=%3Cb', ['Gamma <b>']],
    // As a browser sends the empty form.
    ['/monitors?q=&type=&tag=&sort=-createdAt', ['Gamma <b>', 'Beta', 'Alpha']],
    ['/monitors?utm_source=mail&done=nothing', ['Beta', 'Gamma <b>', 'Alpha']],
  ])('%s', async (path, names) => {
    expect(await listed(path)).toEqual(names);
  });

  it('does not repeat the message of an action when it is loaded again', async () => {
    const { html } = await browser.open('/monitors?tag=x&done=deleted');
    expect(html).toContain('Monitor deleted');
    const links = [...html.matchAll(/<a href="([^"]*)" data-live-(reload|new)/g)].map(([, href]) => href);
    expect(links).toEqual(['/monitors?tag=x', '/monitors?tag=x']);
  });

  it('shows the number of monitors per state', async () => {
    const { Paused, Up, ...others } = chipsIn((await browser.open('/monitors?status=paused')).html);
    expect(Paused).toMatchObject({ count: '2', isChosen: true });
    expect(Up).toMatchObject({ count: '1', isChosen: false });
    expect(others).toEqual({});
  });

  it('shows the numbers of those that match the other filters, and the active filters', async () => {
    const { html } = await browser.open('/monitors?status=paused&type=dns&q=amma&tag=');
    const { Paused, ...others } = chipsIn(html);
    expect(Paused).toMatchObject({ count: '1', isChosen: true });
    expect(others).toEqual({});
    expect(html).toContain('1–1 of 1<');
    // The script updates only the numbers of the whole team.
    expect(html).not.toContain('data-live-state');
    expect(Object.fromEntries(browser.form('/monitors').fields)).toEqual({
      status: 'paused',
      type: 'dns',
      q: 'amma',
      tag: '',
      notified: '',
      sort: '',
    });
    expect(html).toContain('>Clear filters</a>');
    expect((await browser.open('/monitors?sort=name')).html).not.toContain('>Clear filters</a>');
  });

  it('has links that add a state to the filters or remove it, and preserve the other filters', async () => {
    const open = async (path: string) => chipsIn((await browser.open(path)).html);
    const chips = await open('/monitors?q=a&sort=name');
    expect(chips.Paused!.href).toBe('/monitors?status=paused&q=a&sort=name');
    const both = await open((await open(chips.Paused!.href)).Up!.href);
    expect(both).toMatchObject({ Paused: { isChosen: true }, Up: { isChosen: true } });
    expect(await listed(both.Up!.href)).toEqual(['Beta', 'Gamma <b>']);
    expect((await open(both.Up!.href)).Paused!.href).toBe('/monitors?q=a&sort=name');
    // A chosen state can be removed even if no monitor is in it.
    expect(await open('/monitors?status=down')).toMatchObject({
      Down: { count: '0', href: '/monitors', isChosen: true },
    });
  });

  it('offers the tags of the team with their counts, and a combination of tags from the address', async () => {
    const tags = { '': 'Any tag', x: 'x (2)', y: 'y (1)' };
    expect(optionsIn((await browser.open('/monitors')).html, 'tag')).toEqual(tags);
    const { html } = await browser.open('/monitors?tag=y&tag=x');
    expect(optionsIn(html, 'tag')).toEqual({ ...tags, 'y,x': 'y + x' });
    expect(Object.fromEntries(browser.form('/monitors').fields).tag).toBe('y,x');
    expect(namesIn(html)).toEqual(['Beta']);
  });

  it('links the tags of a row to the monitors with that tag', async () => {
    const { html } = await browser.open('/monitors?q=Beta');
    expect(html).toMatch(/<a class="tag" dir="auto" href="\/monitors\?tag=y">y</);
  });

  it('shows each monitor with its state as shape and word, target, days and last response time', async () => {
    const { html } = await browser.open('/monitors?q=Alpha');
    expect(html).toMatch(/<svg class="mark up"[\s\S]*?<strong>Up<\/strong>/);
    expect(html).toContain(`${target.origin}/a`);
    expect(html).toMatch(/class="bars" viewBox="0 0 898 36"/);
    expect(html).toMatch(/<span class="quiet share"[^>]*>(No data yet|[\d.]+%)</);
    expect(html).toMatch(/<span class="figure">[\d.]+ ms<\/span>/);
    expect(html).not.toContain('Foreign');
  });

  it('shows when a monitor is deleted automatically', async () => {
    const definition = { name: 'Preview 1284', type: 'http', url: 'http://127.0.0.1:9/', paused: true };
    const api = app.api(app.teams.ours.write);
    const { id } = await createMonitor(api, { ...definition, expiresInSeconds: 3 * 86_400 });
    const { html } = await browser.open('/monitors?q=1284');
    expect(html.replace(/<[^>]*>/g, '')).toContain('Deleted in 3 days · HTTP');
    await api.delete(`/v1/monitors/${id}`);
  });

  it('offers the actions on each monitor to an editor', async () => {
    const { id } = (await app.api(app.teams.ours.read).get<Page<MonitorDto>>('/v1/monitors?q=Beta')).body.data[0]!;
    const { html } = await browser.open('/monitors?q=Beta');
    expect(html).toContain('Actions for Beta');
    for (const href of [`${id}/edit`, `new?from=${id}`, `${id}/delete`]) {
      expect(html).toContain(`href="/monitors/${href}"`);
    }
    for (const action of ['checks', 'resume']) browser.form(`/monitors/${id}/${action}`);
    const alpha = (await browser.open('/monitors?q=Alpha')).html;
    expect(alpha).toMatch(/href="\/monitors\/[^/]+\/pause"/);
    expect(alpha).not.toMatch(/action="\/monitors\/[^/]+\/resume"/);
  });

  it('offers no changes to a viewer', async () => {
    const { html } = await (await signedIn(app, 'viewer')).open('/monitors');
    expect(namesIn(html)).toHaveLength(3);
    expect(html).not.toMatch(/\/pause|\/resume|\/checks|\/edit"|\/delete|\/monitors\/new|Actions/);
  });

  it.each(['/monitors?status=broken', '/monitors?type=gopher', '/monitors?sort=size', '/monitors?cursor=none'])(
    '%s is rejected with 400',
    async (path) => {
      expect((await browser.open(path)).status).toBe(400);
    },
  );

  it('shows each monitor once over all pages, with the filters preserved', async () => {
    const owner = await signIn(app, await makePerson(app, app.teams.theirs.id, 'owner'));
    const api = app.api(app.teams.theirs.write);
    for (let index = 0; index < 60; index += 1) {
      const name = `Row ${String(index).padStart(2, '0')}`;
      await createMonitor(api, { name, type: 'tcp', host: 'x.test', port: 1, paused: true, tags: ['many'] });
    }
    const seen: string[] = [];
    const positions: string[] = [];
    let path: string | undefined = '/monitors?tag=many&sort=name';
    for (let turn = 0; path !== undefined && turn < 5; turn += 1) {
      const { html } = await owner.open(path);
      seen.push(...namesIn(html));
      positions.push(positionIn(html));
      path = nextIn(html);
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `Row ${String(index).padStart(2, '0')}`));
    expect(positions).toEqual(['1–25 of 60', '26–50 of 60', '51–60 of 60']);
    expect((await owner.open('/monitors?tag=many&sort=-name&cursor=abc')).status).toBe(400);
  });

  it('ignores an impossible position in the address', async () => {
    const owner = await signIn(app, await makePerson(app, app.teams.theirs.id, 'owner'));
    expect(positionIn((await owner.open('/monitors?tag=many&from=26')).html)).toBe('1–25 of 60');
    const next = new URL(nextIn(owner.page.html)!, app.origin);
    for (const [from, position] of [
      ['26', '26–50 of 60'],
      ['-1', '1–25 of 60'],
      ['<b>', '1–25 of 60'],
      ['1000', '36–60 of 60'],
    ] as const) {
      next.searchParams.set('from', from);
      const { status, html } = await owner.open(`${next.pathname}${next.search}`);
      expect({ from, status, position: positionIn(html) }).toEqual({ from, status: 200, position });
    }
    expect(positionIn((await owner.open('/monitors?tag=none')).html)).toBe('0 of 0');
  });
});
