import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type CheckDto, type RequestedCheckDto } from '../src/modules/checks/dto/check.dto.js';
import { type PartitionsService } from '../src/modules/checks/partitions.service.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { checkNow, createMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { answers, resets, startTarget, type Target } from './support/target.js';

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

async function paused(path: string, more: Record<string, unknown> = {}): Promise<string> {
  return (await createMonitor(api, httpMonitor(target.url(path), { paused: true, ...more }))).id;
}

describe('checking now', () => {
  it('waits for the result if requested', async () => {
    const id = await paused('/now');
    const check = await checkNow(api, id);
    expect(check).toMatchObject({
      monitorId: id,
      monitorRevision: 1,
      location: 'default',
      trigger: 'manual',
      attempt: 0,
      status: 'up',
      statusCode: 200,
      remoteAddress: '127.0.0.1',
      error: null,
      failedAssertions: [],
    });
    const { connectMs, tlsMs, firstByteMs, transferMs } = check.timings;
    expect(tlsMs).toBeNull();
    for (const phase of [connectMs, firstByteMs, transferMs]) expect(phase).toBeGreaterThanOrEqual(0);
    expect(check.responseTimeMs).toBeGreaterThan(0);
    expect(target.requests('/now')).toHaveLength(1);
    expect((await api.get<CheckDto>(`/v1/monitors/${id}/checks/${check.id}`)).body).toEqual(check);
  });

  it('otherwise responds with 202 and the address of the check, which exists once the check has finished', async () => {
    let answer: (() => void) | undefined;
    target.behave('/promised', (response) => void (answer = () => void response.end('ok')));
    const id = await paused('/promised', { intervalSeconds: 60, timeoutMs: 20_000 });
    const { status, headers, body } = await api.post<RequestedCheckDto>(`/v1/monitors/${id}/checks`);
    expect(status).toBe(202);
    expect(body).toMatchObject({ monitorId: id, location: 'default', trigger: 'manual' });
    const location = headers.get('location')!;
    expect(location).toBe(`/v1/monitors/${id}/checks/${body.id}`);
    await eventually(() => expect(answer).toBeDefined());
    expect((await api.get(location)).status).toBe(404);
    answer!();
    const check = await eventually(async () => {
      const found = await api.get<CheckDto>(location);
      expect(found.status).toBe(200);
      return found.body;
    });
    expect(check).toMatchObject({ id: body.id, scheduledAt: body.scheduledAt, status: 'up', trigger: 'manual' });
  });

  it('creates a separate check for each of many concurrent requests', async () => {
    const id = await paused('/many');
    const promised = await Promise.all(
      Array.from({ length: 20 }, () => api.post<RequestedCheckDto>(`/v1/monitors/${id}/checks`)),
    );
    const ids = promised.map(({ body }) => body.id).sort();
    expect(new Set(ids).size).toBe(20);
    await eventually(async () => {
      const done = (await listChecks(api, id)).map((check) => check.id).sort();
      expect(done).toEqual(ids);
    });
    expect(target.requests('/many')).toHaveLength(20);
  });

  it.each([
    ['an unexpected status code', '/fails', answers(500), { statusCode: 500, error: { code: 'unexpected_status' } }],
    ['a connection reset', '/resets', resets, { statusCode: null, error: { code: 'connection_reset' } }],
    ['a timeout', '/silent', () => undefined, { statusCode: null, error: { code: 'timeout' } }],
  ])('reports %s', async (_, path, behaviour, expected) => {
    target.behave(path, behaviour);
    const id = await paused(path);
    // A check that the machine itself delayed has no result for the target: repeat until one has.
    await eventually(async () => expect(await checkNow(api, id)).toMatchObject({ status: 'down', ...expected }));
  });

  it('reports a closed port, and a redirect to a blocked address', async () => {
    const closed = await createMonitor(api, { name: 'x', type: 'tcp', host: '127.0.0.1', port: 9, paused: true });
    expect(await checkNow(api, closed.id)).toMatchObject({ status: 'down', error: { code: 'connect_refused' } });
    target.behave('/moved', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end());
    expect(await checkNow(api, await paused('/moved'))).toMatchObject({ error: { code: 'address_blocked' } });
  });

  it.each(['wait=1', 'wait=', 'wait=true&wait=true', 'location=mars', 'location=', 'when=now'])(
    'rejects ?%s',
    async (query) => {
      const answer = await api.post(`/v1/monitors/${await paused('/')}/checks?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
    },
  );
});

describe('one check', () => {
  it.each(['x', 'bWZ1c2o0aTAuMC5kZWZhdWx0', encodeURIComponent('../..'), '%F0%9F%A6%84', 'x'.repeat(1_000)])(
    'is 404 for the malformed id %.30s',
    async (checkId) => {
      const id = await paused('/');
      expect((await api.get(`/v1/monitors/${id}/checks/${checkId}`)).status).toBe(404);
    },
  );

  it('is 404 under another monitor', async () => {
    const check = await checkNow(api, await paused('/'));
    expect((await api.get(`/v1/monitors/${await paused('/')}/checks/${check.id}`)).status).toBe(404);
  });
});

describe('the list of checks', () => {
  let id: string;
  beforeAll(async () => {
    // The next slot is a day away: after the check caused by the resume, the list no longer changes.
    id = await paused('/listed', { intervalSeconds: 86_400 });
    for (const status of [200, 500, 200, 500, 200]) {
      target.behave('/listed', answers(status));
      await checkNow(api, id);
    }
    await api.post(`/v1/monitors/${id}/resume`);
    await eventually(async () => expect(await listChecks(api, id)).toHaveLength(6));
  });

  const times = (checks: CheckDto[]): string[] => checks.map(({ checkedAt }) => checkedAt);

  it('starts with the newest check', async () => {
    const checks = await listChecks(api, id);
    expect(times(checks)).toEqual(times(checks).sort().reverse());
  });

  it('can be filtered by status, trigger and location', async () => {
    const all = await listChecks(api, id);
    for (const [query, matches] of [
      ['&status=down', (check: CheckDto) => check.status === 'down'],
      ['&status=up&trigger=manual', (check: CheckDto) => check.status === 'up' && check.trigger === 'manual'],
      ['&trigger=resumed', (check: CheckDto) => check.trigger === 'resumed'],
      ['&trigger=schedule', (check: CheckDto) => check.trigger === 'schedule'],
      ['&location=default', () => true],
      ['&location=mars', () => false],
    ] as [string, (check: CheckDto) => boolean][]) {
      expect({ query, checks: await listChecks(api, id, query) }).toEqual({ query, checks: all.filter(matches) });
    }
  });

  it('can be filtered by time, with from inclusive and to exclusive', async () => {
    const all = await listChecks(api, id);
    const [to, from] = [all[1]!.checkedAt, all[4]!.checkedAt];
    const found = await listChecks(api, id, `&from=${from}&to=${to}`);
    expect(found).toEqual(all.filter(({ checkedAt }) => checkedAt >= from && checkedAt < to));
    expect(found.at(-1)!.checkedAt).toBe(from);
    expect(await listChecks(api, id, '&from=2999-01-01T00:00:00Z')).toEqual([]);
  });

  it.each([
    'from=yesterday',
    'to=2026-13-01T00:00:00Z',
    'status=paused',
    'trigger=cron',
    'tag=a',
    'from=2026-11-20%2010:00',
  ])('rejects ?%s', async (query) => {
    const answer = await api.get(`/v1/monitors/${id}/checks?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  });

  it('returns each check once over all pages while new ones arrive', async () => {
    const before = await listChecks(api, id);
    const seen: string[] = [];
    let path: string | null = `/v1/monitors/${id}/checks?limit=2`;
    while (path !== null) {
      const { body }: { body: Page<CheckDto> } = await api.get<Page<CheckDto>>(path);
      seen.push(...body.data.map((check) => check.id));
      await checkNow(api, id);
      path = body.nextCursor === null ? null : `/v1/monitors/${id}/checks?limit=2&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(before.map((check) => check.id));
  });

  it('has the same order in pages across days without checks and with checks that started long after their slot', async () => {
    const sparse = await paused('/', { intervalSeconds: 60 });
    const dayMs = 86_400_000;
    const partitions = app.backstage.provider<PartitionsService>('PartitionsService');
    await partitions.ensure([0, 1, 2, 3, 4].map((day) => Date.now() - day * dayMs));
    await app.query(
      // Stretches days apart, one of them denser than the interval; each tenth check retries a slot of 50 minutes ago.
      `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision, interval_seconds)
       SELECT $1, at - CASE WHEN n % 10 = 0 THEN interval '50 minutes' ELSE interval '0' END, 'default', n, at, 'schedule', 'up', 1, 60
       FROM generate_series(1, 60) AS n,
            LATERAL (SELECT (now() - n / 20 * interval '31 hours' - n * interval '1 minute' / (1 + n / 20 % 2 * 9))::timestamptz(3) AS at) AS t`,
      [sparse],
    );
    const expected: { at: Date }[] = await app.query(
      `SELECT checked_at AS at FROM checks WHERE monitor_id = $1
       ORDER BY checked_at DESC, scheduled_at DESC, attempt DESC, location DESC`,
      [sparse],
    );
    for (const limit of [1, 7, 59, 60, 100]) {
      const seen: string[] = [];
      let path: string | null = `/v1/monitors/${sparse}/checks?limit=${limit}`;
      while (path !== null) {
        const { body }: { body: Page<CheckDto> } = await api.get<Page<CheckDto>>(path);
        seen.push(...times(body.data));
        path = body.nextCursor && `/v1/monitors/${sparse}/checks?limit=${limit}&cursor=${body.nextCursor}`;
      }
      expect({ limit, seen }).toEqual({ limit, seen: expected.map(({ at }) => at.toISOString()) });
    }
  });

  it('returns at most 1,000 checks per page', async () => {
    const many = await paused('/');
    await app.query(
      `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision, interval_seconds)
       SELECT $1, now() - n * interval '1 second', 'default', 0, now() - n * interval '1 second', 'schedule', 'up', 1, 1
       FROM generate_series(1, 1001) n`,
      [many],
    );
    const { body } = await api.get<Page<CheckDto>>(`/v1/monitors/${many}/checks?limit=5000`);
    expect(body.data).toHaveLength(1_000);
    const rest = await api.get<Page<CheckDto>>(`/v1/monitors/${many}/checks?limit=5000&cursor=${body.nextCursor}`);
    expect(rest.body).toMatchObject({ data: [expect.anything()], nextCursor: null });
  });
});
