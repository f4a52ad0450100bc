import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type ResultIntakeService } from '../src/modules/checker/result-intake.service.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type DatabaseLink, linkTo } from './support/database-link.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { PATIENCE } from './support/patience.js';
import { ROUTE_ROWS } from './support/route-rows.js';
import { startTarget, type Target } from './support/target.js';

/** Time to detect a database that does not respond, with a margin. */
const A_FEW_SECONDS_MS = 20_000;
/** Timeout on a busy machine for operations without a documented limit. */
const PATIENCE_MS = 60_000;

let app: TestApp;
let link: DatabaseLink;
let target: Target;
beforeAll(async () => {
  target = await startTarget();
  app = await startApp({}, async (url) => {
    link = await linkTo(url);
    return link.url;
  });
});
afterAll(async () => {
  await app.close();
  await link.cut();
  await target.close();
});

const figures = () => app.backstage.provider<ResultIntakeService>('ResultIntakeService').figures();

describe('a service during and after a database outage', () => {
  let monitor: MonitorDto;
  /** Number of requests to the target before and after the database outage. */
  let seen: { before: number; after: number };
  let page: StatusPageDto;

  beforeAll(async () => {
    const api = app.api(app.teams.ours.write);
    monitor = await createMonitor(api, httpMonitor(target.url('/')));
    await untilStatus(api, monitor.id, 'up', PATIENCE_MS);
    const definition = { name: 'Page', slug: 'page', monitorIds: [monitor.id] };
    page = (await api.post<StatusPageDto>('/v1/status-pages', definition)).body;
    const before = target.requests('/').length;
    await link.cut();
    seen = { before, after: 0 };
  });

  it('responds with 503 and Retry-After to well-formed keys, valid or not, and never with 401', async () => {
    for (const key of [app.teams.ours.read, app.teams.theirs.admin]) {
      const { status, headers, body } = await app.api(key).get(`/v1/monitors/${monitor.id}`);
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'database_unavailable' });
      expect(headers.get('retry-after')).toBe('5');
    }
    expect((await app.api().get('/v1/monitors')).status).toBe(401);
  });

  it('responds with 503 on every route without delay', async () => {
    const api = app.api(app.teams.ours.admin);
    for (const { method, path, body } of ROUTE_ROWS) {
      const startedAt = performance.now();
      const address = path.replaceAll(/:\w+/g, () => randomUUID());
      const answer = await api.call(method, address, { json: body });
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 503 });
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(performance.now() - startedAt).toBeLessThan(A_FEW_SECONDS_MS);
    }
  }, 120_000);

  it('responds with 503 on public pages and badges, and serves routes that need no database', async () => {
    const [component] = page.components;
    const pages = ['/status/page', '/status/page.json', `/badges/page/${component!.id}/status.svg`];
    for (const path of pages) {
      const { status, headers } = await app.undocumented().get(path);
      expect({ path, status, retryAfter: headers.get('retry-after') }).toEqual({ path, status: 503, retryAfter: '5' });
    }
    for (const path of ['/docs', '/docs/openapi.json', '/docs/problems', '/healthz']) {
      expect({ path, status: (await app.undocumented().get(path)).status }).toEqual({ path, status: 200 });
    }
  });

  it('rejects a key with a wrong checksum with 401, without a query', async () => {
    const bad = app.teams.ours.read.slice(0, -1);
    const { status, body } = await app.api(bad).get('/v1/monitors');
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'invalid_token' });
  });

  it('is alive, but not ready', async () => {
    expect((await app.api().get('/healthz')).status).toBe(200);
    const { status, headers, body } = await app.api().get('/readyz');
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        status: 'failing',
        parts: [
          { name: 'database', status: 'failing', detail: null },
          { name: 'writes', status: 'failing', detail: null },
          { name: 'clock', status: 'ok', detail: null },
        ],
      },
    });
    expect(headers.get('retry-after')).toBe('5');
  });

  it('continues to check, and spools the results to disk', async () => {
    await eventually(() => expect(target.requests('/').length).toBeGreaterThanOrEqual(seen.before + 3));
    await eventually(async () => expect((await figures()).spooled).toBeGreaterThanOrEqual(3));
    expect((await figures()).dropped).toBe(0);
    expect((await figures()).spoolBytes).toBeGreaterThan(0);
  });

  it('recovers without a restart, with every result of the outage', async () => {
    await link.restore();
    const api = app.api(app.teams.ours.write);
    await eventually(async () => expect((await api.get(`/v1/monitors/${monitor.id}`)).status).toBe(200));
    seen.after = target.requests('/').length;
    await eventually(async () => {
      expect((await listChecks(api, monitor.id)).length).toBeGreaterThanOrEqual(seen.after);
    }, PATIENCE_MS);
    const checks = await listChecks(api, monitor.id);
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['up']));
    const { body } = await api.get<UptimeDto>(`/v1/monitors/${monitor.id}/uptime?days=2`);
    expect(body.totals).toMatchObject({ downSeconds: 0, incidentCount: 0 });
    expect((await app.api().get('/readyz')).status).toBe(200);
    await eventually(
      async () => expect(await figures()).toMatchObject({ spooled: 0, spoolBytes: 0, dropped: 0 }),
      PATIENCE_MS,
    );
  }, 180_000);
});

