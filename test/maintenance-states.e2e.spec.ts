import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../src/domain/durations.js';
import { type MaintenanceWindowDto } from '../src/modules/maintenance/dto/maintenance-window.dto.js';
import { type MaintenancePassesService } from '../src/modules/maintenance/maintenance-passes.service.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { checkNow, createMonitor, getMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { PATIENCE } from './support/patience.js';
import { answers, startTarget, type Target } from './support/target.js';

const WINDOWS = '/v1/maintenance-windows';

let app: TestApp;
let other: TestApp;
let api: Client;
let target: Target;
beforeAll(async () => {
  let database = '';
  app = await startApp({}, (url) => (database = url));
  // A second process on the same database: only one of them sweeps by itself.
  [other, target] = await Promise.all([startApp({}, () => database), startTarget()]);
  api = app.api(app.teams.ours.write);
}, 60_000);
afterAll(async () => {
  await target.close();
  await other.close();
  await app.close();
});

interface Row {
  monitor_id: string;
  window_id: string | null;
  from: number;
  to: number;
}

/** Returns the stored maintenance spans of monitors. */
async function spans(...monitorIds: string[]): Promise<Row[]> {
  const rows = await app.query<{ starts_at: Date; ends_at: Date; monitor_id: string; window_id: string | null }>(
    `SELECT * FROM spans WHERE kind = 'maintenance' AND monitor_id = ANY($1::uuid[]) ORDER BY starts_at`,
    [monitorIds],
  );
  return rows.map(({ starts_at, ends_at, ...row }) => ({ ...row, from: starts_at.getTime(), to: ends_at.getTime() }));
}

let serial = 0;
const monitor = async (more: Record<string, unknown> = {}) => {
  const path = `/${serial++}`;
  const definition = httpMonitor(target.url(path), { retryIntervalSeconds: 1, ...more });
  return { id: (await createMonitor(api, definition)).id, path };
};

