import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type TeamId } from '../../http/auth/principal.js';
import { type NotificationDto } from './dto/notification.dto.js';

/**
 * What became of the notifications of one channel about an incident that have the same kind, step and outcome. All
 * repeats count as one, however long an incident lasts.
 */
export interface ChannelOutcome {
  /** The incident in one episode. */
  alertKey: string;
  kind: NotificationDto['kind'];
  /** Counted from 1; see `NotificationDto`. */
  step: number;
  status: NotificationDto['status'];
  reason: NotificationDto['reason'];
  /** Null if nobody is notified. */
  channelId: string | null;
  /** Null if nobody is notified, and if the channel was deleted. */
  channelName: string | null;
  count: number;
  /** When the first of them was sent, given up or else planned. */
  firstAt: Date;
  lastAt: Date;
  /** How long after it was due the first of them was sent; null if it was not. */
  delayMs: number | null;
  /** When the next attempt is made at the earliest, if that is known. */
  nextAttemptAt: Date | null;
  /** The number of attempts to send the latest of them, and why the last attempt failed. */
  attempts: number;
  error: string | null;
  /** Whether the message also stands for the notification of the start, which was not delivered. */
  replacesTrigger: boolean;
  /** The incident whose message stands for them; null unless it is another one. */
  collectedBy: string | null;
}

/** More outcomes are left out, the latest first. */
const MOST_OUTCOMES = 1_000;

/** Reads what became of the notifications about an incident, for people. */
@Injectable()
export class ChannelOutcomes {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the outcomes, oldest first. The caller has verified that the team has the incident. */
  of(teamId: TeamId, incidentId: string): Promise<ChannelOutcome[]> {
    return this.dataSource.query(
      `WITH shown AS (
         SELECT n.*,
           CASE WHEN n.message_id <> n.id THEN 'collected' ELSE n.reason END AS shown_reason,
           coalesce(n.sent_at,
             CASE WHEN n.status = 'failed' THEN (n.attempts->-1->>'at')::timestamptz END, n.created_at) AS at,
           CASE WHEN n.status = 'held' THEN n.due_at ELSE n.next_attempt_at END AS next_at,
           (SELECT o.incident_id FROM notifications o
            WHERE o.id = CASE WHEN n.message_id <> n.id THEN n.message_id END
              AND o.incident_id IS DISTINCT FROM n.incident_id
            UNION ALL SELECT o.incident_id FROM notifications o
            WHERE o.key = n.collected_into AND o.incident_id IS DISTINCT FROM n.incident_id
            LIMIT 1) AS collected_by
         FROM notifications n WHERE n.team_id = $1 AND n.incident_id = $2)
       SELECT n.alert_key AS "alertKey", n.kind, n.step, n.status, n.shown_reason AS reason,
         n.channel_id AS "channelId", c.name AS "channelName", count(*)::int AS count,
         min(n.at) AS "firstAt", max(n.at) AS "lastAt",
         (array_agg((extract(epoch FROM n.sent_at - n.due_at) * 1000)::float8 ORDER BY n.at))[1] AS "delayMs",
         min(n.next_at) AS "nextAttemptAt",
         (array_agg(jsonb_array_length(n.attempts) ORDER BY n.at DESC))[1] AS attempts,
         (array_agg(n.attempts->-1->>'error' ORDER BY n.at DESC))[1] AS error,
         bool_or(n.replaces_trigger) AS "replacesTrigger", (array_agg(n.collected_by))[1] AS "collectedBy"
       FROM shown n LEFT JOIN notification_channels c ON c.id = n.channel_id AND c.team_id = n.team_id
       GROUP BY n.alert_key, n.kind, n.step, n.status, n.shown_reason, n.channel_id, c.name,
         CASE WHEN n.kind <> 'repeat' THEN n.id END
       ORDER BY "firstAt", n.channel_id, n.kind, n.step LIMIT $3`,
      [teamId, incidentId, MOST_OUTCOMES],
    );
  }

  /** Returns a text that changes with the notifications about an incident. */
  async version(teamId: TeamId, incidentId: string): Promise<string> {
    const [row]: { version: string }[] = await this.dataSource.query(
      // Every write to a row gives it the id of a later transaction (`xmin`).
      `SELECT concat(count(*), '-', coalesce(sum(xmin::text::bigint), 0)) AS version
       FROM notifications WHERE team_id = $1 AND incident_id = $2`,
      [teamId, incidentId],
    );
    return row!.version;
  }
}
