import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../src/domain/durations.js';
import { nextSlotAfter, phaseMs } from '../src/domain/schedule.js';
import { dateOf, dayStart } from '../src/domain/utc-day.js';
import { type Page } from '../src/http/lists/page.js';
import { type RecorderService } from '../src/modules/checker/recorder.service.js';
import { type TransitionDto } from '../src/modules/monitors/dto/transition.dto.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { HISTORY_INTERVAL_MS, resultOf } from './support/history.js';
import { createMonitor, getMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { answers, startTarget, type Target } from './support/target.js';

const KINDS = ['up', 'degraded', 'down', 'maintenance', 'paused', 'excluded', 'unknown'] as const;
type Seconds = Record<`${(typeof KINDS)[number]}Seconds`, number>;

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

async function uptimeOf(id: string, query = ''): Promise<UptimeDto> {
  const { status, body } = await api.get<UptimeDto>(`/v1/monitors/${id}/uptime${query}`);
  expect(status).toBe(200);
  return body;
}

function sumMs(times: Seconds): number {
  return KINDS.reduce((sum, kind) => sum + Math.round(times[`${kind}Seconds`] * 1_000), 0);
}

const create = (path: string) => createMonitor(api, httpMonitor(target.url(path), { retryIntervalSeconds: 1 }));

describe('uptime', () => {
  it('has 90 days up to today, oldest first, whose seven kinds of time add up to the elapsed time', async () => {
    const { id } = await create('/uptime');
    await untilStatus(api, id, 'up');
    const uptime = await uptimeOf(id);
    expect(uptime).toMatchObject({ monitorId: id, method: 'confirmed-seconds/1', timezone: 'UTC' });
    const today = Math.floor(Date.parse(uptime.computedAt) / DAY_MS) * DAY_MS;
    const dates = Array.from({ length: 90 }, (_, day) =>
      new Date(today - (89 - day) * DAY_MS).toISOString().slice(0, 10),
    );
    expect(uptime.days.map(({ date }) => date)).toEqual(dates);
    expect(uptime.from).toBe(`${dates[0]}T00:00:00.000Z`);
    expect(Date.parse(uptime.to)).toBe(today + DAY_MS);
    const elapsed = uptime.days.map((_, day) => (day < 89 ? DAY_MS : Date.parse(uptime.computedAt) - today));
    expect(uptime.days.map(sumMs)).toEqual(elapsed);
    expect(sumMs(uptime.totals)).toBe(elapsed.reduce((sum, one) => sum + one, 0));
  });

  it('counts an incident once in every window, even if it began flapping before the window', async () => {
    const today = dayStart(Date.now());
    const yesterday = today - DAY_MS;
    const definition = { intervalSeconds: 300, failureThreshold: 1, paused: true };
    const { id } = await createMonitor(api, httpMonitor(target.url('/'), definition));
    await app.query('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, new Date(yesterday - DAY_MS)]);
    const first = nextSlotAfter(phaseMs(id, HISTORY_INTERVAL_MS), HISTORY_INTERVAL_MS, yesterday - 1);
    // Three outages began within an hour. The last one continued past midnight, and another one followed it.
    const isDown = (slot: number) => [-18, -16, 8].includes(slot) || (slot >= -14 && slot <= 6);
    const results = Array.from({ length: 50 }, (_, index) => index - 25).map((slot) => {
      const at = first + slot * HISTORY_INTERVAL_MS;
      return resultOf(id, at, at, isDown(slot) ? 'down' : 'up');
    });
    await app.backstage.provider<RecorderService>('RecorderService').record(results);
    for (const from of [yesterday - DAY_MS, yesterday]) {
      const { days } = await uptimeOf(id, `?from=${dateOf(from)}&to=${dateOf(yesterday)}`);
      expect(days.at(-1)).toMatchObject({ date: dateOf(yesterday), incidentCount: 1 });
    }
  });

  it('is null instead of 0 or 100 if nothing was monitored', async () => {
    const { id } = await createMonitor(api, httpMonitor(target.url('/'), { paused: true }));
    const uptime = await uptimeOf(id);
    expect(uptime).toMatchObject({ uptimePercent: null, coveragePercent: 0 });
    const yesterday = uptime.days[88]!;
    expect(yesterday).toMatchObject({ status: 'unknown', uptimePercent: null, unknownSeconds: 86_400, checksTotal: 0 });
    expect(yesterday).toMatchObject({ avgResponseTimeMs: null, p95ResponseTimeMs: null, final: false });
    expect(uptime.days[0]!.final).toBe(true);
    expect(uptime.days[89]!.pausedSeconds).toBeGreaterThanOrEqual(0);
  });

  it('is 100 without downtime, and counts the scheduled checks', async () => {
    const { id } = await create('/healthy');
    await eventually(async () => expect((await listChecks(api, id, '&trigger=schedule')).length).toBe(2));
    await api.post(`/v1/monitors/${id}/pause`);
    const { uptimePercent, days, totals } = await uptimeOf(id, '?days=2');
    expect(uptimePercent).toBe(100);
    expect(totals).toMatchObject({ downSeconds: 0, incidentCount: 0, longestOutageSeconds: 0 });
    expect(totals.upSeconds).toBeGreaterThan(0);
    // The check at creation does not belong to the schedule. One that was under way may still end after the pause.
    await eventually(async () => {
      const { days: counted } = await uptimeOf(id, '?days=2');
      const checks = counted.reduce((sum, { checksTotal }) => sum + checksTotal, 0);
      expect(checks).toBe((await listChecks(api, id)).length - 1);
    });
    expect(days.at(-1)!.avgResponseTimeMs).toBeGreaterThan(0);
    expect(days.at(-1)!.p95ResponseTimeMs).toBeGreaterThan(0);
  });

  it('is less than 100 after an outage, whose duration matches the transitions', async () => {
    const { id } = await create('/outage');
    await untilStatus(api, id, 'up');
    target.behave('/outage', answers(500));
    await untilStatus(api, id, 'down');
    target.behave('/outage', answers(200));
    await untilStatus(api, id, 'up');
    const { body } = await api.get<Page<TransitionDto>>(`/v1/monitors/${id}/transitions`);
    const [recovery, outage, start] = body.data.map(({ at }) => Date.parse(at)) as [number, number, number];
    const { uptimePercent, totals, computedAt } = await uptimeOf(id, '?days=2');
    expect(totals.downSeconds).toBe((recovery - outage) / 1_000);
    expect(totals).toMatchObject({ incidentCount: 1, longestOutageSeconds: totals.downSeconds });
    const up = outage - start + (Date.parse(computedAt) - recovery);
    expect(totals.upSeconds).toBe(up / 1_000);
    expect(uptimePercent).toBe(Math.floor((up / (up + recovery - outage)) * 100_000) / 1_000);
    expect(uptimePercent).toBeLessThan(100);
  });

  it('counts a pause as paused time, regardless of the target', async () => {
    const { id } = await create('/pause');
    await untilStatus(api, id, 'up');
    await api.post(`/v1/monitors/${id}/pause`);
    target.behave('/pause', answers(500));
    await eventually(async () => expect((await uptimeOf(id, '?days=2')).totals.pausedSeconds).toBeGreaterThan(1));
    const { totals, uptimePercent, computedAt } = await uptimeOf(id, '?days=2');
    expect(uptimePercent).toBe(100);
    const pausedAt = Date.parse((await getMonitor(api, id)).pausedAt!);
    expect(totals.pausedSeconds).toBe((Date.parse(computedAt) - pausedAt) / 1_000);
  });

  it('accepts a number of days or two dates', async () => {
    const { id } = await create('/window');
    expect((await uptimeOf(id, '?days=1')).days).toHaveLength(1);
    expect((await uptimeOf(id, '?days=365')).days).toHaveLength(365);
    const leapYear = await uptimeOf(id, '?from=2024-02-28&to=2024-03-01');
    expect(leapYear.days.map(({ date }) => date)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    expect(leapYear.days.map(sumMs)).toEqual([DAY_MS, DAY_MS, DAY_MS]);
  });

  it.each([
    'days=0',
    'days=366',
    'days=1.5',
    'days=ninety',
    'days=1&days=2',
    'days=3&from=2026-01-01',
    'from=2026-02-30',
    'from=2026-01-02&to=2026-01-01',
    'from=2024-01-01&to=2025-12-31',
    'from=2026-01-01T00:00:00Z',
    'timezone=Europe/Berlin',
  ])('rejects ?%s', async (query) => {
    const { id } = await createMonitor(api, httpMonitor(target.url('/'), { paused: true }));
    const answer = await api.get(`/v1/monitors/${id}/uptime?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query', errors: [expect.anything()] } });
  });
});

describe('transitions', () => {
  it('can be filtered by time and are listed in pages', async () => {
    const { id } = await create('/transitions');
    await untilStatus(api, id, 'up');
    for (const [status, shown] of [
      [500, 'down'],
      [200, 'up'],
    ] as const) {
      target.behave('/transitions', answers(status));
      await untilStatus(api, id, shown);
    }
    const list = async (query: string) =>
      (await api.get<Page<TransitionDto>>(`/v1/monitors/${id}/transitions${query}`)).body;
    const { data } = await list('');
    expect(data.map(({ to }) => to)).toEqual(['up', 'down', 'up']);
    const [newest, middle] = data as [TransitionDto, TransitionDto];
    expect((await list(`?from=${middle.at}`)).data).toEqual(data.slice(0, 2));
    expect((await list(`?to=${newest.at}`)).data).toEqual(data.slice(1));
    const first = await list('?limit=1');
    const second = await list(`?limit=1&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(data.slice(0, 2));
  });
});
