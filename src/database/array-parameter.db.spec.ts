import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import fc from 'fast-check';
import { createTestDatabase } from '../../test/support/database.js';
import { dates, doubles, integers, jsons, reals, texts, times, uuids } from './array-parameter.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function readBack<T>(type: string, parameter: Buffer): Promise<T[]> {
  const { rows } = await client.query<{ value: T }>(`SELECT unnest($1::${type}[]) AS value`, [parameter]);
  return rows.map(({ value }) => value);
}

describe('array parameters', () => {
  it.each([[[]], [[0, -1, 1.5, null, 1e21, 4.2e-9, Number.MAX_VALUE]]])('carry the numbers %j', async (values) => {
    expect(await readBack('float8', doubles(values))).toEqual(values);
  });

  it('carry 4-byte numbers', async () => {
    const whole = [0, -1, null, 2 ** 31 - 1, -(2 ** 31)];
    expect(await readBack('int', integers(whole))).toEqual(whole);
    expect(await readBack('real', reals([0, -1.5, null, 0.1]))).toEqual([0, -1.5, null, 0.1]);
    expect(() => integers([2 ** 31])).toThrow('out of range');
  });

  it('carry times', async () => {
    const values = [0, Date.UTC(2026, 1, 28, 23, 59, 59, 999), null, Date.UTC(9999, 11, 31), -1];
    const found = await readBack<Date | null>('timestamptz', times(values));
    expect(found.map((date) => date?.getTime() ?? null)).toEqual(values);
  });

  it('carry dates', async () => {
    const values = ['2000-01-01', '1999-12-31', null, '2028-02-29', '9999-12-31'];
    const { rows } = await client.query('SELECT unnest($1::date[])::text AS value', [dates(values)]);
    expect(rows.map((row: { value: string | null }) => row.value)).toEqual(values);
  });

  it('carry UUIDs', async () => {
    const values = [randomUUID(), null, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
    expect(await readBack('uuid', uuids(values))).toEqual(values);
  });

  // Whole characters only, because a lone surrogate cannot be encoded in UTF-8.
  const someText = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', 'null', 'NULL', ' ', '{}', '"', '\\', '\\"', 'a,b', '{"a":"\\n"}', 'ä€😀', '\n', '\u00a0'),
  );

  it('carry any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(someText)), async (values) => {
        expect(await readBack('text', texts(values))).toEqual(values);
      }),
      { numRuns: 100 },
    );
  });

  // The database compares: since V8 12.8 (Node 24), `JSON.parse` may misread a key that begins with an escape
  // (nodejs/node#63785).
  it('carry any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(someText, someText)), async (values) => {
        const written = values.map((value) => JSON.stringify(value));
        const { rows } = await client.query(
          `SELECT count(*)::int AS count, coalesce(bool_and(read = wanted::jsonb), true) AS same
           FROM unnest($1::jsonb[], $2::text[]) AS pairs (read, wanted)`,
          [jsons(written), texts(written)],
        );
        expect(rows).toEqual([{ count: values.length, same: true }]);
      }),
      { numRuns: 50 },
    );
  });
});
