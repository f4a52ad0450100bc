import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { expectReplay, isReplay, type NoteCall, NotesApp } from '../../../test/support/notes-app.js';
import { notFound } from '../problems/problem.js';

let app: NotesApp;
let serial = 0;
let key: string;

beforeAll(async () => {
  app = await NotesApp.start();
});
afterAll(() => app.close());
beforeEach(async () => {
  key = `key-${serial++}`;
  await app.reset();
});

const call = (path: string, options: Partial<NoteCall> = {}) => app.call(path, { keys: [key], ...options });

describe('a repeated request', () => {
  it.each(['', '/unkept'])('to %j gets the first response with its headers', async (path) => {
    const first = await call(path, { body: { text: 'a' } });
    expect(first).toMatchObject({
      status: 201,
      headers: { location: `/v1/notes/${first.body.id}`, etag: expect.stringMatching(/^"1\.\d+"$/) },
    });
    expectReplay(await call(path, { body: { text: 'a' } }), first);
    expectReplay(await call(path, { as: 'alsoOurs', body: { text: 'a' } }), first);
    expectReplay(await call(path, { body: '{ "text":"a" }' }), first);
    expect(await app.notes()).toHaveLength(1);
  });

  it('gets a response without a body if the first had none', async () => {
    const first = await call('/nothing');
    expect(first).toMatchObject({ status: 204, body: null });
    expectReplay(await call('/nothing'), first);
    expect(await app.notes()).toHaveLength(1);
  });

  it('has its own effect without a key or with another one', async () => {
    const ids = [];
    for (const keys of [['a'], ['b'], [], []]) ids.push((await call('', { keys })).body.id);
    expect(new Set(ids).size).toBe(4);
  });

  it.each<[string, string, unknown]>([
    ['body', '', { text: 'b' }],
    ['path', '/unkept', { text: 'a' }],
  ])('is rejected with another %s', async (_, path, body) => {
    await call('', { body: { text: 'a' } });
    const answer = await call(path, { body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await app.notes()).toHaveLength(1);
  });

  it('by another team is a separate request', async () => {
    const [mine, yours] = [await call(''), await call('', { as: 'theirs' })];
    expect([mine, yours].map(isReplay)).toEqual([false, false]);
    expectReplay(await call('', { as: 'theirs' }), yours);
    expect(await app.notes()).toHaveLength(2);
  });

  it('to self must use the same API key', async () => {
    const first = await call('/self/touch');
    expect(await call('/self/touch', { as: 'alsoOurs' })).toMatchObject({ status: 422 });
    expectReplay(await call('/self/touch'), first);
  });
});

describe('the stored response', () => {
  it('is the one that the service provides, without the secret, and nothing from the request', async () => {
    const first = await call('/redacted', { body: { text: 'my own secret' } });
    const again = await call('/redacted', { body: { text: 'my own secret' } });
    expect(first.body.secret).toBe('dw_secret');
    expect(again).toMatchObject({ status: 201, body: { ...first.body, secret: null } });
    expect(isReplay(again)).toBe(true);
    expect(JSON.stringify(await app.sql('SELECT k::text FROM idempotency_keys k'))).not.toMatch(/dw_secret|my own/);
  });

  it('is never one with no-store', async () => {
    expect((await call('/secret')).status).toBe(201);
    expect(await app.claims()).toEqual([]);
  });

  it('is committed with the write, even if the request fails afterwards', async () => {
    const first = await call('/fails-after');
    expect(first.status).toBe(500);
    const again = await call('/fails-after');
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect(await app.notes()).toEqual([{ id: again.body.id, text: null }]);
  });

  it('is a promise until the handler returns the final response', async () => {
    const { open, opened } = app.gate();
    app.meetAtTheWrite(({ text }) => (text === 'wait' ? opened : undefined));
    const first = call('/promised', { body: { text: 'wait' } });
    await eventually(async () => expect(await app.notes()).toHaveLength(1));
    const early = await call('/promised', { body: { text: 'wait' } });
    expect(early.status).toBe(202);
    expect(early.headers).toMatchObject({
      location: `/v1/notes/${early.body.id}`,
      'idempotent-replayed': 'true',
    });
    open();
    expect(await first).toMatchObject({ status: 200, body: { id: early.body.id, done: true } });
    expectReplay(await call('/promised', { body: { text: 'wait' } }), await first);
    expect(await app.notes()).toHaveLength(1);
  });
});

describe('a failure', () => {
  it.each<[string, string, () => Promise<void> | void]>([
    ['caused by the caller', '', () => Promise.reject(notFound())],
    ['in the service', '', () => Promise.reject(new Error('broken'))],
    ['that does not throw', '/refused', () => undefined],
  ])('%s is not stored, and the next request runs', async (_, path, fail) => {
    app.meetAtTheWrite(fail);
    const first = await call(path, { body: { text: 'a' } });
    expect(first.status).toBeGreaterThan(299);
    expect(await app.claims()).toEqual([]);
    app.meetAtTheWrite();
    const second = await call('', { body: { text: 'b' } });
    expect([second.status, isReplay(second)]).toEqual([201, false]);
  });

  it('of the commit stores nothing', async () => {
    await app.sql('ALTER TABLE notes ADD CONSTRAINT late UNIQUE (text) DEFERRABLE INITIALLY DEFERRED');
    try {
      await call('', { keys: ['other'], body: { text: 'taken' } });
      expect((await call('', { body: { text: 'taken' } })).status).toBe(500);
      expect(await app.claims()).toHaveLength(1);
      await app.sql('DELETE FROM notes');
      const second = await call('', { body: { text: 'taken' } });
      expect([second.status, isReplay(second)]).toEqual([201, false]);
    } finally {
      await app.sql('ALTER TABLE notes DROP CONSTRAINT late');
    }
  });
});

describe('the header', () => {
  it.each<[string, Partial<NoteCall>, number, string]>([
    ['a key without the scope', { as: 'reader' }, 403, 'insufficient_scope'],
    ['no valid key', { as: 'nobody' }, 401, 'invalid_token'],
    ['broken JSON', { body: '{' }, 400, 'invalid_json'],
    ['an empty header', { keys: [''] }, 400, 'invalid_request'],
    ['a header of 256 characters', { keys: ['x'.repeat(256)] }, 400, 'invalid_request'],
    ['two headers', { keys: ['a', 'a'] }, 400, 'invalid_request'],
  ])('claims nothing for %s', async (_, options, status, code) => {
    expect(await call('', options)).toMatchObject({ status, body: { code } });
    expect([await app.claims(), await app.notes()]).toEqual([[], []]);
  });

  it('claims nothing for an unknown parameter, which is reported before an invalid header', async () => {
    const answer = await call('?x=1', { keys: [''] });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
    expect(await app.claims()).toEqual([]);
  });

  it.each<[string, string, Partial<NoteCall>]>([
    ['another method', '/one', { method: 'PUT' }],
    ['a public route', '/open', {}],
  ])('is ignored on %s', async (_, path, options) => {
    for (const keys of [[key], [key], ['']]) expect((await call(path, { ...options, keys })).status).toBeLessThan(300);
    expect([await app.claims(), await app.notes()]).toEqual([
      [],
      [expect.anything(), expect.anything(), expect.anything()],
    ]);
  });
});
