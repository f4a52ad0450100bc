import { type DataSource } from 'typeorm';
import { ConfigError } from '../config/app-config.js';

/** A process that shares the work reports once a second. */
const RUNS_IF_SEEN_WITHIN = '5 seconds';

/**
 * Compares where the queues of this process are in Redis with where those of the running ones are.
 * @throws ConfigError if they differ: shards of this process would be dispatched to queues that nobody reads
 */
export async function assertQueues(source: DataSource, place: string): Promise<void> {
  const [other]: { queues: string }[] = await source.query(
    `SELECT queues FROM processes WHERE queues <> $1 AND seen_at > now() - interval '${RUNS_IF_SEEN_WITHIN}' LIMIT 1`,
    [place],
  );
  if (!other) return;
  const [database, prefix] = other.queues.split(' ');
  throw new ConfigError([
    `REDIS_PREFIX must be ${prefix}, and the database in REDIS_URL ${database}, as in the processes that are running`,
  ]);
}
