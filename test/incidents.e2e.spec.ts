import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type CheckDto } from '../src/modules/checks/dto/check.dto.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { answers, inTurn, startTarget, type Target } from './support/target.js';

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

const create = (path: string, more: Record<string, unknown> = {}) =>
  createMonitor(api, httpMonitor(target.url(path), more));

async function incidentsOf(id: string, query = ''): Promise<IncidentDto[]> {
  const { status, body } = await api.get<Page<IncidentDto>>(`/v1/monitors/${id}/incidents${query}`);
  expect(status).toBe(200);
  return body.data;
}

/** Creates a monitor that goes down, and returns its id with the incident. */
async function fallen(path: string, more: Record<string, unknown> = {}) {
  const { id } = await create(path, { failureThreshold: 1, ...more });
  await untilStatus(api, id, 'up');
  target.behave(path, answers(503));
  await untilStatus(api, id, 'down');
  const [incident] = await incidentsOf(id);
  return { id, incident: incident! };
}

describe('an outage', () => {
  it('opens an incident once it is confirmed, which the first passing check resolves', async () => {
    const { id } = await create('/outage', {
      name: 'Checkout',
      tags: ['shop', 'eu'],
      intervalSeconds: 2,
      retryIntervalSeconds: 1,
      assertions: [{ source: 'header', property: 'x-none', comparison: 'notExists' }],
    });
    await untilStatus(api, id, 'up');
    expect(await incidentsOf(id)).toEqual([]);
    target.behave('/outage', answers(503));
    await untilStatus(api, id, 'down');

    const [open, ...more] = await incidentsOf(id);
    expect(more).toEqual([]);
    const failing = (await listChecks(api, id, '&status=down')).reverse();
    expect(open).toMatchObject({
      revision: 1,
      kind: 'detected',
      title: 'Checkout is down',
      monitorIds: [id],
      parentIncidentId: null,
      status: 'open',
      impact: 'down',
      startedAt: failing[0]!.checkedAt,
      confirmedAt: failing[1]!.checkedAt,
      resolvedAt: null,
      durationSeconds: null,
      outageCount: 1,
      acknowledgedAt: null,
      updates: [],
      cause: {
        errorCode: 'unexpected_status',
        message: failing[1]!.error!.message,
        statusCode: 503,
        failedAssertions: [],
        firstFailedCheckId: failing[0]!.id,
        lastFailedCheckId: null,
      },
    });

    target.behave('/outage', answers(200));
    const { statusSince } = await untilStatus(api, id, 'up');
    const [resolved, ...others] = await incidentsOf(id);
    expect(others).toEqual([]);
    expect(resolved).toMatchObject({ id: open!.id, status: 'resolved', resolvedAt: statusSince, revision: 1 });
    const seconds = (Date.parse(statusSince) - Date.parse(open!.startedAt)) / 1_000;
    expect(resolved!.durationSeconds).toBe(seconds);
    const last = await api.get<CheckDto>(`/v1/monitors/${id}/checks/${resolved!.cause!.lastFailedCheckId}`);
    expect(last.body).toMatchObject({ status: 'down' });
    const [newest] = await listChecks(api, id, `&status=down&to=${statusSince}`);
    expect(last.body.id).toBe(newest!.id);
  });

  it('does not open an incident before the failure is confirmed', async () => {
    const { id } = await create('/hiccup', { intervalSeconds: 2, retryIntervalSeconds: 1 });
    await untilStatus(api, id, 'up');
    target.behave('/hiccup', inTurn(answers(503), answers(200)));
    await eventually(async () => expect(await listChecks(api, id, '&status=down')).not.toEqual([]));
    const [failed] = await listChecks(api, id, '&status=down');
    await eventually(async () => {
      const [newest] = await listChecks(api, id);
      expect(Date.parse(newest!.checkedAt)).toBeGreaterThan(Date.parse(failed!.checkedAt));
    });
    expect((await listChecks(api, id, '&status=down')).length).toBe(1);
    expect(await incidentsOf(id)).toEqual([]);
  });

  it('ends when its monitor is deleted, and its incident remains readable', async () => {
    const { id, incident } = await fallen('/deleted');
    await api.delete(`/v1/monitors/${id}`);
    await eventually(async () => {
      const { body } = await api.get<IncidentDto>(`/v1/incidents/${incident.id}`);
      expect(body).toMatchObject({ status: 'resolved', monitorIds: [], title: incident.title });
    });
  });

  it('that spans a pause of the monitor is one incident', async () => {
    const { id, incident } = await fallen('/paused');
    await api.post(`/v1/monitors/${id}/pause`);
    await untilStatus(api, id, 'paused');
    await api.post(`/v1/monitors/${id}/resume`);
    await untilStatus(api, id, 'down');
    expect(await incidentsOf(id)).toEqual([incident]);
    target.behave('/paused', answers(200));
    await untilStatus(api, id, 'up');
    expect(await incidentsOf(id)).toMatchObject([{ id: incident.id, status: 'resolved' }]);
  });
});

