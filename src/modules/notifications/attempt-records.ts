import { type Delivery } from '../../channels/delivery.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type StoredAttempt } from './notification.entity.js';

/** A message that is attempted. */
export interface AttemptedMessage {
  ids: readonly string[];
  /** The id that all its notifications share; null for a single notification. */
  messageId: string | null;
  /** The storm alert that it opens or resolves. */
  stormKey: string | null;
}

/** A notification that is sent or given up. */
interface EndedRecord {
  status: 'sent' | 'failed';
  due_at: Date | null;
  created_at: Date;
}

/** Gives up what could not be sent for too long, and returns how many notifications that are. */
export function giveUp(tx: Tx, channelId: string, nowMs: number): Promise<number> {
  const changes = `status = 'failed', settled = true, next_attempt_at = NULL`;
  return fail(tx, channelId, new Date(nowMs), { condition: 'give_up_at <= $3', of: new Date(nowMs), changes });
}

/**
 * Notes that a channel has failed three times, the last time at `at`, for all that has been due since before the first of
 * them: attempts are made of some only, but no other one would have succeeded.
 */
export async function failWaiting(tx: Tx, channelId: string, first: Date, at: Date): Promise<void> {
  await fail(tx, channelId, at, { condition: 'channel_failed_at IS NULL AND due_at <= $3', of: first });
}

/**
 * Notes that the channel of notifications failed, and makes the plans of their alerts due. Those alerts are not locked, so
 * it waits for nobody, but leaves out what another transaction is writing; that is noted at the next failure.
 */
async function fail(
  tx: Tx,
  channelId: string,
  at: Date,
  { condition, of, changes }: { condition: string; of: Date; changes?: string },
): Promise<number> {
  const all = ['channel_failed_at = coalesce(channel_failed_at, $2)', ...(changes === undefined ? [] : [changes])];
  const [row]: { count: number }[] = await managerOf(tx).query(
    `WITH failed AS (
       UPDATE notifications SET ${all.join()} WHERE id IN (
         SELECT id FROM notifications WHERE channel_id = $1 AND next_attempt_at IS NOT NULL AND ${condition}
         FOR UPDATE SKIP LOCKED)
       RETURNING alert_key
     ), planned AS (
       UPDATE notification_timers SET due_at = least(due_at, $2) WHERE alert_key IN (
         SELECT alert_key FROM notification_timers WHERE alert_key IN (SELECT alert_key FROM failed)
         FOR UPDATE SKIP LOCKED)
     )
     SELECT count(*)::int AS count FROM failed`,
    [channelId, at, of],
  );
  return row!.count;
}

const UNHEARD = `
  SELECT n.id FROM notifications n JOIN incidents i ON i.id = n.incident_id
  WHERE n.id = ANY($1::uuid[]) AND i.notified_at IS NULL`;

/** Returns those of the notifications whose incident is deleted if it is withdrawn, because nobody has heard of it. */
export function unheard(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  return found(tx, UNHEARD, ids);
}

/**
 * Like `unheard`, but lets no other transaction withdraw the incidents until this one ends, and waits for one that is
 * doing so. Locks them in the same order as that.
 */
export function holdUnheard(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  return found(tx, `${UNHEARD} ORDER BY i.started_at, i.id FOR NO KEY UPDATE OF i`, ids);
}

