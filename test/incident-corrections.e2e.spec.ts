import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/domain/durations.js';
import { dateOf, dayStart } from '../src/domain/utc-day.js';
import { type Page } from '../src/http/lists/page.js';
import { type CheckResult } from '../src/modules/checker/check-queue.js';
import { type RecorderService } from '../src/modules/checker/recorder.service.js';
import { type DetectedIncidentsService } from '../src/modules/incidents/detected-incidents.service.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { type SlaReportDto } from '../src/modules/uptime/dto/sla-report.dto.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { pastMonitor, resultOf } from './support/history.js';
import { createMonitor, httpMonitor } from './support/monitors.js';

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

const record = (results: CheckResult[]) => app.backstage.provider<RecorderService>('RecorderService').record(results);
const sweep = (nowMs: number) =>
  app.backstage.provider<DetectedIncidentsService>('DetectedIncidentsService').sweep(nowMs);

/** Creates a paused monitor that is four days old, so that only the test changes its state, and returns its id. */
async function old(more: Record<string, unknown> = {}): Promise<string> {
  const definition = { intervalSeconds: 300, failureThreshold: 1, paused: true, ...more };
  const { id } = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', definition));
  await app.query('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, new Date(Date.now() - 4 * DAY_MS)]);
  return id;
}

const seen = (id: string, agoMs: number, status: 'up' | 'down', nowMs = Date.now()): CheckResult =>
  resultOf(id, nowMs - agoMs, nowMs - agoMs, status);

async function incidentsOf(id: string): Promise<IncidentDto[]> {
  return (await api.get<Page<IncidentDto>>(`/v1/monitors/${id}/incidents`)).body.data;
}

describe('an incident with a late end', () => {
  it('remains if it settles while the service is stopped for days', async () => {
    const id = await old();
    const now = Date.now();
    const falls = [50, 35, 20, 8].flatMap((minutes) => [
      seen(id, minutes * MINUTE_MS, 'down', now),
      seen(id, (minutes - 4) * MINUTE_MS, 'up', now),
    ]);
    await record([seen(id, 58 * MINUTE_MS, 'up', now), ...falls]);
    const before = await incidentsOf(id);
    expect(before.map(({ status }) => status)).toEqual(['open', 'resolved', 'resolved']);
    await sweep(now + 3 * DAY_MS);
    const after = await incidentsOf(id);
    expect(after.map((one) => one.id)).toEqual(before.map((one) => one.id));
    expect(after[0]).toMatchObject({ status: 'resolved', resolvedAt: new Date(now - 4 * MINUTE_MS).toISOString() });
  });

  it('remains if its recovery is recorded after more than two days', async () => {
    const id = await old();
    const now = Date.now();
    await record([seen(id, 72 * HOUR_MS, 'up', now), seen(id, 70 * HOUR_MS, 'down', now)]);
    const [open] = await incidentsOf(id);
    await record([seen(id, 60 * HOUR_MS, 'up', now)]);
    expect(await incidentsOf(id)).toMatchObject([{ id: open!.id, status: 'resolved', durationSeconds: 36_000 }]);
    const { body } = await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?days=7`);
    expect(body.totals.incidentCount).toBe(1);
  });

  it('is opened and resolved although its results waited together for more than two days', async () => {
    const id = await old();
    const now = Date.now();
    const ago = (minutes: number): number => 72 * HOUR_MS + minutes * MINUTE_MS;
    await record([seen(id, ago(30), 'up', now), seen(id, ago(25), 'down', now), seen(id, ago(20), 'up', now)]);
    expect(await incidentsOf(id)).toMatchObject([{ status: 'resolved', durationSeconds: 300 }]);
  });

  it('remains grouped under a parent that recovered earlier', async () => {
    const parent = await old();
    const child = await old({ parentIds: [parent] });
    const now = Date.now();
    await record([parent, child].map((id) => seen(id, 75 * HOUR_MS, 'up', now)));
    await record([seen(parent, 70 * HOUR_MS, 'down', now), seen(child, 69 * HOUR_MS, 'down', now)]);
    const [cause] = await incidentsOf(parent);
    expect(await incidentsOf(child)).toMatchObject([{ parentIncidentId: cause!.id }]);
    await record([seen(parent, 60 * HOUR_MS, 'up', now)]);
    await record([seen(child, MINUTE_MS, 'up', now)]);
    expect(await incidentsOf(child)).toMatchObject([{ status: 'resolved', parentIncidentId: cause!.id }]);
  });
});

it('a flapping monitor has an event for each further outage, which states what changed, and none besides', async () => {
  const id = await old();
  const now = Date.now();
  await record([seen(id, 58 * MINUTE_MS, 'up', now)]);
  for (const minutes of [13, 11, 9, 7, 5]) {
    await record([seen(id, minutes * MINUTE_MS, 'down', now)]);
    await record([seen(id, (minutes - 1) * MINUTE_MS, 'up', now)]);
  }
  const flapping = (await incidentsOf(id)).find(({ status }) => status === 'open')!;
  expect(flapping.outageCount).toBe(3);
  const updates = await eventually(async () => {
    const path = `/v1/events?type=incident.updated&resourceId=${flapping.id}`;
    const { body } = await api.get<Page<EventDto>>(path);
    expect(body.data).toHaveLength(2);
    return body.data;
  });
  const changed = updates.map(({ changes }) => changes!.find(({ pointer }) => pointer === '/outageCount'));
  expect(changed).toEqual([2, 1].map((before) => ({ pointer: '/outageCount', before, after: before + 1 })));
});

it('parents and children that change state in concurrent transactions do not deadlock', async () => {
  const parent = await old();
  const children = await Promise.all(Array.from({ length: 6 }, () => old({ parentIds: [parent] })));
  const now = Date.now();
  await record([parent, ...children].map((id) => seen(id, 30 * HOUR_MS, 'up', now)));
  const deadlocks = async (): Promise<number> => {
    const sql = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
    return Number((await app.query<{ deadlocks: string }>(sql))[0]!.deadlocks);
  };
  const before = await deadlocks();
  for (let round = 1; round <= 6; round += 1) {
    for (const [status, later] of [
      ['down', 0],
      ['up', 10],
    ] as const) {
      // prettier-ignore
      const agoMs = 29 * HOUR_MS - (round * 40 + later) * MINUTE_MS;
      await Promise.all([
        record([seen(parent, agoMs, status, now)]),
        record(children.map((id) => seen(id, agoMs - 1_000, status, now))),
      ]);
    }
  }
  expect(await deadlocks()).toBe(before);
  for (const id of children) {
    for (const { parentIncidentId } of await incidentsOf(id)) expect(parentIncidentId).not.toBeNull();
  }
});

it('an acknowledged incident that later results retract has zero duration and is on no status page', async () => {
  const id = await old({ failureThreshold: 2 });
  const now = Date.now();
  await record([
    seen(id, 60 * MINUTE_MS, 'up', now),
    seen(id, 50 * MINUTE_MS, 'down', now),
    seen(id, 40 * MINUTE_MS, 'down', now),
  ]);
  const [told] = await incidentsOf(id);
  await api.post(`/v1/incidents/${told!.id}/acknowledge`);
  const slug = randomUUID();
  await api.post('/v1/status-pages', { name: 'P', slug, monitorIds: [id] });
  const shown = async () => (await app.api().get<PublicPageDto>(`/status/${slug}.json`)).body.incidents;
  expect(await shown()).toHaveLength(1);

  await record([seen(id, 45 * MINUTE_MS, 'up', now)]);
  expect(await incidentsOf(id)).toMatchObject([
    { id: told!.id, status: 'resolved', durationSeconds: 0, outageCount: 0, updates: [{ author: 'system' }] },
  ]);
  expect(await shown()).toEqual([]);

  const untouched = await old({ failureThreshold: 2 });
  await record(
    [60, 50, 40].map((minutes) => seen(untouched, minutes * MINUTE_MS, minutes === 60 ? 'up' : 'down', now)),
  );
  expect(await incidentsOf(untouched)).toHaveLength(1);
  await record([seen(untouched, 45 * MINUTE_MS, 'up', now)]);
  expect(await incidentsOf(untouched)).toEqual([]);
});

it('a report counts the same incidents as uptime if a monitor flaps across the start of the window', async () => {
  const midnight = dayStart(Date.now()) - DAY_MS;
  const falls = [-40, -25, -10, 3, 15].map((minutes) => midnight + minutes * MINUTE_MS);
  const isDown = (slot: number): boolean => falls.some((fall) => slot >= fall && slot < fall + 5 * MINUTE_MS);
  const { id, slots } = await pastMonitor(app, api, {}, { isDown: false, without: isDown });
  await record(slots.filter(isDown).map((slot) => resultOf(id, slot, slot, 'down')));
  const query = `from=${dateOf(midnight)}&to=${dateOf(midnight)}`;
  const { totals } = (await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?${query}`)).body;
  const { total } = (await api.get<SlaReportDto>(`/v1/reports/sla?${query}&monitorId=${id}`)).body;
  expect(total.incidentCount).toBe(totals.incidentCount);
  expect(total.downSeconds).toBe(totals.downSeconds);
});

describe('a patch of an incident', () => {
  const manual = async (more: Record<string, unknown> = {}): Promise<IncidentDto> => {
    const body = { title: 'Slow', monitorIds: [await old()], ...more };
    return (await api.post<IncidentDto>('/v1/incidents', body)).body;
  };

  it('changes only the fields it names and does not revert concurrent writes', async () => {
    const { id } = await manual();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, (_, index) => api.patch(`/v1/incidents/${id}`, { title: `Title ${index}` })),
      api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'Done.' }),
      ...Array.from({ length: 5 }, (_, index) => api.patch(`/v1/incidents/${id}`, { title: `Title ${index + 5}` })),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(200), 201]);
    expect((await api.get<IncidentDto>(`/v1/incidents/${id}`)).body.status).toBe('resolved');
  });

  it('is accepted after its monitors were deleted', async () => {
    const { id, monitorIds } = await manual();
    for (const monitorId of monitorIds) await api.delete(`/v1/monitors/${monitorId}`);
    expect(await api.patch(`/v1/incidents/${id}`, { title: 'Was slow' })).toMatchObject({
      status: 200,
      body: { title: 'Was slow', monitorIds: [] },
    });
  });

  it('without changes does not disclose a long monitor name on a status page', async () => {
    const name = `internal-${'n'.repeat(191)}`;
    const id = await old({ name });
    await record([seen(id, 2 * HOUR_MS, 'up'), seen(id, HOUR_MS, 'down')]);
    const [incident] = await incidentsOf(id);
    expect(incident!.title).toMatch(/^internal-n+… is down$/);
    expect((await api.patch(`/v1/incidents/${incident!.id}`, {})).status).toBe(200);
    const slug = randomUUID();
    await api.post('/v1/status-pages', { name: 'P', slug, components: [{ monitorId: id, name: 'Shop' }] });
    const text = await (await fetch(`${app.origin}/status/${slug}.json`)).text();
    expect(text).toContain('Shop is down');
    expect(text).not.toContain('internal');
  });
});

