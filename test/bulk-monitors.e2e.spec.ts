import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type CompletedOperationDto, type OperationResultDto } from '../src/modules/operations/dto/operation.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Answer, type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, getMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { rowsOf } from './support/rows.js';
import { startTarget, type Target } from './support/target.js';

const BULK = '/v1/monitors/bulk';

let app: TestApp;
let api: Client;
let target: Target;
/** A tag of the monitors of one test. */
let tag: string;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});
beforeEach(() => {
  tag = `tag-${randomUUID()}`;
});

const create = (more: Record<string, unknown> = {}) =>
  createMonitor(api, httpMonitor(target.url('/bulk'), { paused: true, tags: [tag], intervalSeconds: 60, ...more }));

async function bulk(body: Record<string, unknown>): Promise<CompletedOperationDto> {
  const answer = await api.post<CompletedOperationDto>(BULK, { select: { tags: [tag] }, ...body });
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
}

const sorted = (...monitors: MonitorDto[]) => monitors.map(({ id }) => id).sort();
const ids = ({ results }: CompletedOperationDto) => results.map(({ monitorId, address }) => monitorId ?? address);
const result = ({ id, name }: MonitorDto, status: OperationResultDto['status']) => ({
  monitorId: id,
  name,
  address: null,
  status,
  error: null,
});

