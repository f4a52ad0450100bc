import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type CheckDto } from '../src/modules/checks/dto/check.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Answer, type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { ROUTE_ROWS } from './support/route-rows.js';
import { answers, startTarget, type Target } from './support/target.js';

let first: TestApp;
/** Another process on the same database. */
let second: TestApp;
let target: Target;
let api: Client;
beforeAll(async () => {
  let shared = '';
  target = await startTarget();
  first = await startApp({}, (url) => (shared = url));
  second = await startApp({}, () => shared);
  api = first.api(first.teams.ours.admin);
});
afterAll(async () => {
  await second.close();
  await first.close();
  await target.close();
});

function post<T>(client: Client, path: string, key: string, json?: unknown): Promise<Answer<T>> {
  return client.call<T>('POST', path, { json, headers: { 'idempotency-key': key } });
}

const monitor = (more: Record<string, unknown> = {}) => httpMonitor(target.url('/'), { paused: true, ...more });
const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';
const named = (name: string) => first.query('SELECT id FROM monitors WHERE name = $1', [name]);

type WithSecret = { secret?: string; settings?: { secret?: string }; consentSource?: string | null };

/** Returns a response without what only the first one shows: a secret, or the address of a subscriber. */
function withoutSecret(body: WithSecret): WithSecret | object {
  if (body.consentSource !== undefined) return { ...body, email: null };
  if (body.secret !== undefined) return { ...body, secret: null };
  if (!body.settings?.secret) return body;
  return { ...body, settings: { ...body.settings, secret: '********' } };
}

function expectReplay(again: Answer, of: Answer): void {
  expect([isReplay(of), isReplay(again)]).toEqual([false, true]);
  const { status, body } = of;
  const shown = withoutSecret(body as WithSecret);
  const hasSecret = shown !== body;
  expect({ status: again.status, body: again.body }).toEqual({ status, body: shown });
  expect(again.headers.get('location')).toBe(of.headers.get('location'));
  // The tag covers the representation, which no longer contains the secret: compare only the revision.
  const tag = ({ headers }: Answer) => (hasSecret ? headers.get('etag')?.split('.')[0] : headers.get('etag'));
  expect(tag(again)).toBe(tag(of));
}

describe.each(ROUTE_ROWS.filter(({ method }) => method === 'POST'))('POST $path', (row) => {
  it('returns the same response again, from either process', async () => {
    await row.prepare?.({ app: first, target }, first.teams.ours);
    const values = (await row.arrange?.({ app: first, target }, first.teams.ours)) ?? {};
    const path = row.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '');
    const key = randomUUID();
    const secret = first.teams.ours[row.scope];
    const answer = await post(first.api(secret), path, key, row.body);
    expect(answer.status).toBe(row.success);
    expectReplay(await post(first.api(secret), path, key, row.body), answer);
    expectReplay(await post(second.api(secret), path, key, row.body), answer);
    const stored = await first.query('SELECT k::text FROM idempotency_keys k WHERE key = $1', [key]);
    expect(JSON.stringify(stored)).not.toMatch(/dw_\w{20}|whsec_/);
  });
});

describe('an Idempotency-Key', () => {
  it.each([
    ['body', '/v1/monitors', 'Another'],
    ['path', '/v1/status-pages', 'One'],
  ])('cannot be reused for another %s: 422', async (_, path, name) => {
    const key = randomUUID();
    expect((await post(api, '/v1/monitors', key, monitor({ name: 'One' }))).status).toBe(201);
    const answer = await post(api, path, key, monitor({ name }));
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('cannot be reused for another query: 422', async () => {
    const { id } = await createMonitor(api, monitor());
    const key = randomUUID();
    expect((await post(api, `/v1/monitors/${id}/checks`, key)).status).toBe(202);
    expect((await post(api, `/v1/monitors/${id}/checks?location=default`, key)).status).toBe(422);
  });

  it('is scoped to a team: the same key in another team creates another resource', async () => {
    const key = randomUUID();
    const mine = await post<MonitorDto>(api, '/v1/monitors', key, monitor());
    const yours = await post<MonitorDto>(first.api(first.teams.theirs.write), '/v1/monitors', key, monitor());
    expect([mine.status, yours.status, isReplay(yours)]).toEqual([201, 201, false]);
    expect(yours.body.id).not.toBe(mine.body.id);
  });

  it('creates one resource for 20 concurrent requests to two processes', async () => {
    const [key, name] = [randomUUID(), `Raced ${randomUUID()}`];
    const clients = [first, second].map((app) => app.api(first.teams.ours.write));
    const answered = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post<MonitorDto>(clients[n % 2]!, '/v1/monitors', key, monitor({ name }))),
    );
    const [made, ...more] = await named(name);
    expect(more).toEqual([]);
    for (const { status, headers, body } of answered) {
      if (status === 201) expect(body).toMatchObject(made as object);
      else {
        expect({ status, body }).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } });
        expect(headers.get('retry-after')).toBe('1');
      }
    }
    expect(answered.filter((answer) => answer.status === 201 && !isReplay(answer))).toHaveLength(1);
  });

  it('can be used for another request after its expiry', async () => {
    const [key, name] = [randomUUID(), `Daily ${randomUUID()}`];
    await post(api, '/v1/monitors', key, monitor({ name }));
    await first.query(`UPDATE idempotency_keys SET expires_at = now() WHERE key = $1`, [key]);
    const next = await post(second.api(first.teams.ours.write), '/v1/monitors', key, monitor({ name }));
    expect([next.status, isReplay(next)]).toEqual([201, false]);
    expect(await named(name)).toHaveLength(2);
  });
});

