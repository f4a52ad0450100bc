import { type ChannelAudience } from '../../channels/channel.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type NotifiedEvent } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type ChannelPause } from './channel-claims.service.js';
import { type Notification } from './notification.entity.js';

/** A notification that is due, with what decides about its place. */
export interface DueNotification {
  id: string;
  subject_id: string;
  alert_key: string;
  event: NotifiedEvent;
  kind: Notification['kind'];
  note: Notification['note'];
  message_id: string | null;
  storm_key: string | null;
  due_at: Date;
  /** The number of attempts to send it that were made before. */
  attempts: number;
  /** When the last attempt was made of it, or of what is due of its alert before it; null if none was. RFC 3339. */
  tried_at: string | null;
  /** Whether the receiver does not know the alert yet. */
  opens: boolean;
  is_drill: boolean;
}

/** Messages that a channel for people or for programs is sent at the same time. */
export const MAX_AT_ONCE = 8;
/** Notifications that are considered at once. Each is locked, and the server has a limited number of locks. */
const MAX_DUE: Record<ChannelAudience, number> = { people: 2_000, machines: 500, program: 4 * MAX_AT_ONCE };

/**
 * Returns what is due, oldest first; while the channel fails, what was not attempted yet, that of the newest open alert
 * first, and then what was attempted least recently.
 */
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
      : [
          `${due} AND next_attempt_at <= $2`,
          'tried_at NULLS FIRST, t.closed_at IS NOT NULL, t.recorded_at DESC, n.due_at, n.id',
        ];
  return managerOf(tx).query(
    `SELECT n.id, t.subject_id, n.alert_key, t.event, n.kind, n.note, n.message_id, n.storm_key, n.due_at, t.is_drill,
       jsonb_array_length(n.attempts) AS attempts,
       max(n.attempts -> -1 ->> 'at') OVER (PARTITION BY t.subject_id ORDER BY n.due_at, n.id) AS tried_at,
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

export function idsOf(list: readonly DueNotification[]): string[] {
  return list.map(({ id }) => id);
}
