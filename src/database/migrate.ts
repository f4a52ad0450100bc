import { dataSource } from './data-source.js';

/** An arbitrary constant: processes that start together migrate one after the other. */
const MIGRATION_LOCK = 718_201_001;

/** Brings the schema up to date. Safe to run from several processes at once, and if there is nothing to do. */
export async function migrate(url: string): Promise<void> {
  const source = await dataSource(url, 2).initialize();
  const guard = source.createQueryRunner();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await source.runMigrations({ transaction: 'each' });
  } finally {
    await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await guard.release();
    await source.destroy();
  }
}
