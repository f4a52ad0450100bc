import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sharedApp, type TestApp } from './support/app.js';
import { badgeElements, BADGES, badgesOf, badgeValue, drawnTexts, getBadge } from './support/badges.js';
import { type Client } from './support/client.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';
import { startTarget, type Target } from './support/target.js';

let app: TestApp;
let api: Client;
let target: Target;

beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

/** Creates a paused monitor, so that only the test changes its state, and returns its id. */
async function still(more: Record<string, unknown> = {}): Promise<string> {
  return (await createMonitor(api, httpMonitor(target.url('/hidden-path'), { paused: true, ...more }))).id;
}

const password = (text: string) => ({ authorization: `Basic ${Buffer.from(`me:${text}`).toString('base64')}` });

describe('a badge', () => {
  it.each(BADGES)('of the %s is an embeddable image that cannot execute scripts', async (kind) => {
    const page = await createPage(api, { components: [{ monitorId: await still(), name: 'Checkout' }] });
    const { status, headers, body } = await getBadge(app, `${badgesOf(page)}/${kind}.svg`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
    const { title, label, value } = drawnTexts(body);
    expect(label).toBe('Checkout');
    expect(title).toContain(value);
    expect(badgeElements(body)[0]!.attributes).toMatchObject({ role: 'img', 'aria-label': title });
  });

  it.each(BADGES)('of the %s has an ETag, supports If-None-Match and has no body in response to HEAD', async (kind) => {
    const page = await createPage(api, { components: [{ monitorId: await still() }] });
    const path = `${badgesOf(page)}/${kind}.svg`;
    const etag = (await getBadge(app, path)).headers.get('etag')!;
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const known = await getBadge(app, path, { 'if-none-match': tag });
      expect({ tag, status: known.status, body: known.body }).toEqual({ tag, status: 304, body: null });
      expect(known.headers.get('etag')).toBe(etag);
      expect(known.headers.get('cache-control')).toBe('public, max-age=60');
    }
    expect((await getBadge(app, path, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await getBadge(app, `${path}?label=Other`, { 'if-none-match': etag })).status).toBe(200);
    const head = await app.undocumented().call('HEAD', path);
    expect({ status: head.status, body: head.body, etag: head.headers.get('etag') }).toEqual({
      status: 200,
      body: null,
      etag,
    });
  });

  it('takes its label from the query', async () => {
    const page = await createPage(api, { components: [{ monitorId: await still(), name: 'Checkout' }] });
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
        const { status, body } = await app.undocumented().get<string>(`${badgesOf(page)}/${kind}.svg${query}`);
        expect({ query, status, label: drawnTexts(body).label }).toEqual({ query, status: 200, label });
      }
    }
  });
});

describe('access to badges', () => {
  it('is denied with one and the same 404 for everything that no published page shows', async () => {
    const monitor = await still();
    const shown = await createPage(api, { monitorIds: [monitor] });
    const other = await createPage(api, { monitorIds: [await still()] });
    const hidden = await createPage(api, { monitorIds: [monitor], published: false });
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
      expect((await getBadge(app, `/badges/${shown.slug}/${id}/${kind}.svg`)).status).toBe(200);
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
        expect((await getBadge(app, `/badges/${shown.slug}/${component}/${kind}.svg`)).status).toBe(404);
      }
    }
    expect(problems.size).toBe(1);
    expect((await app.undocumented().get(`/badges/${shown.slug}/${id}/errors.svg`)).status).toBe(404);
    expect((await app.undocumented().post(`/badges/${shown.slug}/${id}/status.svg`)).status).toBe(405);

    await api.patch(`/v1/status-pages/${hidden.id}`, { published: true });
    expect(await badgeValue(app, `${badgesOf(hidden)}/status.svg`)).toBe('paused');
    await api.delete(`/v1/monitors/${monitor}`);
    for (const kind of BADGES)
      expect((await getBadge(app, `/badges/${shown.slug}/${id}/${kind}.svg`)).status).toBe(404);
  });

  it('is denied for figures that the page does not show', async () => {
    const page = await createPage(api, { components: [{ monitorId: await still(), showUptime: false }] });
    const statuses = await Promise.all(
      BADGES.map(async (kind) => (await getBadge(app, `${badgesOf(page)}/${kind}.svg`)).status),
    );
    expect(statuses).toEqual([200, 404, 404]);
  });

  it('requires the password of a password-protected page, and is uncacheable there', async () => {
    const page = await createPage(api, {
      accessType: 'password',
      password: 'correct horse',
      components: [{ monitorId: await still(), name: 'Checkout' }],
    });
    for (const kind of BADGES) {
      const missing = `/badges/${page.slug}/${randomUUID()}/${kind}.svg`;
      const refused: [string, Record<string, string>][] = [
        [`${badgesOf(page)}/${kind}.svg`, {}],
        [`${badgesOf(page)}/${kind}.svg`, password('wrong horse')],
        [`${badgesOf(page)}/${kind}.svg`, { authorization: `Bearer ${app.teams.ours.admin}` }],
        [missing, {}],
      ];
      for (const [path, headers] of refused) {
        const asked = await getBadge(app, path, headers);
        expect(asked.status).toBe(401);
        expect(asked.headers.get('www-authenticate')).toBe(`Basic realm="status page ${page.slug}", charset="UTF-8"`);
        expect(JSON.stringify(asked.body)).not.toContain('Checkout');
      }
      expect((await getBadge(app, missing, password('correct horse'))).status).toBe(404);
      const { status, headers, body } = await getBadge(app, `${badgesOf(page)}/${kind}.svg`, password('correct horse'));
      expect({ status, label: drawnTexts(body).label }).toEqual({ status: 200, label: 'Checkout' });
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('etag')).toBeNull();
    }
  });
});
