import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { isDatabaseAway } from '../../database/database-fault.js';

const HOUR_MS = 3_600_000;
const BATCH = 5_000;

/** Deletes expired idempotency keys, which are ignored anyway. */
@Injectable()
export class ExpiredKeysService {
  private readonly logger = new Logger(ExpiredKeysService.name);

  constructor(private readonly dataSource: DataSource) {}

  /** Never throws: what is left is deleted next time. */
  @Interval(HOUR_MS)
  async sweep(): Promise<void> {
    try {
      while ((await this.deleteBatch()) === BATCH);
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('a sweep failed and will be repeated', error);
    }
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
