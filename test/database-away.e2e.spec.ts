import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../src/modules/monitors/monitor.mapper.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type DatabaseLink, linkTo } from './support/database-link.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { startTarget, type Target } from './support/target.js';

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

describe('a service whose database goes away and comes back', () => {
  let monitor: MonitorDto;
  /** Requests that the target had seen when the database went, and when it came back. */
  let seen: { before: number; after: number };

  beforeAll(async () => {
    const api = app.api(app.teams.ours.write);
    monitor = await createMonitor(api, httpMonitor(target.url('/')));
    await untilStatus(api, monitor.id, 'up');
    const before = target.requests('/').length;
    await link.cut();
    seen = { before, after: 0 };
  });

  it('says so to callers: 503 with Retry-After, whether their key is good or not, and never 401', async () => {
    for (const key of [app.teams.ours.read, app.teams.theirs.admin]) {
      const { status, headers, body } = await app.api(key).get(`/v1/monitors/${monitor.id}`);
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'database_unavailable' });
      expect(headers.get('retry-after')).toBe('5');
    }
    expect((await app.api().get('/v1/monitors')).status).toBe(401);
  });

  it('refuses a key with a bad checksum all the same: 401 with no query made', async () => {
    const bad = app.teams.ours.read.slice(0, -1);
    const { status, body } = await app.api(bad).get('/v1/monitors');
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'invalid_token' });
  });

  it('is alive, but not ready', async () => {
    expect((await app.api().get('/healthz')).status).toBe(200);
    const { status, headers, body } = await app.api().get('/readyz');
    expect({ status, body }).toEqual({
      status: 503,
      body: { status: 'failing', parts: [{ name: 'database', status: 'failing' }] },
    });
    expect(headers.get('retry-after')).toBe('5');
  });

  it('goes on checking', async () => {
    await eventually(() => expect(target.requests('/').length).toBeGreaterThanOrEqual(seen.before + 3));
  });

  it('serves again without a restart, with every result of the time between', async () => {
    await link.restore();
    const api = app.api(app.teams.ours.write);
    await eventually(async () => expect((await api.get(`/v1/monitors/${monitor.id}`)).status).toBe(200));
    seen.after = target.requests('/').length;
    await eventually(async () => {
      expect((await listChecks(api, monitor.id)).length).toBeGreaterThanOrEqual(seen.after);
    });
    const checks = await listChecks(api, monitor.id);
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['up']));
    const { body } = await api.get<UptimeDto>(`/v1/monitors/${monitor.id}/uptime?days=2`);
    expect(body.totals).toMatchObject({ downSeconds: 0, incidentCount: 0 });
    expect((await app.api().get('/readyz')).status).toBe(200);
  });
});
