import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Page } from '../src/http/lists/page.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, getMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

const NIGHTLY = { schedule: { cron: '0 2 * * *', timezone: 'Europe/Berlin' } };
/** Monitors that are due far in the future. */
const YEARLY = { schedule: { everySeconds: 31_536_000 } };

function heartbeat(settings: object = YEARLY, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'A job', type: 'heartbeat', settings, ...more };
}

/** Returns the errors of a rejected definition as `pointer code`. */
async function refusal(definition: Record<string, unknown>): Promise<string[]> {
  const { status, body } = await api.post('/v1/monitors', definition);
  expect(status).toBe(422);
  return (body as unknown as { errors: { pointer: string; code: string }[] }).errors.map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
}

interface Sent {
  status: number;
  text: string;
  headers: Headers;
}

/** Sends a report to the address of a monitor, with a suffix. */
async function ping({ pingUrl }: MonitorDto, suffix = '', init: RequestInit = {}): Promise<Sent> {
  const response = await fetch(pingUrl! + suffix, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const OK = { status: 200, text: 'OK' };

describe('a monitor of type heartbeat', () => {
  it('has an address, and no fields about checking a target', async () => {
    const made = await createMonitor(api, heartbeat(NIGHTLY));
    expect(made).toMatchObject({
      status: 'pending',
      token: '********',
      pingUrl: expect.stringMatching(/\/ping\/[0-9a-f-]{36}$/),
      failureThreshold: 1,
      nextCheckAt: null,
      settings: {
        schedule: { everySeconds: null, cron: '0 2 * * *', onCalendar: null, timezone: 'Europe/Berlin' },
        graceSeconds: 3_600,
        methods: ['GET', 'HEAD', 'POST'],
        failWhenBodyMatches: null,
        maxRunSeconds: null,
      },
      ...{ intervalSeconds: null, timeoutMs: null, retryIntervalSeconds: null, locations: null, quorum: null },
    });
    expect((await getMonitor(api, made.id)).pingUrl).toBe(made.pingUrl);
  });

  it('shows its address only to keys that may write', async () => {
    const made = await createMonitor(api, heartbeat());
    const reader = app.api(app.teams.ours.read);
    const masked = expect.stringMatching(/\/ping\/\*{8}$/);
    expect((await getMonitor(reader, made.id)).pingUrl).toEqual(masked);
    const { body } = await reader.get<Page<MonitorDto>>('/v1/monitors?type=heartbeat&limit=200');
    expect(body.data.find(({ id }) => id === made.id)!.pingUrl).toEqual(masked);
    const own = await api.get<Page<MonitorDto>>('/v1/monitors?type=heartbeat&limit=200');
    expect(own.body.data.find(({ id }) => id === made.id)!.pingUrl).toBe(made.pingUrl);
  });

  it('keeps its address when its definition is written back', async () => {
    const made = await createMonitor(api, heartbeat(NIGHTLY, { key: randomUUID() }));
    const { body } = await api.get<Record<string, unknown>>(`/v1/monitors/${made.id}/definition`);
    expect(body).not.toHaveProperty('pingUrl');
    const { status, body: put } = await api.put<MonitorDto>(`/v1/monitors/key:${made.key}`, body);
    expect({ status, url: put.pingUrl, revision: put.revision }).toEqual({
      ...{ status: 200, url: made.pingUrl, revision: made.revision },
    });
  });

  it('has a default grace that does not depend on the time, so that writing it again changes nothing', async () => {
    const schedule = { cron: '0 0,1 * * *' };
    const definition = heartbeat({ schedule }, { key: randomUUID() });
    const made = await createMonitor(api, definition);
    expect(made.settings).toMatchObject({ graceSeconds: 360 });
    const { status, body } = await api.put<MonitorDto>(`/v1/monitors/key:${made.key}`, definition);
    expect({ status, revision: body.revision }).toEqual({ status: 200, revision: made.revision });
  });

  it('accepts a token of an earlier address once', async () => {
    const token = 'A'.repeat(20) + randomUUID().replaceAll('-', '').slice(0, 12);
    const made = await createMonitor(api, heartbeat(YEARLY, { token }));
    expect(made.pingUrl).toMatch(new RegExp(`/ping/${token}$`));
    expect(await refusal(heartbeat(YEARLY, { token }))).toEqual(['/token invalid_value']);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['an interval', heartbeat(YEARLY, { intervalSeconds: 60 }), ['/intervalSeconds not_applicable']],
    [
      'locations and a quorum',
      heartbeat(YEARLY, { locations: ['default'], quorum: 'any' }),
      ['/locations not_applicable', '/quorum not_applicable'],
    ],
    ['a host', heartbeat(YEARLY, { host: 'x' }), ['/host not_applicable']],
    ['no settings', { name: 'x', type: 'heartbeat' }, ['/settings required']],
    ['no schedule', heartbeat({}), ['/settings/schedule required']],
    ['an empty schedule', heartbeat({ schedule: {} }), ['/settings/schedule invalid_value']],
    [
      'two schedules',
      heartbeat({ schedule: { everySeconds: 60, cron: '* * * * *' } }),
      ['/settings/schedule invalid_value'],
    ],
    [
      'an invalid expression',
      heartbeat({ schedule: { cron: '61 * * * *' } }),
      ['/settings/schedule/cron invalid_value'],
    ],
    [
      'an invalid time zone',
      heartbeat({ schedule: { onCalendar: 'daily', timezone: 'Mars/Base' } }),
      ['/settings/schedule/timezone invalid_value'],
    ],
    ['an unknown member', heartbeat({ schedule: { everySeconds: 60, x: 1 } }), ['/settings/schedule/x unknown_field']],
    [
      'a grace of more than a day',
      heartbeat({ ...YEARLY, graceSeconds: 86_401 }),
      ['/settings/graceSeconds out_of_range'],
    ],
    [
      'an invalid pattern',
      heartbeat({ ...YEARLY, failWhenBodyMatches: '(' }),
      ['/settings/failWhenBodyMatches invalid_value'],
    ],
    ['an invalid token', heartbeat(YEARLY, { token: 'short' }), ['/token invalid_value']],
    ['a masked token', heartbeat(YEARLY, { token: '********' }), ['/token secret_required']],
  ])('is rejected with %s', async (_, definition, errors) => expect(await refusal(definition)).toEqual(errors));

  it('cannot be checked or tested', async () => {
    const { id } = await createMonitor(api, heartbeat());
    expect(await api.post(`/v1/monitors/${id}/checks`)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const { status, body } = await api.post('/v1/monitors/test', heartbeat());
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ pointer: '/type' }] } });
  });

  it('changes the kind of its schedule by a patch', async () => {
    const { id } = await createMonitor(api, heartbeat(NIGHTLY));
    const { status, body } = await api.patch<MonitorDto>(`/v1/monitors/${id}`, {
      settings: { schedule: { everySeconds: 60 } },
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { settings: { schedule: { everySeconds: 60, cron: null, timezone: null }, graceSeconds: 3_600 } },
    });
  });
});

