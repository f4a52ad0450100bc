import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { expectReplay, isReplay, type NoteAnswer, type NoteCall, NotesApp } from '../../../test/support/notes-app.js';
import { OURS } from '../../../test/support/notes.js';
import { managerOf, Transactions } from '../../database/tx.js';
import { notFound } from '../problems/problem.js';
import { ExpiredKeysService } from './expired-keys.service.js';
import { IdempotencyService } from './idempotency.service.js';

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

describe('concurrent requests', () => {
  it('have one effect, and the others get its response or are asked to retry', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('', { body: { text: 'a' } })));
    const [note, ...more] = await app.notes();
    expect(more).toEqual([]);
    for (const { status, headers, body } of answers) {
      if (status === 201) expect(body.id).toBe(note!.id);
      else expect([status, body.code, headers['retry-after']]).toEqual([409, 'idempotency_in_flight', '1']);
    }
    expect(answers.filter((answer) => answer.status === 201 && !isReplay(answer))).toHaveLength(1);
    expect((await call('', { body: { text: 'a' } })).body.id).toBe(note!.id);
  });

  it('do not wait for one that is still running, whether it is equal or not', async () => {
    const { open, opened } = app.gate();
    app.meetAtTheWrite(() => opened);
    const first = call('', { body: { text: 'a' } });
    await eventually(async () => expect(await app.claims()).toHaveLength(1));
    expect(await call('', { body: { text: 'a' } })).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      body: { code: 'idempotency_in_flight' },
    });
    expect((await call('', { body: { text: 'b' } })).status).toBe(422);
    open();
    expect((await first).status).toBe(201);
  });

  it('do not wait for the transaction that stores the response', async () => {
    const { open, opened } = app.gate();
    await call('', { body: { text: 'a' } });
    const holder = app.nest.get(Transactions).run(async (tx) => {
      await managerOf(tx).query('UPDATE idempotency_keys SET body = body');
      await opened;
    });
    await eventually(async () => {
      const locks = await app.sql(`SELECT 1 FROM pg_locks WHERE relation = 'idempotency_keys'::regclass AND granted`);
      expect(locks).not.toEqual([]);
    });
    expect(isReplay(await call('', { body: { text: 'a' } }))).toBe(true);
    open();
    await holder;
  });
});

describe('a response', () => {
  it('may contain any text', async () => {
    const store = app.nest.get(IdempotencyService, { strict: false });
    const { claim } = await store.claim(OURS, key, Buffer.from('one'));
    await store.keep(claim!, { statusCode: 200, headers: {}, body: { texts: ['a\0b', '\ud800', '😀"\\u0000'] } });
    const { kept } = await store.claim(OURS, key, Buffer.from('one'));
    expect(kept?.body).toEqual({ texts: ['a\uFFFDb', '\uFFFD', '😀"\\u0000'] });
  });
});

describe('the expiry of claims and responses', () => {
  /** Starts a request that is held at its write, and ages its claim. */
  async function stalled(path: string, ageBy: string): Promise<{ go: () => void; answer: Promise<NoteAnswer> }> {
    const { open, opened } = app.gate();
    const arrived = new Promise<void>((resolve) => {
      app.meetAtTheWrite(() => {
        resolve();
        return opened;
      });
    });
    const answer = call(path, { body: { text: 'a' } });
    await arrived;
    app.meetAtTheWrite();
    await app.age(ageBy);
    return { go: open, answer };
  }

  it('lets a claim lapse after 60 s, so that another request takes over and the first writes nothing', async () => {
    const { go, answer } = await stalled('', '61 seconds');
    const second = await call('', { body: { text: 'a' } });
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    go();
    expect(await answer).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      body: { code: 'idempotency_in_flight' },
    });
    expect(await app.notes()).toEqual([{ id: second.body.id, text: 'a' }]);
    expectReplay(await call('', { body: { text: 'a' } }), second);
  });

  it('prevents the first write even if the second request has failed', async () => {
    const { go, answer } = await stalled('', '61 seconds');
    app.meetAtTheWrite(() => Promise.reject(notFound()));
    expect((await call('', { body: { text: 'a' } })).status).toBe(404);
    go();
    expect((await answer).status).toBe(409);
    expect(await app.notes()).toEqual([]);
  });

  it('gives a lapsed claim to one of many requests', async () => {
    const { go, answer } = await stalled('', '61 seconds');
    await Promise.all(Array.from({ length: 10 }, () => call('', { body: { text: 'a' } })));
    go();
    expect((await answer).status).toBe(409);
    expect(await app.notes()).toHaveLength(1);
  });

  it('does not affect a claim before 60 s', async () => {
    const { go, answer } = await stalled('', '55 seconds');
    expect((await call('', { body: { text: 'a' } })).status).toBe(409);
    go();
    await answer;
  });

  it('does not affect a lapsed claim that nobody took over', async () => {
    const store = app.nest.get(IdempotencyService, { strict: false });
    const { claim } = await store.claim(OURS, key, Buffer.from('one'));
    await app.age('61 seconds');
    // A claim is identified by its time, which was just changed.
    const aged = { ...claim!, claimedAt: new Date(claim!.claimedAt.getTime() - 61_000) };
    const answer = { statusCode: 201, headers: {}, body: { id: 1 } };
    await app.nest.get(Transactions).run((tx) => store.keepIn(tx, aged, answer));
    expect(await store.claim(OURS, key, Buffer.from('one'))).toEqual({ kept: answer });
  });

  it('prevents the loser of a claim from changing the response of the winner', async () => {
    const { go, answer } = await stalled('/unkept', '61 seconds');
    const second = await call('/unkept', { body: { text: 'a' } });
    go();
    expect((await answer).status).toBe(201);
    expectReplay(await call('/unkept', { body: { text: 'a' } }), second);
  });

  it('preserves responses for 24 h, then runs another request with the key', async () => {
    const first = await call('', { body: { text: 'a' } });
    await app.age('23 hours 59 minutes');
    await app.nest.get(ExpiredKeysService).sweep();
    expectReplay(await call('', { body: { text: 'a' } }), first);
    await app.age('2 minutes');
    const next = await call('', { body: { text: 'b' } });
    expect([next.status, isReplay(next)]).toEqual([201, false]);
    expectReplay(await call('', { body: { text: 'b' } }), next);
  });

  it('removes expired responses only', async () => {
    await call('');
    await app.age('25 hours');
    await call('', { keys: ['fresh'] });
    await app.nest.get(ExpiredKeysService).sweep();
    expect(await app.claims()).toEqual([expect.objectContaining({ key: 'fresh' })]);
  });
});
