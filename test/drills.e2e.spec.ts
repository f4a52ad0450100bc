import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Page } from '../src/http/lists/page.js';
import { type Problem } from '../src/http/problems/problem.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type DrillsService } from '../src/modules/incidents/drills.service.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { getIncident, reportIncident } from './support/incidents.js';
import { createMonitor, getMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { createPage } from './support/status-pages.js';
import { startTarget, type Target } from './support/target.js';

let app: TestApp;
let target: Target;
let team: TestTeam;
let api: Client;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});
beforeEach(async () => {
  team = await app.backstage.makeTeam('Drilled');
  api = app.api(team.write);
});

const quiet = async (name = 'Checkout'): Promise<string> =>
  (await createMonitor(api, httpMonitor(target.url('/quiet'), { name, paused: true }))).id;
const start = (monitorId: string, body?: object) => api.post<IncidentDto>(`/v1/monitors/${monitorId}/drill`, body);
const started = async (monitorId: string, body?: object): Promise<IncidentDto> => {
  const answer = await start(monitorId, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
const secondsBetween = (from: string, to: string | null): number => (Date.parse(to!) - Date.parse(from)) / 1_000;
/** Returns the events of an incident, once there are this many: the feed waits for transactions that are still open. */
const eventsOf = (id: string, count: number): Promise<EventDto[]> =>
  eventually(async () => {
    const { body } = await app.api(team.admin).get<Page<EventDto>>(`/v1/events?resourceId=${id}`);
    expect(body.data.length).toBeGreaterThanOrEqual(count);
    return body.data.toReversed();
  });
/** Lets the time of a drill be over. */
const overdue = (id: string) =>
  app.query(`UPDATE incidents SET settles_at = now() - interval '1 s' WHERE id = $1`, [id]);
const ended = (id: string): Promise<IncidentDto> =>
  eventually(async () => {
    const incident = await getIncident(api, id);
    expect(incident.status).toBe('resolved');
    return incident;
  });
const errorsOf = (body: unknown) => (body as Problem).errors?.map(({ pointer, code }) => [pointer, code]);

describe('the start of a drill', () => {
  it('opens an incident that ends after 15 minutes', async () => {
    const monitorId = await quiet();
    const { status, headers, body } = await start(monitorId);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/incidents/${body.id}`);
    expect(body).toMatchObject({
      kind: 'drill',
      title: 'Drill: Checkout',
      monitorIds: [monitorId],
      status: 'open',
      impact: 'down',
      confirmedAt: body.startedAt,
      outageCount: 0,
      cause: null,
      parentIncidentId: null,
    });
    expect(secondsBetween(body.startedAt, body.endsAt)).toBe(900);
    expect(await eventsOf(body.id, 1)).toMatchObject([
      { type: 'incident.opened', actor: { type: 'api_key' }, data: { kind: 'drill', monitorIds: [monitorId] } },
    ]);
  });

  it('shortens a long name', async () => {
    const { title } = await started(await quiet('x'.repeat(200)));
    expect(title).toBe(`Drill: ${'x'.repeat(189)}…`);
  });

  it.each([60, 3_600, null])('accepts an end after %p seconds', async (endAfterSeconds) => {
    const { startedAt, endsAt } = await started(await quiet(), { endAfterSeconds });
    expect(secondsBetween(startedAt, endsAt)).toBe(endAfterSeconds ?? 900);
  });

  it.each([59, 3_601, '60', 60.5])('rejects an end after %p seconds', async (endAfterSeconds) => {
    const { status, body } = await start(await quiet(), { endAfterSeconds });
    expect({ status, errors: errorsOf(body) }).toMatchObject({
      status: 422,
      errors: [['/endAfterSeconds', expect.any(String)]],
    });
  });

  it('is refused while a drill of the monitor is open, and names that', async () => {
    const monitorId = await quiet();
    const { id } = await started(monitorId);
    const second = await start(monitorId);
    expect(second).toMatchObject({ status: 409, body: { code: 'conflict', detail: expect.stringContaining(id) } });
    await api.patch(`/v1/incidents/${id}`, { resolvedAt: new Date().toISOString() });
    await started(monitorId);
  });

  it('succeeds for one of many concurrent requests', async () => {
    const monitorId = await quiet();
    const answers = await Promise.all(Array.from({ length: 8 }, () => start(monitorId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect((await api.get<Page<IncidentDto>>('/v1/incidents?kind=drill')).body.data).toHaveLength(1);
  });

  it('is repeated without effect under its idempotency key', async () => {
    const path = `/v1/monitors/${await quiet()}/drill`;
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [
      await api.call<IncidentDto>('POST', path, { headers }),
      await api.call<IncidentDto>('POST', path, { headers }),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });

  it('is refused while the team has ten open drills', async () => {
    for (let count = 0; count < 10; count += 1) await started(await quiet());
    expect(await start(await quiet())).toMatchObject({ status: 422, body: { code: 'limit_reached' } });
  });
});

describe('the end of a drill', () => {
  it('comes by itself, once even if several processes look for it', async () => {
    const { id } = await started(await quiet());
    await overdue(id);
    const drills = app.backstage.provider<DrillsService>('DrillsService');
    await Promise.all(Array.from({ length: 4 }, () => drills.endDue(Date.now())));
    expect(await ended(id)).toMatchObject({ endsAt: null, revision: 1 });
    expect(await eventsOf(id, 2)).toMatchObject([
      { type: 'incident.opened' },
      { type: 'incident.resolved', actor: { type: 'system' }, data: { kind: 'drill', resolvedAt: expect.any(String) } },
    ]);
  });

  it('comes a minute after the acknowledgement, also if that is withdrawn', async () => {
    const { id } = await started(await quiet());
    const { body } = await api.post<IncidentDto>(`/v1/incidents/${id}/acknowledge`);
    expect(secondsBetween(body.acknowledgedAt!, body.endsAt)).toBe(60);
    const withdrawn = await api.post<IncidentDto>(`/v1/incidents/${id}/unacknowledge`);
    expect(withdrawn.body).toMatchObject({ acknowledgedAt: null, endsAt: body.endsAt });
  });

  it('comes with its monitor', async () => {
    const monitorId = await quiet();
    const { id } = await started(monitorId);
    await api.delete(`/v1/monitors/${monitorId}`);
    expect(await ended(id)).toMatchObject({ monitorIds: [], endsAt: null });
    expect((await eventsOf(id, 2)).at(-1)).toMatchObject({ data: { kind: 'drill', because: 'monitor_deleted' } });
  });

  it.each([
    ['a patch', (id: string) => api.patch(`/v1/incidents/${id}`, { resolvedAt: new Date().toISOString() })],
    ['an update', (id: string) => api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'Done.' })],
  ])('comes early with %s, and is final', async (_, end) => {
    const { id } = await started(await quiet());
    await end(id);
    const over = await getIncident(api, id);
    expect(over).toMatchObject({ status: 'resolved', endsAt: null, revision: 2 });
    for (const resolvedAt of [null, new Date().toISOString()]) {
      const { status, body } = await api.patch(`/v1/incidents/${id}`, { resolvedAt });
      expect({ status, errors: errorsOf(body) }).toEqual({ status: 422, errors: [['/resolvedAt', 'not_applicable']] });
    }
    expect(await api.patch(`/v1/incidents/${id}`, { resolvedAt: over.resolvedAt })).toMatchObject({ status: 200 });
    expect(await getIncident(api, id)).toEqual(over);
  });
});

describe('a drill', () => {
  it.each<[object, string]>([
    [{ title: 'x' }, '/title'],
    [{ impact: 'none' }, '/impact'],
    [{ monitorIds: [] }, '/monitorIds'],
    [{ startedAt: null }, '/startedAt'],
  ])('cannot be changed: %j', async (patch, pointer) => {
    const { id } = await started(await quiet());
    const { status, body } = await api.patch(`/v1/incidents/${id}`, patch);
    expect({ status, errors: errorsOf(body) }).toEqual({ status: 422, errors: [[pointer, 'not_applicable']] });
  });

  it.each([
    [{ endsAt: null }, '/endsAt', 'read_only_field'],
    [{ nothing: 1 }, '/nothing', 'unknown_field'],
  ])('rejects %j like every incident', async (patch, pointer, code) => {
    const { id } = await started(await quiet());
    const { status, body } = await api.patch(`/v1/incidents/${id}`, patch);
    expect({ status, errors: errorsOf(body) }).toEqual({ status: 422, errors: [[pointer, code]] });
  });

  it('has updates for the team only', async () => {
    const { id } = await started(await quiet());
    const updates = `/v1/incidents/${id}/updates`;
    const answers = [{ public: true }, { notifySubscribers: true, phase: 'identified' }].map((more) =>
      api.post(updates, { text: 'x', ...more }),
    );
    const errors = (await Promise.all(answers)).map(({ status, body }) => [status, errorsOf(body)]);
    expect(errors).toEqual([
      [422, [['/public', 'not_applicable']]],
      [422, [['/notifySubscribers', 'not_applicable']]],
    ]);
    const { body } = await api.post<IncidentDto>(updates, { text: 'x', phase: 'identified' });
    expect(body.updates).toMatchObject([{ phase: 'identified', public: false }]);
    expect((await eventsOf(id, 2)).at(-1)).toMatchObject({ data: { notifySubscribers: false } });
  });

  it('is listed with incidents, and alone by its kind', async () => {
    const monitorId = await quiet();
    const { id } = await started(monitorId);
    const idsIn = async (path: string) => (await api.get<Page<IncidentDto>>(path)).body.data.map((one) => one.id);
    for (const path of [
      '/v1/incidents',
      '/v1/incidents?kind=drill&status=open',
      `/v1/monitors/${monitorId}/incidents`,
    ]) {
      expect([path, await idsIn(path)]).toEqual([path, [id]]);
    }
    expect(await idsIn('/v1/incidents?kind=detected')).toEqual([]);
    expect(await idsIn('/v1/incidents?kind=manual')).toEqual([]);
  });

  it('changes nothing that is reported about the monitor', async () => {
    const { id: monitorId } = await createMonitor(api, httpMonitor(target.url('/shown'), { name: 'Shop' }));
    await untilStatus(api, monitorId, 'up');
    await api.post(`/v1/monitors/${monitorId}/pause`);
    const slug = randomUUID();
    const { components } = await createPage(api, { slug, components: [{ monitorId, name: 'Shop' }] });
    const page = [
      '.json',
      '',
      '/feed.atom',
      '/maintenance.ics',
      '/history',
      '/api/v2/summary.json',
      '/api/v2/incidents.json',
    ];
    const badges = ['status', 'uptime'].map((badge) => `/badges/${slug}/${components[0]!.id}/${badge}.svg`);
    const paths = [...page.map((path) => `/status/${slug}${path}`), ...badges];
    const day = new Date().toISOString().slice(0, 10);
    const figures = [
      `/v1/monitors/${monitorId}/uptime?days=1`,
      `/v1/reports/sla?from=${day}&to=${day}`,
      `/v1/reports/alerting?from=${day}&to=${day}`,
      '/v1/overview',
    ];
    const report = async () => {
      const reads = figures.map(async (path) => {
        const { status, body } = await api.get(path);
        return [path, status, outagesIn(body)];
      });
      const shown = paths.map(async (path) => {
        const answer = await fetch(app.origin + path);
        return [path, answer.status, withoutTimes(await answer.text())];
      });
      const { status, statusSince, revision } = await getMonitor(api, monitorId);
      return [status, statusSince, revision, await Promise.all(reads), await Promise.all(shown)];
    };
    const before = await report();
    expect((before[3] as unknown[][]).concat(before[4] as unknown[][]).map(([, status]) => status)).toEqual(
      [...figures, ...paths].map(() => 200),
    );
    const { id } = await started(monitorId);
    expect(await report()).toEqual(before);
    expect((await fetch(`${app.origin}/status/${slug}/incidents/${id}`)).status).toBe(404);
    await api.post(`/v1/incidents/${id}/acknowledge`);
    await api.post(`/v1/incidents/${id}/updates`, { text: 'x', phase: 'resolved' });
    expect(await report()).toEqual(before);
    expect((await fetch(`${app.origin}/status/${slug}/incidents/${id}`)).status).toBe(404);
    // Pages that are composed anew show a real incident, but not the drill.
    await started(monitorId);
    await reportIncident(api, [monitorId], { title: 'Payments are delayed' });
    const texts = await Promise.all(paths.map(async (path) => (await fetch(app.origin + path)).text()));
    expect(texts.filter((text) => text.includes('Payments are delayed')).length).toBeGreaterThanOrEqual(5);
    expect(texts.filter((text) => /drill/i.test(text))).toEqual([]);
  });
});

/** Returns the figures in a response that count outages. */
function outagesIn(body: unknown): string[] {
  const names = 'incidentCount|notifiedCount|acknowledgedCount|downSeconds|longestOutageSeconds|down';
  const found = JSON.stringify(body).match(new RegExp(`"(${names})":[\\d.]+`, 'g')) ?? [];
  expect(found.length).toBeGreaterThan(0);
  return found;
}

/** Removes the moments at which a page was composed. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC)/g, 'T').replaceAll(/\d{8}T\d{6}Z/g, 'T');
}
