import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Page } from '../src/http/lists/page.js';
import { type FieldError } from '../src/http/problems/problem.js';
import { type MaintenanceWindowDto } from '../src/modules/maintenance/dto/maintenance-window.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { createMonitor, httpMonitor } from './support/monitors.js';

const WINDOWS = '/v1/maintenance-windows';
const FIELDS = { name: 'A window', tags: ['nothing'] };
const ONCE = { startsAt: '2030-01-06T01:30:00.000Z', endsAt: '2030-01-06T03:30:00.000Z' };

let app: TestApp;
let api: Client;
let theirs: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  theirs = app.api(app.teams.theirs.write);
});
afterAll(() => app.close());

async function create(body: object): Promise<MaintenanceWindowDto> {
  const answer = await api.post<MaintenanceWindowDto>(WINDOWS, { ...FIELDS, ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}
const monitor = async (more: object = {}, by = api) =>
  (await createMonitor(by, httpMonitor('http://127.0.0.1:9/', { paused: true, ...more }))).id;
const get = async (id: string) => (await api.get<MaintenanceWindowDto>(`${WINDOWS}/${id}`)).body;

describe('a maintenance window', () => {
  it('is created with its defaults, and read by id and key', async () => {
    const key = randomUUID();
    const made = await api.post<MaintenanceWindowDto>(WINDOWS, { ...FIELDS, key });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      revision: 1,
      key,
      name: 'A window',
      description: null,
      monitorIds: [],
      tags: ['nothing'],
      startsAt: null,
      endsAt: null,
      timezone: 'UTC',
      rrule: null,
      public: true,
      notifySubscribers: true,
      active: false,
      activeUntil: null,
      nextStartsAt: null,
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
    });
    expect(made.headers.get('location')).toBe(`${WINDOWS}/${made.body.id}`);
    for (const id of [made.body.id, `key:${key}`]) {
      const read = await api.get(`${WINDOWS}/${id}`);
      expect(read).toMatchObject({ status: 200, body: made.body });
      expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
    }
  });

  it('reports its next start', async () => {
    const rrule = 'FREQ=MONTHLY;BYDAY=1SU';
    const window = await create({ ...ONCE, timezone: 'Europe/Berlin', rrule });
    expect(window).toMatchObject({ ...ONCE, rrule, active: false, nextStartsAt: ONCE.startsAt });
    const { body } = await api.patch<MaintenanceWindowDto>(`${WINDOWS}/${window.id}`, {
      startsAt: '2020-01-05T01:30:00Z',
      endsAt: '2020-01-05T02:30:00Z',
    });
    const next = new Date(body.nextStartsAt!);
    expect(next.getTime()).toBeGreaterThan(Date.now());
    expect(next.getUTCDay()).toBe(0);
    expect(next.getUTCDate()).toBeLessThanOrEqual(7);
  });

  it('is over if it lies in the past', async () => {
    const window = await create({ startsAt: '2020-01-05T01:30:00Z', endsAt: '2020-01-05T02:30:00Z' });
    expect(window).toMatchObject({ active: false, nextStartsAt: null });
  });

  it('returns a definition that PUT accepts unchanged', async () => {
    const key = randomUUID();
    const [plain, keyed] = [await monitor(), await monitor({ key })];
    const window = await create({ ...ONCE, monitorIds: [plain, `key:${key}`], public: false });
    expect(window.monitorIds).toEqual([plain, keyed]);
    const read = await api.get<Record<string, unknown>>(`${WINDOWS}/${window.id}/definition`);
    expect(read.body).toEqual({
      key: null,
      name: 'A window',
      description: null,
      monitorIds: [plain, `key:${key}`],
      tags: ['nothing'],
      ...ONCE,
      timezone: 'UTC',
      rrule: null,
      public: false,
      notifySubscribers: true,
    });
    expect(await api.put(`${WINDOWS}/${window.id}`, read.body)).toMatchObject({
      status: 200,
      body: { ...window },
    });
    const list = await api.get<Page<Record<string, unknown>>>(`/v1/definitions/maintenance-windows?monitorId=${plain}`);
    expect(list.body.data).toEqual([read.body]);
  });

  it('is changed by merge patch: null restores a default, arrays are replaced', async () => {
    const named = await monitor();
    const { id } = await create({
      ...ONCE,
      monitorIds: [named],
      rrule: 'FREQ=DAILY',
      description: 'Why',
      public: false,
    });
    const patch = { rrule: null, description: null, public: null, tags: ['other'] };
    const { body } = await api.patch<MaintenanceWindowDto>(`${WINDOWS}/${id}`, patch);
    expect(body).toMatchObject({ ...ONCE, revision: 2, rrule: null, description: null, public: true });
    expect(body).toMatchObject({ tags: ['other'], monitorIds: [named] });
    const cleared = await api.patch(`${WINDOWS}/${id}`, { startsAt: null, endsAt: null });
    expect(cleared).toMatchObject({ status: 200, body: { startsAt: null, nextStartsAt: null } });
    expect(await api.patch(`${WINDOWS}/${id}`, { name: null })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/name', code: 'required' }] },
    });
  });

  it('no longer names a monitor that is deleted', async () => {
    const named = await monitor();
    const { id } = await create({ monitorIds: [named] });
    await api.delete(`/v1/monitors/${named}`);
    expect(await get(id)).toMatchObject({ monitorIds: [] });
    expect(await api.patch(`${WINDOWS}/${id}`, { name: 'Goes on' })).toMatchObject({ status: 200 });
  });

  it('can be changed after all its monitors are deleted', async () => {
    const named = await monitor();
    const { id } = await create({ monitorIds: [named], tags: [] });
    await api.delete(`/v1/monitors/${named}`);
    expect(await api.patch(`${WINDOWS}/${id}`, { name: 'Goes on' })).toMatchObject({
      status: 200,
      body: { name: 'Goes on', monitorIds: [], tags: [], revision: 2 },
    });
    expect(await api.patch(`${WINDOWS}/${id}`, { tags: [] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/monitorIds', code: 'required' }] },
    });
  });

  it('can be put by key, repeatedly and concurrently', async () => {
    const key = randomUUID();
    const path = `${WINDOWS}/key:${key}`;
    const racing = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        api.put<MaintenanceWindowDto>(path, { ...FIELDS, description: `Number ${n}` }),
      ),
    );
    expect(racing.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
    expect(new Set(racing.map(({ body }) => body.id)).size).toBe(1);
    expect(await get(`key:${key}`)).toMatchObject({ key, revision: 8 });
    expect(await api.post(WINDOWS, { ...FIELDS, key })).toMatchObject({ status: 409, body: { code: 'key_taken' } });
    const other = await create({});
    const taken = await api.patch(`${WINDOWS}/${other.id}`, { key });
    expect(taken).toMatchObject({ status: 409, body: { code: 'key_taken' } });
    expect(await api.put(`${WINDOWS}/${randomUUID()}`, FIELDS)).toMatchObject({ status: 404 });
    expect(await api.put(path, { ...FIELDS, key: 'another' })).toMatchObject({ status: 422 });
  });

  it('is written only at the revision in If-Match', async () => {
    const { id } = await create({});
    const path = `${WINDOWS}/${id}`;
    const { headers } = await api.get(path);
    const etag = headers.get('etag')!;
    const conditional = (method: string, at: string, json?: object) =>
      api.call(method, at, { json, headers: { 'if-match': etag } });
    const two = await Promise.all([
      conditional('PATCH', path, { name: 'A' }),
      conditional('PATCH', path, { name: 'B' }),
    ]);
    expect(two.map(({ status }) => status).sort()).toEqual([200, 412]);
    for (const [method, at, json] of [
      ['PUT', path, FIELDS],
      ['DELETE', path],
      ['POST', `${path}/start`, { durationSeconds: 5 }],
      ['POST', `${path}/end`],
    ] as const) {
      expect(await conditional(method, at, json)).toMatchObject({ status: 412 });
    }
    expect(await get(id)).toMatchObject({ revision: 2, active: false });
  });

  it('is created once when a POST is repeated', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const make = () => api.call<MaintenanceWindowDto>('POST', WINDOWS, { json: FIELDS, headers });
    const [first, again] = [await make(), await make()];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const start = () =>
      api.call<MaintenanceWindowDto>('POST', `${WINDOWS}/${first.body.id}/start`, {
        json: { durationSeconds: 60 },
        headers: { 'idempotency-key': `start-${headers['idempotency-key']}` },
      });
    expect([(await start()).body.revision, (await start()).body.revision]).toEqual([2, 2]);
  });

  it('is listed with filters and in pages', async () => {
    const tag = randomUUID();
    const key = randomUUID();
    const tagged = await monitor({ tags: [tag], key });
    const other = await monitor();
    const byTag = await create({ tags: [tag, 'more'] });
    const byName = await create({ monitorIds: [tagged, other], tags: [] });
    const runs = await create({ monitorIds: [other] });
    await api.post(`${WINDOWS}/${runs.id}/start`, { durationSeconds: 600 });
    const ids = async (query: string) => {
      const { status, body } = await api.get<Page<MaintenanceWindowDto>>(`${WINDOWS}?${query}`);
      expect(status).toBe(200);
      return body.data.map(({ id }) => id);
    };
    expect(await ids(`monitorId=key:${key}`)).toEqual([byName.id, byTag.id]);
    expect(await ids(`monitorId=${other}`)).toEqual([runs.id, byName.id]);
    expect(await ids(`monitorId=${other}&active=true`)).toEqual([runs.id]);
    expect(await ids(`monitorId=${other}&active=false`)).toEqual([byName.id]);
    expect(await ids(`tag=${tag}&tag=more`)).toEqual([byTag.id]);
    expect(await ids(`tag=${tag}&tag=less`)).toEqual([]);
    expect(await ids(`monitorId=${randomUUID()}`)).toEqual([]);
    expect(await ids(`monitorId=${await monitor({}, theirs)}`)).toEqual([]);
    const first = await api.get<Page<MaintenanceWindowDto>>(`${WINDOWS}?monitorId=key:${key}&limit=1`);
    expect(await ids(`limit=1&cursor=${first.body.nextCursor}`)).toEqual([byTag.id]);
    await api.delete(`${WINDOWS}/${runs.id}`);
    expect(await ids(`monitorId=${other}`)).toEqual([byName.id]);
  });
});

