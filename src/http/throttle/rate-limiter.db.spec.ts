import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { eventually } from '../../../test/support/eventually.js';
import { makeKeyRow } from '../../../test/support/key-rows.js';
import { dataSource } from '../../database/data-source.js';
import { BucketStore } from './bucket-store.js';
import { RateLimiter } from './rate-limiter.js';
import { type Admission, type Bucket, bucketOf } from './token-bucket.js';

/** One token every 10 s, 6 in total: none is refilled while a test runs. */
const SLOW = bucketOf(6);

let database: TestDatabase;
let source: DataSource;
let store: BucketStore;
let keyId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url).initialize();
  store = new BucketStore(source);
});

afterAll(async () => {
  await source.destroy();
  await database.drop();
});

beforeEach(async () => {
  keyId = await makeKeyRow(source);
});

/** Returns a limiter, and the number of tokens that each of its statements requested. */
function watched(bucket: Bucket): { limiter: RateLimiter; asked: number[] } {
  const asked: number[] = [];
  const take: BucketStore['take'] = (key, tokens, of) => {
    asked.push(tokens);
    return store.take(key, tokens, of);
  };
  return { limiter: new RateLimiter({ take }, bucket), asked };
}

const many = (limiter: RateLimiter, requests: number, key = keyId): Promise<Admission[]> =>
  Promise.all(Array.from({ length: requests }, () => limiter.admit(key)));
const admitted = (admissions: Admission[]): number => admissions.filter((one) => one.admitted).length;

describe('RateLimiter', () => {
  it('takes the tokens of concurrent requests in one further statement, in the order of arrival', async () => {
    const { limiter, asked } = watched(SLOW);
    const admissions = await many(limiter, 10);
    expect(asked).toEqual([1, 9]);
    expect(admissions.map((one) => one.admitted)).toEqual([
      ...Array<boolean>(6).fill(true),
      ...Array<boolean>(4).fill(false),
    ]);
    const debts = admissions.flatMap((one) => (one.admitted ? [Math.ceil(one.debt)] : []));
    expect(debts).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('sends no statement for a key whose bucket is empty until its next token', async () => {
    const { limiter, asked } = watched(bucketOf(60));
    const refused = (await many(limiter, 70)).at(-1);
    expect(asked).toEqual([1, 69]);
    const refusedAt = performance.now();
    const waitMs = refused?.admitted === false ? refused.waitMs : NaN;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(1_000);
    expect(admitted(await many(limiter, 500))).toBe(0);
    expect(asked).toHaveLength(2);
    await eventually(async () => expect((await limiter.admit(keyId)).admitted).toBe(true));
    // The wait began with the statement, slightly before its result arrived.
    expect(performance.now() - refusedAt).toBeGreaterThan(waitMs - 200);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it('separates keys', async () => {
    const { limiter, asked } = watched(SLOW);
    const [ours, theirs] = await Promise.all([many(limiter, 20), many(limiter, 5, await makeKeyRow(source))]);
    expect([admitted(ours), admitted(theirs)]).toEqual([6, 5]);
    expect(asked.toSorted((a, b) => a - b)).toEqual([1, 1, 4, 19]);
  });

  it('fails every waiting request when the database fails, and none that arrives later', async () => {
    const { limiter } = watched(SLOW);
    await source.query('ALTER TABLE rate_limits RENAME TO rate_limits_away');
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => limiter.admit(keyId)));
    await source.query('ALTER TABLE rate_limits_away RENAME TO rate_limits');
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(await limiter.admit(keyId)).toMatchObject({ admitted: true });
  });
});
