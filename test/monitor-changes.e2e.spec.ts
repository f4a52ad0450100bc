import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Answer, type Client } from './support/client.js';
import { checkNow, createMonitor, getMonitor, httpMonitor } from './support/monitors.js';
import { startTarget, type Target } from './support/target.js';

const MASK = '********';

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

const create = (more: Record<string, unknown> = {}, path = '/') =>
  createMonitor(api, httpMonitor(target.url(path), { paused: true, ...more }));

async function patch(id: string, change: Record<string, unknown>): Promise<MonitorDto> {
  const { status, body } = await api.patch<MonitorDto>(`/v1/monitors/${id}`, change);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

describe('a merge patch', () => {
  it('changes only the fields it contains, and increments the revision', async () => {
    const before = await create({ tags: ['a'], metadata: { a: '1' } });
    const after = await patch(before.id, { name: 'Renamed' });
    expect(after).toEqual({ ...before, name: 'Renamed', revision: 2, updatedAt: after.updatedAt });
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
  });

  it('without fields changes no field', async () => {
    const before = await create({ tags: ['a'], failureThreshold: 4 });
    const after = await patch(before.id, {});
    expect(after).toEqual({ ...before, revision: after.revision, updatedAt: after.updatedAt });
  });

  it.each([
    ['clears a nullable field', { description: 'Text' }, { description: null }, { description: null }],
    ['restores the default', { failureThreshold: 5 }, { failureThreshold: null }, { failureThreshold: 2 }],
    ['restores the default of a type field', { method: 'HEAD' }, { method: null }, { method: 'GET' }],
    ['replaces arrays', { tags: ['a', 'b'] }, { tags: ['c'] }, { tags: ['c'] }],
    [
      'merges objects',
      { metadata: { a: '1', b: '2' } },
      { metadata: { b: null, c: '3' } },
      { metadata: { a: '1', c: '3' } },
    ],
    [
      'matches header names case-insensitively',
      { headers: { Accept: 'a' } },
      { headers: { aCCEPT: 'b' } },
      { headers: { Accept: 'b' } },
    ],
    [
      'removes a header',
      { headers: { Accept: 'a', 'X-B': 'b' } },
      { headers: { accept: null } },
      { headers: { 'X-B': 'b' } },
    ],
    ['accepts the unchanged type', {}, { type: 'http' }, { type: 'http' }],
    ['accepts a relative expiry', {}, { expiresInSeconds: 600 }, { expiresAt: expect.stringMatching(/Z$/) }],
  ])('%s', async (_, made, change, expected) => {
    const { id } = await create(made);
    expect(await patch(id, change)).toMatchObject(expected);
    expect((await getMonitor(api, id)).metadata).toEqual('metadata' in expected ? expected.metadata : {});
  });

  it.each([
    ['null for a field without a default', { name: null }, '/name', 'required'],
    ['an unknown field', { nmae: 'x' }, '/nmae', 'unknown_field'],
    ['an unknown field that is null', { nmae: null }, '/nmae', 'unknown_field'],
    ['a read-only field', { revision: 7 }, '/revision', 'read_only_field'],
    ['a read-only field that is null', { pausedAt: null }, '/pausedAt', 'read_only_field'],
    ['another type', { type: 'tcp' }, '/type', 'immutable'],
    ['a value that conflicts with a stored one', { timeoutMs: 1_001 }, '/timeoutMs', 'out_of_range'],
    ['paused', { paused: true }, '/paused', 'invalid_value'],
    ['a forbidden key', JSON.parse('{"metadata":{"__proto__":"x"}}') as object, '/metadata/__proto__', 'forbidden_key'],
  ])('rejects %s, and changes nothing', async (_, change, pointer, code) => {
    const before = await create();
    const { status, body } = await api.patch(`/v1/monitors/${before.id}`, change);
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: [expect.objectContaining({ pointer, code })],
    });
    expect(await getMonitor(api, before.id)).toEqual(before);
  });

  it.each(['application/json', 'application/merge-patch+json', 'application/json; charset=utf-8'])(
    'is accepted as %s',
    async (type) => {
      const { id } = await create();
      const headers = { 'content-type': type };
      const text = JSON.stringify({ name: 'Typed' });
      const answer = await api.call<MonitorDto>('PATCH', `/v1/monitors/${id}`, { text, headers });
      expect(answer).toMatchObject({ status: 200, body: { name: 'Typed' } });
    },
  );

  it('increments the revision once per concurrent patch', async () => {
    const { id } = await create();
    const names = Array.from({ length: 10 }, (_, number) => `name ${number}`);
    const answers = await Promise.all(names.map((name) => patch(id, { name })));
    const last = await getMonitor(api, id);
    expect(last.revision).toBe(11);
    expect(names).toContain(last.name);
    expect(answers).toHaveLength(10);
  });
});

