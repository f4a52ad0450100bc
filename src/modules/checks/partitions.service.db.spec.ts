import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { createTestDatabase } from '../../../test/support/database.js';
import { readConfig } from '../../config/app-config.js';
import { dataSource } from '../../database/data-source.js';
import { DAY_MS } from '../../domain/durations.js';
import { dateOf } from '../../domain/utc-day.js';
import { PartitionsService } from './partitions.service.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
beforeAll(async () => {
  Logger.overrideLogger(false);
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

it('drops a partition that a backup reads only after that, without blocking its table meanwhile', async () => {
  const partitions = new PartitionsService(source, readConfig({}));
  const time = Date.now() - 200 * DAY_MS;
  await partitions.ensure([time]);
  const name = `checks_${dateOf(time).replaceAll('-', '')}`;
  const exists = async (): Promise<boolean> => {
    const [row]: { exists: boolean }[] = await source.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name]);
    return row!.exists;
  };
  await source.transaction(async (backup) => {
    await backup.query(`LOCK TABLE ${name} IN ACCESS SHARE MODE`);
    // Without a limit, this would wait for the end of the transaction, which waits for this.
    await partitions.maintain();
  });
  expect(await exists()).toBe(true);
  await partitions.maintain();
  expect(await exists()).toBe(false);
});
