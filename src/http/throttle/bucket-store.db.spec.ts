import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { makeKeyRow } from '../../../test/support/key-rows.js';
import { dataSource } from '../../database/data-source.js';
import { BucketStore } from './bucket-store.js';
import { bucketOf } from './token-bucket.js';

/** One token every 10 s, 6 in total: none is refilled while a test runs. */
const SLOW = bucketOf(6);

let database: TestDatabase;
/** Data sources as of two processes. */
let sources: [DataSource, DataSource];
let stores: [BucketStore, BucketStore];
let keyId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sources = [await dataSource(database.url).initialize(), await dataSource(database.url).initialize()];
  stores = [new BucketStore(sources[0]), new BucketStore(sources[1])];
});

afterAll(async () => {
  for (const source of sources) await source.destroy();
  await database.drop();
});

beforeEach(async () => {
  keyId = await makeKeyRow(sources[0]);
});

describe('BucketStore', () => {
  it('grants the available tokens and reports when the bucket is full again', async () => {
    const taken = [];
    for (const tokens of [1, 3, 5, 1]) taken.push(await stores[0].take(keyId, tokens, SLOW));
    expect(taken.map(({ granted }) => granted)).toEqual([1, 3, 2, 0]);
    for (const [at, debt] of [1, 4, 6, 6].entries()) {
      expect(taken[at]?.fullInMicros).toBeLessThanOrEqual(debt * 10e6);
      expect(taken[at]?.fullInMicros).toBeGreaterThan(debt * 10e6 - 5e6);
    }
  });

  it('grants at most a full bucket at once, including the first time', async () => {
    expect((await stores[0].take(keyId, 1_000, SLOW)).granted).toBe(6);
    await sources[0].query('UPDATE rate_limits SET full_at = now() WHERE key_id = $1', [keyId]);
    expect((await stores[0].take(keyId, 1_000, SLOW)).granted).toBe(6);
  });

  it.each<[string, string, number, number]>([
    ['a bucket that was full a year ago', `- interval '1 year'`, 6, 60],
    ['a bucket that is full in 25 s', `+ interval '25 s'`, 3, 55],
    ['an empty bucket', `+ interval '60 s'`, 0, 60],
    ['a clock that was an hour ahead', `+ interval '1 hour'`, 0, 60],
    ['a bucket whose limit was raised', `+ interval '61 s'`, 0, 60],
  ])('handles %s', async (_, shift, granted, fullInSeconds) => {
    await sources[0].query(`INSERT INTO rate_limits VALUES ($1, clock_timestamp() ${shift})`, [keyId]);
    const taken = await stores[0].take(keyId, 10, SLOW);
    expect(taken.granted).toBe(granted);
    expect(taken.fullInMicros).toBeLessThanOrEqual(fullInSeconds * 1e6);
    expect(taken.fullInMicros).toBeGreaterThan(fullInSeconds * 1e6 - 5e6);
  });

  it('adds the same time for each token, even if a minute does not divide evenly', async () => {
    const bucket = bucketOf(700);
    const fullAt = async (): Promise<number> => {
      const sql = 'SELECT extract(epoch FROM full_at) * 1000000 AS micros FROM rate_limits WHERE key_id = $1';
      const [row]: { micros: string }[] = await sources[0].query(sql, [keyId]);
      return Number(row!.micros);
    };
    await stores[0].take(keyId, 50, bucket);
    const before = await fullAt();
    for (let turn = 0; turn < 20; turn += 1) expect((await stores[0].take(keyId, 3, bucket)).granted).toBe(3);
    expect((await fullAt()) - before).toBe(60 * bucket.stepMicros);
  });

  it('grants each token exactly once to two processes that take as fast as they can', async () => {
    // 500 at once, then one every 20 ms. Times are of the clock by which the database fills the bucket.
    const bucket = bucketOf(3_000);
    const beganAt = Date.now();
    // A full bucket gains nothing, so most of it is taken first: it is not full again for 8 s.
    let granted = (await stores[0].take(keyId, 400, bucket)).granted;
    const openedAt = Date.now();
    /** Takes tokens until the bucket has been empty for a while. Returns when it last took the available ones. */
    const drain = async (store: BucketStore): Promise<number> => {
      for (;;) {
        const lastAt = Date.now();
        const got = (await store.take(keyId, 7, bucket)).granted;
        granted += got;
        if (got < 7 && lastAt > openedAt + 500) return lastAt;
      }
    };
    const lasts = await Promise.all([0, 0, 0, 1, 1, 1].map((process) => drain(stores[process]!)));
    const most = bucket.burst + Math.floor(((Date.now() - beganAt) * 1e3) / bucket.stepMicros);
    // The clocks of the database and of this process may disagree about a token that is due at the last moment.
    const least = bucket.burst - 1 + Math.floor(((Math.max(...lasts) - openedAt) * 1e3) / bucket.stepMicros);
    expect(granted).toBeLessThanOrEqual(most);
    expect(granted).toBeGreaterThanOrEqual(least);
  });
});
