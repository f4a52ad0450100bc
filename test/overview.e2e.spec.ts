import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Database } from 'pg';
import { DAY_MS } from '../src/domain/durations.js';
import { type OverviewDto } from '../src/modules/overview/dto/overview.dto.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { sharedApp, startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { quietMonitor } from './support/console.js';
import { eventually } from './support/eventually.js';
import { type PastMonitor, pastMonitor } from './support/history.js';
import { signedIn } from './support/people.js';

const PATH = '/v1/overview';
const NO_FIGURES = { uptimePercent: null, downSeconds: 0 };

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

async function overview(client = api): Promise<OverviewDto> {
  const { status, body } = await client.get<OverviewDto>(PATH);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** Returns the uptime of monitors together over the past seven days, calculated from their own figures. */
async function weekOf(...monitors: readonly PastMonitor[]): Promise<number> {
  const sum = { good: 0, down: 0 };
  for (const { id } of monitors) {
    const { totals } = (await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?days=7`)).body;
    sum.good += 1_000 * (totals.upSeconds + totals.degradedSeconds);
    sum.down += 1_000 * totals.downSeconds;
  }
  return Math.floor((100_000 * sum.good) / (sum.good + sum.down)) / 1_000;
}

describe('the overview of a team', () => {
  let down: PastMonitor;
  let up: PastMonitor;
  beforeAll(async () => {
    down = await pastMonitor(app, api, { name: 'Checkout', tags: ['shop', 'live'] });
    up = await pastMonitor(app, api, { name: 'Search', tags: ['shop'] }, { isDown: false });
  });

  it('has the figures of their history', async () => {
    const { monitors, recent } = await overview();
    expect(monitors).toEqual({ up: 0, down: 0, degraded: 0, unknown: 0, pending: 0, maintenance: 0, paused: 2 });
    const { computedAt, day, week, tags, slowest, flakiest } = recent!;
    const nowMs = Date.parse(computedAt);
    const { from, to } = down.outage;
    expect(day.downSeconds).toBe(Math.max(0, Math.min(to, nowMs) - Math.max(from, nowMs - DAY_MS)) / 1_000);
    expect(week).toEqual({ uptimePercent: await weekOf(down, up), downSeconds: 3_600 });
    expect(tags).toEqual([
      { tag: 'shop', monitorCount: 2, ...week },
      { tag: 'live', monitorCount: 1, uptimePercent: await weekOf(down), downSeconds: 3_600 },
    ]);
    expect(slowest).toEqual([
      { monitorId: down.id, name: 'Checkout', responseTimeMs: 20 },
      { monitorId: up.id, name: 'Search', responseTimeMs: 20 },
    ]);
    expect(flakiest).toEqual([{ monitorId: down.id, name: 'Checkout', incidentCount: 1, downSeconds: 3_600 }]);
  });

  it('counts monitors immediately, and computes its figures at most once a minute', async () => {
    const before = await overview();
    await quietMonitor(app, 'New');
    const after = await overview();
    expect(after.monitors.paused).toBe(before.monitors.paused + 1);
    expect(after.recent).toEqual(before.recent);
  });

  it('includes nothing of another team', async () => {
    const { monitors, recent } = await overview(app.api(app.teams.theirs.read));
    expect(new Set(Object.values(monitors))).toEqual(new Set([0]));
    expect(recent).toMatchObject({ day: NO_FIGURES, week: NO_FIGURES, tags: [], slowest: [], flakiest: [] });
  });
});

describe('the overview of a large team', () => {
  it('has no figures beyond 10,000 monitors, and the start page is complete without them', async () => {
    const large = await startApp();
    try {
      await quietMonitor(large, 'One');
      await large.query(
        `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms,
           failure_threshold, recovery_threshold, locations, quorum, tags, metadata, paused_at)
         SELECT gen_random_uuid(), $1, 'Many', 'http', '{}', '', 60, 100, 2, 1, '{default}', 'majority', '{}', '{}', now()
         FROM generate_series(1, 10000)`,
        [large.teams.ours.id],
      );
      expect((await overview(large.api(large.teams.ours.read))).recent).toBeNull();
      const { html } = await signedIn(large, 'viewer').then((browser) => browser.open('/'));
      expect(html).not.toMatch(/Computing|7 days|24 hours/);
      expect(html).toContain('data-refresh="counts"');
    } finally {
      await large.close();
    }
  });
});

describe('while too many reports of the team are waiting', () => {
  it('is rejected with 429, and the start page appears without its figures', async () => {
    const busy = await startApp();
    const database = new Database({ connectionString: busy.databaseUrl });
    await database.connect();
    try {
      await quietMonitor(busy, 'One');
      const client = busy.api(busy.teams.ours.read);
      await database.query('BEGIN');
      await database.query('LOCK TABLE spans IN ACCESS EXCLUSIVE MODE');
      const statuses: number[] = [];
      const reports = Array.from({ length: 55 }, async () =>
        statuses.push((await client.get('/v1/reports/sla')).status),
      );
      await eventually(() => expect(statuses).toEqual([429, 429, 429]));
      const refused = await client.get(PATH);
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(refused.headers.get('retry-after')).toBe('1');
      const browser = await signedIn(busy, 'viewer');
      expect(browser.page.html).toContain('Computing the figures for the last 7 days…');
      expect(browser.page.html).toContain('data-refresh="soon"');
      await database.query('ROLLBACK');
      await Promise.all(reports);
      expect(new Set(statuses.slice(3))).toEqual(new Set([200]));
      await eventually(async () => expect((await browser.open('/')).html).toContain('data-refresh="counts"'));
    } finally {
      await database.end();
      await busy.close();
    }
  });
});