describe('a service whose database connections stop delivering data', () => {
  it(
    'responds within seconds, and recovers on new connections without a restart',
    async () => {
      const api = app.api(app.teams.ours.write);
      const monitor = await createMonitor(api, httpMonitor(target.url('/swallowed')));
      await untilStatus(api, monitor.id, 'up', PATIENCE_MS);
      link.swallow();
      const startedAt = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 30 }, async () => {
          const { status, headers } = await api.get(`/v1/monitors/${monitor.id}`);
          return { status, retryAfter: headers.get('retry-after') };
        }),
      );
      expect(performance.now() - startedAt).toBeLessThan(A_FEW_SECONDS_MS);
      expect(answers).toEqual(answers.map(() => ({ status: 503, retryAfter: '5' })));
      // The outage has been detected: requests no longer wait.
      const again = performance.now();
      expect((await api.get(`/v1/monitors/${monitor.id}`)).status).toBe(503);
      expect(performance.now() - again).toBeLessThan(1_000 * PATIENCE);
      await eventually(async () => expect((await figures()).spooled).toBeGreaterThan(0), PATIENCE_MS);

      const before = target.requests('/swallowed').length;
      link.carry();
      await eventually(async () => expect((await api.get(`/v1/monitors/${monitor.id}`)).status).toBe(200), PATIENCE_MS);
      await eventually(
        async () => expect((await listChecks(api, monitor.id)).length).toBeGreaterThanOrEqual(before),
        PATIENCE_MS,
      );
      expect(new Set((await listChecks(api, monitor.id)).map(({ status }) => status))).toEqual(new Set(['up']));
    },
    5 * PATIENCE_MS,
  );

  it(
    'responds to a request that waits for a check, and records its single result after the outage',
    async () => {
      const api = app.api(app.teams.ours.write);
      const monitor = await createMonitor(api, httpMonitor(target.url('/promised'), { intervalSeconds: 3_600 }));
      await untilStatus(api, monitor.id, 'up', PATIENCE_MS);
      const before = target.requests('/promised').length;
      // The target responds after the connection to the database was cut.
      target.behave('/promised', (response) => void link.cut().then(() => response.end('ok')));
      const { status } = await api.post(`/v1/monitors/${monitor.id}/checks?wait=true`);
      expect(status).toBe(503);
      await eventually(async () => expect((await figures()).spooled).toBeGreaterThan(0), PATIENCE_MS);
      target.behave('/promised', (response) => void response.end('ok'));
      await link.restore();
      await eventually(async () => {
        const manual = await listChecks(api, monitor.id, '&trigger=manual');
        expect(manual.map((check) => check.status)).toEqual(['up']);
      }, PATIENCE_MS);
      expect(target.requests('/promised').length).toBe(before + 1);
      expect(await app.query('SELECT 1 FROM check_requests WHERE monitor_id = $1', [monitor.id])).toEqual([]);
    },
    5 * PATIENCE_MS,
  );
});