describe('the secrets of a monitor', () => {
  const auth = { type: 'bearer', token: 'a-secret-token' };
  const headers = { 'X-Api-Key': 'a-secret-header', Accept: 'text/plain' };

  it('are masked in responses and sent to the target', async () => {
    const made = await create({ auth, headers }, '/secrets');
    expect(made.auth).toEqual({ type: 'bearer', token: MASK });
    expect(made.headers).toEqual({ 'X-Api-Key': MASK, Accept: 'text/plain' });
    await checkNow(api, made.id);
    const [request] = target.requests('/secrets');
    expect(request?.headers).toMatchObject({ authorization: 'Bearer a-secret-token', 'x-api-key': 'a-secret-header' });
  });

  it('are preserved when they are sent masked or omitted', async () => {
    const { id } = await create({ auth, headers }, '/kept');
    const masked = { auth: { type: 'bearer', token: MASK }, headers: { 'x-api-key': MASK }, name: 'Still kept' };
    await patch(id, masked);
    await patch(id, { name: 'Kept again' });
    await checkNow(api, id);
    const [request] = target.requests('/kept');
    expect(request?.headers).toMatchObject({ authorization: 'Bearer a-secret-token', 'x-api-key': 'a-secret-header' });
  });

  it('are required again when the origin changes, even to another port of the same host', async () => {
    const { id } = await create({ auth });
    const elsewhere = 'http://127.0.0.1:9/';
    const refused = await api.patch(`/v1/monitors/${id}`, { url: elsewhere });
    expectSecretRequired(refused, '/auth/token');
    expect((await getMonitor(api, id)).url).toBe(target.url('/'));
    await patch(id, { url: target.url('/another-path') });
    await patch(id, { url: elsewhere, auth: { token: 'a-new-token' } });
    await patch(id, { url: target.url('/'), auth: null });
  });

  it('replace all fields of the previous auth.type', async () => {
    const { id } = await create({ auth });
    const basic = { type: 'basic', username: 'probe', password: 'hunter2' };
    expect((await patch(id, { auth: basic })).auth).toEqual({ ...basic, password: MASK });
    const refused = await api.patch(`/v1/monitors/${id}`, { auth: { type: 'bearer', token: MASK } });
    expectSecretRequired(refused, '/auth/token');
  });

  it('are encrypted in every table', async () => {
    const { id } = await create({ auth: { ...auth, token: 'sealed-token' }, headers: { Cookie: 'sealed-cookie' } });
    const [row] = await app.query<{ text: string }>(
      'SELECT to_jsonb(m)::text AS text FROM monitors m WHERE m.id = $1',
      [id],
    );
    expect(row?.text).toContain('"token"');
    expect(row?.text).not.toMatch(/sealed-(token|cookie)/);
    const tables = await app.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    for (const { name } of tables) {
      const found = await app.query(`SELECT 1 FROM ${name} t WHERE to_jsonb(t)::text ~ 'sealed-(token|cookie)'`);
      expect({ name, found }).toEqual({ name, found: [] });
    }
  });
});

