import { type Logger } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { DAY_MS } from '../domain/durations.js';
import { isDatabaseAway } from './database-fault.js';
import { earlierNow } from './earlier-now.js';

/**
 * Deletes until a batch is smaller than `size`. `deleteBatch` returns how many rows it deleted. Never throws: what is
 * left is deleted next time, here or in another process.
 */
export async function deleteInBatches(
  size: number,
  deleteBatch: () => Promise<number>,
  logger: Logger,
  failure: string,
): Promise<void> {
  try {
    while ((await deleteBatch()) === size);
  } catch (error) {
    if (!isDatabaseAway(error)) logger.error(failure, error);
  }
}

/** Like `deleteInBatches`, for what is older than `days` at `nowMs`, by default by the earlier clock; see `earlierNow`. */
export async function deleteOlder(
  { days, nowMs, dataSource }: { days: number; nowMs: number | undefined; dataSource: DataSource },
  size: number,
  deleteBatch: (before: Date) => Promise<number>,
  logger: Logger,
  failure: string,
): Promise<void> {
  let before: Date | undefined;
  const deleteNext = async (): Promise<number> => {
    before ??= new Date((nowMs ?? (await earlierNow(dataSource))) - days * DAY_MS);
    return deleteBatch(before);
  };
  await deleteInBatches(size, deleteNext, logger, failure);
}