describe('a detected incident', () => {
  it('keeps its first acknowledgement; a later note replaces the earlier one', async () => {
    const { incident } = await fallen('/acknowledged');
    const path = `/v1/incidents/${incident.id}/acknowledge`;
    const { status, body } = await api.post<IncidentDto>(path, { note: 'On it.' });
    const acknowledgedBy = expect.stringMatching(/^api-key:[0-9a-f-]{36}$/);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { revision: 2, acknowledgedBy, acknowledgeNote: 'On it.' },
    });

    expect((await api.post<IncidentDto>(path)).body).toEqual(body);
    const second = await app.api(app.teams.ours.admin).post<IncidentDto>(path, { note: 'Mine.' });
    expect(second.body).toEqual({ ...body, revision: 3, acknowledgeNote: 'Mine.', updatedAt: expect.any(String) });
    expect((await api.post(path, { note: 5 })).body).toMatchObject({ code: 'validation_failed' });
  });

  it('is acknowledged until that expires or is withdrawn', async () => {
    const { incident } = await fallen('/acknowledged-for-a-time');
    const path = `/v1/incidents/${incident.id}`;
    const lasts = ({ acknowledgedAt, acknowledgedUntil }: IncidentDto): number | null =>
      acknowledgedUntil === null ? null : Date.parse(acknowledgedUntil) - Date.parse(acknowledgedAt!);
    const first = await api.post<IncidentDto>(`${path}/acknowledge`);
    expect(lasts(first.body)).toBe(3_600_000);
    const forEver = await api.post<IncidentDto>(`${path}/acknowledge`, { expiresInSeconds: 0 });
    expect(lasts(forEver.body)).toBeNull();
    expect(forEver.body.acknowledgedAt).toBe(first.body.acknowledgedAt);

    const withdrawn = await api.post<IncidentDto>(`${path}/unacknowledge`);
    expect(withdrawn).toMatchObject({
      status: 200,
      body: { acknowledgedAt: null, acknowledgedBy: null, acknowledgedUntil: null, acknowledgeNote: null },
    });
    expect((await api.post(`${path}/unacknowledge`)).body).toEqual(withdrawn.body);
    for (const expiresInSeconds of [-1, 2_592_001, 1.5, '60']) {
      const { status, body } = await api.post(`${path}/acknowledge`, { expiresInSeconds });
      expect({ status, errors: body.errors }).toMatchObject({
        status: 422,
        errors: [{ pointer: '/expiresInSeconds' }],
      });
    }
  });

  it('accepts updates, which do not resolve it', async () => {
    const { id, incident } = await fallen('/told');
    const path = `/v1/incidents/${incident.id}/updates`;
    const note = await api.post<IncidentDto>(path, { text: 'Started with the release.' });
    expect(note.status).toBe(201);
    expect(note.headers.get('location')).toBe(`/v1/incidents/${incident.id}`);
    const told = await api.post<IncidentDto>(path, { phase: 'identified', text: 'Rolling back.' });
    expect(told.body).toMatchObject({
      status: 'open',
      revision: 3,
      updates: [
        { phase: 'note', text: 'Started with the release.', public: false },
        { phase: 'identified', text: 'Rolling back.', public: true, author: expect.stringContaining('api-key:') },
      ],
    });
    const early = await api.post(path, { phase: 'resolved', text: 'Done.' });
    expect(early).toMatchObject({ status: 422, body: { errors: [{ pointer: '/phase', code: 'invalid_value' }] } });

    target.behave('/told', answers(200));
    await untilStatus(api, id, 'up');
    const after = await api.post<IncidentDto>(path, { phase: 'resolved', text: 'Rolled back.' });
    expect(after).toMatchObject({ status: 201, body: { status: 'resolved' } });
    expect(after.body.updates).toHaveLength(3);
    const again = await api.post(path, { phase: 'monitoring', text: 'Watching.' });
    expect(again).toMatchObject({ status: 422, body: { errors: [{ pointer: '/phase', code: 'invalid_value' }] } });
    const review = await api.post<IncidentDto>(path, { phase: 'postmortem', text: '# Cause' });
    expect(review.body.updates.at(-1)).toMatchObject({ phase: 'postmortem', text: '# Cause', public: true });
  });

  it('only allows its title to be changed', async () => {
    const { incident } = await fallen('/renamed');
    const path = `/v1/incidents/${incident.id}`;
    const renamed = await api.patch<IncidentDto>(path, { title: 'The shop is away' });
    expect(renamed).toMatchObject({ status: 200, body: { title: 'The shop is away', revision: 2 } });
    const refused = await api.patch(path, { title: 'X', impact: 'none', resolvedAt: null, status: 'resolved' });
    expect(refused.body.errors).toMatchObject([
      { pointer: '/impact', code: 'not_applicable' },
      { pointer: '/resolvedAt', code: 'not_applicable' },
    ]);
    const readOnly = await api.patch(path, { status: 'resolved' });
    expect(readOnly.body.errors).toMatchObject([{ pointer: '/status', code: 'read_only_field' }]);
    expect((await api.patch(path, { title: null })).status).toBe(422);
  });
});

