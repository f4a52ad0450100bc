import { type DataSource } from 'typeorm';
import { ConfigError } from '../config/app-config.js';

/**
 * Fixes the number of shards at the first call.
 * @throws ConfigError if it was fixed before at another number: processes would disagree about who serves a monitor
 */
export async function assertShards(source: DataSource, shards: number): Promise<void> {
  await source.query('UPDATE instance SET shards = $1 WHERE shards IS NULL', [shards]);
  const [row]: { shards: number }[] = await source.query('SELECT shards FROM instance');
  if (row!.shards !== shards) {
    throw new ConfigError([`SHARDS must be ${row!.shards}, as at the first start with REDIS_URL`]);
  }
}

/** Returns the number of shards, or `expected` if no start has fixed it. */
export async function shardsOf(source: DataSource, expected: number): Promise<number> {
  const [row]: { shards: number | null }[] = await source.query('SELECT shards FROM instance');
  return row?.shards ?? expected;
}
