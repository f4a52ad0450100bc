import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { MIGRATIONS } from './migrations/index.js';

/** An arbitrary constant: processes that start together migrate one after the other. */
const MIGRATION_LOCK = 718_201_001;

/** The names of all migrations, oldest first. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map((migration) => new migration().name);

/**
 * Brings the schema up to date. Safe to run from several processes at once, and if there is nothing to do.
 *
 * @param names the migrations to apply, for the schema of an earlier version; all of them by default
 */
export async function migrate(url: string, names = MIGRATION_NAMES): Promise<void> {
  const migrations = MIGRATIONS.filter((_, index) => names.includes(MIGRATION_NAMES[index]!));
  const source = await new DataSource({ ...dataSourceOptions(url, 2), migrations }).initialize();
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