describe('a report', () => {
  it.each(['GET', 'HEAD', 'POST'])('with %s makes the monitor up', async (method) => {
    const made = await createMonitor(api, heartbeat());
    const { status, text } = await ping(made, '', { method });
    expect({ status, text }).toEqual({ status: 200, text: method === 'HEAD' ? '' : 'OK' });
    const monitor = await untilStatus(api, made.id, 'up');
    const [check] = await listChecks(api, made.id);
    expect(check).toMatchObject({
      trigger: 'heartbeat',
      status: 'up',
      error: null,
      checkedAt: monitor.lastCheckAt,
      run: { runId: null, exitStatus: null, durationMs: null, log: null },
    });
    expect(Date.parse(monitor.nextCheckAt!)).toBe(Date.parse(check!.checkedAt) + 31_536_000_000);
    expect((await api.get(`/v1/monitors/${made.id}/checks/${check!.id}`)).body).toEqual(check);
  });

  it('of a failure makes the monitor down at once, and a success up again', async () => {
    const made = await createMonitor(api, heartbeat());
    expect(await ping(made, '/fail', { method: 'POST', body: 'disk full' })).toMatchObject(OK);
    const down = await untilStatus(api, made.id, 'down');
    expect(down.lastError).toEqual({ code: 'run_failed', message: 'The job reported a failure.' });
    const [check] = await listChecks(api, made.id);
    expect(check).toMatchObject({ status: 'down', run: { log: 'disk full' } });
    const incidents = await eventually(async () => {
      const { body } = await api.get<Page<IncidentDto>>(`/v1/monitors/${made.id}/incidents`);
      expect(body.data).toHaveLength(1);
      return body.data;
    });
    expect(incidents[0]).toMatchObject({ startedAt: check!.checkedAt, cause: { errorCode: 'run_failed' } });
    expect(await ping(made)).toMatchObject(OK);
    await untilStatus(api, made.id, 'up');
  });

  it.each([
    [0, 'up', null],
    [3, 'down', { code: 'run_failed', message: 'The job exited with status 3.' }],
    [255, 'down', { code: 'run_failed', message: 'The job exited with status 255.' }],
  ] as const)('with exit status %d makes the monitor %s', async (exitStatus, status, error) => {
    const made = await createMonitor(api, heartbeat());
    expect(await ping(made, `/${exitStatus}`)).toMatchObject(OK);
    await untilStatus(api, made.id, status);
    expect((await listChecks(api, made.id))[0]).toMatchObject({ status, error, run: { exitStatus } });
  });

  it('of the end of a run has its duration, and its log', async () => {
    const made = await createMonitor(api, heartbeat());
    const run = '?rid=run-1';
    expect(await ping(made, `/start${run}`)).toMatchObject(OK);
    expect(await ping(made, `/start?rid=run-2`)).toMatchObject(OK);
    expect(await ping(made, '/log', { method: 'POST', body: 'half way' })).toMatchObject(OK);
    expect((await getMonitor(api, made.id)).status).toBe('pending');
    expect(await ping(made, run, { method: 'POST', body: 'a\0b' })).toMatchObject(OK);
    await untilStatus(api, made.id, 'up');
    const checks = await listChecks(api, made.id);
    expect(checks).toEqual([
      expect.objectContaining({
        run: { runId: 'run-1', exitStatus: null, durationMs: expect.any(Number), log: 'a\uFFFDb' },
      }),
    ]);
    expect(checks[0]!.responseTimeMs).toBeCloseTo(checks[0]!.run!.durationMs!, 0);
  });

  it('fails if its body matches the pattern', async () => {
    const made = await createMonitor(api, heartbeat({ ...YEARLY, failWhenBodyMatches: 'ERROR: \\d+' }));
    await ping(made, '', { method: 'POST', body: 'all fine' });
    await untilStatus(api, made.id, 'up');
    await ping(made, '', { method: 'POST', body: 'ERROR: 7' });
    const { lastError } = await untilStatus(api, made.id, 'down');
    expect(lastError).toMatchObject({ code: 'run_failed' });
  });

  it('counts as the job sent it once the searches of its team have taken too long', async () => {
    const slow = await createMonitor(api, heartbeat({ ...YEARLY, failWhenBodyMatches: 'a.{120}[c-z]' }));
    // Only an irregular text leads through many states.
    const matching = [...randomBytes(9_800)].map((byte) => 'ab'[byte & 1]).join('') + 'c'.repeat(200);
    await eventually(async () => {
      for (let sent = 0; sent < 20; sent += 1) {
        // Reports of alternating kinds are not limited.
        await ping(slow, '/log');
        expect(await ping(slow, '', { method: 'POST', body: matching })).toMatchObject(OK);
      }
      expect((await listChecks(api, slow.id))[0]).toMatchObject({ status: 'up', error: null });
    });
    const theirs = app.api(app.teams.theirs.write);
    const other = await createMonitor(theirs, heartbeat({ ...YEARLY, failWhenBodyMatches: 'ERROR' }));
    expect(await ping(other, '', { method: 'POST', body: 'ERROR' })).toMatchObject(OK);
    await untilStatus(theirs, other.id, 'down');
  });

  it('fails if the run was too short or its duration is unknown, while an assertion about it exists', async () => {
    const assertions = [{ source: 'runSeconds', comparison: 'greaterThan', target: 10 }];
    const made = await createMonitor(api, heartbeat(YEARLY, { assertions }));
    const push = `${app.origin}/api/push/${made.pingUrl!.split('/').at(-1)}`;
    await fetch(`${push}?ping=10500`);
    await untilStatus(api, made.id, 'up');
    await fetch(`${push}?ping=2500`);
    const { lastError } = await untilStatus(api, made.id, 'down');
    expect(lastError).toEqual({
      code: 'assertion_failed',
      message: 'Assertion 1 failed: runSeconds greaterThan 10; was 2.5',
    });
    expect((await listChecks(api, made.id))[0]!.failedAssertions).toEqual([{ index: 0, actual: 2.5 }]);
    await fetch(`${push}?ping=11000`);
    await untilStatus(api, made.id, 'up');
    await ping(made);
    await untilStatus(api, made.id, 'down');
    await ping(made, '/fail');
    await eventually(async () => {
      expect((await listChecks(api, made.id))[0]!.error).toMatchObject({ code: 'run_failed' });
    });
  });

  it('keeps the beginning of a long body, and is refused if that is too long', async () => {
    const made = await createMonitor(api, heartbeat());
    expect(await ping(made, '', { method: 'POST', body: 'ä'.repeat(50_000) })).toMatchObject(OK);
    await untilStatus(api, made.id, 'up');
    expect((await listChecks(api, made.id))[0]!.run!.log).toBe('ä'.repeat(5_000));
    expect((await ping(made, '', { method: 'POST', body: 'x'.repeat(100_001) })).status).toBe(413);
  });

  it.each([
    ['/ping/00000000-0000-4000-8000-000000000000', 404],
    ['/ping/nothing', 404],
    ['/ping/', 404],
    ['/ping/00000000-0000-4000-8000-000000000000/start', 404],
    ['/ping/00000000-0000-4000-8000-000000000000/256', 404],
    ['/ping/%00', 404],
    ['/api/push/nothing', 404],
  ])('to %s gets %d', async (path, status) => {
    expect((await fetch(app.origin + path)).status).toBe(status);
  });

  it('by another method is refused', async () => {
    const made = await createMonitor(api, heartbeat({ ...YEARLY, methods: ['POST'] }));
    const { status, headers } = await ping(made);
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    expect((await ping(made, '', { method: 'DELETE' })).status).toBe(405);
  });

  it('is refused if there are too many of its kind', async () => {
    const made = await createMonitor(api, heartbeat());
    const sent = await Promise.all(Array.from({ length: 30 }, () => ping(made)));
    const refused = sent.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await ping(made, '/fail')).toMatchObject(OK);
    await untilStatus(api, made.id, 'down');
    const accepted = sent.filter(({ status }) => status === 200).length + 1;
    await eventually(async () => expect(await listChecks(api, made.id)).toHaveLength(accepted));
  });

  it('in the form of Uptime Kuma is accepted', async () => {
    const made = await createMonitor(api, heartbeat());
    const push = `${app.origin}/api/push/${made.pingUrl!.split('/').at(-1)}`;
    const up = await fetch(`${push}?status=up&msg=OK&ping=12.5`);
    const answer: unknown = await up.json();
    expect({ status: up.status, body: answer }).toEqual({ status: 200, body: { ok: true } });
    await untilStatus(api, made.id, 'up');
    expect((await listChecks(api, made.id))[0]).toMatchObject({ responseTimeMs: 12.5, run: { log: 'OK' } });
    await fetch(`${push}?status=down&msg=broken`);
    await untilStatus(api, made.id, 'down');
    const unknown = await fetch(`${app.origin}/api/push/nothing`);
    expect(await unknown.json()).toEqual({ ok: false, msg: 'not found' });
  });

  it.each([
    ['', 'up'],
    ['?status=', 'up'],
    ['?status=up', 'up'],
    ['?status=down', 'down'],
    ['?status=UP', 'down'],
    ['?status=error', 'down'],
  ] as const)('in the form of Uptime Kuma with "%s" makes the monitor %s', async (query, status) => {
    const made = await createMonitor(api, heartbeat());
    await fetch(`${app.origin}/api/push/${made.pingUrl!.split('/').at(-1)}${query}`);
    await untilStatus(api, made.id, status);
  });

  it('during a pause is stored and changes nothing', async () => {
    const made = await createMonitor(api, heartbeat());
    await ping(made);
    await untilStatus(api, made.id, 'up');
    await api.post(`/v1/monitors/${made.id}/pause`);
    expect(await ping(made, '/fail')).toMatchObject(OK);
    await eventually(async () => expect(await listChecks(api, made.id)).toHaveLength(2));
    await api.post(`/v1/monitors/${made.id}/resume`);
    expect((await getMonitor(api, made.id)).status).toBe('up');
  });
});

