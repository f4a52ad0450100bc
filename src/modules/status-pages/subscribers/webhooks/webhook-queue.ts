import { managerOf, type Tx } from '../../../../database/tx.js';
import { backoffMinutes } from '../backoff.js';
import { WHEN_MAILED } from '../publication-queries.js';
import { type Rate, roomWithin } from '../send-rate.js';

/** Longer than an attempt takes. After a crash, another process makes the next attempt after this long. */
const LEASE = "interval '60 seconds'";
/** A webhook that has failed for this long ends. What could not be posted by then is old news. */
export const PATIENCE = "interval '3 days'";
/** Attempts to mail that a webhook has ended, which take a day. */
const MAX_REPORTS = 30;
export const RATE: Rate = { lock: 7_310_523, table: 'subscriber_webhook_deliveries', queue: 'subscriber_webhooks' };

/** A webhook that this process serves: with a delivery, or null if a mail about its end is due. */
export interface Claimed {
  webhookId: string;
  deliveryId: string | null;
}

/** How an attempt came out. `dropped`: there is nothing to send any more. */
export type Outcome =
  | { is: 'sent' }
  | { is: 'dropped'; error: string }
  | { is: 'failed'; error: string; isGone: boolean; retryAfterMs: number };

/**
 * Claims webhooks to which something is due, at most `max` and as many as the rate permits. Each gets what was published
 * first, so that its updates arrive in order.
 */
export async function claimWebhooks(tx: Tx, perMinute: number, max: number): Promise<Claimed[]> {
  const room = await roomWithin(tx, RATE, perMinute, max);
  if (room === 0) return [];
  const [rows]: [{ id: string; status: string }[], number] = await managerOf(tx).query(
    `UPDATE subscriber_webhooks SET due_at = now() + ${LEASE} WHERE id IN (
       SELECT id FROM subscriber_webhooks WHERE due_at <= now() ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING id, status`,
    [room],
  );
  const claimed: Claimed[] = [];
  for (const { id, status } of rows) {
    const deliveryId = status === 'active' ? await claimDelivery(tx, id) : null;
    // Whatever was due has been mailed instead, or deleted.
    if (status === 'active' && deliveryId === null) await setDue(tx, id);
    else claimed.push({ webhookId: id, deliveryId });
  }
  return claimed;
}

async function claimDelivery(tx: Tx, webhookId: string): Promise<string | null> {
  const [rows]: [{ id: string }[], number] = await managerOf(tx).query(
    `UPDATE subscriber_webhook_deliveries SET last_attempt_at = now() WHERE id = (
       SELECT d.id FROM subscriber_webhook_deliveries d JOIN subscriber_publications p ON p.id = d.publication_id
       WHERE d.webhook_id = $1 AND d.status = 'pending' ORDER BY p.published_at, p.id LIMIT 1)
     RETURNING id`,
    [webhookId],
  );
  return rows[0]?.id ?? null;
}

/** Records the outcome of an attempt, and when the next one is due. Returns whether the webhook has ended with it. */
export async function settleDelivery(
  tx: Tx,
  webhookId: string,
  deliveryId: string,
  outcome: Outcome,
): Promise<boolean> {
  const manager = managerOf(tx);
  const [held]: { failures: number; is_over: boolean | null }[] = await manager.query(
    `SELECT failures, failing_since < now() - ${PATIENCE} AS is_over FROM subscriber_webhooks
     WHERE id = $1 AND status = 'active' FOR UPDATE`,
    [webhookId],
  );
  // The subscriber has left or replaced it meanwhile.
  if (!held) return false;
  const error = outcome.is === 'sent' ? null : outcome.error;
  const status = { sent: 'sent', dropped: 'failed', failed: 'pending' }[outcome.is];
  const [, settled]: [unknown[], number] = await manager.query(
    `UPDATE subscriber_webhook_deliveries SET status = $2, error = $3 WHERE id = $1 AND status = 'pending'`,
    [deliveryId, status, error],
  );
  // Another process has made this attempt, because this one was suspended.
  if (settled === 0) return false;
  if (outcome.is === 'failed' && (outcome.isGone || held.is_over === true)) {
    await manager.query(
      `UPDATE subscriber_webhooks SET status = 'ended', error = $2, failures = 0, end_unreported = true, due_at = now()
       WHERE id = $1`,
      [webhookId, error],
    );
    return true;
  }
  if (outcome.is === 'failed') {
    const waitMs = Math.max(backoffMinutes(held.failures) * 60_000, outcome.retryAfterMs);
    await manager.query(
      `UPDATE subscriber_webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, now()), error = $2,
         due_at = now() + $3 * interval '1 millisecond' WHERE id = $1`,
      [webhookId, error, waitMs],
    );
    return false;
  }
  if (outcome.is === 'sent') {
    await manager.query(
      'UPDATE subscriber_webhooks SET failures = 0, failing_since = NULL, error = NULL WHERE id = $1',
      [webhookId],
    );
  }
  await setDue(tx, webhookId);
  return false;
}

/** Records an attempt to mail that a webhook has ended. */
export async function settleReport(tx: Tx, webhookId: string, isOver: boolean): Promise<void> {
  const [held]: { failures: number }[] = await managerOf(tx).query(
    `SELECT failures FROM subscriber_webhooks WHERE id = $1 AND status = 'ended' FOR UPDATE`,
    [webhookId],
  );
  if (!held) return;
  const isLast = isOver || held.failures >= MAX_REPORTS;
  await managerOf(tx).query(
    `UPDATE subscriber_webhooks SET failures = failures + 1, end_unreported = NOT $2::boolean,
       due_at = CASE WHEN $2 THEN NULL ELSE now() + $3 * interval '1 minute' END WHERE id = $1`,
    [webhookId, isLast, backoffMinutes(held.failures)],
  );
}

/** Mails a subscriber what is still to be posted to their webhook, which the caller has locked. */
export async function mailInstead(tx: Tx, webhookId: string): Promise<void> {
  await managerOf(tx).query(
    `WITH moved AS (
       DELETE FROM subscriber_webhook_deliveries WHERE webhook_id = $1 AND status = 'pending' RETURNING publication_id
     ), queued AS (
       INSERT INTO subscriber_deliveries (subscriber_id, publication_id, status)
       SELECT w.subscriber_id, m.publication_id, 'pending' FROM moved m JOIN subscriber_webhooks w ON w.id = $1
       ON CONFLICT DO NOTHING RETURNING subscriber_id
     )
     UPDATE status_page_subscribers s SET due_at = ${WHEN_MAILED} FROM queued q WHERE s.id = q.subscriber_id`,
    [webhookId],
  );
}

/** Makes a webhook due at once if something is to be posted to it, and otherwise not at all. */
export async function setDue(tx: Tx, webhookId: string): Promise<void> {
  await managerOf(tx).query(
    `UPDATE subscriber_webhooks w SET due_at = CASE WHEN EXISTS (
       SELECT FROM subscriber_webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending') THEN now() END
     WHERE id = $1`,
    [webhookId],
  );
}
