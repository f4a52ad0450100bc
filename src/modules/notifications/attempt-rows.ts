import { type Delivery } from '../../channels/delivery.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { collect } from '../../domain/notification-plan/collect.js';
import { type NotificationKind } from '../../domain/notification-plan/facts.js';
import { type ChannelPause } from './channel-claims.service.js';
import { MAX_NAMED } from './message-facts.js';
import { type StoredAttempt } from './notification.entity.js';
import { type SeenMonitor } from './notification-timer.entity.js';

/** A notification that is due, with what decides about its place. */
export interface DueRecord {
  id: string;
  subject_id: string;
  kind: NotificationKind;
  message_id: string | null;
  due_at: Date;
  monitors: SeenMonitor[];
}

/** Notifications that one message stands for at most. Each is locked, and the server has a limited number of locks. */
const MAX_COLLECTED = 2_000;
/** Messages that a channel for machines is sent at the same time. */
const MAX_AT_ONCE = 8;
/** Enough to find that many notifications of different alerts. */
const MAX_DUE = 4 * MAX_AT_ONCE;

/** Returns what is due, oldest first; while the channel fails, that of the newest open alert first. */
export function dueOn(
  tx: Tx,
  channelId: string,
  isForPeople: boolean,
  { failingSince }: ChannelPause,
  nowMs: number,
): Promise<DueRecord[]> {
  const order =
    failingSince === null ? 'n.due_at, n.id' : 't.closed_at IS NOT NULL, t.recorded_at DESC, n.due_at, n.id';
  return managerOf(tx).query(
    `SELECT n.id, t.subject_id, n.kind, n.message_id, n.due_at, t.monitors
     FROM notifications n JOIN notification_timers t ON t.alert_key = n.alert_key
     WHERE n.channel_id = $1 AND n.next_attempt_at <= $2 ORDER BY ${order} LIMIT $3`,
    [channelId, new Date(nowMs), isForPeople ? MAX_COLLECTED : MAX_DUE],
  );
}

/**
 * Chooses the notifications of the next messages: a message that was begun, all that are collected for people, or one
 * notification of each of several alerts. The messages of an alert are sent one after the other, and a channel that
 * fails is tried with a single one.
 */
export function choose(
  due: readonly DueRecord[],
  isForPeople: boolean,
  { collectsUntil, failingSince }: ChannelPause,
  nowMs: number,
): DueRecord[][] {
  const begun = due.find(({ message_id: id }) => id !== null)?.message_id;
  if (begun != null) {
    const members = due.filter(({ message_id: id }) => id === begun);
    return [members.sort((a, b) => Number(b.id === begun) - Number(a.id === begun))];
  }
  if (!isForPeople) {
    const next = new Map<string, DueRecord>();
    for (const one of due) if (!next.has(one.subject_id)) next.set(one.subject_id, one);
    return [...next.values()].slice(0, failingSince === null ? MAX_AT_ONCE : 1).map((one) => [one]);
  }
  const byId = new Map(due.map((one) => [one.id, one]));
  const pending = due.map(({ id, kind, due_at: dueAt, monitors }) => ({
    ...{ key: id, kind, dueAt: dueAt.getTime() },
    monitors: monitors.map(({ name }) => name),
  }));
  const { message } = collect(nowMs, collectsUntil, pending, MAX_NAMED);
  return message ? [message.members.map((id) => byId.get(id)!)] : [];
}

/** Gives up what could not be sent in time, and returns how many notifications that are. */
export async function giveUp(tx: Tx, channelId: string, nowMs: number): Promise<number> {
  const [, count]: [unknown[], number] = await managerOf(tx).query(
    `UPDATE notifications SET status = 'failed', settled = true, next_attempt_at = NULL WHERE id IN (
       SELECT id FROM notifications WHERE channel_id = $1 AND next_attempt_at IS NOT NULL AND give_up_at <= $2
       FOR UPDATE SKIP LOCKED)`,
    [channelId, new Date(nowMs)],
  );
  return count;
}

/**
 * Stores the start of an attempt to send each of these messages. From now on, the incidents are not deleted even if they
 * are withdrawn.
 */
export async function begin(tx: Tx, messages: readonly (readonly DueRecord[])[], at: string): Promise<void> {
  const attempt: StoredAttempt = { at, outcome: 'unknown', durationMs: null, statusCode: null, error: null };
  const rows = messages.flatMap((members) => {
    // A message of one notification has the id of that.
    const messageId = members[0]!.message_id ?? (members.length > 1 ? members[0]!.id : null);
    return members.map(({ id }) => ({ id, messageId }));
  });
  const ids = rows.map(({ id }) => id);
  await managerOf(tx).query(
    `UPDATE notifications n SET attempts = attempts || $3::jsonb, message_id = t.message_id
     FROM unnest($1::uuid[], $2::uuid[]) AS t (id, message_id) WHERE n.id = t.id`,
    [ids, rows.map(({ messageId }) => messageId), JSON.stringify([attempt])],
  );
  await managerOf(tx).query(
    `UPDATE incidents SET notified_at = $2 WHERE notified_at IS NULL
       AND id IN (SELECT incident_id FROM notifications WHERE id = ANY($1::uuid[]))`,
    [ids, at],
  );
}

/** A notification that is sent or given up. */
interface EndedRecord {
  status: 'sent' | 'failed';
  due_at: Date | null;
  created_at: Date;
}

/**
 * Stores the outcome of the attempt that began at `at` to send a message about these notifications. Returns those that
 * are over with it.
 */
export async function end(
  tx: Tx,
  ids: readonly string[],
  at: string,
  delivery: Delivery,
  nowMs: number,
  retryAtMs: number,
): Promise<EndedRecord[]> {
  const isSent = delivery.status === 'sent';
  const isRefused = delivery.status === 'failed' && delivery.permanent;
  const attempt: StoredAttempt = {
    at,
    outcome: isSent ? 'sent' : isRefused ? 'refused' : 'failed',
    durationMs: nowMs - Date.parse(at),
    statusCode: delivery.statusCode,
    error: delivery.status === 'sent' ? null : delivery.error,
  };
  const [rows]: [(EndedRecord & { is_over: boolean })[], number] = await managerOf(tx).query(
    `UPDATE notifications n SET
       attempts = (SELECT jsonb_agg(CASE WHEN a ->> 'at' = $2 AND a ->> 'outcome' = 'unknown' THEN $3::jsonb ELSE a END ORDER BY place)
                   FROM jsonb_array_elements(n.attempts) WITH ORDINALITY AS t (a, place)),
       status = CASE WHEN $4 THEN 'sent' WHEN is_over THEN 'failed' ELSE status END,
       reason = CASE WHEN $4 THEN NULL ELSE reason END,
       settled = is_over,
       sent_at = CASE WHEN $4 THEN $6::timestamptz END,
       next_attempt_at = CASE WHEN NOT is_over THEN $7::timestamptz END
     FROM (SELECT id, $4 OR $5 OR coalesce(give_up_at <= $6, false) AS is_over FROM notifications WHERE id = ANY($1::uuid[])) AS t
     WHERE n.id = t.id RETURNING n.status, n.due_at, n.created_at, is_over`,
    [ids, at, JSON.stringify(attempt), isSent, isRefused, new Date(nowMs), new Date(retryAtMs)],
  );
  return rows.filter((row) => row.is_over);
}
