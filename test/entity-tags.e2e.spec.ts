import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { untilServed } from './support/eventually.js';
import { checkNow, createMonitor, httpMonitor } from './support/monitors.js';
import { startTarget, type Target } from './support/target.js';

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

const paused = (more: Record<string, unknown> = {}) => httpMonitor(target.url('/'), { paused: true, ...more });
const tagOf = async (path: string): Promise<string> => (await api.get(path)).headers.get('etag') ?? '';
const revisionOf = (etag: string): string => etag.split('.')[0]!.slice(1);

async function monitorPath(): Promise<string> {
  return `/v1/monitors/${(await createMonitor(api, paused())).id}`;
}
async function pagePath(): Promise<string> {
  const slug = `p-${Math.random().toString(36).slice(2)}`;
  return `/v1/status-pages/${(await api.post<{ id: string }>('/v1/status-pages', { name: 'A page', slug })).body.id}`;
}

describe.each([
  ['monitor', monitorPath],
  ['status page', pagePath],
])('the ETag of a %s', (_, make) => {
  it('is unchanged while the representation is, and If-None-Match then responds with 304 without a body', async () => {
    const path = await make();
    const etag = await tagOf(path);
    expect(etag).toMatch(/^"1\.\d+"$/);
    for (const header of [etag, `W/${etag}`, '*', `"9.9", ${etag}`]) {
      const answer = await api.call('GET', path, { headers: { 'if-none-match': header } });
      expect({ status: answer.status, body: answer.body, etag: answer.headers.get('etag') }).toEqual({
        status: 304,
        body: null,
        etag,
      });
    }
    expect((await api.call('GET', path, { headers: { 'if-none-match': '"1.1"' } })).status).toBe(200);
  });

  it('has a higher revision after a write, and is returned by PATCH', async () => {
    const path = await make();
    const { headers } = await api.patch(path, { name: 'Renamed' });
    expect(headers.get('etag')).toBe(await tagOf(path));
    expect(revisionOf(headers.get('etag')!)).toBe('2');
  });

  it('leads to 412 if it is stale in If-Match, before validation and without changes', async () => {
    const path = await make();
    const stale = await tagOf(path);
    await api.patch(path, { name: 'Second' });
    const before = await api.get(path);
    for (const ifMatch of [stale, `W/${await tagOf(path)}`, '"2"', 'garbage', '']) {
      for (const [method, json] of [
        ['PATCH', { name: 'Third' }],
        ['PATCH', { name: 5 }],
        ['PUT', { name: 5 }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await api.call(method, path, { json, headers: { 'if-match': ifMatch } });
        expect({ method, ifMatch, status: answer.status, code: answer.body.code }).toEqual({
          method,
          ifMatch,
          status: 412,
          code: 'precondition_failed',
        });
      }
    }
    expect((await api.get(path)).body).toEqual(before.body);
  });

  it('permits the write if it is current in If-Match, alone, among others or as *', async () => {
    const path = await make();
    for (const ifMatch of [await tagOf(path), '*']) {
      expect((await api.call('PATCH', path, { json: { name: 'New' }, headers: { 'if-match': ifMatch } })).status).toBe(
        200,
      );
    }
    const last = { 'if-match': `"1.1", ${await tagOf(path)}` };
    expect((await api.call('DELETE', path, { headers: last })).status).toBe(204);
    expect((await api.call('DELETE', path, { headers: last })).status).toBe(404);
  });

  it('lets only one of several concurrent PATCH requests succeed; the others respond with 412', async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = await make();
      const headers = { 'if-match': await tagOf(path) };
      const answers = await Promise.all(
        ['A', 'B', 'C', 'D'].map((name) => api.call('PATCH', path, { json: { name }, headers })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    }
  });
});

describe('a check', () => {
  it('changes the ETag but not its revision, so that a concurrent writer is not rejected', async () => {
    const path = await monitorPath();
    const before = await tagOf(path);
    await checkNow(api, path.split('/').at(-1)!);
    const after = await tagOf(path);
    expect(after).not.toBe(before);
    expect(revisionOf(after)).toBe(revisionOf(before));
    expect((await api.call('GET', path, { headers: { 'if-none-match': before } })).status).toBe(200);
    expect((await api.call('PATCH', path, { json: { name: 'New' }, headers: { 'if-match': before } })).status).toBe(
      200,
    );
  });
});

describe('pause and resume', () => {
  it('are writes: they increment the revision and respect If-Match', async () => {
    const { id } = await createMonitor(api, httpMonitor(target.url('/')));
    const path = `/v1/monitors/${id}`;
    const stale = await tagOf(path);
    const paused = await api.call<MonitorDto>('POST', `${path}/pause`, { headers: { 'if-match': stale } });
    expect({ status: paused.status, revision: paused.body.revision }).toEqual({ status: 200, revision: 2 });
    const refused = await api.call('POST', `${path}/resume`, { json: { stray: 1 }, headers: { 'if-match': stale } });
    expect(refused.status).toBe(412);
    expect((await api.call('POST', `${path}/resume`, { headers: { 'if-match': '"2.0"' } })).status).toBe(200);
  });

  it('are the same writes by PUT', async () => {
    const definition = httpMonitor(target.url('/'), { name: 'By PUT' });
    const path = '/v1/monitors/key:paused-by-put';
    const put = (paused: boolean, tag: string | null) =>
      api.call<MonitorDto>('PUT', path, { json: { ...definition, paused }, headers: tag ? { 'if-match': tag } : {} });
    const before = (await put(false, null)).body;
    const stale = await tagOf(path);
    const paused = await put(true, stale);
    expect(paused).toMatchObject({ status: 200, body: { revision: 2, status: 'paused' } });
    expect(paused.body.updatedAt).not.toBe(before.updatedAt);
    expect((await put(false, stale)).status).toBe(412);
    expect(await put(true, null)).toMatchObject({ status: 200, body: { revision: 2 } });
    expect(await put(false, null)).toMatchObject({ status: 200, body: { revision: 3 } });
  });

  it('leave one consistent state after 100 concurrent requests', async () => {
    const { id } = await createMonitor(api, httpMonitor(target.url('/'), { intervalSeconds: 3_600 }));
    const calls = Array.from({ length: 100 }, (_, i) =>
      untilServed(() => api.post<MonitorDto>(`/v1/monitors/${id}/${i % 2 ? 'resume' : 'pause'}`)),
    );
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const spans = await app.query<{ open: number }>(
      `SELECT count(*) FILTER (WHERE ends_at IS NULL)::int AS open FROM spans WHERE monitor_id = $1 AND kind = 'pause'`,
      [id],
    );
    const { body } = await api.get<MonitorDto>(`/v1/monitors/${id}`);
    expect(spans[0]!.open).toBe(body.status === 'paused' ? 1 : 0);
    const overlaps = await app.query(
      `SELECT 1 FROM spans a JOIN spans b ON a.monitor_id = b.monitor_id AND a.id < b.id AND a.kind = 'pause' AND b.kind = 'pause'
       WHERE a.monitor_id = $1 AND tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)`,
      [id],
    );
    expect(overlaps).toEqual([]);
  });
});

describe('PUT by key', () => {
  const put = (key: string, headers: Record<string, string>) => api.put(`/v1/monitors/key:${key}`, paused(), headers);

  it('with If-None-Match: * only creates: 201, then 412', async () => {
    expect((await put('only-new', { 'if-none-match': '*' })).status).toBe(201);
    expect((await put('only-new', { 'if-none-match': '*' })).status).toBe(412);
  });

  it('with If-Match only replaces: 412 if there is no monitor', async () => {
    expect((await put('only-old', { 'if-match': '*' })).status).toBe(412);
    expect((await put('only-old', {})).status).toBe(201);
    expect((await put('only-old', { 'if-match': '*' })).status).toBe(200);
  });
});

describe('lists and documents', () => {
  it('have no ETag, not even one created by Express', async () => {
    for (const path of ['/v1/monitors', '/v1/status-pages', '/healthz']) {
      expect((await app.undocumented(app.teams.ours.read).get(path)).headers.get('etag')).toBeNull();
    }
  });
});
