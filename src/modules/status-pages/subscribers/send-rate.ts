import { type DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../../database/tx.js';

/** What is sent at a rate of its own, which holds for all processes together. */
export interface Rate {
  /** The advisory lock of whoever claims something to send. */
  lock: number;
  /** The table whose column `last_attempt_at` shows what was sent. */
  table: 'status_page_subscribers' | 'subscriber_webhook_deliveries';
  /** The table whose column `due_at` shows to whom something is due. */
  queue: 'status_page_subscribers' | 'subscriber_webhooks';
}

/** Returns whether something is due. Cheaper than to try to claim something, since usually nothing is. */
export async function isAnythingDue(dataSource: DataSource, { queue }: Rate): Promise<boolean> {
  const rows: unknown[] = await dataSource.query(`SELECT FROM ${queue} WHERE due_at <= now() LIMIT 1`);
  return rows.length > 0;
}

/**
 * Returns how many may be claimed now, `max` at most: no more than the rate, spread over the minute so that receivers get
 * them at an even pace. None while another process claims some.
 */
export async function roomWithin(tx: Tx, { lock, table }: Rate, perMinute: number, max: number): Promise<number> {
  const manager = managerOf(tx);
  const [taken]: { held: boolean }[] = await manager.query('SELECT pg_try_advisory_xact_lock($1) AS held', [lock]);
  if (!taken!.held) return 0;
  const [used]: { minute: number; second: number }[] = await manager.query(
    `SELECT count(*)::int AS minute, count(*) FILTER (WHERE last_attempt_at > now() - interval '1 second')::int AS second
     FROM ${table} WHERE last_attempt_at > now() - interval '1 minute'`,
  );
  return Math.max(0, Math.min(perMinute - used!.minute, Math.ceil(perMinute / 60) - used!.second, max));
}
