import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { unescaped } from './support/html-forms.js';
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
  return [...html.matchAll(/<th scope="row"><a [^>]*>([^<]*)</g)].map(([, name]) => unescaped(name!));
}

async function listed(path: string): Promise<string[]> {
  const { status, html } = await browser.open(path);
  expect(status).toBe(200);
  return namesIn(html);
}

describe('a team without monitors', () => {
  it('sees what monitors are for and how to create the first one', async () => {
    const { html } = await browser.open('/');
    expect(html).toContain('A monitor checks a URL, a port');
    expect(html).toContain('href="/monitors/new"');
    expect(unescaped(html)).toContain(`'${app.origin}/v1/monitors'`);
    const viewer = await signedIn(app, 'viewer');
    const seen = (await viewer.open('/')).html;
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
    ['/', ['Beta', 'Gamma <b>', 'Alpha']],
    ['/?sort=name', ['Alpha', 'Beta', 'Gamma <b>']],
    ['/?sort=-name', ['Gamma <b>', 'Beta', 'Alpha']],
    ['/?status=up', ['Alpha']],
    ['/?status=up&status=paused&sort=name', ['Alpha', 'Beta', 'Gamma <b>']],
    ['/?status=down', []],
    ['/?type=tcp', ['Beta']],
    ['/?tag=x&sort=name', ['Alpha', 'Beta']],
    ['/?tag=x%2C+y', ['Beta']],
    ['/?tag=x&tag=y', ['Beta']],
    ['/?q=DB.example', ['Beta']],
    ['/?q=%3Cb', ['Gamma <b>']],
    // As a browser sends the empty form.
    ['/?q=&type=&tag=&sort=-createdAt', ['Gamma <b>', 'Beta', 'Alpha']],
    ['/?utm_source=mail&done=nothing', ['Beta', 'Gamma <b>', 'Alpha']],
  ])('%s', async (path, names) => {
    expect(await listed(path)).toEqual(names);
  });

  it('shows the number of monitors per state, and the active filters', async () => {
    const { html } = await browser.open('/?status=paused&type=dns&q=amma&tag=');
    expect(html).toMatch(/<strong>2<\/strong> Paused/);
    expect(html).toMatch(/<strong>1<\/strong> Up/);
    expect(html).toMatch(/value="paused" checked/);
    expect(html).toMatch(/<option value="dns" selected/);
    expect(html).toContain('value="amma"');
    expect(html).toContain('>Clear</a>');
  });

  it('shows each monitor with its state as shape and word, target, days and last response time', async () => {
    const { html } = await browser.open('/?q=Alpha');
    expect(html).toMatch(/<svg class="mark up"[\s\S]*?<strong>Up<\/strong>/);
    expect(html).toContain(`${target.origin}/a`);
    expect(html).toMatch(/class="bars" viewBox="0 0 898 36"/);
    expect(html).toMatch(/No data yet|% over \d+ \w+/);
    expect(html).toMatch(/<span class="figure">[\d.]+ ms<\/span>/);
    expect(html).not.toContain('Foreign');
  });

  it('offers no changes to a viewer', async () => {
    const { html } = await (await signedIn(app, 'viewer')).open('/');
    expect(namesIn(html)).toHaveLength(3);
    expect(html).not.toMatch(/\/pause|\/edit"|\/monitors\/new/);
  });

  it.each(['/?status=broken', '/?type=gopher', '/?sort=size', '/?cursor=none'])(
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
    let path: string | undefined = '/?tag=many&sort=name';
    for (let turn = 0; path !== undefined && turn < 5; turn += 1) {
      const { html } = await owner.open(path);
      seen.push(...namesIn(html));
      path = /<a href="([^"]*)" rel="next"/.exec(html)?.[1];
      path &&= unescaped(path);
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `Row ${String(index).padStart(2, '0')}`));
    expect((await owner.open('/?tag=many&sort=-name&cursor=abc')).status).toBe(400);
  });
});
