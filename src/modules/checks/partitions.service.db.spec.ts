import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { createTestDatabase } from '../../../test/support/database.js';
import { readConfig } from '../../config/app-config.js';
import { dataSource } from '../../database/data-source.js';
import { PartitionsService } from './partitions.service.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url, 10).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

it('creates a partition once, without errors, if several processes need it at the same time', async () => {
  for (let day = 0; day < 10; day += 1) {
    const time = Date.UTC(2026, 9, 1 + day);
    await Promise.all(Array.from({ length: 10 }, () => new PartitionsService(source, readConfig({})).ensure([time])));
  }
  const rows: unknown[] = await source.query(
    `SELECT 1 FROM pg_class WHERE relname LIKE 'checks_202610__' AND relkind = 'r'`,
  );
  expect(rows).toHaveLength(10);
});
