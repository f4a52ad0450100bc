import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../src/domain/durations.js';
import { type PingKind } from '../src/domain/heartbeat/heartbeat.js';
import { type Page } from '../src/http/lists/page.js';
import { type CheckResult } from '../src/modules/checker/check-queue.js';
import { type HeartbeatDeadlinesService } from '../src/modules/checker/heartbeat-deadlines.service.js';
import { type ResultIntakeService } from '../src/modules/checker/result-intake.service.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type KnownLocationsService } from '../src/modules/locations/known-locations.service.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type UnreportedHeartbeatsService } from '../src/modules/monitors/heartbeat/unreported-heartbeats.service.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, getMonitor, listChecks, untilStatus } from './support/monitors.js';

/** Spans of absence apply to all monitors, so these tests have a service of their own. */
let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await startApp();
  api = app.api(app.teams.ours.admin);
});
afterAll(() => app.close());

let monitor: MonitorDto;
let now: number;
beforeEach(async () => {
  const settings = { schedule: { everySeconds: 60 }, graceSeconds: 2 };
  monitor = await createMonitor(api, { name: 'A job', type: 'heartbeat', key: randomUUID(), settings });
  // Reports of the past would belong to a time at which the monitor did not exist.
  await app.query(`UPDATE monitors SET created_at = now() - interval '1 hour' WHERE id = $1`, [monitor.id]);
  now = Date.now();
});

/** Adds an absence of the service, which is not over by default. */
async function addAbsence(reason: string, fromAgoMs: number, toAgoMs: number | null = null): Promise<void> {
  await app.query(
    `INSERT INTO spans (id, location, kind, starts_at, ends_at, reason)
     VALUES ($1, 'default', 'absence', $2, $3, $4)`,
    [randomUUID(), new Date(now - fromAgoMs), toAgoMs === null ? null : new Date(now - toAgoMs), reason],
  );
}

/** The id of a process that does not run. */
const OTHER = randomUUID();

let count = 0;

/** Records a report as the process does that received it at a time, even if it is long ago. */
async function report(agoMs: number, kind: PingKind = 'success', runId: string | null = null): Promise<void> {
  const at = now - agoMs;
  const ping = { kind, runId, exitStatus: null, method: 'GET', body: null, durationMs: null };
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null };
  const result: CheckResult = {
    monitorId: monitor.id,
    scheduledAt: at,
    location: 'default',
    attempt: -(2 ** 30) - (count += 1),
    trigger: 'heartbeat',
    revision: 1,
    intervalMs: 0,
    thresholds: { failureThreshold: 1, recoveryThreshold: 1 },
    epoch: 0,
    checkedAt: at,
    status: 'up',
    outcome: {
      statusCode: null,
      responseTimeMs: null,
      timings,
      remoteAddress: null,
      error: null,
      failedAssertions: [],
    },
    ping,
  };
  await app.backstage.provider<ResultIntakeService>('ResultIntakeService').hear([result]);
}

async function uptime(): Promise<UptimeDto['totals']> {
  const { body } = await api.get<UptimeDto>(`/v1/monitors/${monitor.id}/uptime?days=2`);
  return body.totals;
}

/** Waits for the incident of the monitor. Returns its id. */
function incidentId(): Promise<string> {
  return eventually(async () => {
    const { body } = await api.get<Page<IncidentDto>>(`/v1/monitors/${monitor.id}/incidents`);
    expect(body.data).toHaveLength(1);
    return body.data[0]!.id;
  });
}

async function eventTypes(resourceId: string): Promise<string[]> {
  const { body } = await api.get<Page<EventDto>>(`/v1/events?resourceId=${resourceId}`);
  return body.data.map(({ type }) => type);
}

/** Enables or disables the location at which reports are recorded, and waits until the service knows. */
async function setDefaultLocation(enabled: boolean): Promise<void> {
  await app.query(`UPDATE locations SET enabled = $1 WHERE key = 'default'`, [enabled]);
  await app.backstage.provider<KnownLocationsService>('KnownLocationsService').refresh();
}

const statusesOf = async (): Promise<string[]> => (await listChecks(api, monitor.id)).map(({ status }) => status);

