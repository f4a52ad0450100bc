import { type ChannelAudience } from '../../channels/channel.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { collect } from '../../domain/notification-plan/collect.js';
import { CALM, type StormState } from '../../domain/notification-plan/storm-alert.js';
import { nextBatch } from '../../domain/notification-plan/storm-batch.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type AttemptedMessage } from './attempt-records.js';
import { type ChannelPause } from './channel-claims.service.js';
import { MAX_NAMED } from './message-facts.js';
import { type Notification } from './notification.entity.js';
import { type SeenMonitor } from './notification-timer.entity.js';

/** A notification that is due, with what decides about its place. */
export interface DueNotification {
  id: string;
  subject_id: string;
  alert_key: string;
  kind: Notification['kind'];
  message_id: string | null;
  storm_key: string | null;
  due_at: Date;
  monitors: SeenMonitor[];
  /** Whether an attempt to send it was made before. */
  is_attempted: boolean;
  /** Whether the receiver does not know the alert yet. */
  opens: boolean;
  is_drill: boolean;
}

/** What a channel does next. */
export interface NextMessages {
  due: DueNotification[];
  messages: AttemptedMessage[];
  /** The ids of those for which an open storm alert stands. */
  absorbed: readonly string[];
  stormKey: string | null;
  /** What a channel for machines has sent then; null if that does not change. */
  storm: StormState | null;
}

/** Messages that a channel for programs is sent at the same time. */
const MAX_AT_ONCE = 8;
/** Notifications that are considered at once. Each is locked, and the server has a limited number of locks. */
const MAX_DUE: Record<ChannelAudience, number> = { people: 2_000, machines: 500, program: 4 * MAX_AT_ONCE };

/** Returns what is due, oldest first; while the channel fails, that of the newest open alert first. */
export function readDue(
  tx: Tx,
  channelId: string,
  audience: ChannelAudience,
  { failingSince }: ChannelPause,
  nowMs: number,
): Promise<DueNotification[]> {
  const due = 'SELECT * FROM notifications WHERE channel_id = $1 AND next_attempt_at IS NOT NULL';
  const [first, order] =
    failingSince === null
      ? // Read in the order of an index, so that the cost does not depend on how much is due. Without the addition, the
        // database prefers to find all that is due by another index, and to sort it.
        [`${due} AND next_attempt_at + interval '0' <= $2 ORDER BY due_at, id LIMIT $3`, 'n.due_at, n.id']
      : [`${due} AND next_attempt_at <= $2`, 't.closed_at IS NOT NULL, t.recorded_at DESC, n.due_at, n.id'];
  return managerOf(tx).query(
    `SELECT n.id, t.subject_id, n.alert_key, n.kind, n.message_id, n.storm_key, n.due_at, t.monitors, t.is_drill,
       n.attempts <> '[]' AS is_attempted,
       NOT EXISTS (SELECT FROM notifications s WHERE s.alert_key = n.alert_key AND s.channel_id = n.channel_id
         AND s.attempts <> '[]') AS opens
     FROM (${first}) AS n JOIN notification_timers t ON t.alert_key = n.alert_key ORDER BY ${order} LIMIT $3`,
    [channelId, new Date(nowMs), MAX_DUE[audience]],
  );
}

/**
 * Returns those of the notifications that are still due, and whether time, an event that has not been planned yet, or a
 * change of policies, channels or silences may have changed their plans.
 */
export function readStillDue(
  tx: Tx,
  teamId: TeamId,
  ids: readonly string[],
  nowMs: number,
): Promise<{ id: string; subject_id: string; is_stale: boolean }[]> {
  return managerOf(tx).query(
    `SELECT n.id, t.subject_id, coalesce(t.due_at <= $2, false)
       OR EXISTS (SELECT FROM unplanned_events WHERE team_id = $3 AND resource_type NOT IN ('incident', 'monitor'))
       OR EXISTS (SELECT FROM unplanned_events WHERE team_id = $3 AND resource_id = t.subject_id::text)
       OR EXISTS (SELECT FROM jsonb_array_elements(t.monitors) AS m
         JOIN unplanned_events u ON u.team_id = $3 AND u.resource_id = m ->> 'id') AS is_stale
     FROM notifications n JOIN notification_timers t ON t.alert_key = n.alert_key
     WHERE n.id = ANY($1::uuid[]) AND n.next_attempt_at <= $2`,
    [ids, new Date(nowMs), teamId],
  );
}

/**
 * Chooses the next messages. A drill must not delay or change a message about a real alert, so what is due of it comes
 * last, in messages of its own. Null if there is nothing to do.
 */
export function choose(
  due: readonly DueNotification[],
  audience: ChannelAudience,
  pause: ChannelPause,
  nowMs: number,
): NextMessages | null {
  const real = due.filter((one) => !one.is_drill);
  const drills = due.filter((one) => one.is_drill);
  return chooseReal(real, audience, pause, nowMs) ?? chooseDrill(drills, audience);
}

