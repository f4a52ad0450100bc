import { type Logger } from '@nestjs/common';
import { isDatabaseAway } from './database-fault.js';

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