describe('a bulk action on a few monitors', () => {
  it('returns the finished operation with a result per monitor', async () => {
    const [a, b] = [await create({ name: 'A' }), await create({ name: 'B' })];
    const answer = await bulk({ action: 'addTags', tags: ['new'] });
    expect(answer).toEqual({
      id: expect.any(String),
      action: 'addTags',
      status: 'finished',
      total: 2,
      done: 2,
      unchanged: 0,
      failed: 0,
      createdBy: expect.stringMatching(/^api-key:/),
      createdAt: expect.any(String),
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      results: [a, b].sort((x, y) => (x.id < y.id ? -1 : 1)).map((one) => result(one, 'succeeded')),
    });
    const { results, ...operation } = answer;
    expect((await api.get(`/v1/operations/${answer.id}`)).body).toEqual(operation);
    expect((await api.get(`/v1/operations/${answer.id}/results`)).body).toEqual({ data: results, nextCursor: null });
  });

  it('is finished if it selects nothing', async () => {
    expect(await bulk({ action: 'delete' })).toMatchObject({ status: 'finished', total: 0, results: [] });
  });

  it('pauses, and pauses again with another end', async () => {
    const monitor = await create({ paused: false });
    await bulk({ action: 'pause', durationSeconds: 600, reason: 'Deploying' });
    const paused = await getMonitor(api, monitor.id);
    expect(paused).toMatchObject({ status: 'paused', pauseReason: 'Deploying', revision: 2 });
    expect(Date.parse(paused.pausedUntil!) - Date.parse(paused.pausedAt!)).toBeLessThanOrEqual(600_000);
    const until = '2100-01-01T00:00:00.000Z';
    expect((await bulk({ action: 'pause', until })).results).toEqual([result(monitor, 'succeeded')]);
    expect((await bulk({ action: 'pause', until })).results).toEqual([result(monitor, 'unchanged')]);
    expect(await getMonitor(api, monitor.id)).toMatchObject({ pausedUntil: until, pauseReason: null, revision: 3 });
  });

  it('pauses all monitors until the same time', async () => {
    const monitors = [await create(), await create(), await create()];
    await bulk({ action: 'pause', durationSeconds: 600 });
    const ends = await Promise.all(monitors.map(async ({ id }) => (await getMonitor(api, id)).pausedUntil));
    expect(new Set(ends).size).toBe(1);
  });

  it('resumes and checks the paused monitors, and leaves the others unchanged', async () => {
    const [paused, running] = [await create(), await create({ paused: false })];
    const { results } = await bulk({ action: 'resume' });
    expect(results).toEqual(expect.arrayContaining([result(paused, 'succeeded'), result(running, 'unchanged')]));
    expect(await getMonitor(api, running.id)).toMatchObject({ revision: 1 });
    await eventually(async () => expect(await listChecks(api, paused.id, '&trigger=resumed')).toHaveLength(1));
  });

  it('requests a check of each monitor, paused or not', async () => {
    const monitors = [await create(), await create({ paused: false })];
    expect((await bulk({ action: 'check' })).results.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    for (const { id, revision } of monitors) {
      await eventually(async () => expect(await listChecks(api, id, '&trigger=manual')).toHaveLength(1));
      expect(await getMonitor(api, id)).toMatchObject({ revision });
    }
  });

  it('adds and removes tags, in the order of the monitor, once', async () => {
    const monitor = await create({ tags: [tag, 'kept', 'gone'] });
    await bulk({ action: 'addTags', tags: ['kept', 'added'] });
    expect((await getMonitor(api, monitor.id)).tags).toEqual([tag, 'kept', 'gone', 'added']);
    const again = await bulk({ action: 'addTags', tags: ['kept'] });
    expect(again).toMatchObject({ done: 1, unchanged: 1, failed: 0, results: [result(monitor, 'unchanged')] });
    await bulk({ action: 'removeTags', tags: ['gone', 'absent'] });
    expect(await getMonitor(api, monitor.id)).toMatchObject({ tags: [tag, 'kept', 'added'], revision: 3 });
    expect((await bulk({ action: 'removeTags', tags: ['gone'] })).results).toEqual([result(monitor, 'unchanged')]);
  });

  it('fails for a monitor that would have too many tags, and succeeds for the others', async () => {
    const full = await create({ tags: [tag, ...Array.from({ length: 49 }, (_, n) => `t${n}`)] });
    const free = await create();
    const answer = await bulk({ action: 'addTags', tags: ['one more'] });
    expect(answer).toMatchObject({ total: 2, done: 2, failed: 1 });
    const error = { code: 'validation_failed', errors: [{ pointer: '/tags', code: 'too_long' }] };
    expect(answer.results.find(({ monitorId }) => monitorId === full.id)).toMatchObject({ status: 'failed', error });
    expect((await getMonitor(api, free.id)).tags).toEqual([tag, 'one more']);
  });

  it('validates a patch for each monitor like PATCH', async () => {
    const http = await create();
    const tcp = await createMonitor(api, {
      name: 'TCP',
      type: 'tcp',
      host: '127.0.0.1',
      port: 9,
      paused: true,
      tags: [tag],
    });
    const answer = await bulk({ action: 'patch', patch: { method: 'HEAD', intervalSeconds: 120 } });
    expect(answer.results.find(({ monitorId }) => monitorId === http.id)).toEqual(result(http, 'succeeded'));
    expect(answer.results.find(({ monitorId }) => monitorId === tcp.id)).toMatchObject({
      status: 'failed',
      error: { code: 'validation_failed', errors: [{ pointer: '/method', code: 'not_applicable' }] },
    });
    expect(await getMonitor(api, http.id)).toMatchObject({ method: 'HEAD', intervalSeconds: 120, revision: 2 });
    expect(await getMonitor(api, tcp.id)).toMatchObject({ intervalSeconds: tcp.intervalSeconds, revision: 1 });
    const again = await bulk({ action: 'patch', patch: { intervalSeconds: 120, description: null } });
    expect(again.results).toEqual(expect.arrayContaining([result(http, 'unchanged'), result(tcp, 'succeeded')]));
  });

  it('stores no secrets of a patch, and passes them on', async () => {
    const { id } = await create();
    const secret = `secret-${randomUUID()}`;
    await bulk({ action: 'patch', patch: { auth: { type: 'bearer', token: secret } } });
    expect(await getMonitor(api, id)).toMatchObject({ auth: { type: 'bearer', token: '********' } });
    const rows = await app.query('SELECT o::text FROM operations o WHERE team_id = $1', [app.teams.ours.id]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('deletes', async () => {
    const monitor = await create();
    expect((await bulk({ action: 'delete' })).results).toEqual([result(monitor, 'succeeded')]);
    expect((await api.get(`/v1/monitors/${monitor.id}`)).status).toBe(404);
    expect(await bulk({ action: 'delete' })).toMatchObject({ total: 0 });
  });
});

describe('the selection', () => {
  const resume = (select: object) => bulk({ action: 'resume', select });

  it('by id takes ids and keys, each monitor once, and fails for an address without a monitor', async () => {
    const key = `key-${randomUUID()}`;
    const [a, b] = [await create({ key }), await create()];
    const missing = [randomUUID(), 'key:nobody', 'nothing'];
    const answer = await resume({ ids: [missing[0], b.id, `key:${key}`, missing[1], a.id, missing[2], b.id] });
    expect(answer).toMatchObject({ total: 5, done: 5, failed: 3 });
    expect(ids(answer)).toEqual([...sorted(a, b), ...missing]);
    const error = { code: 'not_found', detail: 'There is no such resource.', errors: [] };
    expect(answer.results.slice(2)).toEqual(
      missing.map((address) => ({ monitorId: null, name: null, address, status: 'failed', error })),
    );
  });

  it('by tags takes monitors with any of them', async () => {
    const other = `${tag}-other`;
    const [a, b] = [await create(), await create({ tags: [other] })];
    await create({ tags: ['neither'] });
    expect(ids(await resume({ tags: [tag, other] }))).toEqual(sorted(a, b));
  });

  it.each<[string, object, string[]]>([
    ['words', { q: 'checkout PROD' }, ['Checkout prod']],
    ['tags, all of them', { tag: ['x', 'y'] }, ['Both']],
    ['a type', { type: 'tcp' }, ['TCP']],
    ['a status', { status: ['paused'] }, ['Checkout prod', 'Both', 'TCP']],
    ['another status', { status: ['down', 'up'] }, []],
  ])('by a filter for %s takes what the list shows', async (_, filter, names) => {
    const more = (tags: string[]) => ({ tags: [tag, ...tags] });
    await create({ name: 'Checkout prod', ...more(['x']) });
    await create({ name: 'Both', ...more(['x', 'y']) });
    await createMonitor(api, { name: 'TCP', type: 'tcp', host: 'localhost', port: 9, paused: true, ...more([]) });
    const asked = { ...filter, tag: [tag, ...((filter as { tag?: string[] }).tag ?? [])] };
    const answer = await resume({ filter: asked });
    expect(answer.results.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it('of all takes every monitor of the team', async () => {
    await create();
    const { total } = await bulk({ action: 'addTags', tags: ['every'], select: { all: true } });
    const [row] = await app.query<{ count: number }>('SELECT count(*)::int FROM monitors WHERE team_id = $1', [
      app.teams.ours.id,
    ]);
    expect(total).toBe(row!.count);
  });
});

/** Returns what a request can write. Monitors of other tests are being checked, which changes their results and states. */
async function chosenRows(): Promise<Record<string, unknown[]>> {
  const { monitors, spans, operations, operation_items } = await rowsOf(app, app.teams.ours.id);
  return { monitors, spans, operations, operation_items } as Record<string, unknown[]>;
}

describe('a rejected request', () => {
  it.each<[string, object, object]>([
    ['an empty filter', { action: 'delete', select: { filter: {} } }, { pointer: '/select/filter', code: 'required' }],
    ['no selection', { action: 'delete', select: {} }, { pointer: '/select', code: 'required' }],
    [
      'an unknown field in the patch',
      { action: 'patch', patch: { nme: '' } },
      { pointer: '/patch/nme', code: 'unknown_field' },
    ],
    [
      'a read-only field in the patch',
      { action: 'patch', patch: { status: 'up' } },
      { pointer: '/patch/status', code: 'read_only_field' },
    ],
    ['a key in the patch', { action: 'patch', patch: { key: 'a' } }, { pointer: '/patch/key', code: 'not_applicable' }],
    [
      'a pause in the patch',
      { action: 'patch', patch: { paused: true } },
      { pointer: '/patch/paused', code: 'not_applicable' },
    ],
    [
      'an invalid value in the patch',
      { action: 'patch', patch: { intervalSeconds: 'often' } },
      { pointer: '/patch/intervalSeconds', code: 'invalid_type' },
    ],
    ['an empty patch', { action: 'patch', patch: {} }, { pointer: '/patch', code: 'too_short' }],
    [
      'a forbidden key in the patch',
      { action: 'patch', patch: { metadata: JSON.parse('{"__proto__": "x"}') as object } },
      { pointer: '/patch/metadata/__proto__', code: 'forbidden_key' },
    ],
  ])('has %s: 422, and nothing changes', async (_, body, error) => {
    await create();
    const before = await chosenRows();
    const answer = await api.post(BULK, { select: { tags: [tag] }, ...body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [error] } });
    expect(await chosenRows()).toEqual(before);
  });
});

describe('monitors of another team', () => {
  it.each<[string, (theirs: MonitorDto) => object]>([
    ['their ids', ({ id, key }) => ({ ids: [id, `key:${key}`] })],
    ['their tags', ({ tags }) => ({ tags })],
    ['a filter for them', ({ name, tags }) => ({ filter: { q: name, tag: tags } })],
    ['all', () => ({ all: true })],
  ])('are not selected by %s', async (_, selectOf) => {
    const theirs = await createMonitor(
      app.api(app.teams.theirs.write),
      httpMonitor(target.url('/theirs'), { name: `Theirs ${tag}`, key: tag, paused: true, tags: [tag] }),
    );
    const before = await rowsOf(app, app.teams.theirs.id);
    const answer = await bulk({ action: 'check', select: selectOf(theirs) });
    expect(ids(answer).includes(theirs.id) ? answer.results[0] : null).toEqual(
      'ids' in selectOf(theirs)
        ? expect.objectContaining({ monitorId: null, name: null, address: theirs.id, status: 'failed' })
        : null,
    );
    expect(await rowsOf(app, app.teams.theirs.id)).toEqual(before);
  });
});

describe('a repeated request', () => {
  it('with an Idempotency-Key changes the monitors once', async () => {
    const { id } = await create();
    const send = (): Promise<Answer<CompletedOperationDto>> =>
      api.call('POST', BULK, {
        json: { action: 'pause', select: { tags: [tag] }, durationSeconds: 600 },
        headers: { 'idempotency-key': tag },
      });
    const [first, again] = [await send(), await send()];
    expect(first).toMatchObject({ status: 200, body: { total: 1, failed: 0 } });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await getMonitor(api, id)).revision).toBe(2);
  });
});