async function found(tx: Tx, sql: string, ids: readonly string[]): Promise<Set<string>> {
  const rows: { id: string }[] = await managerOf(tx).query(sql, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stores the start of an attempt to send each of these messages. From now on, the incidents are not deleted even if they
 * are withdrawn.
 */
export async function begin(tx: Tx, messages: readonly AttemptedMessage[], at: string): Promise<void> {
  const attempt: StoredAttempt = { at, outcome: 'unknown', durationMs: null, statusCode: null, error: null };
  const rows = messages.flatMap(({ ids, messageId, stormKey }) => ids.map((id) => ({ id, messageId, stormKey })));
  const ids = rows.map(({ id }) => id);
  await managerOf(tx).query(
    `UPDATE notifications n SET attempts = attempts || $4::jsonb, message_id = t.message_id, storm_key = t.storm_key
     FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS t (id, message_id, storm_key) WHERE n.id = t.id`,
    [ids, rows.map(({ messageId }) => messageId), rows.map(({ stormKey }) => stormKey), JSON.stringify([attempt])],
  );
  await noteNotified(tx, ids, at);
}

/** Stores that an open storm alert stands for notifications: their receiver knows of them, and nothing is sent. */
export async function absorb(
  tx: Tx,
  channelId: string,
  ids: readonly string[],
  stormKey: string,
  at: string,
): Promise<void> {
  const attempt: StoredAttempt = { at, outcome: 'sent', durationMs: 0, statusCode: null, error: null };
  await managerOf(tx).query(
    `UPDATE notifications SET attempts = attempts || $2::jsonb, storm_key = $3, status = 'sent', reason = NULL,
       settled = true, sent_at = $4, next_attempt_at = NULL, message_id = (
         SELECT o.message_id FROM notifications o
         WHERE o.channel_id = $5 AND o.storm_key = $3 AND o.kind = 'trigger' AND o.message_id = o.id LIMIT 1)
     WHERE id = ANY($1::uuid[])`,
    [ids, JSON.stringify([attempt]), stormKey, at, channelId],
  );
  await noteNotified(tx, ids, at);
}

/** How an attempt to send a message ended. */
export interface AttemptOutcome {
  /** The notifications in the message. */
  ids: readonly string[];
  delivery: Delivery;
  /** When the message may be attempted again. */
  retryAtMs: number;
}

/**
 * Stores the outcomes of attempts that began at `at`, except for notifications that were over before. What a plan has
 * suppressed or held back since is not attempted again. Returns those that are over with them.
 */
export async function end(
  tx: Tx,
  at: string,
  outcomes: readonly AttemptOutcome[],
  nowMs: number,
): Promise<EndedRecord[]> {
  const rows = outcomes.flatMap(({ ids, delivery, retryAtMs }) => {
    const isRefused = delivery.status === 'failed' && delivery.permanent;
    const attempt: StoredAttempt = {
      at,
      outcome: isRefused ? 'refused' : delivery.status,
      durationMs: nowMs - Date.parse(at),
      statusCode: delivery.statusCode,
      error: delivery.status === 'sent' ? null : delivery.error,
    };
    const retryAt = new Date(retryAtMs).toISOString();
    return ids.map((id) => ({ id, attempt, outcome: attempt.outcome, retry_at: retryAt }));
  });
  const [stored]: [(EndedRecord & { is_over: boolean })[], number] = await managerOf(tx).query(
    `UPDATE notifications n SET
       attempts = (SELECT jsonb_agg(CASE WHEN a ->> 'at' = $2 AND a ->> 'outcome' = 'unknown' THEN t.attempt ELSE a END ORDER BY place)
                   FROM jsonb_array_elements(n.attempts) WITH ORDINALITY AS old (a, place)),
       status = CASE WHEN is_sent THEN 'sent' WHEN is_over THEN 'failed' ELSE status END,
       reason = CASE WHEN is_sent THEN NULL ELSE reason END,
       settled = is_over,
       sent_at = CASE WHEN is_sent THEN $3::timestamptz END,
       channel_failed_at = CASE WHEN t.outcome = 'failed' AND is_over THEN coalesce(channel_failed_at, $3) ELSE channel_failed_at END,
       next_attempt_at = CASE WHEN NOT is_over AND n.status = 'pending' THEN t.retry_at END
     FROM (SELECT t.*, t.outcome = 'sent' AS is_sent,
             t.outcome <> 'failed' OR coalesce(give_up_at <= $3, false) AS is_over
           FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, attempt jsonb, outcome text, retry_at timestamptz)
           JOIN notifications USING (id) WHERE NOT settled) AS t
     WHERE n.id = t.id RETURNING n.status, n.due_at, n.created_at, is_over`,
    [JSON.stringify(rows), at, new Date(nowMs)],
  );
  return stored.filter((row) => row.is_over);
}

async function noteNotified(tx: Tx, ids: readonly string[], at: string): Promise<void> {
  await managerOf(tx).query(
    `UPDATE incidents SET notified_at = $2 WHERE notified_at IS NULL
       AND id IN (SELECT incident_id FROM notifications WHERE id = ANY($1::uuid[]))`,
    [ids, at],
  );
}
