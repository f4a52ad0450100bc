import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase } from '../../test/support/database.js';
import { DataSource } from 'typeorm';
import { eventually } from '../../test/support/eventually.js';
import { timed } from '../../test/support/timed.js';
import { dataSourceOptions } from './data-source.js';
import { isDatabaseAway } from './database-fault.js';
import { ConnectionGate, servingLimits } from './impatient-client.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let other: Client;
const gate = new ConnectionGate();

beforeAll(async () => {
  database = await createTestDatabase();
  const limits = { ...servingLimits(gate), query_timeout: 400, statement_timeout: 0 };
  source = await new DataSource(dataSourceOptions(database.url, 1, limits)).initialize();
  other = new Client({ connectionString: database.url });
  await other.connect();
});

afterAll(async () => {
  await other?.end();
  await source?.destroy();
  await database?.drop();
});

describe('a pool of impatient clients', () => {
  it('does not reuse a connection whose query was abandoned within a transaction', async () => {
    const stuck = source.transaction(async (manager) => {
      await manager.query(`INSERT INTO teams (id, name) VALUES (gen_random_uuid(), 'given up')`);
      await manager.query('SELECT pg_sleep(1)');
    });
    await expect(stuck).rejects.toThrow();
    // On the pool's only connection, this would run within the abandoned transaction and be lost with it.
    await source.query(`INSERT INTO teams (id, name) VALUES (gen_random_uuid(), 'next')`);
    const { rows } = await other.query<{ name: string }>('SELECT name FROM teams');
    expect(rows.map((row) => row.name)).toEqual(['next']);
  });

  it('does not affect queries that are answered', async () => {
    expect(await source.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(source.query('SELECT broken')).rejects.toThrow('broken');
    expect(await source.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  });

  it('prepares a statement that is used often, with the same results and errors', async () => {
    for (const number of [1, 2, 3, 4, 5, 6]) {
      expect(await source.query('SELECT 10 / $1::int AS share', [number])).toEqual([
        { share: Math.floor(10 / number) },
      ]);
    }
    expect(
      await source.query('SELECT statement, generic_plans + custom_plans AS uses FROM pg_prepared_statements'),
    ).toEqual([{ statement: 'SELECT 10 / $1::int AS share', uses: '2' }]);
    await expect(source.query('SELECT 10 / $1::int AS share', [0])).rejects.toThrow('division by zero');
    expect(await source.query('SELECT 10 / $1::int AS share', [5])).toEqual([{ share: 2 }]);
  });

  it('fails pending queries and rejects new ones when its gate closes, and reconnects when it opens', async () => {
    const waiting = source.query('SELECT pg_sleep(30)');
    // The query is running once another session sees it.
    await eventually(async () => {
      const { rows } = await other.query(
        `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(30)%' AND datname = current_database()`,
      );
      expect(rows).toHaveLength(1);
    });
    gate.close();
    await expect(waiting).rejects.toThrow('Connection terminated');
    const { value: refused, tookMs } = await timed((): Promise<unknown> =>
      source.query('SELECT 1').catch((error: unknown) => error),
    );
    expect(isDatabaseAway(refused)).toBe(true);
    expect(tookMs).toBeLessThan(1_000);
    gate.reopen();
    expect(await source.query('SELECT 3 AS three')).toEqual([{ three: 3 }]);
  });
});
