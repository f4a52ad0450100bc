import { type DataSource } from 'typeorm';

/**
 * Returns which of several kinds of work is due at `nowMs`, by one query for all of them: most looks find nothing.
 * @param conditions SQL conditions, such as `EXISTS (SELECT …)`, with the time as `$1`. At least one must use it.
 */
export async function areDue(dataSource: DataSource, conditions: readonly string[], nowMs: number): Promise<boolean[]> {
  const columns = conditions.map((condition, index) => `${condition} AS "${index}"`);
  const [row]: Record<number, boolean>[] = await dataSource.query(`SELECT ${columns.join(', ')}`, [new Date(nowMs)]);
  return conditions.map((_, index) => row![index]!);
}
