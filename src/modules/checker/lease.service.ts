import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';

const LEASE = 'dispatcher';
/** The lease is renewed or requested once a second, so another process takes over within 6 s. */
export const LEASE_TTL_MS = 4_500;

/** The result of acquiring the lease. `takenOver`: another holder or none had it until now. */
export type LeaseGrant = { epoch: number; takenOver: boolean; servedUntil: number | null };

/**
 * The right to dispatch, held by one process at a time: a row with an expiry in database time and an epoch that
 * increases with each change of holder. Not an advisory lock, because a suspended holder would keep one.
 */
@Injectable()
export class LeaseService {
  private readonly logger = new Logger(LeaseService.name);
  private readonly holder = uuidv7();

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
  ) {}

  /**
   * Takes the lease if it is free or already held, and records how far the schedule was served. The embedded database
   * has a single user, so there an earlier holder is dead. Returns `null` if another process holds the lease. A mark
   * far in the future was left by a clock that was ahead, and is discarded. Throws if the database is unavailable.
   */
  async acquire(servedUntil: number): Promise<LeaseGrant | null> {
    const rows: { epoch: number; taken_over: boolean; served_until: Date | null }[] = await this.dataSource.query(
      `WITH before AS (SELECT holder, served_until FROM leases WHERE name = $1)
       INSERT INTO leases AS l (name, holder, epoch, expires_at, served_until)
       VALUES ($1, $2, 1, now() + $3 * interval '1 ms', $4)
       ON CONFLICT (name) DO UPDATE SET
         holder = $2,
         epoch = l.epoch + CASE WHEN l.holder = $2 THEN 0 ELSE 1 END,
         expires_at = now() + $3 * interval '1 ms',
         served_until = CASE WHEN l.served_until > now() + interval '2 hours' THEN $4 ELSE greatest(l.served_until, $4) END
       WHERE l.holder = $2 OR l.expires_at < now() OR $5
       RETURNING epoch, coalesce((SELECT holder <> $2 FROM before), true) AS taken_over,
         (SELECT served_until FROM before WHERE served_until <= now() + interval '2 hours') AS served_until`,
      [LEASE, this.holder, LEASE_TTL_MS, new Date(servedUntil), this.config.embedded],
    );
    const row = rows[0];
    if (!row) return null;
    return { epoch: row.epoch, takenOver: row.taken_over, servedUntil: row.served_until?.getTime() ?? null };
  }

  /** Records that the schedule was served until `untilMs`, which an earlier holder could not store. */
  async noteServed(untilMs: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE leases SET served_until = greatest(served_until, $2)
       WHERE name = $1 AND $2 <= now() + interval '2 hours'`,
      [LEASE, new Date(untilMs)],
    );
  }

  /** Releases the lease, so that another process takes over at once. */
  async release(servedUntil: number): Promise<void> {
    try {
      await this.dataSource.query(
        `UPDATE leases SET expires_at = now() - interval '1 ms', served_until = greatest(served_until, $3)
         WHERE name = $1 AND holder = $2`,
        [LEASE, this.holder, new Date(servedUntil)],
      );
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      this.logger.warn('could not release the lease: it expires on its own');
    }
  }
}
