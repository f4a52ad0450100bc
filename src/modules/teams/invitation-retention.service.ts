import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { deleteOlder } from '../../database/delete-in-batches.js';
import { HOUR_MS } from '../../domain/durations.js';

/** Until then, its page says what became of an invitation. */
const KEPT_DAYS = 30;
const BATCH = 1_000;

/** Deletes invitations 30 days after they expire, whether they were used or not, because they contain addresses. */
@Injectable()
export class InvitationRetention {
  private readonly logger = new Logger(InvitationRetention.name);

  constructor(private readonly dataSource: DataSource) {}

  /** Never throws: what is left is deleted next time, here or in another process. */
  @Interval(HOUR_MS)
  async deleteExpired(nowMs?: number): Promise<void> {
    const age = { days: KEPT_DAYS, nowMs, dataSource: this.dataSource };
    const failure = 'could not delete old invitations; will retry';
    await deleteOlder(age, BATCH, (before) => this.deleteSome(before), this.logger, failure);
  }

  private async deleteSome(before: Date): Promise<number> {
    const [, deleted]: [unknown[], number] = await this.dataSource.query(
      `DELETE FROM invitations WHERE id IN (
         SELECT id FROM invitations WHERE expires_at < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
      [before],
    );
    return deleted;
  }
}