describe('a deadline that has passed', () => {
  it('is missed once, and the next one follows', async () => {
    await report(100_000);
    const { statusSince, nextCheckAt } = await untilStatus(api, monitor.id, 'down');
    expect(Date.parse(statusSince)).toBe(now - 40_000);
    expect(Date.parse(nextCheckAt!)).toBe(now + 20_000);
    expect(await statusesOf()).toEqual(['down', 'up']);
  });

  it('is missed only when no process can have a report any more that it did not record', async () => {
    await report(61_500);
    await untilStatus(api, monitor.id, 'down');
    expect(Date.now() - (now + 500)).toBeGreaterThanOrEqual(1_900);
  });

  it('is not judged while another process has reports to record, for up to ten minutes', async () => {
    const deadlines = app.backstage.provider<HeartbeatDeadlinesService>('HeartbeatDeadlinesService');
    const note = (since: string): Promise<unknown> =>
      app.query(
        `INSERT INTO processes (id, roles, version, reports_since) VALUES ($1, '{api}', '1', now() - $2::interval)
         ON CONFLICT (id) DO UPDATE SET seen_at = now(), reports_since = excluded.reports_since`,
        [OTHER, since],
      );
    try {
      await note('9 minutes');
      await report(100_000);
      await eventually(async () => {
        await deadlines.sweep();
        expect(Date.now() - now).toBeGreaterThan(1_500);
      });
      expect(await statusesOf()).toEqual(['up']);
      await note('11 minutes');
      await untilStatus(api, monitor.id, 'down');
    } finally {
      await app.query('DELETE FROM processes WHERE id = $1', [OTHER]);
    }
  });

  it('is no longer missed after a report that was accepted in time arrives late', async () => {
    await report(100_000);
    await untilStatus(api, monitor.id, 'down');
    const id = await incidentId();
    await report(39_000);
    await untilStatus(api, monitor.id, 'up');
    expect(await statusesOf()).toEqual(['up', 'up']);
    expect(await uptime()).toMatchObject({ downSeconds: 0, incidentCount: 0 });
    await eventually(async () => expect(await eventTypes(id)).toContain('incident.retracted'));
  });

  it('is no longer missed after the start of a run that was accepted in time arrives late', async () => {
    await report(100_000);
    await untilStatus(api, monitor.id, 'down');
    const id = await incidentId();
    await report(39_500, 'start');
    await untilStatus(api, monitor.id, 'up');
    expect(await statusesOf()).toEqual(['up']);
    expect(await uptime()).toMatchObject({ downSeconds: 0, incidentCount: 0 });
    await eventually(async () => expect(await eventTypes(id)).toContain('incident.retracted'));
  });

  it('remains missed after a report that arrived too late', async () => {
    await report(100_000);
    await untilStatus(api, monitor.id, 'down');
    await report(30_000);
    const { statusSince } = await untilStatus(api, monitor.id, 'up');
    expect(Date.parse(statusSince)).toBe(now - 30_000);
    expect(await statusesOf()).toEqual(['up', 'down', 'up']);
    expect(await uptime()).toMatchObject({ downSeconds: 10, incidentCount: 1 });
  });

  it.each([
    ['is no longer missed after a report that arrives up to two days late', 5, ['up', 'up']],
    ['remains missed after a report that arrives more than two days late', 6, ['up', 'down', 'up']],
  ])('%s', async (_, firstDaysAgo, expected) => {
    await app.query(`UPDATE monitors SET created_at = now() - interval '7 days' WHERE id = $1`, [monitor.id]);
    await api.patch(`/v1/monitors/${monitor.id}`, { settings: { schedule: { everySeconds: (3.5 * DAY_MS) / 1_000 } } });
    await report(firstDaysAgo * DAY_MS);
    await eventually(async () => expect(await statusesOf()).toEqual(['down', 'up']));
    await report((firstDaysAgo - 3.5) * DAY_MS - 1_000);
    await eventually(async () => expect(await statusesOf()).toEqual(expected));
  });

  it('remains missed after a log arrives late', async () => {
    await report(100_000);
    await untilStatus(api, monitor.id, 'down');
    await report(39_000, 'log');
    await eventually(async () => {
      expect(await app.query(`SELECT FROM pings WHERE monitor_id = $1 AND kind = 'log'`, [monitor.id])).toHaveLength(1);
    });
    expect(await statusesOf()).toEqual(['down', 'up']);
  });

  it('is no longer missed after the end of a run that was accepted in time arrives late', async () => {
    await api.patch(`/v1/monitors/${monitor.id}`, { settings: { maxRunSeconds: 10 } });
    await report(50_000, 'start');
    const { statusSince, lastError } = await untilStatus(api, monitor.id, 'down');
    expect(Date.parse(statusSince)).toBe(now - 40_000);
    expect(lastError).toMatchObject({ code: 'run_too_long' });
    await report(41_000);
    await untilStatus(api, monitor.id, 'up');
    expect(await statusesOf()).toEqual(['up']);
  });

  it('remains missed after the end of a run that took too long, even within the grace of a report', async () => {
    await api.patch(`/v1/monitors/${monitor.id}`, { settings: { maxRunSeconds: 10 } });
    await report(50_000, 'start');
    await untilStatus(api, monitor.id, 'down');
    await report(39_000);
    const { statusSince } = await untilStatus(api, monitor.id, 'up');
    expect(Date.parse(statusSince)).toBe(now - 39_000);
    expect(await statusesOf()).toEqual(['up', 'down']);
    expect(await uptime()).toMatchObject({ downSeconds: 1, incidentCount: 1 });
  });

  it('remains missed by a run that began after a report that arrives late', async () => {
    await api.patch(`/v1/monitors/${monitor.id}`, { settings: { maxRunSeconds: 10 } });
    await report(50_000, 'start');
    await untilStatus(api, monitor.id, 'down');
    await report(55_000);
    await eventually(async () => expect(await statusesOf()).toContain('up'));
    expect(await statusesOf()).toEqual(['down', 'up']);
    const { status, statusSince } = await getMonitor(api, monitor.id);
    expect({ status, since: Date.parse(statusSince) }).toEqual({ status: 'down', since: now - 40_000 });
  });

  it('remains that of a run after another run has begun and ended', async () => {
    await api.patch(`/v1/monitors/${monitor.id}`, { settings: { maxRunSeconds: 10 } });
    await report(50_000, 'start', 'a');
    await report(49_000, 'start', 'b');
    await report(45_000, 'success', 'b');
    const { statusSince, lastError } = await untilStatus(api, monitor.id, 'down');
    expect(Date.parse(statusSince)).toBe(now - 40_000);
    expect(lastError).toMatchObject({ code: 'run_too_long' });
    await report(41_500, 'success', 'c');
    await eventually(async () => expect(await statusesOf()).toHaveLength(3));
    expect(await statusesOf()).toEqual(['down', 'up', 'up']);
    await report(41_000, 'success', 'a');
    await untilStatus(api, monitor.id, 'up');
    expect(await statusesOf()).toEqual(['up', 'up', 'up']);
  });

  it('is met by the start of a run, whose end has the next deadline', async () => {
    await report(100_000);
    await report(39_500, 'start');
    await eventually(async () => {
      expect(Date.parse((await getMonitor(api, monitor.id)).nextCheckAt!)).toBe(now + 20_500);
    });
    expect(await statusesOf()).not.toContain('down');
  });

  it('is unknown if the service was absent', async () => {
    await addAbsence('not_running', 60_000, 35_000);
    await report(100_000);
    const { statusSince } = await untilStatus(api, monitor.id, 'unknown');
    expect(Date.parse(statusSince)).toBe(now - 40_000);
    await report(5_000);
    await untilStatus(api, monitor.id, 'up');
    expect(await statusesOf()).toEqual(['up', 'unknown', 'up']);
    const { downSeconds, unknownSeconds } = await uptime();
    expect({ downSeconds, unknownSeconds }).toEqual({ downSeconds: 0, unknownSeconds: expect.any(Number) });
    // From the beginning of the absence until the next report.
    expect(unknownSeconds).toBeGreaterThanOrEqual(55);
    await app.query(`DELETE FROM spans WHERE kind = 'absence'`);
  });

  it('is no longer unknown after a report that was accepted in time arrives late', async () => {
    await addAbsence('not_running', 42_000, 40_000);
    await report(100_000);
    await untilStatus(api, monitor.id, 'unknown');
    const { unknownSeconds: before } = await uptime();
    await report(39_000);
    await untilStatus(api, monitor.id, 'up');
    expect(await statusesOf()).toEqual(['up', 'up']);
    const { body } = await api.get<UptimeDto>(`/v1/monitors/${monitor.id}/uptime?days=2`);
    const sum = (field: 'checksTotal' | 'checksFailed') => body.days.reduce((total, day) => total + day[field], 0);
    expect([sum('checksTotal'), sum('checksFailed')]).toEqual([2, 0]);
    // Of the time since the absence began, only the absence itself.
    expect(body.totals.unknownSeconds).toBeLessThanOrEqual(before - 38);
    await app.query(`DELETE FROM spans WHERE kind = 'absence'`);
  });

  it('is missed, and met, although no checks are made from the default location', async () => {
    await addAbsence('disabled', 200_000);
    await setDefaultLocation(false);
    try {
      await report(100_000);
      await untilStatus(api, monitor.id, 'down');
      await incidentId();
      await report(5_000);
      await untilStatus(api, monitor.id, 'up');
      expect(await statusesOf()).toEqual(['up', 'down', 'up']);
      expect(await uptime()).toMatchObject({ downSeconds: 35, incidentCount: 1 });
    } finally {
      await app.query(`DELETE FROM spans WHERE kind = 'absence'`);
      await setDefaultLocation(true);
    }
  });

  it('is passed over if it touches a pause', async () => {
    await api.post(`/v1/monitors/${monitor.id}/pause`);
    await report(100_000);
    await api.post(`/v1/monitors/${monitor.id}/resume`);
    await eventually(async () => {
      expect(Date.parse((await getMonitor(api, monitor.id)).nextCheckAt!)).toBeGreaterThan(now);
    });
    expect(await statusesOf()).toEqual(['up']);
  });

  it('is passed over if it touches a pause whose end has passed but is not recorded yet', async () => {
    // The sweep that records the ends of pauses waits for this call to return.
    await app.backstage.duringCall<UnreportedHeartbeatsService, void>(
      ['UnreportedHeartbeatsService', 'sweep'],
      () => Promise.resolve(),
      async () => {
        await api.post(`/v1/monitors/${monitor.id}/pause`, { durationSeconds: 1 });
        await report(100_000);
        await eventually(async () => {
          const [row] = await app.query<{ due_at: Date; resumed_at: Date | null }>(
            'SELECT h.due_at, m.resumed_at FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id WHERE m.id = $1',
            [monitor.id],
          );
          expect(row!.due_at.getTime()).toBeGreaterThan(now);
          expect(row!.resumed_at).toBeNull();
        });
      },
    );
    expect(await statusesOf()).toEqual(['up']);
  });

  it('remains when only the grace changes', async () => {
    await report(10_000);
    const { nextCheckAt } = await untilStatus(api, monitor.id, 'up');
    const { body } = await api.patch<MonitorDto>(`/v1/monitors/${monitor.id}`, { settings: { graceSeconds: 100 } });
    expect(body.nextCheckAt).toBe(nextCheckAt);
    const query =
      'SELECT deadline_at - due_at = make_interval(secs => 100) AS fits FROM heartbeats WHERE monitor_id = $1';
    expect(await app.query(query, [monitor.id])).toEqual([{ fits: true }]);
  });

  it('of a run remains when only its limit changes', async () => {
    await api.patch(`/v1/monitors/${monitor.id}`, { settings: { maxRunSeconds: 100 } });
    await report(10_000, 'start', 'a');
    await eventually(async () => expect((await getMonitor(api, monitor.id)).nextCheckAt).not.toBeNull());
    const settings = { maxRunSeconds: 200 };
    const { body } = await api.patch<MonitorDto>(`/v1/monitors/${monitor.id}`, { settings });
    expect(Date.parse(body.nextCheckAt!)).toBe(now + 190_000);
  });

  it('begins anew when the schedule changes', async () => {
    await report(10_000);
    await untilStatus(api, monitor.id, 'up');
    const settings = { schedule: { everySeconds: 3_600 } };
    const { body } = await api.patch<MonitorDto>(`/v1/monitors/${monitor.id}`, { settings });
    expect(Date.parse(body.nextCheckAt!)).toBeGreaterThan(now + 3_500_000);
  });
});

describe('reports', () => {
  it("that arrive late are stored after the last time of their monitor's schedule", async () => {
    const schedule = JSON.stringify({ onCalendar: '2020-01-01 02:00', timezone: 'UTC' });
    await app.query(
      `UPDATE monitors SET definition = jsonb_set(definition, '{settings,schedule}', $2::jsonb) WHERE id = $1`,
      [monitor.id, schedule],
    );
    await report(10_000);
    await eventually(async () => expect(await statusesOf()).toEqual(['up']));
  });

  it('of the same moment are all stored', async () => {
    await Promise.all(Array.from({ length: 5 }, () => report(1_000)));
    await eventually(async () => expect(await statusesOf()).toEqual(Array(5).fill('up')));
  });

  it('are stored once, however often they are delivered', async () => {
    const before = count;
    await report(1_000);
    count = before;
    await report(1_000);
    await eventually(async () => expect(await statusesOf()).toEqual(['up']));
  });
});