describe('headers in secretHeaders', () => {
  const marked = { headers: { 'X-Internal': 'marked-secret', Accept: 'text/plain' }, secretHeaders: ['x-internal'] };
  const sentTo = (path: string) => target.requests(path).at(-1)?.headers;
  const storedText = async (id: string): Promise<string> =>
    (await app.query<{ text: string }>('SELECT definition::text AS text FROM monitors WHERE id = $1', [id]))[0]!.text;

  it('are masked, sealed and sent to the target', async () => {
    const made = await create(marked, '/marked');
    expect(made).toMatchObject({
      headers: { 'X-Internal': MASK, Accept: 'text/plain' },
      secretHeaders: ['x-internal'],
    });
    expect(await storedText(made.id)).not.toContain('marked-secret');
    await patch(made.id, { name: 'Renamed', headers: { 'x-INTERNAL': MASK } });
    await checkNow(api, made.id);
    expect(sentTo('/marked')).toMatchObject({ 'x-internal': 'marked-secret' });
  });

  it.each([
    ['removed', { secretHeaders: [] }],
    ['removed by null', { secretHeaders: null }],
    ['replaced by another name', { secretHeaders: ['X-Other'] }],
    ['removed, and the mask is sent', { secretHeaders: [], headers: { 'X-Internal': MASK } }],
  ])('must be sent again if their name is %s, so that no stored value is revealed', async (_, change) => {
    const before = await create(marked);
    expectSecretRequired(await api.patch(`/v1/monitors/${before.id}`, change), '/headers/X-Internal');
    expect(await getMonitor(api, before.id)).toEqual(before);
    const after = await patch(before.id, { ...change, headers: { 'X-Internal': 'public' } });
    expect(after.headers).toEqual({ 'X-Internal': 'public', Accept: 'text/plain' });
  });

  it('must be sent again when the origin changes', async () => {
    const { id } = await create(marked);
    expectSecretRequired(await api.patch(`/v1/monitors/${id}`, { url: 'http://127.0.0.1:9/' }), '/headers/X-Internal');
  });

  it('do not pass their value on to a header with another name', async () => {
    const { id } = await create(marked);
    const change = { headers: { 'X-Internal': null, 'X-Other': MASK } };
    expectSecretRequired(await api.patch(`/v1/monitors/${id}`, change), '/headers/X-Other');
    const both = { ...change, secretHeaders: ['X-Internal', 'X-Other'] };
    expectSecretRequired(await api.patch(`/v1/monitors/${id}`, both), '/headers/X-Other');
  });

  it('are sealed if they were stored in clear', async () => {
    const { id } = await create({ headers: marked.headers }, '/clear');
    expect(await storedText(id)).toContain('marked-secret');
    expect((await patch(id, { secretHeaders: ['X-Internal'] })).headers).toMatchObject({ 'X-Internal': MASK });
    expect(await storedText(id)).not.toContain('marked-secret');
    await checkNow(api, id);
    expect(sentTo('/clear')).toMatchObject({ 'x-internal': 'marked-secret' });
  });

  it('need not exist', async () => {
    const { id } = await create({ secretHeaders: ['X-Absent'] });
    expect(await patch(id, { headers: { Accept: 'a' } })).toMatchObject({ headers: { Accept: 'a' } });
    expect((await patch(id, { headers: { 'x-absent': 'b' } })).headers).toEqual({ Accept: 'a', 'x-absent': MASK });
  });

  it('are none for a monitor that was stored before the field existed', async () => {
    const made = await create({ headers: { ...marked.headers, Cookie: 'c' } }, '/before');
    await app.query(`UPDATE monitors SET definition = definition - 'secretHeaders' WHERE id = $1`, [made.id]);
    expect(await getMonitor(api, made.id)).toEqual(made);
    expect((await patch(made.id, { name: made.name })).revision).toBe(made.revision);
    await checkNow(api, made.id);
    expect(sentTo('/before')).toMatchObject({ 'x-internal': 'marked-secret', cookie: 'c' });
    await patch(made.id, { secretHeaders: ['X-Internal'] });
    expect(await storedText(made.id)).not.toContain('marked-secret');
  });
});

function expectSecretRequired({ status, body }: Answer<{ code?: string; errors?: unknown }>, pointer: string): void {
  expect({ status, code: body.code, errors: body.errors }).toEqual({
    status: 422,
    code: 'validation_failed',
    errors: [expect.objectContaining({ pointer, code: 'secret_required' })],
  });
}