describe('a failed request', () => {
  it('is not stored: corrected values can be sent with the same key', async () => {
    const key = randomUUID();
    expect((await post(api, '/v1/monitors', key, monitor({ timeoutMs: -1 }))).status).toBe(422);
    expect((await post(api, '/v1/monitors', key, monitor())).status).toBe(201);
  });

  it('is not stored: a missing object may exist by the next attempt', async () => {
    const [key, name] = [randomUUID(), `later-${randomUUID()}`];
    const pause = () => post(api, `/v1/monitors/key:${name}/pause`, key);
    expect((await pause()).status).toBe(404);
    await createMonitor(api, monitor({ key: name, paused: false }));
    const paused = await pause();
    expect([paused.status, isReplay(paused)]).toEqual([200, false]);
  });

  it.each<[string, number, string, (key: string) => Promise<Answer>]>([
    ['scope', 403, 'insufficient_scope', (key) => post(first.api(first.teams.ours.read), '/v1/monitors', key, {})],
    [
      'JSON',
      400,
      'invalid_json',
      (key) => api.call('POST', '/v1/monitors', { text: '{', headers: { 'idempotency-key': key } }),
    ],
    ['query', 400, 'invalid_query', (key) => post(api, '/v1/monitors?x=1', key, {})],
  ])('with a faulty %s does not claim the key', async (_, status, code, call) => {
    const key = randomUUID();
    expect(await call(key)).toMatchObject({ status, body: { code } });
    expect(await first.query('SELECT 1 FROM idempotency_keys WHERE key = $1', [key])).toEqual([]);
  });

  it.each([
    ['is empty', ''],
    ['has 256 characters', 'x'.repeat(256)],
  ])('with a key that %s is rejected with 400', async (_, key) => {
    expect(await post(api, '/v1/monitors', key, monitor())).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});

describe('a check with wait=true', () => {
  it('responds with 202 to a repetition while it runs, and with its result afterwards', async () => {
    let answer: (() => void) | undefined;
    target.behave('/waited', (response) => void (answer = () => void response.end('ok')));
    const { id } = await createMonitor(
      api,
      monitor({ url: target.url('/waited'), intervalSeconds: 60, timeoutMs: 9_000 }),
    );
    const [path, key] = [`/v1/monitors/${id}/checks?wait=true`, randomUUID()];
    const waiting = post<CheckDto>(api, path, key);
    await eventually(() => expect(answer).toBeDefined());
    const promise = await post<CheckDto>(second.api(first.teams.ours.write), path, key);
    expect(promise.status).toBe(202);
    expect(isReplay(promise)).toBe(true);
    expect(promise.headers.get('location')).toBe(`/v1/monitors/${id}/checks/${promise.body.id}`);
    answer!();
    expect(await waiting).toMatchObject({ status: 200, body: { id: promise.body.id, status: 'up' } });
    expectReplay(await post(api, path, key), await waiting);
    target.behave('/waited', answers(200));
    expect(await listChecks(api, id)).toHaveLength(1);
    expect(target.requests('/waited')).toHaveLength(1);
  });
});

describe('a stored request', () => {
  it('does not contain its secrets', async () => {
    const key = randomUUID();
    const auth = { type: 'bearer', token: 'the-token-of-the-target' };
    expect((await post(api, '/v1/monitors', key, monitor({ auth }))).status).toBe(201);
    const rows = await first.query('SELECT k::text FROM idempotency_keys k WHERE key = $1', [key]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(auth.token);
  });
});

describe('the OpenAPI document', () => {
  it('documents the key on every POST under /v1 and on no other operation', () => {
    for (const [path, item] of Object.entries(first.document.paths)) {
      for (const [method, operation] of Object.entries(item as Record<string, object>)) {
        const text = JSON.stringify(operation);
        const has = [
          text.includes('#/components/parameters/IdempotencyKey'),
          text.includes('#/components/headers/IdempotentReplayed'),
          text.includes('idempotency_in_flight'),
          text.includes('idempotency_key_reused'),
        ];
        const takesKey = method === 'post' && path.startsWith('/v1/');
        expect({ method, path, has }).toEqual({ method, path, has: [takesKey, takesKey, takesKey, takesKey] });
      }
    }
  });
});