describe('a deadline', () => {
  it('without a report makes the monitor down since the report was due', async () => {
    const made = await createMonitor(api, heartbeat({ schedule: { everySeconds: 2 }, graceSeconds: 1 }));
    await ping(made);
    const down = await untilStatus(api, made.id, 'down');
    expect(down.lastError).toMatchObject({ code: 'heartbeat_missed' });
    const checks = await listChecks(api, made.id);
    const [first] = checks.filter(({ status }) => status === 'up');
    expect(Date.parse(down.statusSince)).toBe(Date.parse(first!.checkedAt) + 2_000);
    await ping(made);
    await untilStatus(api, made.id, 'up');
    const { body } = await api.get<UptimeDto>(`/v1/monitors/${made.id}/uptime?days=1&fidelity=true`);
    expect(body.totals.downSeconds).toBeGreaterThan(0);
    expect(body.days[0]!.checksTotal).toBeGreaterThanOrEqual(checks.length);
  });

  it('of a run makes the monitor down, and its end up again', async () => {
    const made = await createMonitor(api, heartbeat({ ...YEARLY, maxRunSeconds: 1 }));
    await ping(made);
    await untilStatus(api, made.id, 'up');
    await ping(made, '/start');
    const { lastError } = await untilStatus(api, made.id, 'down');
    expect(lastError).toEqual({ code: 'run_too_long', message: 'The run did not end within 1 s.' });
    await ping(made);
    await untilStatus(api, made.id, 'up');
  });

  it('is not missed while reports arrive', async () => {
    const made = await createMonitor(api, heartbeat({ schedule: { everySeconds: 60 }, graceSeconds: 1 }));
    await ping(made);
    const { nextCheckAt } = await untilStatus(api, made.id, 'up');
    await app.query(`UPDATE heartbeats SET due_at = now() - interval '5 seconds' WHERE monitor_id = $1`, [made.id]);
    await ping(made, '/0');
    await eventually(async () => {
      expect(Date.parse((await getMonitor(api, made.id)).nextCheckAt!)).toBeGreaterThan(Date.parse(nextCheckAt!));
    });
  });
});