async function make(body: object): Promise<MaintenanceWindowDto> {
  const answer = await api.post<MaintenanceWindowDto>(WINDOWS, { name: 'A window', ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

async function act(id: string, action: 'start' | 'end', json?: object): Promise<MaintenanceWindowDto> {
  const answer = await api.post<MaintenanceWindowDto>(`${WINDOWS}/${id}/${action}`, json);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

const uptimeOf = async (id: string) => (await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?days=2`)).body;
const time = (atMs: number) => new Date(atMs).toISOString();

describe('a deployment', () => {
  it('is in maintenance while its window is active, regardless of results, and down from its end on', async () => {
    const { id, path } = await monitor();
    await untilStatus(api, id, 'up');
    const key = `key:${randomUUID()}`;
    await api.put(`${WINDOWS}/${key}`, { name: 'Deployment 42', monitorIds: [id] });
    const started = await act(key, 'start', { durationSeconds: 600 });
    expect(started).toMatchObject({ active: true, revision: 2 });
    const [begun] = await spans(id);
    expect(begun!.to - begun!.from).toBe(600_000);
    expect(started.activeUntil).toBe(time(begun!.to));
    expect(await getMonitor(api, id)).toMatchObject({ status: 'maintenance', statusSince: time(begun!.from) });

    target.behave(path, answers(503));
    // The state is still confirmed during maintenance, but maintenance is shown.
    await eventually(async () => {
      const states = await app.query<{ to_status: string }>('SELECT to_status FROM transitions WHERE monitor_id = $1', [
        id,
      ]);
      expect(states.map((row) => row.to_status)).toContain('down');
    });
    expect(await getMonitor(api, id)).toMatchObject({
      status: 'maintenance',
      lastError: { code: 'unexpected_status' },
    });
    const during = (await uptimeOf(id)).totals;
    expect(during).toMatchObject({ downSeconds: 0, maintenanceSeconds: expect.any(Number) });
    expect(during.maintenanceSeconds).toBeGreaterThan(1);

    expect(await act(key, 'end')).toMatchObject({ active: false, activeUntil: null, revision: 3 });
    expect((await getMonitor(api, id)).status).toBe('down');
    const ended = await spans(id);
    expect(ended).toEqual([{ ...begun!, to: expect.any(Number) }]);
    const { totals, computedAt } = await uptimeOf(id);
    expect(totals.downSeconds).toBe((Date.parse(computedAt) - ended[0]!.to) / 1_000);
    expect(totals.maintenanceSeconds).toBe((ended[0]!.to - begun!.from) / 1_000);

    // Ending it again has no effect; changing or deleting the window does not change past spans.
    expect(await act(key, 'end')).toMatchObject({ active: false, revision: 3 });
    await api.put(`${WINDOWS}/${key}`, { name: 'Another', tags: ['elsewhere'] });
    expect(await spans(id)).toEqual(ended);
    expect((await api.delete(`${WINDOWS}/${key}`)).status).toBe(204);
    expect(await spans(id)).toEqual([{ ...ended[0]!, window_id: null }]);
    expect((await uptimeOf(id)).totals.maintenanceSeconds).toBe(totals.maintenanceSeconds);
  });

  it('is checked at the end of its window if it is down', async () => {
    const rare = { intervalSeconds: 3_600, failureThreshold: 1 };
    const [failing, passing] = [await monitor(rare), await monitor(rare)];
    for (const { id } of [failing, passing]) await untilStatus(api, id, 'up');
    const window = await make({ monitorIds: [failing.id, passing.id] });
    await act(window.id, 'start', { durationSeconds: 600 });
    target.behave(failing.path, answers(503));
    for (const { id } of [failing, passing]) await checkNow(api, id);
    await act(window.id, 'end');
    await eventually(async () => {
      const [latest] = await listChecks(api, failing.id);
      expect(latest).toMatchObject({ trigger: 'resumed', status: 'down' });
    });
    expect((await listChecks(api, passing.id)).map(({ trigger }) => trigger)).not.toContain('resumed');
  });

  it('keeps its start and replaces its end when it is started again', async () => {
    const { id } = await monitor({ paused: true });
    const window = await make({ monitorIds: [id] });
    await act(window.id, 'start', { durationSeconds: 600 });
    const [first] = await spans(id);
    await act(window.id, 'start', { durationSeconds: 60 });
    const again = await spans(id);
    expect(again).toEqual([{ ...first!, to: expect.any(Number) }]);
    expect(again[0]!.to).toBeLessThan(first!.to);
    expect(again[0]!.to).toBeGreaterThanOrEqual(first!.from + 60_000);
  });

  it('that overlaps another ends with the later one', async () => {
    const { id } = await monitor();
    await untilStatus(api, id, 'up');
    const [a, b] = [await make({ monitorIds: [id] }), await make({ monitorIds: [id] })];
    await act(a.id, 'start', { durationSeconds: 600 });
    const since = (await getMonitor(api, id)).statusSince;
    await act(b.id, 'start', { durationSeconds: 600 });
    await act(a.id, 'end');
    expect(await getMonitor(api, id)).toMatchObject({ status: 'maintenance' });
    expect(Date.parse((await getMonitor(api, id)).statusSince)).toBeGreaterThanOrEqual(Date.parse(since));
    await act(b.id, 'end');
    expect((await getMonitor(api, id)).status).toBe('up');
  });

  it('ends by itself', async () => {
    const { id } = await monitor();
    await untilStatus(api, id, 'up');
    const window = await make({ monitorIds: [id] });
    await act(window.id, 'start', { durationSeconds: 1 });
    await untilStatus(api, id, 'up');
    const [span] = await spans(id);
    expect(span!.to - span!.from).toBe(1_000);
    const read = await api.get<MaintenanceWindowDto>(`${WINDOWS}/${window.id}`);
    expect(read.body).toMatchObject({ active: false, revision: 2 });
    await eventually(async () => {
      const states = await app.query('SELECT maintenance_from FROM monitor_states WHERE monitor_id = $1', [id]);
      expect(states).toEqual([{ maintenance_from: null }]);
    });
  });

  it('yields to a pause and continues after it', async () => {
    const { id } = await monitor();
    const window = await make({ monitorIds: [id] });
    await act(window.id, 'start', { durationSeconds: 600 });
    expect((await api.post(`/v1/monitors/${id}/pause`)).body).toMatchObject({ status: 'paused' });
    expect((await api.post(`/v1/monitors/${id}/resume`)).body).toMatchObject({ status: 'maintenance' });
  });
});

describe('a schedule', () => {
  it('starts exactly on time, and is shown within seconds', async () => {
    const { id } = await monitor({ intervalSeconds: 3_600 });
    await untilStatus(api, id, 'up');
    const startsAtMs = Date.now() + 2_000;
    const window = await make({ monitorIds: [id], startsAt: time(startsAtMs), endsAt: time(startsAtMs + 60_000) });
    expect(window).toMatchObject({ active: false, nextStartsAt: time(startsAtMs) });
    expect(await spans(id)).toEqual([{ ...(await spans(id))[0]!, from: startsAtMs, to: startsAtMs + 60_000 }]);
    expect((await getMonitor(api, id)).status).toBe('up');
    const { statusSince } = await untilStatus(api, id, 'maintenance');
    expect(Date.now() - startsAtMs).toBeLessThan(10_000 * PATIENCE);
    expect(statusSince).toBe(time(startsAtMs));
    await eventually(async () => {
      const { body } = await api.get(`${WINDOWS}/${window.id}`);
      expect(body).toMatchObject({ active: true, activeUntil: window.endsAt, nextStartsAt: null, revision: 1 });
    });
  });

  it('never changes the time before it was written', async () => {
    const { id } = await monitor({ paused: true });
    const now = Date.now();
    await make({ monitorIds: [id], startsAt: time(now - DAY_MS), endsAt: time(now - HOUR_MS) });
    expect(await spans(id)).toEqual([]);
    const window = await make({ monitorIds: [id], startsAt: time(now - HOUR_MS), endsAt: time(now + HOUR_MS) });
    const [span] = await spans(id);
    expect(window.active).toBe(true);
    expect(span).toMatchObject({ to: now + HOUR_MS });
    expect(span!.from).toBeGreaterThanOrEqual(now);
    // Moved to a later time: it ends now and starts again later; the past maintenance remains.
    const patch = { startsAt: time(now + HOUR_MS / 2), endsAt: time(now + HOUR_MS) };
    await api.patch(`${WINDOWS}/${window.id}`, patch);
    const moved = await spans(id);
    expect(moved).toMatchObject([{ from: span!.from }, { from: now + HOUR_MS / 2, to: now + HOUR_MS }]);
    expect(moved[0]!.to).toBeLessThan(now + 60_000);
    await api.delete(`${WINDOWS}/${window.id}`);
    expect(await spans(id)).toEqual([{ ...moved[0]!, window_id: null }]);
  });

  it('continues after an occurrence was ended manually', async () => {
    const { id } = await monitor({ paused: true });
    const now = Date.now();
    const daily = {
      startsAt: time(now - 60_000 - 5 * DAY_MS),
      endsAt: time(now + 60_000 - 5 * DAY_MS),
      rrule: 'FREQ=DAILY',
    };
    const window = await make({ monitorIds: [id], ...daily });
    expect(window.active).toBe(true);
    const ended = await act(window.id, 'end');
    expect(ended).toMatchObject({ active: false, nextStartsAt: time(now - 60_000 + DAY_MS) });
    expect(await spans(id)).toMatchObject([{ to: Date.parse(ended.updatedAt) }]);
    // A new name does not reactivate it, a new schedule does; without a duration it starts for that of an occurrence.
    expect((await api.patch(`${WINDOWS}/${window.id}`, { name: 'Renamed' })).body).toMatchObject({ active: false });
    const later = { endsAt: time(now + HOUR_MS - 5 * DAY_MS) };
    expect((await api.patch(`${WINDOWS}/${window.id}`, later)).body).toMatchObject({ active: true });
    await act(window.id, 'end');
    await act(window.id, 'start');
    const last = (await spans(id)).at(-1)!;
    expect(last.to - last.from).toBe(HOUR_MS + 60_000);
  });

  it('is applied retroactively after days without a sweep', async () => {
    const { id } = await monitor({ paused: true });
    await app.query(`UPDATE monitors SET created_at = now() - interval '10 days' WHERE id = $1`, [id]);
    const startsAtMs = Date.now() - 2 * HOUR_MS - 10 * DAY_MS;
    const window = await make({
      monitorIds: [id],
      rrule: 'FREQ=DAILY',
      startsAt: time(startsAtMs),
      endsAt: time(startsAtMs + HOUR_MS),
    });
    expect(await spans(id)).toEqual([]);
    const away = `now() - interval '3 days'`;
    await app.query(`UPDATE maintenance_windows SET settled_until = ${away}, due_at = ${away} WHERE id = $1`, [
      window.id,
    ]);
    await eventually(async () => {
      const expected = [8, 9, 10].map((day) => ({
        from: startsAtMs + day * DAY_MS,
        to: startsAtMs + day * DAY_MS + HOUR_MS,
      }));
      expect(await spans(id)).toMatchObject(expected);
    });
    expect((await uptimeOf(id)).totals.maintenanceSeconds).toBeGreaterThan(0);
  });
});

describe('tags', () => {
  it('apply during an active window to monitors that are created, gain the tag or lose it', async () => {
    const tag = randomUUID();
    const [{ id: first }, { id: second }] = [await monitor({ tags: [tag] }), await monitor()];
    const window = await make({ tags: [tag] });
    await act(window.id, 'start', { durationSeconds: 600 });
    expect((await getMonitor(api, first)).status).toBe('maintenance');
    await untilStatus(api, second, 'up');

    await api.patch(`/v1/monitors/${second}`, { tags: [tag] });
    await untilStatus(api, second, 'maintenance');
    const { id: third } = await monitor({ tags: ['more', tag] });
    await untilStatus(api, third, 'maintenance');
    await api.patch(`/v1/monitors/${first}`, { tags: [] });
    await eventually(async () => expect((await getMonitor(api, first)).status).not.toBe('maintenance'));

    await act(window.id, 'end');
    const rows = await spans(first, second, third);
    expect(rows.map((row) => row.monitor_id)).toEqual([first, second, third]);
    expect(rows[0]!.to).toBeLessThan(rows[2]!.to);
    expect(rows.every(({ from, to }) => from < to)).toBe(true);
  });

  it('and ids together select each monitor once', async () => {
    const tag = randomUUID();
    const { id } = await monitor({ tags: [tag, 'twice'], paused: true });
    const window = await make({ tags: [tag, 'twice'], monitorIds: [id] });
    await act(window.id, 'start', { durationSeconds: 600 });
    expect(await spans(id)).toHaveLength(1);
  });
});

describe('two processes', () => {
  it('write each span once, without overlaps', async () => {
    const tag = randomUUID();
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await monitor({ tags: [tag], paused: true })).id),
    );
    const now = Date.now();
    const window = await make({
      tags: [tag],
      startsAt: time(now + HOUR_MS / 2),
      endsAt: time(now + HOUR_MS),
      rrule: 'FREQ=DAILY',
    });
    const theirs = other.api(app.teams.ours.write);
    const sweep = async (on: TestApp): Promise<void> => {
      await app.query('UPDATE maintenance_windows SET due_at = now() WHERE id = $1', [window.id]);
      await on.backstage.provider<MaintenancePassesService>('MaintenancePassesService').sweep(Date.now());
    };
    const path = `${WINDOWS}/${window.id}`;
    // A busy machine may not complete a query in time. Then a client tries again.
    const untilServed = async (send: () => Promise<{ status: number }>): Promise<number> => {
      const { status } = await send();
      return status === 503 ? untilServed(send) : status;
    };
    const act = (on: Client, index: number): Promise<number> =>
      untilServed(() => {
        if (index % 3 === 0) return on.post(`${path}/start`, { durationSeconds: 60 + index });
        if (index % 3 === 1) return on.post(`${path}/end`);
        return on.patch(path, { endsAt: time(now + HOUR_MS - index) });
      });
    const actions = Array.from({ length: 24 }, (_, index) => [
      act(index % 2 ? theirs : api, index),
      sweep(index % 2 ? app : other),
      untilServed(() => api.patch(`/v1/monitors/${ids[index % 5]}`, { name: `Renamed ${index}` })),
    ]);
    const outcomes = await Promise.all(actions.flat());
    expect(outcomes.filter((status) => status !== undefined && status !== 200)).toEqual([]);

    for (const id of ids) {
      const rows = await spans(id);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every((row, index) => row.from < row.to && (index === 0 || row.from >= rows[index - 1]!.to))).toBe(
        true,
      );
      expect(rows.filter(({ from }) => from === now + HOUR_MS / 2)).toHaveLength(1);
    }
  }, 30_000);
});
