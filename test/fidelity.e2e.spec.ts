import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { HOUR_MS } from '../src/domain/durations.js';
import { EDGE_MS } from '../src/domain/schedule-fidelity.js';
import { nextSlotAfter, phaseMs } from '../src/domain/schedule.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type DayFidelityDto, type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { HISTORY_INTERVAL_MS, type PastMonitor, pastMonitor } from './support/history.js';
import { createMonitor, getMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { startTarget, type Target } from './support/target.js';

const iso = (ms: number): string => new Date(ms).toISOString();

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

async function daysOf(id: string, query: string): Promise<DayFidelityDto[]> {
  const { status, body } = await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?${query}&fidelity=true`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.days as unknown as DayFidelityDto[];
}

/** Returns the number of schedule slots in a period, excluding its edges. */
function slotsIn(id: string, intervalMs: number, fromMs: number, toMs: number): number {
  return slotTimes(id, intervalMs, fromMs, toMs).length;
}

/** Returns the times of the schedule slots in a period, excluding its edges, by enumerating them. */
function slotTimes(id: string, intervalMs: number, fromMs: number, toMs: number): number[] {
  const times: number[] = [];
  for (
    let slot = nextSlotAfter(phaseMs(id, intervalMs), intervalMs, fromMs + EDGE_MS - 1);
    slot < toMs - EDGE_MS;
    slot += intervalMs
  ) {
    times.push(slot);
  }
  return times;
}

describe('fidelity of a known past', () => {
  const counts = ({ checksExpected, checksExecuted, checksLate, checksMissed }: DayFidelityDto): number[] => [
    checksExpected,
    checksExecuted,
    checksLate,
    checksMissed,
  ];

  it('is reported only on request', async () => {
    const { id, query } = await pastMonitor(app, api);
    const { body } = await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?${query}`);
    for (const name of ['checksExpected', 'checksExecuted', 'checksLate', 'checksMissed', 'absences']) {
      expect(body.days[0]).not.toHaveProperty(name);
    }
    expect((await daysOf(id, query)).map(counts)).toEqual([
      [288, 288, 0, 0],
      [288, 288, 0, 0],
    ]);
  });

  it('counts missed checks, and checks that started more than a second late', async () => {
    const { id, query } = await pastMonitor(
      app,
      api,
      {},
      {
        without: (_, index) => index >= 100 && index < 103,
        // The first is at the limit, two are beyond it.
        delayMs: (index) => [1_000, 1_001, 5_000][index - 10] ?? 0,
      },
    );
    expect((await daysOf(id, query)).map(counts)).toEqual([
      [288, 285, 2, 3],
      [288, 288, 0, 0],
    ]);
  });

  it('expects no checks during a pause, and follows a change of the interval', async () => {
    const monitor = await pastMonitor(app, api);
    const { id, query, firstDayMs, secondDayMs } = monitor;
    const pause = { from: firstDayMs + 6 * HOUR_MS, to: firstDayMs + 9 * HOUR_MS };
    await app.query(`INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at) VALUES ($1, $2, 'pause', $3, $4)`, [
      uuidv7(),
      id,
      iso(pause.from),
      iso(pause.to),
    ]);
    const changedAt = secondDayMs + 12 * HOUR_MS;
    await changeInterval(monitor, 60, changedAt);
    const [first, second] = (await daysOf(id, query)) as [DayFidelityDto, DayFidelityDto];
    const unpaused =
      slotsIn(id, HISTORY_INTERVAL_MS, firstDayMs - EDGE_MS, pause.from) +
      slotsIn(id, HISTORY_INTERVAL_MS, pause.to, secondDayMs + EDGE_MS);
    expect(unpaused).toBeLessThanOrEqual(288 - 35);
    // More checks were recorded: the pause was inserted after them.
    expect(counts(first)).toEqual([288, 288, 0, 0]);
    const expected =
      slotsIn(id, HISTORY_INTERVAL_MS, secondDayMs - EDGE_MS, changedAt) +
      slotsIn(id, 60_000, changedAt, secondDayMs + 24 * HOUR_MS + EDGE_MS);
    expect(counts(second)).toEqual([expected, 288, 0, expected - 288]);
    expect(expected).toBeGreaterThan(144 + 718);
  });

  it('expects no checks during a pause without results', async () => {
    const from = 6 * HOUR_MS;
    const monitor = await pastMonitor(
      app,
      api,
      {},
      { without: (slot) => slot % 86_400_000 >= from && slot % 86_400_000 < 2 * from },
    );
    await app.query(`INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at) VALUES ($1, $2, 'pause', $3, $4)`, [
      uuidv7(),
      monitor.id,
      iso(monitor.firstDayMs + from),
      iso(monitor.firstDayMs + 2 * from),
    ]);
    const [first, second] = (await daysOf(monitor.id, monitor.query)) as [DayFidelityDto, DayFidelityDto];
    expect([first.checksExecuted, first.checksMissed]).toEqual([216, 0]);
    expect(counts(second)).toEqual([288, 216, 0, 72]);
  });

  it("lists the service's own absences, split by day", async () => {
    const { id, query, secondDayMs } = await pastMonitor(app, api);
    const absence = { from: secondDayMs - HOUR_MS, to: secondDayMs + HOUR_MS };
    await app.query(
      `INSERT INTO spans (id, location, kind, starts_at, ends_at) VALUES ($1, 'default', 'absence', $2, $3), ($4, 'elsewhere', 'absence', $2, $3)`,
      [uuidv7(), iso(absence.from), iso(absence.to), uuidv7()],
    );
    const reason = 'not_running';
    expect((await daysOf(id, query)).map(({ absences }) => absences)).toEqual([
      [{ from: iso(absence.from), to: iso(secondDayMs), reason }],
      [{ from: iso(secondDayMs), to: iso(absence.to), reason }],
    ]);
  });

  /** Changes the interval as if it had been patched at that time. */
  async function changeInterval({ id }: PastMonitor, intervalSeconds: number, atMs: number): Promise<void> {
    await api.patch(`/v1/monitors/${id}`, { intervalSeconds });
    const changed = 'UPDATE monitor_schedules SET from_at = $3 WHERE monitor_id = $1 AND interval_seconds = $2';
    const before = 'UPDATE monitor_schedules SET from_at = $3 WHERE monitor_id = $1 AND interval_seconds <> $2';
    await app.query(before, [id, intervalSeconds, iso(atMs - HOUR_MS)]);
    await app.query(changed, [id, intervalSeconds, iso(atMs)]);
  }
});

