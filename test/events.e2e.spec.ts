import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type ApiKeyDto, type ApiKeyWithSecretDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type Page } from '../src/http/lists/page.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { type EventStream, openStream } from './support/event-stream.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor } from './support/monitors.js';

const EVENTS = '/v1/events';

let app: TestApp;
let admin: Client;
let reader: Client;
let own: ApiKeyDto;
beforeAll(async () => {
  app = await sharedApp();
  admin = app.api(app.teams.ours.admin);
  reader = app.api(app.teams.ours.read);
  own = (await admin.get<ApiKeyDto>('/v1/api-keys/self')).body;
});
afterAll(() => app.close());

const typesOf = (events: readonly EventDto[]): string[] => events.map(({ type }) => type);

async function found(resourceId: string, query = '', api = admin): Promise<EventDto[]> {
  const { status, body } = await api.get<Page<EventDto>>(`${EVENTS}?resourceId=${resourceId}${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data;
}

/** Waits until the events of a resource, newest first, have these types: they show once no earlier one can follow. */
async function eventsOf(resourceId: string, types: readonly string[]): Promise<EventDto[]> {
  return eventually(async () => {
    const events = await found(resourceId);
    expect(typesOf(events)).toEqual(types);
    return events;
  });
}

const stillMonitor = (more: object = {}) =>
  createMonitor(admin, httpMonitor('http://127.0.0.1:9/', { paused: true, ...more }));

describe('the log of events', () => {
  it('contains each change of a monitor with its author, the request and what changed, without secrets', async () => {
    const monitor = await stillMonitor({ headers: { 'X-Api-Key': 'one', Accept: 'a' }, secretHeaders: ['X-Api-Key'] });
    const patch = { name: 'Renamed', headers: { 'X-Api-Key': 'two' } };
    const requestId = randomUUID();
    await admin.call('PATCH', `/v1/monitors/${monitor.id}`, { json: patch, headers: { 'X-Request-Id': requestId } });
    await admin.patch(`/v1/monitors/${monitor.id}`, { name: 'Renamed' });
    await admin.post(`/v1/monitors/${monitor.id}/resume`);
    await admin.post(`/v1/monitors/${monitor.id}/pause`, { reason: 'Enough' });
    await admin.delete(`/v1/monitors/${monitor.id}`);

    const events = await eventsOf(monitor.id, [
      'monitor.deleted',
      'monitor.paused',
      'monitor.resumed',
      'monitor.updated',
      'monitor.created',
    ]);
    const updated = events.find(({ type }) => type === 'monitor.updated')!;
    expect(updated).toMatchObject({
      actor: { type: 'api_key', id: own.id, name: own.name },
      requestId,
      resource: { type: 'monitor', id: monitor.id, key: null, name: 'Renamed' },
      changes: [
        { pointer: '/name', before: monitor.name, after: 'Renamed' },
        { pointer: '/headers/X-Api-Key', before: '********', after: '********' },
      ],
    });
    expect(events[1]!.data).toMatchObject({ reason: 'Enough', until: null });
    expect((await admin.get<EventDto>(`${EVENTS}/${updated.id}`)).body).toEqual(updated);
  });

  it('contains what callers do with incidents, status pages, windows, exclusions and keys', async () => {
    const { id: monitorId } = await stillMonitor();
    const incident = (await admin.post<IncidentDto>('/v1/incidents', { title: 'Slow', monitorIds: [monitorId] })).body;
    await admin.post(`/v1/incidents/${incident.id}/acknowledge`, {});
    await admin.post(`/v1/incidents/${incident.id}/updates`, { text: 'We know more.', phase: 'identified' });
    await admin.patch(`/v1/incidents/${incident.id}`, { resolvedAt: new Date(Date.now() - 1).toISOString() });
    await admin.patch(`/v1/incidents/${incident.id}`, { resolvedAt: null });
    const told = await eventsOf(incident.id, [
      'incident.reopened',
      'incident.resolved',
      'incident.updated',
      'incident.acknowledged',
      'incident.opened',
    ]);
    expect(told[2]!.data).toMatchObject({ kind: 'manual', update: { text: 'We know more.', phase: 'identified' } });

    const page = (await admin.post<StatusPageDto>('/v1/status-pages', { name: 'Shop', slug: `s-${randomUUID()}` }))
      .body;
    await admin.patch(`/v1/status-pages/${page.id}`, { accessType: 'password', password: 'correct horse' });
    await admin.delete(`/v1/status-pages/${page.id}`);
    const ofPage = await eventsOf(page.id, ['status_page.deleted', 'status_page.updated', 'status_page.created']);
    expect(ofPage[1]!.changes).toEqual([
      { pointer: '/accessType', before: 'public', after: 'password' },
      { pointer: '/password', before: null, after: '********' },
    ]);

    const window = (
      await admin.post<{ id: string }>('/v1/maintenance-windows', { name: 'Upgrade', monitorIds: [monitorId] })
    ).body;
    await admin.post(`/v1/maintenance-windows/${window.id}/start`, { durationSeconds: 3_600 });
    await admin.post(`/v1/maintenance-windows/${window.id}/start`, { durationSeconds: 7_200 });
    await admin.patch(`/v1/maintenance-windows/${window.id}`, { name: 'Upgrades' });
    await admin.delete(`/v1/maintenance-windows/${window.id}`);
    const ofWindow = await eventsOf(window.id, [
      'maintenance_window.deleted',
      'maintenance.ended',
      'maintenance_window.updated',
      'maintenance_window.updated',
      'maintenance.started',
      'maintenance_window.created',
    ]);
    const [extended, ...further] = ofWindow[3]!.changes!;
    expect([extended!.pointer, further]).toEqual(['/activeUntil', []]);
    expect(Date.parse(String(extended!.after)) - Date.parse(String(extended!.before))).toBeGreaterThanOrEqual(
      3_600_000,
    );

    const past = { from: '2026-01-01T12:00:00.000Z', to: '2026-01-01T12:30:00.000Z', reason: 'A load test' };
    const exclusion = (await admin.post<{ id: string }>('/v1/exclusions', { monitorIds: [monitorId], ...past })).body;
    await admin.delete(`/v1/exclusions/${exclusion.id}`);
    await eventsOf(exclusion.id, ['exclusion.deleted', 'exclusion.created']);

    const key = (await admin.post<ApiKeyWithSecretDto>('/v1/api-keys', { name: 'CI', scopes: ['read'] })).body;
    await admin.patch(`/v1/api-keys/${key.id}`, { scopes: ['write'] });
    await admin.post(`/v1/api-keys/${key.id}/rotate`, {});
    await admin.delete(`/v1/api-keys/${key.id}`);
    const ofKey = await eventsOf(key.id, ['api_key.revoked', 'api_key.rotated', 'api_key.updated', 'api_key.created']);
    expect(ofKey[2]!.changes).toEqual([{ pointer: '/scopes', before: ['read'], after: ['write'] }]);
    expect(JSON.stringify(ofKey)).not.toContain(key.secret);
  });

  it('shows keys without the scope `admin` only what concerns operations', async () => {
    const key = (await admin.post<ApiKeyWithSecretDto>('/v1/api-keys', { name: 'CI', scopes: ['read'] })).body;
    const monitor = await stillMonitor();
    const [created] = await eventsOf(key.id, ['api_key.created']);
    await eventsOf(monitor.id, ['monitor.created']);
    expect(await found(key.id, '', reader)).toEqual([]);
    expect((await reader.get(`${EVENTS}/${created!.id}`)).status).toBe(404);
    expect(typesOf(await found(monitor.id, '', reader))).toEqual(['monitor.created']);
    const theirs = app.api(app.teams.theirs.admin);
    expect((await theirs.get(`${EVENTS}/${created!.id}`)).status).toBe(404);
    expect(await found(monitor.id, '', theirs)).toEqual([]);
  });

  it('filters by type, also by its beginning, by resource, author and time', async () => {
    const monitor = await stillMonitor();
    await admin.patch(`/v1/monitors/${monitor.id}`, { name: 'Another name' });
    await eventsOf(monitor.id, ['monitor.updated', 'monitor.created']);
    const of = async (query: string): Promise<string[]> => typesOf(await found(monitor.id, query));
    expect(await of('&type=monitor.*')).toEqual(['monitor.updated', 'monitor.created']);
    expect(await of('&type=monitor.created')).toEqual(['monitor.created']);
    expect(await of('&type=monitor.created&type=incident.*')).toEqual(['monitor.created']);
    expect(await of('&type=monitor_*')).toEqual([]);
    expect(await of('&resourceType=incident')).toEqual([]);
    expect(await of(`&actorId=${own.id}`)).toEqual(['monitor.updated', 'monitor.created']);
    expect(await of(`&actorId=${randomUUID()}`)).toEqual([]);
    expect(await of('&to=2026-01-01T00:00:00.000Z')).toEqual([]);
    expect((await admin.get(`${EVENTS}?type=Monitor`)).status).toBe(400);
    expect((await admin.get(`${EVENTS}?after=${randomUUID()}`)).status).toBe(400);
  });

  it('can be followed from an event on, oldest first, page by page', async () => {
    const first = await stillMonitor();
    const [start] = await eventsOf(first.id, ['monitor.created']);
    for (const name of ['B', 'C', 'D']) await admin.patch(`/v1/monitors/${first.id}`, { name });
    await eventsOf(first.id, ['monitor.updated', 'monitor.updated', 'monitor.updated', 'monitor.created']);
    const seen: string[] = [];
    let query = `after=${start!.id}&limit=2&resourceId=${first.id}`;
    for (;;) {
      const { body } = await admin.get<Page<EventDto>>(`${EVENTS}?${query}`);
      seen.push(...body.data.map(({ resource }) => String(resource.name)));
      if (body.nextCursor === null) break;
      query = `cursor=${body.nextCursor}&limit=2`;
    }
    expect(seen).toEqual(['B', 'C', 'D']);
  });
});

describe('the stream of events', () => {
  it('sends what happens, and continues after the last event that a reader has received', async () => {
    const monitor = await stillMonitor();
    const query = `resourceId=${monitor.id}`;
    const [created] = await eventsOf(monitor.id, ['monitor.created']);
    const stream = await openStream(app.origin, app.teams.ours.read, query);
    for (const name of ['B', 'C']) await admin.patch(`/v1/monitors/${monitor.id}`, { name });
    const namesIn = ({ events }: EventStream): unknown[] => events().map(({ resource }) => resource.name);
    await eventually(() => expect(namesIn(stream)).toEqual(['B', 'C']));
    stream.close();
    await admin.patch(`/v1/monitors/${monitor.id}`, { name: 'D' });

    const resumed = await openStream(app.origin, app.teams.ours.read, query, stream.ids()[0]);
    await eventually(() => expect(namesIn(resumed)).toEqual(['C', 'D']));
    resumed.close();
    const whole = await openStream(app.origin, app.teams.ours.read, query, created!.id);
    await eventually(() => expect(namesIn(whole)).toEqual(['B', 'C', 'D']));
    expect(whole.events()).toEqual((await found(monitor.id)).slice(0, 3).reverse());
    whole.close();
  });

  it('resumes in one piece, however large the events that a reader has missed', async () => {
    const monitor = await stillMonitor({ method: 'POST', body: 'A' });
    const [created] = await eventsOf(monitor.id, ['monitor.created']);
    for (let index = 0; index < 30; index += 1) {
      const body = `${index}`.repeat(65_536).slice(0, 65_536);
      expect((await admin.patch(`/v1/monitors/${monitor.id}`, { body })).status).toBe(200);
    }
    const stream = await openStream(app.origin, app.teams.ours.read, `resourceId=${monitor.id}`, created!.id);
    await eventually(() => expect(stream.ids()).toHaveLength(30));
    expect(stream.ended()).toBe(false);
    const afters = stream.events().map(({ changes }) => (changes![0]!.after as string).slice(0, 2));
    expect(afters).toEqual(Array.from({ length: 30 }, (_, index) => `${index}`.repeat(2).slice(0, 2)));
    stream.close();
  });

  it('ends when its key is revoked', async () => {
    const key = (await admin.post<ApiKeyWithSecretDto>('/v1/api-keys', { name: 'Reader', scopes: ['read'] })).body;
    const stream = await openStream(app.origin, key.secret!);
    expect(stream.status).toBe(200);
    await admin.delete(`/v1/api-keys/${key.id}`);
    await eventually(() => expect(stream.ended()).toBe(true));
  });

  it('rejects an unknown event to continue from, and callers without a key', async () => {
    expect((await openStream(app.origin, app.teams.ours.read, '', randomUUID())).status).toBe(400);
    expect((await openStream(app.origin, 'dw_nobody')).status).toBe(401);
  });
});
