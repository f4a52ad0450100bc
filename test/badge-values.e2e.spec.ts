import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { DAY_MS } from '../src/domain/durations.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { BADGES, badgesOf, badgeValue, drawnTexts, getBadge } from './support/badges.js';
import { type Client } from './support/client.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { createPage } from './support/status-pages.js';
import { answers, startTarget, type Target } from './support/target.js';

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

describe('the value of a badge', () => {
  it('is the state shown on the status page', async () => {
    target.behave('/hidden-down', answers(500));
    const monitor = await createMonitor(
      api,
      httpMonitor(target.url('/hidden-down'), { name: 'Secretive', key: 'hidden-key', failureThreshold: 1 }),
    );
    const page = await createPage(api, { components: [{ monitorId: monitor.id, name: 'Shown' }] });
    await untilStatus(api, monitor.id, 'down');
    const path = badgesOf(page);
    expect(await badgeValue(app, `${path}/status.svg`)).toBe('down');
    const upperCase = `/badges/${page.slug}/${page.components[0]!.id.toUpperCase()}`;
    expect(await badgeValue(app, `${upperCase}/status.svg`)).toBe('down');
    expect(await badgeValue(app, `${path}/response-time.svg`)).toBe('no data');
    for (const kind of BADGES) {
      const { body } = await getBadge(app, `${path}/${kind}.svg`);
      const { body: refused } = await getBadge(app, `/badges/${page.slug}/${monitor.id}/${kind}.svg`);
      for (const secret of ['hidden-', 'Secretive', '127.0.0.1', target.origin, 'unexpected_status', monitor.id]) {
        expect(body).not.toContain(secret);
        if (secret !== monitor.id) expect(JSON.stringify(refused)).not.toContain(secret);
      }
    }
    target.behave('/hidden-down', answers(200));
    await untilStatus(api, monitor.id, 'up');
    expect(await badgeValue(app, `${path}/status.svg`)).toBe('operational');
  });

  it('is the uptime over the history of the page, truncated instead of rounded', async () => {
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
    // The monitor has been paused since its creation: later events do not change the figures.
    const long = await createPage(api, { historyDays: 10, monitorIds: [monitor] });
    const short = await createPage(api, { historyDays: 2, monitorIds: [monitor] });
    for (const page of [long, short]) {
      const { body } = await app.api().get<PublicPageDto>(`/status/${page.slug}.json`);
      const { uptimePercent } = body.components[0]!;
      expect(await badgeValue(app, `${badgesOf(page)}/uptime.svg`)).toBe(`${uptimePercent!.toFixed(3)}%`);
    }
    // 200 ms of downtime in more than a day: rounding would show 100%.
    expect(await badgeValue(app, `${badgesOf(short)}/uptime.svg`)).toBe('99.999%');
    expect(await badgeValue(app, `${badgesOf(long)}/uptime.svg`)).toMatch(/^9[5-8]\.\d{3}%$/);
  });

  it('is the mean response time of today, or of yesterday while no check of today has passed', async () => {
    const [monitor, fresh] = [await still(), await still()];
    const page = await createPage(api, { monitorIds: [monitor, fresh] });
    const path = `${badgesOf(page)}/response-time.svg`;
    const count = (daysAgo: number, location: string, total: number, responses: number, sumMs: number) =>
      app.query(
        `INSERT INTO daily_rollups (monitor_id, day, location, checks_total, checks_failed, response_count, response_sum_ms)
         VALUES ($1, (now() AT TIME ZONE 'UTC')::date - $2::int, $3, $4, $5, $6, $7)`,
        [monitor, daysAgo, location, total, total - responses, responses, sumMs],
      );
    expect(await badgeValue(app, path)).toBe('no data');
    await count(3, 'default', 10, 10, 5_000);
    expect(await badgeValue(app, path)).toBe('no data');
    await count(1, 'default', 10, 10, 2_000);
    expect(await badgeValue(app, path)).toBe('200 ms');
    await count(0, 'default', 5, 0, 0);
    expect(await badgeValue(app, path)).toBe('200 ms');
    await count(0, 'elsewhere', 5, 3, 252.6);
    expect(await badgeValue(app, path)).toBe('84 ms');
    expect(await badgeValue(app, `${badgesOf(page, 1)}/response-time.svg`)).toBe('no data');
  });

  it('is "no data" if nothing was monitored', async () => {
    const path = badgesOf(await createPage(api, { monitorIds: [await still()] }));
    expect(await badgeValue(app, `${path}/uptime.svg`)).toBe('no data');
    expect(await badgeValue(app, `${path}/status.svg`)).toBe('paused');
  });

  it.each([
    '<script>alert(1)</script>',
    '"><svg onload="alert(1)">',
    ']]><a href="javascript:alert(1)">x</a>',
    '&xxe; &#60;b&#62; &amp;lt;',
    '<!ENTITY xxe SYSTEM "file:///etc/passwd">',
    '\u202Eevil \uFFFE',
    'שלום مرحبا',
    '👩‍👩‍👧 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A',
    '𝕏'.repeat(100),
  ])('is plain text beside a component with the name: %s', async (name) => {
    const page = await createPage(api, {
      components: [{ monitorId: await still(), name }, { monitorId: await still() }],
    });
    for (const kind of BADGES) {
      const named = await getBadge(app, `${badgesOf(page)}/${kind}.svg`);
      const labelled = await getBadge(app, `${badgesOf(page, 1)}/${kind}.svg?label=${encodeURIComponent(name)}`);
      expect([named.status, labelled.status]).toEqual([200, 200]);
      // Throws for any element, attribute or character that a badge does not use itself.
      expect(drawnTexts(named.body).label).toBe(drawnTexts(labelled.body).label);
      expect(drawnTexts(named.body).label).not.toMatch(/[\p{Control}\p{Bidi_Control}\uFFFE]/u);
    }
  });
});