describe('bad input', () => {
  const DAILY = { ...ONCE, rrule: 'FREQ=DAILY' };
  it.each<[string, object, Partial<FieldError>]>([
    ['neither monitors nor tags', { tags: [], monitorIds: [] }, { pointer: '/monitorIds', code: 'required' }],
    ['no end', { startsAt: ONCE.startsAt }, { pointer: '/endsAt', code: 'required' }],
    ['no start', { endsAt: ONCE.endsAt }, { pointer: '/startsAt', code: 'required' }],
    [
      'an end before the start',
      { startsAt: ONCE.endsAt, endsAt: ONCE.startsAt },
      { pointer: '/endsAt', code: 'out_of_range', detail: 'endsAt must be later than startsAt.' },
    ],
    ['under a minute', { ...ONCE, endsAt: '2030-01-06T01:30:59.999Z' }, { pointer: '/endsAt', code: 'out_of_range' }],
    ['over 30 days', { ...ONCE, endsAt: '2030-02-05T01:30:00.001Z' }, { pointer: '/endsAt', code: 'out_of_range' }],
    ['an invalid time', { ...ONCE, startsAt: 'soon' }, { pointer: '/startsAt', code: 'invalid_value' }],
    [
      'a time without an offset',
      { ...ONCE, startsAt: '2030-01-06T01:30:00' },
      { pointer: '/startsAt', code: 'invalid_value' },
    ],
    ['an unknown zone', { ...ONCE, timezone: 'Europe/Atlantis' }, { pointer: '/timezone', code: 'invalid_value' }],
    ['an offset for a zone', { ...ONCE, timezone: '+01:00' }, { pointer: '/timezone', code: 'invalid_value' }],
    ['a rule without a start', { rrule: 'FREQ=DAILY' }, { pointer: '/rrule', code: 'not_applicable' }],
    ['a bad rule', { ...DAILY, rrule: 'each day' }, { pointer: '/rrule', code: 'invalid_value' }],
    ['an hourly rule', { ...DAILY, rrule: 'FREQ=HOURLY' }, { pointer: '/rrule', code: 'invalid_value' }],
    [
      'a rule with other properties',
      { ...DAILY, rrule: 'RRULE:FREQ=DAILY\nEXDATE:20300107T013000Z' },
      { pointer: '/rrule', code: 'invalid_value' },
    ],
    [
      'a long rule',
      { ...DAILY, rrule: `FREQ=DAILY;BYMONTH=${'1,'.repeat(300)}1` },
      { pointer: '/rrule', code: 'invalid_value' },
    ],
    ['a rule of another type', { ...DAILY, rrule: 5 }, { pointer: '/rrule', code: 'invalid_type' }],
    ['an unknown monitor', { monitorIds: [randomUUID()] }, { pointer: '/monitorIds/0', code: 'invalid_value' }],
    ['an empty tag', { tags: [''] }, { pointer: '/tags/0', code: 'too_short' }],
    ['a read-only field', { active: true }, { pointer: '/active', code: 'read_only_field' }],
    ['an unknown field', { duration: 5 }, { pointer: '/duration', code: 'unknown_field' }],
    ['no name', { name: null }, { pointer: '/name', code: 'required' }],
    ['a key like an API key', { key: 'dw_x' }, { pointer: '/key', code: 'invalid_value' }],
  ])('%s is rejected with 422', async (_, more, expected) => {
    const { status, body } = await api.post(WINDOWS, { ...FIELDS, ...more });
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: [expect.objectContaining(expected)] });
  });

  it("another team's monitor is rejected by every write with 422, like an unknown one", async () => {
    const foreign = await monitor({}, theirs);
    const { id } = await create({});
    const body = { ...FIELDS, monitorIds: [foreign] };
    for (const answer of [
      await api.post(WINDOWS, body),
      await api.put(`${WINDOWS}/key:foreign`, body),
      await api.patch(`${WINDOWS}/${id}`, { monitorIds: [foreign] }),
    ]) {
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/monitorIds/0' }] } });
    }
    expect(await get(id)).toMatchObject({ revision: 1, monitorIds: [] });
  });

  it.each<[object, Partial<FieldError>]>([
    [{}, { pointer: '/durationSeconds', code: 'required' }],
    [{ durationSeconds: 0 }, { pointer: '/durationSeconds', code: 'out_of_range' }],
    [{ durationSeconds: 2_592_001 }, { pointer: '/durationSeconds', code: 'out_of_range' }],
    [{ durationSeconds: 1.5 }, { pointer: '/durationSeconds', code: 'invalid_type' }],
    [
      { durationSeconds: 5, until: ONCE.endsAt },
      { pointer: '/until', code: 'unknown_field' },
    ],
  ])('a start with %j is rejected with 422', async (json, expected) => {
    const { id } = await create({});
    const { status, body } = await api.post(`${WINDOWS}/${id}/start`, json);
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: [expect.objectContaining(expected)] });
    expect(await get(id)).toMatchObject({ revision: 1, active: false });
  });

  it('an end with a field is rejected with 422', async () => {
    const { id } = await create({});
    const { status, body } = await api.call('POST', `${WINDOWS}/${id}/end`, { json: { now: true } });
    expect({ status, errors: body.errors }).toMatchObject({
      status: 422,
      errors: [{ pointer: '/now', code: 'unknown_field' }],
    });
  });
});