describe('fidelity of a running monitor', () => {
  it('follows its interval and its pause', async () => {
    const { id, createdAt } = await createMonitor(api, httpMonitor(target.url('/fidelity')));
    const executed = async (count: number): Promise<void> =>
      eventually(async () => expect((await scheduled()).length).toBeGreaterThanOrEqual(count));
    const scheduled = () => listChecks(api, id, '&trigger=schedule');
    await executed(3);
    const { body: patched } = await api.patch<MonitorDto>(`/v1/monitors/${id}`, { intervalSeconds: 2 });
    // The same interval again: the schedule does not change.
    await api.patch(`/v1/monitors/${id}`, { intervalSeconds: 2, name: 'Renamed' });
    await executed(5);
    await api.post(`/v1/monitors/${id}/pause`);
    const { pausedAt } = await getMonitor(api, id);
    const times = [createdAt, patched.updatedAt, pausedAt!].map((time) => Date.parse(time)) as [number, number, number];
    const due = new Set([...slotTimes(id, 1_000, times[0], times[1]), ...slotTimes(id, 2_000, times[1], times[2])]);

    // Wait until all checks are due: one second of timeout and five seconds of grace.
    await eventually(() => expect(Date.now()).toBeGreaterThan(times[2] + 6_000), 15_000);
    const sum = (days: DayFidelityDto[], name: Exclude<keyof DayFidelityDto, 'absences'>): number =>
      days.reduce((total, day) => total + day[name], 0);
    const days = await daysOf(id, 'days=2');
    const rows = await scheduled();
    // Checks that were running at the pause, or lie at an edge, are executed in addition to those due.
    const beyond = rows.filter(({ scheduledAt }) => !due.has(Date.parse(scheduledAt))).length;
    const expected = sum(days, 'checksExpected');
    expect(sum(days, 'checksExecuted')).toBe(rows.length);
    expect(expected).toBeGreaterThanOrEqual(Math.max(due.size, rows.length));
    expect(expected).toBeLessThanOrEqual(due.size + beyond);
    expect(sum(days, 'checksMissed')).toBe(expected - rows.length);
    expect(days.flatMap(({ absences }) => absences)).toEqual([]);
    const schedules = await app.query('SELECT interval_seconds FROM monitor_schedules WHERE monitor_id = $1', [id]);
    expect(schedules).toHaveLength(2);
  });

  it('does not expect checks that are not due yet', async () => {
    const { id } = await createMonitor(
      api,
      httpMonitor('http://127.0.0.1:9/', { intervalSeconds: 60, timeoutMs: 60_000 }),
    );
    const [, today] = await daysOf(id, 'days=2');
    expect(today).toMatchObject({ checksMissed: 0, checksExpected: today!.checksExecuted });
  });
});
