import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { HOUR_MS } from '../../domain/durations.js';

const BATCH = 5_000;

/** Deletes expired idempotency keys, which are ignored anyway. */
@Injectable()
export class ExpiredKeysService {
  private readonly logger = new Logger(ExpiredKeysService.name);

  constructor(private readonly dataSource: DataSource) {}

  /** Never throws: what is left is deleted next time. */
  @Interval(HOUR_MS)
  async sweep(): Promise<void> {
    await deleteInBatches(
      BATCH,
      () => this.deleteBatch(),
      this.logger,
      'could not delete expired idempotency keys; will retry',
    );
  }

  /** Skips rows locked by others: another process that sweeps, and requests that reuse expired keys. */
  private async deleteBatch(): Promise<number> {
    const [, deleted]: [unknown[], number] = await this.dataSource.query(
      `DELETE FROM idempotency_keys WHERE (team_id, key) IN (
         SELECT team_id, key FROM idempotency_keys WHERE expires_at <= now()
         ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    );
    return deleted;
  }
}