describe('a manual incident', () => {
  it('is created, updated, resolved and reopened', async () => {
    const { id } = await create('/manual', { key: 'manual', paused: true });
    const made = await api.post<IncidentDto>('/v1/incidents', {
      title: 'Payments are delayed',
      monitorIds: ['key:manual'],
      update: { phase: 'investigating', text: 'We are looking into it.' },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        kind: 'manual',
        status: 'open',
        impact: 'degraded',
        monitorIds: [id],
        cause: null,
        confirmedAt: null,
        outageCount: 0,
        updates: [{ phase: 'investigating', public: true }],
      },
    });
    const path = `/v1/incidents/${made.body.id}`;
    const resolved = await api.post<IncidentDto>(`${path}/updates`, { phase: 'resolved', text: 'All through.' });
    expect(resolved.body).toMatchObject({ status: 'resolved', durationSeconds: expect.any(Number) });
    const noted = await api.post<IncidentDto>(`${path}/updates`, { text: 'To be reviewed.' });
    expect(noted.body.resolvedAt).toBe(resolved.body.resolvedAt);
    const early = await api.post(`${path}/updates`, { phase: 'monitoring', text: 'It is back.' });
    expect(early).toMatchObject({ status: 422, body: { errors: [{ pointer: '/phase', code: 'invalid_value' }] } });
    const again = await api.patch<IncidentDto>(path, { resolvedAt: null });
    expect(again.body).toMatchObject({ status: 'open', resolvedAt: null });
    expect((await api.post(`${path}/updates`, { phase: 'postmortem', text: 'Too early.' })).status).toBe(422);
    const told = await api.post<IncidentDto>(`${path}/updates`, { phase: 'monitoring', text: 'It is back.' });
    expect(await incidentsOf(id)).toEqual([told.body]);
  });

  it('is created as resolved if its first update has the phase resolved', async () => {
    await create('/over', { key: 'over', paused: true });
    const made = await api.post<IncidentDto>('/v1/incidents', {
      title: 'Payments were delayed',
      monitorIds: ['key:over'],
      update: { phase: 'resolved', text: 'It is over.' },
    });
    expect(made).toMatchObject({ status: 201, body: { status: 'resolved', resolvedAt: expect.any(String) } });
  });

  it('may lie in the past, and can be corrected', async () => {
    await create('/past', { key: 'past', paused: true });
    const { id: other } = await create('/past', { key: 'past-too', paused: true });
    const times = { startedAt: '2026-01-01T12:00:00.000Z', resolvedAt: '2026-01-01T12:30:00.000Z' };
    const made = await api.post<IncidentDto>('/v1/incidents', { title: 'Past', monitorIds: ['key:past'], ...times });
    expect(made.body).toMatchObject({ ...times, status: 'resolved', durationSeconds: 1_800 });
    const path = `/v1/incidents/${made.body.id}`;
    const changes = { monitorIds: ['key:past-too'], impact: 'none', resolvedAt: '2026-01-01T12:10:00Z' };
    const { body } = await api.patch<IncidentDto>(path, changes);
    expect(body).toMatchObject({
      monitorIds: [other],
      impact: 'none',
      durationSeconds: 600,
      title: 'Past',
      revision: 2,
    });
    expect((await api.patch<IncidentDto>(path, { resolvedAt: null, impact: null })).body).toMatchObject({
      status: 'open',
      impact: 'degraded',
    });
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['no title', { title: undefined }, '/title', 'required'],
    ['no monitors', { monitorIds: [] }, '/monitorIds', 'too_short'],
    ['an unknown monitor', { monitorIds: ['key:nobody'] }, '/monitorIds/0', 'invalid_value'],
    ['a duplicate monitor', { monitorIds: ['key:bad-input', 'key:bad-input'] }, '/monitorIds/1', 'duplicate'],
    ['an unknown impact', { impact: 'terrible' }, '/impact', 'invalid_value'],
    ['a start in the future', { startedAt: '2999-01-01T00:00:00Z' }, '/startedAt', 'out_of_range'],
    ['an end in the future', { resolvedAt: '2999-01-01T00:00:00Z' }, '/resolvedAt', 'out_of_range'],
    [
      'an end before the start',
      { startedAt: '2026-01-02T00:00:00Z', resolvedAt: '2026-01-01T00:00:00Z' },
      '/resolvedAt',
      'out_of_range',
    ],
    [
      'an open phase for a resolved incident',
      {
        resolvedAt: '2026-01-01T00:00:00Z',
        startedAt: '2026-01-01T00:00:00Z',
        update: { phase: 'monitoring', text: 'X' },
      },
      '/update/phase',
      'invalid_value',
    ],
    ['an update without text', { update: { phase: 'resolved' } }, '/update/text', 'required'],
    ['an update with an unknown phase', { update: { phase: 'fixed', text: 'X' } }, '/update/phase', 'invalid_value'],
    ['a kind', { kind: 'manual' }, '/kind', 'read_only_field'],
    ['an unknown field', { severity: 1 }, '/severity', 'unknown_field'],
  ])('with %s is rejected', async (_, wrong, pointer, code) => {
    // prettier-ignore
    await api.put('/v1/monitors/key:bad-input', httpMonitor(target.url('/'), { paused: true }));
    const body = { title: 'T', monitorIds: ['key:bad-input'], ...wrong };
    const answer = await api.post('/v1/incidents', JSON.parse(JSON.stringify(body)) as Record<string, unknown>);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
  });

  it("cannot refer to another team's monitor", async () => {
    const theirs = await createMonitor(app.api(app.teams.theirs.write), httpMonitor(target.url('/'), { paused: true }));
    const answer = await api.post('/v1/incidents', { title: 'T', monitorIds: [theirs.id] });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/monitorIds/0', code: 'invalid_value' }] },
    });
  });

  it('is changed by only one of two concurrent writers with the same ETag', async () => {
    await api.put('/v1/monitors/key:etag', httpMonitor(target.url('/'), { paused: true }));
    const made = await api.post<IncidentDto>('/v1/incidents', { title: 'T', monitorIds: ['key:etag'] });
    const path = `/v1/incidents/${made.body.id}`;
    const headers = { 'if-match': made.headers.get('etag')! };
    const both = await Promise.all(['A', 'B'].map((title) => api.call('PATCH', path, { json: { title }, headers })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await api.call('POST', `${path}/acknowledge`, { headers })).status).toBe(412);
  });
});

