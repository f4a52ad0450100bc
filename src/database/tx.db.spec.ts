import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../../test/support/database.js';
import { dataSourceOptions } from './data-source.js';
import { afterCommit, managerOf, Transactions } from './tx.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let transactions: Transactions;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await new DataSource({ ...dataSourceOptions(database.url, 2), entities: [] }).initialize();
  transactions = new Transactions(source);
  await source.query('CREATE TABLE numbers (n int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)');
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

it('acts after the commit, in the order of registration', async () => {
  const seen: string[] = [];
  await transactions.run(async (tx) => {
    afterCommit(tx, () => seen.push('first'));
    afterCommit(tx, () => seen.push('second'));
    await managerOf(tx).query('INSERT INTO numbers VALUES (1)');
    expect(seen).toEqual([]);
  });
  expect(seen).toEqual(['first', 'second']);
});

it.each([
  ['the work fails', 'SELECT 1 / 0'],
  ['the commit fails', 'INSERT INTO numbers VALUES (1)'],
])('does not act if %s', async (_, statement) => {
  const seen: string[] = [];
  const run = transactions.run(async (tx) => {
    afterCommit(tx, () => seen.push('acted'));
    await managerOf(tx).query(statement);
  });
  await expect(run).rejects.toThrow();
  expect(seen).toEqual([]);
});

it('acts once if the work is repeated', async () => {
  const seen: number[] = [];
  let attempts = 0;
  await transactions.run(async (tx) => {
    const attempt = ++attempts;
    afterCommit(tx, () => seen.push(attempt));
    const raise = "DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$";
    if (attempt === 1) await managerOf(tx).query(raise);
  });
  expect(seen).toEqual([2]);
});
