import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type ApiKeyDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { type RecorderService } from '../src/modules/checker/recorder.service.js';
import { type OperationDto, type OperationResultDto } from '../src/modules/operations/dto/operation.dto.js';
import { type OperationsWorkerService } from '../src/modules/operations/operations-worker.service.js';
import { startApp, type TestApp } from './support/app.js';
import { type Answer, type Client } from './support/client.js';
import { createTestDatabase, type TestDatabase } from './support/database.js';
import { eventually } from './support/eventually.js';
import { resultOf } from './support/history.js';
import { manyMonitors } from './support/many-monitors.js';
import { createMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { startTarget, type Target } from './support/target.js';

const BULK = '/v1/monitors/bulk';

let database: TestDatabase;
let app: TestApp;
let api: Client;
let target: Target;
beforeAll(async () => {
  [database, target] = await Promise.all([createTestDatabase(), startTarget()]);
  app = await startApp({}, () => database.url);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
  await database.drop();
});

const newTag = () => `tag-${randomUUID()}`;

function start(body: object, headers: Record<string, string> = {}): Promise<Answer<OperationDto>> {
  return api.call('POST', BULK, { json: body, headers });
}

async function get(id: string): Promise<OperationDto> {
  const { status, body } = await api.get<OperationDto>(`/v1/operations/${id}`);
  expect(status).toBe(200);
  return body;
}

/** Waits for the end of an operation for as long as it makes progress, which is slow on a busy machine. */
async function finished(id: string): Promise<OperationDto> {
  for (let operation = await get(id); ;) {
    if (operation.status === 'finished') return operation;
    const { done } = operation;
    operation = await eventually(async () => {
      const next = await get(id);
      expect(next.status === 'finished' || next.done > done).toBe(true);
      return next;
    });
  }
}

/** Returns the ids of all results, page by page. */
async function listed(id: string, query: string): Promise<OperationResultDto[]> {
  const all: OperationResultDto[] = [];
  for (let cursor = ''; ;) {
    const { body } = await api.get<Page<OperationResultDto>>(`/v1/operations/${id}/results?${query}${cursor}`);
    all.push(...body.data);
    if (body.nextCursor === null) return all;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

/** Returns how many monitors have this tag, by revision. */
async function revisions(tag: string): Promise<Record<number, number>> {
  const rows = await app.query<{ revision: number; count: number }>(
    'SELECT revision, count(*)::int FROM monitors WHERE tags @> ARRAY[$1] GROUP BY 1',
    [tag],
  );
  return Object.fromEntries(rows.map((row) => [row.revision, row.count]));
}

interface Authors {
  actor_id: string;
  request_id: string;
  count: number;
}

/** Returns who made the changes of this type to the monitors with this tag, by which request, and how many. */
function authors(tag: string, type: string): Promise<Authors[]> {
  return app.query<Authors>(
    `SELECT actor_id, request_id, count(*)::int FROM events WHERE type = $1 AND resource_name = $2 GROUP BY 1, 2`,
    [type, `One of ${tag}`],
  );
}

async function keyId(caller: Client): Promise<string> {
  return (await caller.get<ApiKeyDto>('/v1/api-keys/self')).body.id;
}

describe('an operation on more than 200 monitors', () => {
  it('is accepted, and processes each monitor once', async () => {
    const tag = newTag();
    const ids = await manyMonitors(app, app.teams.ours, 201, tag);
    const answer = await start({ action: 'addTags', select: { ids: [...ids, 'key:nobody'] }, tags: ['done'] });
    expect(answer).toMatchObject({ status: 202, body: { action: 'addTags', total: 202, failed: 1 } });
    expect(answer.headers.get('location')).toBe(`/v1/operations/${answer.body.id}`);
    const operation = await finished(answer.body.id);
    expect(operation).toMatchObject({ total: 202, done: 202, failed: 1 });
    expect(operation.finishedAt! >= operation.startedAt! && operation.startedAt! >= operation.createdAt).toBe(true);
    expect(await revisions(tag)).toEqual({ 2: 201 });

    const results = await listed(operation.id, 'limit=100');
    expect(results.map(({ monitorId, address }) => monitorId ?? address)).toEqual([...ids, 'key:nobody']);
    expect(results.slice(0, 201).map(({ status }) => status)).toEqual(ids.map(() => 'succeeded'));
    expect(await listed(operation.id, 'status=failed')).toEqual(results.slice(201));
  });

  it('with 200 monitors is finished in the response', async () => {
    const tag = newTag();
    await manyMonitors(app, app.teams.ours, 200, tag);
    const answer = await start({ action: 'addTags', select: { tags: [tag] }, tags: ['done'] });
    expect(answer).toMatchObject({ status: 200, body: { status: 'finished', total: 200, done: 200 } });
  });

  it('started twice with an Idempotency-Key is one operation', async () => {
    const tag = newTag();
    await manyMonitors(app, app.teams.ours, 201, tag);
    const body = { action: 'addTags', select: { tags: [tag] }, tags: ['done'] };
    const headers = { 'idempotency-key': tag };
    const [first, again] = [await start(body, headers), await start(body, headers)];
    expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    await finished(first.body.id);
    expect(await revisions(tag)).toEqual({ 2: 201 });
  });

  it('is not available to another team', async () => {
    const tag = newTag();
    await manyMonitors(app, app.teams.ours, 201, tag);
    const { body } = await start({ action: 'resume', select: { tags: [tag] } });
    const theirs = app.api(app.teams.theirs.admin);
    for (const path of [`/v1/operations/${body.id}`, `/v1/operations/${body.id}/results`]) {
      expect((await theirs.get(path)).status).toBe(404);
    }
    await finished(body.id);
  });

  it('names its creator as the author of its changes while operations of other teams run', async () => {
    const theirs = app.api(app.teams.theirs.write);
    const [ourTag, theirTag] = [newTag(), newTag()];
    await manyMonitors(app, app.teams.ours, 201, ourTag);
    await manyMonitors(app, app.teams.theirs, 201, theirTag);
    const startFor = (caller: Client, tag: string) =>
      caller.call<OperationDto>('POST', BULK, {
        json: { action: 'delete', select: { tags: [tag] } },
        headers: { 'x-request-id': tag },
      });
    let theirOperation = '';
    const { body } = await app.backstage.duringCall(
      ['OperationClaimsService', 'next'],
      () => startFor(api, ourTag),
      async () => (theirOperation = (await startFor(theirs, theirTag)).body.id),
    );
    await finished(body.id);
    await eventually(async () =>
      expect((await theirs.get(`/v1/operations/${theirOperation}`)).body).toMatchObject({ status: 'finished' }),
    );
    for (const [caller, tag] of [
      [api, ourTag],
      [theirs, theirTag],
    ] as const) {
      expect(await authors(tag, 'monitor.deleted')).toEqual([
        { actor_id: await keyId(caller), request_id: tag, count: 201 },
      ]);
    }
  });

  it('deletes, and reports what was deleted meanwhile as not found', async () => {
    const tag = newTag();
    const ids = await manyMonitors(app, app.teams.ours, 300, tag);
    const last = ids.at(-1)!;
    const answer = await app.backstage.duringCall(
      ['BulkSelectionService', 'targets'],
      () => start({ action: 'delete', select: { tags: [tag] } }),
      () => api.delete(`/v1/monitors/${last}`),
    );
    expect(await finished(answer.body.id)).toMatchObject({ total: 300, done: 300, failed: 1 });
    expect(await listed(answer.body.id, 'status=failed')).toMatchObject([
      { monitorId: last, error: { code: 'not_found' } },
    ]);
    expect(await revisions(tag)).toEqual({});
  });

  it('requests checks only as fast as they are recorded', async () => {
    const tag = newTag();
    const ids = await manyMonitors(app, app.teams.ours, 1_200, tag);
    const { body } = await start({ action: 'check', select: { tags: [tag] } });
    const open = async (): Promise<number> => {
      const [row] = await app.query<{ count: number }>('SELECT count(*)::int FROM check_requests');
      return row!.count;
    };
    const most = await eventually(async () => {
      const counts = [await open()];
      while ((await get(body.id)).status !== 'finished') counts.push(await open());
      return Math.max(...counts);
    });
    expect(most).toBeLessThanOrEqual(1_000);
    await eventually(async () => expect(await open()).toBe(0), 60_000);
    const [row] = await app.query<{ count: number }>(
      `SELECT count(DISTINCT monitor_id)::int FROM checks WHERE trigger = 'manual' AND monitor_id = ANY($1::uuid[])`,
      [ids],
    );
    expect(row!.count).toBe(1_200);
  }, 120_000);

  it('is one of at most ten unfinished ones of a team: 429', async () => {
    await app.query(
      `INSERT INTO operations (id, team_id, action, created_by, claimed_by, claimed_until)
       SELECT gen_random_uuid(), $1, 'resume', 'x', gen_random_uuid(), now() + interval '1 hour' FROM generate_series(1, 10)`,
      [app.teams.ours.id],
    );
    const refused = await start({ action: 'resume', select: { all: true } });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    await app.query(`DELETE FROM operations WHERE created_by = 'x'`);
  });
});

describe('while an operation of several thousand monitors runs', () => {
  it('checks of its monitors and of others are recorded', async () => {
    const tag = newTag();
    const ids = await manyMonitors(app, app.teams.ours, 3_000, tag);
    const other = await createMonitor(
      app.api(app.teams.theirs.write),
      httpMonitor(target.url('/unaffected'), { intervalSeconds: 1 }),
    );
    const { body } = await start({ action: 'addTags', select: { tags: [tag] }, tags: ['done'] });
    const checks = () => listChecks(app.api(app.teams.theirs.write), other.id);
    await eventually(async () => expect((await get(body.id)).done).toBeGreaterThan(0));
    const before = (await checks()).length;
    // A batch of results that locks monitors all over the operation, as the recorder does for each of its batches.
    const now = Date.now();
    const some = ids.filter((_, index) => index % 20 === 0);
    const results = some.map((id) => resultOf(id, now - MINUTE_MS, now - MINUTE_MS, 'up'));
    await app.backstage.provider<RecorderService>('RecorderService').record(results);
    await eventually(async () => expect((await checks()).length).toBeGreaterThan(before + 1));
    expect(await get(body.id)).toMatchObject({ status: 'running' });
    expect(await finished(body.id)).toMatchObject({ total: 3_000, done: 3_000, failed: 0 });
    expect(await revisions(tag)).toEqual({ 2: 3_000 });
  }, 180_000);
});

describe('an interrupted operation', () => {
  it('is continued by the next process on behalf of its creator, and changes each monitor once', async () => {
    const tag = newTag();
    await manyMonitors(app, app.teams.ours, 1_000, tag);
    const request = { action: 'pause', select: { tags: [tag] }, durationSeconds: 600 };
    const { body } = await start(request, { 'x-request-id': tag });
    await eventually(async () => expect((await get(body.id)).done).toBeGreaterThan(0));
    await app.stop();
    const [left] = await app.query<{ count: number }>(
      'SELECT count(*)::int FROM operation_items WHERE operation_id = $1 AND status IS NULL',
      [body.id],
    );
    expect(left!.count).toBeGreaterThan(0);
    const key = app.teams.ours.write;
    await app.close();
    app = await startApp({}, () => database.url);
    api = app.api(key);
    expect(await finished(body.id)).toMatchObject({ total: 1_000, done: 1_000, failed: 0 });
    expect(await revisions(tag)).toEqual({ 2: 1_000 });
    const ends = await app.query('SELECT DISTINCT paused_until FROM monitors WHERE tags @> ARRAY[$1]', [tag]);
    expect(ends).toHaveLength(1);
    expect(await authors(tag, 'monitor.paused')).toEqual([
      { actor_id: await keyId(api), request_id: tag, count: 1_000 },
    ]);
    app.teams.ours.write = key;
  }, 120_000);

  it('waits until the claim of a process that died has expired', async () => {
    const { id } = await createMonitor(api, httpMonitor(target.url('/claimed'), { paused: true }));
    const done = (await start({ action: 'resume', select: { ids: [id] } })).body.id;
    // As a process leaves it that dies after it has claimed the operation.
    await app.query(
      `UPDATE operations SET finished_at = NULL, parameters = $2, claimed_by = gen_random_uuid(),
         claimed_until = now() + interval '1 hour' WHERE id = $1`,
      [done, await sealed({ kind: 'pause', until: null, reason: null })],
    );
    await app.query('UPDATE operation_items SET status = NULL WHERE operation_id = $1', [done]);
    await app.backstage.provider<OperationsWorkerService>('OperationsWorkerService').work();
    expect(await get(done)).toMatchObject({ status: 'running', done: 0 });
    await app.query('UPDATE operations SET claimed_until = now() WHERE id = $1', [done]);
    expect(await finished(done)).toMatchObject({ done: 1, failed: 0 });
    expect((await api.get(`/v1/monitors/${id}`)).body).toMatchObject({ status: 'paused' });
  });

  async function sealed(action: object): Promise<string> {
    return app.backstage.provider<{ seal(text: string): string }>('SecretBox').seal(JSON.stringify(action));
  }
});

describe('a finished operation', () => {
  it('is deleted after 30 days', async () => {
    const made = [];
    for (const days of [29, 31]) {
      const { body } = await start({ action: 'resume', select: { tags: [newTag()] } });
      await app.query(`UPDATE operations SET finished_at = now() - $2 * interval '1 day' WHERE id = $1`, [
        body.id,
        days,
      ]);
      made.push(body.id);
    }
    await app.backstage.provider<OperationsWorkerService>('OperationsWorkerService').deleteExpired();
    const statuses = await Promise.all(made.map(async (id) => (await api.get(`/v1/operations/${id}`)).status));
    expect(statuses).toEqual([200, 404]);
  });
});