describe('the list of incidents', () => {
  it('can be filtered by status, kind, monitor, tag and time, and has pages', async () => {
    await create('/listed', { key: 'listed', tags: ['a', 'b'], paused: true });
    await create('/listed', { key: 'listed-too', tags: ['a'], paused: true });
    const make = async (title: string, key: string, startedAt: string, resolvedAt: string | null) => {
      const body = { title, monitorIds: [`key:${key}`], startedAt, resolvedAt };
      expect((await api.post('/v1/incidents', body)).status).toBe(201);
    };
    await make('first', 'listed', '2026-02-01T00:00:00Z', '2026-02-02T00:00:00Z');
    await make('second', 'listed', '2026-02-03T00:00:00Z', null);
    await make('third', 'listed-too', '2026-02-03T00:00:00Z', '2026-02-05T00:00:00Z');
    const titles = async (query: string): Promise<string[]> => {
      const { body } = await api.get<Page<IncidentDto>>(`/v1/incidents?kind=manual&tag=a${query}`);
      return body.data.map(({ title }) => title).filter((title) => ['first', 'second', 'third'].includes(title));
    };
    expect((await titles('')).sort()).toEqual(['first', 'second', 'third']);
    expect(await titles('&status=open')).toEqual(['second']);
    expect(await titles('&monitorId=key:listed')).toEqual(['second', 'first']);
    expect(await titles('&monitorId=key:nobody')).toEqual([]);
    expect(await titles('&tag=b')).toEqual(['second', 'first']);
    expect((await titles('&from=2026-02-02T00:00:00Z')).sort()).toEqual(['second', 'third']);
    expect(await titles('&to=2026-02-03T00:00:00Z')).toEqual(['first']);
    expect(await titles('&from=2026-02-04T00:00:00Z&to=2026-02-04T00:00:01Z&status=resolved')).toEqual(['third']);

    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await api.get<Page<IncidentDto>>(`/v1/incidents?tag=a&limit=1${next}`);
      seen.push(...body.data.map(({ title }) => title));
      cursor = body.nextCursor;
    }
    expect([...seen].sort()).toEqual(['first', 'second', 'third']);
  });
});

