import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../src/domain/durations.js';
import { startApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { type DatabaseLink, linkTo } from './support/database-link.js';
import { attributesOf, unescaped } from './support/html-forms.js';
import { createMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1) '\${7*7}`;
const PAGES = [
  '/',
  '/wall',
  '/monitors',
  '/monitors?status=paused&q=%22%3E&sort=name',
  '/monitors/new',
  '/monitors/new?type=dns',
  ...['', '/edit', '/drill', '/pause', '/delete', '/checks', '/exclusions', '/exclusions/new', '/response-times'].map(
    (step) => `/monitors/key:hostile${step}`,
  ),
  '/incidents',
  '/incidents?monitor=x',
  '/incidents/new',
  '/maintenance',
  '/maintenance/new',
  '/status-pages',
  '/status-pages/new',
  '/settings/api-keys',
  '/settings/api-keys?revoked=true',
  '/settings/ping-keys',
  '/settings/notifications',
  '/settings/notifications/new',
  '/settings/notifications/new?type=slack',
  ...['edit', 'rotate', 'delete'].map((step) => `/settings/notifications/key:hostile/${step}`),
  '/settings/notifications/log',
  '/settings/notifications/log?status=failed',
  '/settings/notifications/report',
  '/settings/notifications/report?days=90',
  '/settings/notifications/silences',
  '/settings/notifications/silences/new',
  '/settings/notifications/policies/new',
  ...['edit', 'delete'].map((step) => `/settings/notifications/policies/key:hostile/${step}`),
  '/settings/team',
  '/settings/account',
  '/sign-in',
  '/forgot-password',
  '/forgot-password?done=requested',
  '/reset-password',
  '/setup',
  '/invitations/none',
];

let app: TestApp;
let link: DatabaseLink;
let browser: Browser;
beforeAll(async () => {
  app = await startApp({}, async (url) => {
    link = await linkTo(url);
    return link.url;
  });
  await app.query('UPDATE teams SET name = $1 WHERE id = $2', [HOSTILE, app.teams.ours.id]);
  const person = await makePerson(app, app.teams.ours.id, 'owner', HOSTILE);
  browser = await signIn(app, person);
  await app.query('UPDATE sessions SET user_agent = $1', [HOSTILE]);
  const parent = { name: HOSTILE.slice(0, 200), key: 'parent', type: 'http', url: 'http://127.0.0.1:1/', paused: true };
  await createMonitor(app.api(app.teams.ours.write), parent);
  await createMonitor(app.api(app.teams.ours.write), {
    name: HOSTILE.slice(0, 200),
    key: 'hostile',
    parentIds: ['key:parent'],
    expiresAt: '2099-01-01T00:00:00.000Z',
    description: HOSTILE,
    type: 'http',
    url: 'http://127.0.0.1:1/',
    headers: { 'X-Hostile': HOSTILE },
    tags: [HOSTILE.slice(0, 50)],
    metadata: { hostile: HOSTILE },
    paused: true,
    assertions: [{ source: 'textBody', comparison: 'contains', target: HOSTILE }],
  });
  await app.api(app.teams.ours.write).post('/v1/monitors/key:hostile/pause', { reason: HOSTILE });
  await app.api(app.teams.ours.write).post('/v1/exclusions', {
    monitorIds: ['key:hostile'],
    from: new Date(Date.now() - 2 * HOUR_MS).toISOString(),
    to: new Date(Date.now() - HOUR_MS).toISOString(),
    reason: HOSTILE,
  });
  await app.api(app.teams.ours.write).post('/v1/notification-channels', {
    name: HOSTILE.slice(0, 200),
    key: 'hostile',
    type: 'webhook',
    settings: { url: 'https://hook.example/', headers: { 'X-Hostile': HOSTILE } },
  });
  await app.api(app.teams.ours.write).post('/v1/notification-policies', {
    name: HOSTILE.slice(0, 200),
    key: 'hostile',
    match: { monitorIds: ['key:hostile'], tags: [HOSTILE.slice(0, 50)] },
    steps: [{ afterSeconds: 0, channelIds: ['key:hostile'] }],
  });
  await app.api(app.teams.ours.write).post('/v1/silences', {
    match: { monitorIds: ['key:hostile'] },
    durationSeconds: 600,
    reason: HOSTILE,
  });
  await browser.open('/settings/api-keys');
  await browser.submit('/settings/api-keys', { name: HOSTILE, scopes: 'read' });
  await app.api(app.teams.ours.write).post('/v1/ping-keys', { name: HOSTILE.slice(0, 200) });
  await browser.open('/settings/team');
  await browser.submit('/settings/team/invitations', { email: '' });
  await app.query('UPDATE invitations SET email = $1', [HOSTILE]);
});
afterAll(async () => {
  await app.close();
  await link.cut();
});

/** Returns the tags of a page. Escaped user input contains no `<`, so every tag belongs to the page itself. */
function tagsOf(html: string): string[] {
  return html.match(/<[^>]*>/g) ?? [];
}

describe.each(PAGES)('%s', (path) => {
  let html: string;
  let headers: Headers;
  beforeAll(async () => {
    ({ html, headers } = await browser.open(path));
  });

  it('loads only scripts of this application, without inline styles or handlers, despite hostile input', () => {
    const scripts = html.match(/<script[^>]*>[^<]*/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts)
      expect(script).toMatch(/^<script src="\/assets\/\w+\/[\w.-]+" (type="module"|defer)>$/);
    expect(html).not.toMatch(/<img|<style/);
    // The editor of a status page frames its own preview.
    const frames = html.match(/<iframe[^>]*>/g) ?? [];
    for (const frame of frames) expect(attributesOf(frame).src ?? '/').toMatch(/^\//);
    expect(frames.length).toBe(path.startsWith('/status-pages/new') ? 1 : 0);
    for (const tag of tagsOf(html)) {
      const names = Object.keys(attributesOf(tag));
      expect(names.filter((name) => name.startsWith('on') || name === 'style')).toEqual([]);
      expect(attributesOf(tag).href ?? '/').toMatch(/^[/#]/);
    }
  });

  it('is uncacheable and has a strict content security policy', () => {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('unsafe');
  });

  it('labels its fields and marks its structure for assistive technology', () => {
    const tags = tagsOf(html).map((tag) => ({ tag, has: attributesOf(tag) }));
    const ids = tags.flatMap(({ has }) => has.id ?? []);
    expect(ids).toEqual([...new Set(ids)]);
    const labelled = tags.flatMap(({ tag, has }) => (tag.startsWith('<label') ? (has.for ?? []) : []));
    const isNamed = (has: Record<string, string>) => has['aria-label'] !== undefined || labelled.includes(has.id ?? '');
    for (const { tag, has } of tags) {
      if (!/^<(input|select)/.test(tag) || ['hidden', 'radio', 'checkbox'].includes(has.type ?? '')) continue;
      expect({ tag, isNamed: isNamed(has) }).toEqual({ tag, isNamed: true });
    }
    for (const { has } of tags) {
      for (const id of (has['aria-describedby'] ?? '').split(' ').filter(Boolean)) expect(ids).toContain(id);
    }
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toMatch(/<html lang="en"/);
    // A screen on the wall has no navigation to skip.
    expect(html.includes('href="#main"')).toBe(path !== '/wall');
    expect(html).toContain('<main id="main"');
  });

  it('renders times in UTC, which a script may localize', () => {
    for (const [, iso, text] of html.matchAll(/<time datetime="([^"]*T[^"]*)">([^<]*)</g)) {
      expect(text).toBe(`${iso!.slice(0, 16).replace('T', ' ')} UTC`);
    }
  });
});

describe('the assets of pages', () => {
  it('are served by this application under addresses that change with their content', async () => {
    const { html } = await browser.open('/');
    const files = new Set([...html.matchAll(/"(\/assets\/[^"#]+)(?:#[\w-]+)?"/g)].map(([, path]) => path!));
    expect(files.size).toBe(16);
    for (const file of files) {
      const answer = await new Browser(app.origin).call('GET', file);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file).toMatch(/^\/assets\/[0-9a-f]{12}\/[\w.-]+\.(css|js|svg|woff2)$/);
      const other = await new Browser(app.origin).call('GET', file.replace(/[0-9a-f]{12}/, '000000000000'));
      expect(other.status).toBe(404);
    }
  });

  it('are compressed for clients that accept it', async () => {
    const { html } = await browser.open('/');
    const [file] = /\/assets\/\w+\/console\.css/.exec(html)!;
    const sent = async (coding: string) => {
      const answer = await new Browser(app.origin).call('GET', file, { headers: { 'accept-encoding': coding } });
      expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      return { answer, coding: answer.headers.get('content-encoding'), text: await answer.text() };
    };
    const [plain, gzip, brotli] = [await sent('identity'), await sent('gzip'), await sent('gzip, br')];
    expect([plain.coding, gzip.coding, brotli.coding]).toEqual([null, 'gzip', 'br']);
    expect(gzip.text).toBe(plain.text);
    expect(brotli.text).toBe(plain.text);
    expect(Number(brotli.answer.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
  });

  it('contain forms whose token differs each time, because the pages are compressed', async () => {
    const [first, second] = [await browser.open('/settings/team'), await browser.open('/settings/team')];
    expect(first.headers.get('content-encoding')).not.toBeNull();
    const tokens = [first, second].map(({ html }) => /name="_token" value="([\w-]{86})"/.exec(html)![1]!);
    expect(tokens[0]).not.toBe(tokens[1]);
    for (const token of [...tokens, tokens[0]!.slice(1), '', `${tokens[0]}AAAA`]) {
      const answer = await browser.call('POST', '/settings/team', { form: { _token: token, name: 'Ours' } });
      expect(answer.status).toBe(tokens.includes(token) ? 303 : 403);
    }
  });

  it('follow the chosen light or dark theme without a script; choosing returns to the page', async () => {
    await browser.open('/settings/team');
    const answer = await browser.call('POST', '/theme', { form: { theme: 'dark', next: '/settings/team' } });
    expect(answer.headers.get('location')).toBe('/settings/team');
    expect((await browser.open('/settings/team')).html).toContain('<html lang="en" data-theme="dark">');
    await browser.call('POST', '/theme', { form: { theme: '"><script>', next: '//evil.test' } });
    expect((await browser.open('/settings/team')).html).toContain('data-theme="auto"');
  });
});

describe('a page with actions', () => {
  it('shows the equivalent curl command for publishing a page and for resolving an incident', async () => {
    const api = app.api(app.teams.ours.write);
    const { body: page } = await api.post<{ id: string }>('/v1/status-pages', { name: 'One', slug: 'one' });
    const { body: incident } = await api.post<{ id: string }>('/v1/incidents', {
      title: 'One',
      monitorIds: ['key:hostile'],
      impact: 'none',
    });
    for (const [path, change] of [
      [`/status-pages/${page.id}`, '{"published":false}'],
      [`/incidents/${incident.id}`, '{"resolvedAt":"'],
    ] as const) {
      const told = unescaped((await browser.open(path)).html);
      expect(told).toMatch(new RegExp(`-X PATCH[^<]*'${app.origin}/v1${path}'[^<]*${change}`));
    }
  });
});

describe('while the database is unreachable', () => {
  it('every page reports it with 503, and assets are still served', async () => {
    await browser.open('/');
    const style = /\/assets\/\w+\/console\.css/.exec(browser.page.html)![0];
    await link.cut();
    try {
      for (const path of PAGES) {
        const answer = await browser.call('GET', path);
        expect({ path, status: answer.status }).toEqual({ path, status: 503 });
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(await answer.text()).toContain('Temporarily unavailable');
      }
      const form = { _token: browser.formToken, name: 'x' };
      expect((await browser.call('POST', '/settings/api-keys', { form })).status).toBe(503);
      expect((await browser.call('GET', style)).status).toBe(200);
    } finally {
      await link.restore();
    }
  });
});