describe('the page of a monitor', () => {
  it('proposes a grace that fits the reports since its last change', async () => {
    const made = await createMonitor(api, heartbeat({ schedule: { everySeconds: 60 }, graceSeconds: 3_600 }));
    await app.query(`UPDATE monitors SET updated_at = now() - interval '1 hour' WHERE id = $1`, [made.id]);
    const browser = await signIn(app, await makePerson(app, app.teams.ours.id, 'viewer'));
    const page = async () => (await browser.open(`/monitors/${made.id}`)).html;
    expect(await page()).not.toContain('With a grace of');
    // At the earliest at the beginning of the day, whose partition exists.
    await app.query(
      `INSERT INTO pings (monitor_id, received_at, attempt, kind, method)
       SELECT $1, date_trunc('day', now()) + n * interval '60 seconds' + interval '2 seconds' * (n % 2), -1, 'success', 'GET'
       FROM generate_series(0, 19) AS n`,
      [made.id],
    );
    await app.query(`UPDATE monitors SET updated_at = now() - interval '2 days' WHERE id = $1`, [made.id]);
    expect(await page()).toContain(
      'The last 19 reports arrived at most 2 seconds after they were due. With a grace of 5 minutes instead of 1 hour, ',
    );
  });
});

describe('the rotation of a token', () => {
  it('replaces the address', async () => {
    const made = await createMonitor(api, heartbeat());
    const { status, body } = await api.post<MonitorDto>(`/v1/monitors/${made.id}/rotate-token`);
    expect({ status, revision: body.revision }).toEqual({ status: 200, revision: made.revision + 1 });
    expect(body.pingUrl).not.toBe(made.pingUrl);
    expect(await ping(body)).toMatchObject(OK);
    await eventually(async () => expect((await ping(made)).status).toBe(404));
  });

  it('is refused for other types', async () => {
    const { id } = await createMonitor(api, httpMonitor('https://shop.example/', { paused: true }));
    const { status, body } = await api.post(`/v1/monitors/${id}/rotate-token`);
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'rotation_unsupported' } });
  });
});