describe('an incident that a process whose clock is ahead has written', () => {
  it('gets its updates in order, publishes none but the new one, and does not end before it begins', async () => {
    const report = {
      title: 'Slow',
      monitorIds: [await old()],
      update: { phase: 'note', text: 'Customer X caused it.' },
    };
    const { id } = (await api.post<IncidentDto>('/v1/incidents', report)).body;
    await app.query(`UPDATE incidents SET started_at = started_at + interval '1 hour' WHERE id = $1`, [id]);
    await app.query(`UPDATE incident_updates SET at = at + interval '1 hour' WHERE incident_id = $1`, [id]);
    const update = { phase: 'resolved', text: 'It is over.' };
    const { body } = await api.post<IncidentDto>(`/v1/incidents/${id}/updates`, update);
    expect(body.updates).toMatchObject([
      { text: 'Customer X caused it.', public: false },
      { ...update, public: true },
    ]);
    expect(body).toMatchObject({ status: 'resolved', resolvedAt: body.updates[1]!.at });
    expect(body.durationSeconds).toBeGreaterThanOrEqual(0);
    const event = await eventually(async () => {
      const path = `/v1/events?type=incident.resolved&resourceId=${id}`;
      const { data } = (await api.get<Page<EventDto>>(path)).body;
      expect(data).toHaveLength(1);
      return data[0]!;
    });
    expect(event.data).toMatchObject({ update, notifySubscribers: true });
    expect((await api.patch(`/v1/incidents/${id}`, { title: 'Was slow' })).status).toBe(200);
  });
});

it('a list contains the newest ten updates of an incident, the incident itself all of them', async () => {
  const { body } = await api.post<IncidentDto>('/v1/incidents', { title: 'Long', monitorIds: [await old()] });
  for (let index = 0; index < 12; index += 1) {
    await api.post(`/v1/incidents/${body.id}/updates`, { phase: 'monitoring', text: `Update ${index}` });
  }
  const texts = (updates: { text: string }[]): string[] => updates.map(({ text }) => text);
  const all = texts((await api.get<IncidentDto>(`/v1/incidents/${body.id}`)).body.updates);
  expect(all).toEqual(Array.from({ length: 12 }, (_, index) => `Update ${index}`));
  const [listed] = await incidentsOf(body.monitorIds[0]!);
  expect(texts(listed!.updates)).toEqual(all.slice(2));
});