/**
 * Chooses the next messages about real alerts: one that was begun; all that are collected for people; the next one
 * within the limit of alerts for machines; or, for programs, one notification of each of several alerts. The messages
 * of an alert are sent one after the other, and a channel that fails is tried with a single one.
 */
function chooseReal(
  due: readonly DueNotification[],
  audience: ChannelAudience,
  pause: ChannelPause,
  nowMs: number,
): NextMessages | null {
  if (due.length === 0) return null;
  const begun = begunMessage(due, audience);
  if (begun.length > 0) {
    const { message_id: messageId, storm_key: stormKey } = begun[0]!;
    return plain(begun, [{ ids: idsOf(begun), messageId, stormKey }]);
  }
  if (audience === 'program') {
    const next = new Map<string, DueNotification>();
    for (const one of due) if (!next.has(one.subject_id)) next.set(one.subject_id, one);
    const chosen = [...next.values()].slice(0, pause.failingSince === null ? MAX_AT_ONCE : 1);
    return plain(
      chosen,
      chosen.map(({ id }) => ({ ids: [id], messageId: null, stormKey: null })),
    );
  }
  if (audience === 'people') {
    const members = collected(due, pause, nowMs);
    if (members.length === 0) return null;
    const messageId = members.length > 1 ? members[0]!.id : null;
    return plain(members, [{ ids: idsOf(members), messageId, stormKey: null }]);
  }
  return withinLimit(due, pause, nowMs);
}

/**
 * Chooses the next message about a drill: one that was begun; all that is due of one drill for people; or else a single
 * notification. It is not collected with other alerts, and counts towards no limit.
 */
function chooseDrill(due: readonly DueNotification[], audience: ChannelAudience): NextMessages | null {
  const [first] = due;
  if (!first) return null;
  const begun = begunMessage(due, audience);
  const own = audience === 'people' ? due.filter((one) => one.subject_id === first.subject_id) : [first];
  const members = begun.length > 0 ? begun : own;
  const messageId = begun[0]?.message_id ?? (members.length > 1 ? first.id : null);
  return plain(members, [{ ids: idsOf(members), messageId, stormKey: null }]);
}

function plain(due: DueNotification[], messages: AttemptedMessage[]): NextMessages {
  return { due, messages, absorbed: [], stormKey: null, storm: null };
}

/**
 * Returns the notifications of a message whose first attempt was made before, in its order; none if there is none. For
 * people, a notification that was attempted alone stays alone: its receiver may have it, and drops a second message with
 * the same id, whatever else that contains.
 */
function begunMessage(due: readonly DueNotification[], audience: ChannelAudience): DueNotification[] {
  const first = due.find((one) => one.message_id !== null || (audience === 'people' && one.is_attempted));
  if (!first) return [];
  const { message_id: begun } = first;
  if (begun === null) return [first];
  const members = due.filter(({ message_id: id }) => id === begun);
  return members.sort((a, b) => Number(b.id === begun) - Number(a.id === begun));
}

/** Returns the notifications that a channel for people gets in its next message. */
function collected(due: readonly DueNotification[], { collectsUntil }: ChannelPause, nowMs: number): DueNotification[] {
  const byId = new Map(due.map((one) => [one.id, one]));
  const pending = due.map(({ id, kind, due_at: dueAt, monitors }) => ({
    ...{ key: id, kind, dueAt: dueAt.getTime() },
    monitors: monitors.map(({ name }) => name),
  }));
  const { message } = collect(nowMs, collectsUntil, pending, MAX_NAMED);
  return (message?.members ?? []).map((id) => byId.get(id)!);
}

/** Returns what a channel for machines does next. */
function withinLimit(due: readonly DueNotification[], pause: ChannelPause, nowMs: number): NextMessages | null {
  const pending = due.map(({ id, alert_key: alertKey, kind, due_at: dueAt, opens }) => ({
    ...{ key: id, alertKey, kind, dueAt: dueAt.getTime(), opensAlert: opens },
  }));
  const batch = nextBatch(nowMs, pause.storm ?? CALM, pending);
  if (!batch) return null;
  const { members, absorbed, stormKey, state } = batch;
  const taken = new Set([...members, ...absorbed]);
  // The members of a storm alert are fixed by its first attempt, even if it has a single one.
  const messageId = stormKey === null ? null : (members[0] ?? null);
  const messages = members.length > 0 ? [{ ids: members, messageId, stormKey }] : [];
  return { due: due.filter(({ id }) => taken.has(id)), messages, absorbed, stormKey, storm: state };
}

export function idsOf(list: readonly DueNotification[]): string[] {
  return list.map(({ id }) => id);
}
