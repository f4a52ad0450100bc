import { afterAll, beforeAll } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { dataSource } from '../../src/database/data-source.js';
import { createTestDatabase, type TestDatabase } from './database.js';

/** Connects to a new database with the current schema for the tests of a file, and hands both over. */
export function useSource(take: (source: DataSource, database: TestDatabase) => void): void {
  let database: TestDatabase | undefined;
  let source: DataSource | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    source = await dataSource(database.url).initialize();
    take(source, database);
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });
}
