import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { badgeElements, drawnTexts } from './support/badges.js';
import { type Answer, type Client } from './support/client.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { answers, startTarget, type Target } from './support/target.js';

const BADGES = ['status', 'uptime', 'response-time'] as const;
const DAY_MS = 86_400_000;

let app: TestApp;
let api: Client;
let target: Target;
let slugs = 0;

beforeAll(async () => {
  [app, target] = await Promise.all([startApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

/** A monitor that nothing but the test moves. */
async function still(more: Record<string, unknown> = {}): Promise<string> {
  return (await createMonitor(api, httpMonitor(target.url('/hidden-path'), { paused: true, ...more }))).id;
}

async function createPage(more: Record<string, unknown>): Promise<StatusPageDto> {
  const body = { name: 'Example', slug: `badges-${(slugs += 1)}`, ...more };
  const { status, body: page } = await api.post<StatusPageDto>('/v1/status-pages', body);
  expect({ status, page }).toMatchObject({ status: 201 });
  return page;
}

/** The address of the badges of a page's first component. */
const addressOf = ({ slug, components }: StatusPageDto, index = 0) => `/badges/${slug}/${components[index]!.id}`;

function get(path: string, headers: Record<string, string> = {}): Promise<Answer<string>> {
  return app.api().call<string>('GET', path, { headers });
}

async function valueOf(path: string): Promise<string> {
  const { status, body } = await get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return drawnTexts(body).value;
}

const password = (text: string) => ({ authorization: `Basic ${Buffer.from(`me:${text}`).toString('base64')}` });

describe('a badge', () => {
  it.each(BADGES)('of the %s is an image to embed, which nothing can run in', async (kind) => {
    const page = await createPage({ components: [{ monitorId: await still(), name: 'Checkout' }] });
    const { status, headers, body } = await get(`${addressOf(page)}/${kind}.svg`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    const { title, label, value } = drawnTexts(body);
    expect(label).toBe('Checkout');
    expect(title).toContain(value);
    expect(badgeElements(body)[0]!.attributes).toMatchObject({ role: 'img', 'aria-label': title });
  });

  it.each(BADGES)('of the %s has an ETag: 304 for who knows it, HEAD without a body', async (kind) => {
    const page = await createPage({ components: [{ monitorId: await still() }] });
    const path = `${addressOf(page)}/${kind}.svg`;
    const etag = (await get(path)).headers.get('etag')!;
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const known = await get(path, { 'if-none-match': tag });
      expect({ tag, status: known.status, body: known.body }).toEqual({ tag, status: 304, body: null });
      expect(known.headers.get('etag')).toBe(etag);
      expect(known.headers.get('cache-control')).toBe('public, max-age=60');
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get(`${path}?label=Other`, { 'if-none-match': etag })).status).toBe(200);
    const head = await app.undocumented().call('HEAD', path);
    expect({ status: head.status, body: head.body, etag: head.headers.get('etag') }).toEqual({
      status: 200,
      body: null,
      etag,
    });
  });

  it('takes its label from the query', async () => {
    const page = await createPage({ components: [{ monitorId: await still(), name: 'Checkout' }] });
    const labels: [string, string][] = [
      ['?label=API', 'API'],
      ['?label=a%20%3Cb%3E%26%22%27', `a <b>&"'`],
      ['?label=%E4%B8%96+%F0%9F%98%80', '世 😀'],
      ['?label=', 'Checkout'],
      ['?label=%00%01%E2%80%AE', 'Checkout'],
      ['?label=a&label=b', 'Checkout'],
      ['?label[x]=a', 'Checkout'],
      ['?label=%FF', '\uFFFD'],
      [`?label=${'x'.repeat(5_000)}`, `${'x'.repeat(59)}…`],
      ['?utm_source=readme', 'Checkout'],
    ];
    for (const kind of BADGES) {
      for (const [query, label] of labels) {
        const { status, body } = await app.undocumented().get<string>(`${addressOf(page)}/${kind}.svg${query}`);
        expect({ query, status, label: drawnTexts(body).label }).toEqual({ query, status: 200, label });
      }
    }
  });
});

describe('what badges say', () => {
  it('is the state that the page shows', async () => {
    target.behave('/hidden-down', answers(500));
    const monitor = await createMonitor(
      api,
      httpMonitor(target.url('/hidden-down'), { name: 'Secretive', key: 'hidden-key', failureThreshold: 1 }),
    );
    const page = await createPage({ components: [{ monitorId: monitor.id, name: 'Shown' }] });
    await untilStatus(api, monitor.id, 'down');
    const path = addressOf(page);
    expect(await valueOf(`${path}/status.svg`)).toBe('down');
    const upperCase = `/badges/${page.slug}/${page.components[0]!.id.toUpperCase()}`;
    expect(await valueOf(`${upperCase}/status.svg`)).toBe('down');
    expect(await valueOf(`${path}/response-time.svg`)).toBe('no data');
    for (const kind of BADGES) {
      const { body } = await get(`${path}/${kind}.svg`);
      const { body: refused } = await get(`/badges/${page.slug}/${monitor.id}/${kind}.svg`);
      for (const secret of ['hidden-', 'Secretive', '127.0.0.1', target.origin, 'unexpected_status', monitor.id]) {
        expect(body).not.toContain(secret);
        if (secret !== monitor.id) expect(JSON.stringify(refused)).not.toContain(secret);
      }
    }
    target.behave('/hidden-down', answers(200));
    await untilStatus(api, monitor.id, 'up');
    expect(await valueOf(`${path}/status.svg`)).toBe('operational');
  });

  it('is the uptime of the page over its days, cut and not rounded', async () => {
    const monitor = await still();
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const at = (ms: number) => new Date(midnight + ms);
    await app.query('UPDATE monitors SET created_at = $2 WHERE id = $1', [monitor, at(-2 * DAY_MS)]);
    const transitions: [number, string, string][] = [
      [-2 * DAY_MS, 'pending', 'down'],
      [-2 * DAY_MS + 3_600_000, 'down', 'up'],
      [-1_000, 'up', 'down'],
      [-800, 'down', 'up'],
    ];
    for (const [ms, from, to] of transitions) {
      await app.query(
        `INSERT INTO transitions (id, monitor_id, location, at, confirmed_at, from_status, to_status)
         VALUES ($1, $2, 'default', $3, $3, $4, $5)`,
        [uuidv7(), monitor, at(ms), from, to],
      );
    }
    // Paused since it was made: what follows does not move the figures.
    const long = await createPage({ historyDays: 10, monitorIds: [monitor] });
    const short = await createPage({ historyDays: 2, monitorIds: [monitor] });
    for (const page of [long, short]) {
      const { body } = await app.api().get<PublicPageDto>(`/status/${page.slug}.json`);
      const { uptimePercent } = body.components[0]!;
      expect(await valueOf(`${addressOf(page)}/uptime.svg`)).toBe(`${uptimePercent!.toFixed(3)} %`);
    }
    // 200 ms of more than a day: rounded, it would be 100.
    expect(await valueOf(`${addressOf(short)}/uptime.svg`)).toBe('99.999 %');
    expect(await valueOf(`${addressOf(long)}/uptime.svg`)).toMatch(/^9[5-8]\.\d{3} %$/);
  });

  it('is the mean response time of the day, or of the last one while this one has no checks', async () => {
    const [monitor, fresh] = [await still(), await still()];
    const page = await createPage({ monitorIds: [monitor, fresh] });
    const path = `${addressOf(page)}/response-time.svg`;
    const count = (daysAgo: number, location: string, total: number, responses: number, sumMs: number) =>
      app.query(
        `INSERT INTO daily_rollups (monitor_id, day, location, checks_total, checks_failed, response_count, response_sum_ms)
         VALUES ($1, (now() AT TIME ZONE 'UTC')::date - $2::int, $3, $4, $5, $6, $7)`,
        [monitor, daysAgo, location, total, total - responses, responses, sumMs],
      );
    expect(await valueOf(path)).toBe('no data');
    await count(3, 'default', 10, 10, 5_000);
    expect(await valueOf(path)).toBe('no data');
    await count(1, 'default', 10, 10, 2_000);
    expect(await valueOf(path)).toBe('200 ms');
    await count(0, 'default', 5, 0, 0);
    expect(await valueOf(path)).toBe('no data');
    await count(0, 'elsewhere', 5, 3, 252.6);
    expect(await valueOf(path)).toBe('84 ms');
    expect(await valueOf(`${addressOf(page, 1)}/response-time.svg`)).toBe('no data');
  });

  it('is "no data" where nothing was monitored', async () => {
    const path = addressOf(await createPage({ monitorIds: [await still()] }));
    expect(await valueOf(`${path}/uptime.svg`)).toBe('no data');
    expect(await valueOf(`${path}/status.svg`)).toBe('paused');
  });

  it.each([
    '<script>alert(1)</script>',
    '"><svg onload="alert(1)">',
    ']]><a href="javascript:alert(1)">x</a>',
    '&xxe; &#60;b&#62; &amp;lt;',
    '<!ENTITY xxe SYSTEM "file:///etc/passwd">',
    '\u202Eevil \u0001\u0085\uFFFE',
    'שלום مرحبا',
    '👩‍👩‍👧 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A',
    '𝕏'.repeat(100),
  ])('is a text, whatever the name: %s', async (name) => {
    const page = await createPage({ components: [{ monitorId: await still(), name }, { monitorId: await still() }] });
    for (const kind of BADGES) {
      const named = await get(`${addressOf(page)}/${kind}.svg`);
      const labelled = await get(`${addressOf(page, 1)}/${kind}.svg?label=${encodeURIComponent(name)}`);
      expect([named.status, labelled.status]).toEqual([200, 200]);
      // Throws for any element, attribute or character that is not a badge's own.
      expect(drawnTexts(named.body).label).toBe(drawnTexts(labelled.body).label);
      expect(drawnTexts(named.body).label).not.toMatch(/[\p{Control}\p{Bidi_Control}\uFFFE]/u);
    }
  });
});

describe('who may see badges', () => {
  it('of what no page shows: nobody, by one and the same 404', async () => {
    const monitor = await still();
    const shown = await createPage({ monitorIds: [monitor] });
    const other = await createPage({ monitorIds: [await still()] });
    const hidden = await createPage({ monitorIds: [monitor], published: false });
    const id = shown.components[0]!.id;
    const paths = [
      [hidden.slug, hidden.components[0]!.id],
      [hidden.slug, randomUUID()],
      ['nobody', id],
      ['UPPER', id],
      ['%F0%9F%98%80', id],
      [shown.slug, other.components[0]!.id],
      [shown.slug, monitor],
      [shown.slug, randomUUID()],
      ...['x', ':componentId', 'undefined', 'null', '0', '%20', '%27%20OR%201%3D1', 'key:a', 'x'.repeat(3_000)].map(
        (none) => [shown.slug, none],
      ),
    ];
    const problems = new Set<string>();
    for (const kind of BADGES) {
      expect((await get(`/badges/${shown.slug}/${id}/${kind}.svg`)).status).toBe(200);
      for (const [slug, component] of paths) {
        const path = `/badges/${slug}/${component}/${kind}.svg`;
        const { status, headers, body } = await app.api().get(path);
        expect({ path, status, type: headers.get('content-type') }).toEqual({
          path,
          status: 404,
          type: 'application/problem+json',
        });
        const { instance: _instance, requestId: _requestId, ...rest } = body;
        problems.add(JSON.stringify([rest, [...headers.keys()].sort()]));
      }
      for (const component of ['%00', '%FF']) {
        expect((await get(`/badges/${shown.slug}/${component}/${kind}.svg`)).status).toBe(404);
      }
    }
    expect(problems.size).toBe(1);
    expect((await app.undocumented().get(`/badges/${shown.slug}/${id}/errors.svg`)).status).toBe(404);
    expect((await app.undocumented().post(`/badges/${shown.slug}/${id}/status.svg`)).status).toBe(405);

    await api.patch(`/v1/status-pages/${hidden.id}`, { published: true });
    expect(await valueOf(`${addressOf(hidden)}/status.svg`)).toBe('paused');
    await api.delete(`/v1/monitors/${monitor}`);
    for (const kind of BADGES) expect((await get(`/badges/${shown.slug}/${id}/${kind}.svg`)).status).toBe(404);
  });

  it('of figures that a page does not show: nobody', async () => {
    const page = await createPage({ components: [{ monitorId: await still(), showUptime: false }] });
    const statuses = await Promise.all(
      BADGES.map(async (kind) => (await get(`${addressOf(page)}/${kind}.svg`)).status),
    );
    expect(statuses).toEqual([200, 404, 404]);
  });

  it('of a password page: who has the password, and no cache', async () => {
    const page = await createPage({
      ...{ accessType: 'password', password: 'correct horse' },
      components: [{ monitorId: await still(), name: 'Checkout' }],
    });
    for (const kind of BADGES) {
      const missing = `/badges/${page.slug}/${randomUUID()}/${kind}.svg`;
      const refused: [string, Record<string, string>][] = [
        [`${addressOf(page)}/${kind}.svg`, {}],
        [`${addressOf(page)}/${kind}.svg`, password('wrong horse')],
        [`${addressOf(page)}/${kind}.svg`, { authorization: `Bearer ${app.teams.ours.admin}` }],
        [missing, {}],
      ];
      for (const [path, headers] of refused) {
        const asked = await get(path, headers);
        expect(asked.status).toBe(401);
        expect(asked.headers.get('www-authenticate')).toBe(`Basic realm="status page ${page.slug}", charset="UTF-8"`);
        expect(JSON.stringify(asked.body)).not.toContain('Checkout');
      }
      expect((await get(missing, password('correct horse'))).status).toBe(404);
      const { status, headers, body } = await get(`${addressOf(page)}/${kind}.svg`, password('correct horse'));
      expect({ status, label: drawnTexts(body).label }).toEqual({ status: 200, label: 'Checkout' });
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('etag')).toBeNull();
    }
  });
});
