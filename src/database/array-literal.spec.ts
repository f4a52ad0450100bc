import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import fc from 'fast-check';
import { createTestDatabase } from '../../test/support/database.js';
import { numbers, texts, times } from './array-literal.js';

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

async function readBack<T>(type: string, literal: string): Promise<T[]> {
  const { rows } = await client.query<{ value: T }>(`SELECT unnest($1::${type}[]) AS value`, [literal]);
  return rows.map(({ value }) => value);
}

describe('array literals', () => {
  it.each([[[]], [[0, -1, 1.5, null, 1e21, 4.2e-9]]])('of numbers %j', async (values) => {
    expect(await readBack('float8', numbers(values))).toEqual(values);
  });

  it('of times', async () => {
    const values = [0, Date.UTC(2026, 1, 28, 23, 59, 59, 999), null, Date.UTC(9999, 11, 31), -1];
    const found = await readBack<Date | null>('timestamptz', times(values));
    expect(found.map((date) => date?.getTime() ?? null)).toEqual(values);
  });

  it('of any text', async () => {
    const text = fc.oneof(
      // Of whole characters: a lone surrogate has no form in UTF-8.
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', 'null', 'NULL', ' ', '{}', '"', '\\', '\\"', 'a,b', '{"a":"\\n"}', 'ä€😀', '\n', '\u00a0'),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (values) => {
        expect(await readBack('text', texts(values))).toEqual(values);
      }),
      { numRuns: 100 },
    );
  });
});
