import { type DataSource } from 'typeorm';

/**
 * Returns the time by the clock of this machine or by that of the database, whichever is earlier, in epoch milliseconds.
 * For what deletes old rows: the clocks of several machines differ, and one that is ahead must not delete what is not
 * old yet.
 */
export async function earlierNow(dataSource: DataSource): Promise<number> {
  const [row]: { ms: number }[] = await dataSource.query(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  return Math.min(Date.now(), row!.ms);
}