describe('an incident of a monitor with a parent', () => {
  const make = (path: string, more: Record<string, unknown>) => create(path, { failureThreshold: 1, ...more });

  /** Waits for the only incident of a monitor. */
  const incidentOf = (id: string): Promise<IncidentDto> =>
    eventually(async () => {
      const [incident, ...more] = await incidentsOf(id);
      expect(more).toEqual([]);
      expect(incident).toBeDefined();
      return incident!;
    });

  it('is grouped under the incident of the parent, in whichever order they are detected', async () => {
    const parent = await make('/router', { name: 'Router' });
    const child = await make('/server', { name: 'Server', parentIds: [parent.id] });
    const grandchild = await make('/service', { name: 'Service', parentIds: [child.id] });
    for (const { id } of [parent, child, grandchild]) await untilStatus(api, id, 'up');
    for (const path of ['/service', '/server', '/router']) target.behave(path, answers(503));
    for (const { id } of [parent, child, grandchild]) await untilStatus(api, id, 'down');

    const router = await incidentOf(parent.id);
    expect(router.parentIncidentId).toBeNull();
    await eventually(async () => expect((await incidentOf(child.id)).parentIncidentId).toBe(router.id));
    const server = await incidentOf(child.id);
    await eventually(async () => expect((await incidentOf(grandchild.id)).parentIncidentId).toBe(server.id));

    // It remains grouped when the parent recovers first.
    target.behave('/router', answers(200));
    await untilStatus(api, parent.id, 'up');
    target.behave('/server', answers(200));
    await untilStatus(api, child.id, 'up');
    expect(await incidentOf(child.id)).toMatchObject({ parentIncidentId: router.id, status: 'resolved' });
  });

  it('has no parent incident while the parent is up', async () => {
    const parent = await make('/well', {});
    const child = await make('/unwell', { parentIds: [parent.id] });
    for (const { id } of [parent, child]) await untilStatus(api, id, 'up');
    target.behave('/unwell', answers(503));
    await untilStatus(api, child.id, 'down');
    expect((await incidentOf(child.id)).parentIncidentId).toBeNull();
    expect(await incidentsOf(parent.id)).toEqual([]);
  });
});
