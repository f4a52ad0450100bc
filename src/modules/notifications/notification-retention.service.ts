import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { deleteOlder } from '../../database/delete-in-batches.js';
import { HOUR_MS } from '../../domain/durations.js';
import { POINT_EVENTS } from '../../domain/notification-plan/policy.js';

/** Alerts per statement. Small, because each has several notifications and events. */
const BATCH = 200;

/**
 * Deletes alerts that ended longer ago than `EVENT_RETENTION_DAYS`, with their notifications. An alert of an open
 * incident is kept however old it is, because its end must still be reported to everybody who was notified.
 */
@Injectable()
export class NotificationRetention {
  private readonly logger = new Logger(NotificationRetention.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
  ) {}

  /** Never throws: what is left is deleted next time, here or in another process. */
  @Interval(HOUR_MS)
  async deleteExpired(nowMs?: number): Promise<void> {
    const age = { days: this.config.get('EVENT_RETENTION_DAYS'), nowMs, dataSource: this.dataSource };
    const failure = 'could not delete old notifications; will retry';
    await deleteOlder(age, BATCH, (before) => this.deleteSome(before), this.logger, failure);
    try {
      await this.dataSource.query(DELETE_MARKS);
      await this.dataSource.query(DELETE_CLAIMS);
      await this.dataSource.query(RESTORE_CLAIMS);
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error(failure, error);
    }
  }

  private async deleteSome(before: Date): Promise<number> {
    const [row]: { deleted: number }[] = await this.dataSource.query(DELETE_ALERTS, [before, [...POINT_EVENTS]]);
    return row!.deleted;
  }
}

/**
 * The events are deleted with the alerts that follow from them: with only some of its events, an incident that is
 * reopened would be taken for another alert, and without its notifications, it would be reported again. Incidents stay.
 */
const DELETE_ALERTS = `
  WITH expired AS MATERIALIZED (
    SELECT alerts.* FROM teams CROSS JOIN LATERAL (
      SELECT t.alert_key, t.team_id, t.subject_id FROM notification_timers t
      WHERE t.team_id = teams.id AND t.recorded_at < $1
        AND (t.event = ANY($2::text[]) OR t.closed_at < $1 AND t.due_at IS NULL)
        AND NOT EXISTS (SELECT FROM incidents i WHERE i.id = t.subject_id AND i.resolved_at IS NULL)
        AND NOT EXISTS (SELECT FROM notification_timers o WHERE o.subject_id = t.subject_id
          AND o.event <> ALL($2::text[]) AND (o.closed_at IS NULL OR o.closed_at >= $1 OR o.due_at IS NOT NULL))
        AND NOT EXISTS (SELECT FROM notification_timers o JOIN notifications n ON n.alert_key = o.alert_key
          WHERE o.subject_id = t.subject_id AND n.next_attempt_at IS NOT NULL)
      LIMIT ${BATCH} FOR UPDATE OF t SKIP LOCKED
    ) AS alerts LIMIT ${BATCH}
  ), events_gone AS (
    DELETE FROM events e USING expired x
    WHERE e.team_id = x.team_id AND e.recorded_at < $1 AND e.resource_type = 'incident' AND e.resource_id = x.subject_id::text
  ), openings_gone AS (
    DELETE FROM events e USING expired x WHERE e.id = x.subject_id AND e.resource_type <> 'incident'
  ), notifications_gone AS (
    DELETE FROM notifications n USING expired x WHERE n.alert_key = x.alert_key
  ), alerts_gone AS (
    DELETE FROM notification_timers t USING expired x WHERE t.alert_key = x.alert_key RETURNING 1
  )
  SELECT count(*)::int AS deleted FROM alerts_gone`;

/** Marks of events that could not be planned, and no longer exist. */
const DELETE_MARKS = `
  DELETE FROM unplanned_events u WHERE u.failures > 0 AND NOT EXISTS (SELECT FROM events e WHERE e.id = u.event_id)`;

/** Claims of deleted channels. They appear again while such a channel is still told the end of an alert. */
const DELETE_CLAIMS = `
  DELETE FROM notification_channel_claims c
  WHERE NOT EXISTS (SELECT FROM notification_channels k WHERE k.id = c.channel_id)
    AND NOT EXISTS (SELECT FROM notifications n WHERE n.channel_id = c.channel_id AND n.next_attempt_at IS NOT NULL)`;

/** A claim may have been deleted while a plan that relied on it was stored. Without one, nothing is sent. */
const RESTORE_CLAIMS = `
  INSERT INTO notification_channel_claims (channel_id, team_id)
  SELECT DISTINCT n.channel_id, n.team_id FROM notifications n
  WHERE n.next_attempt_at IS NOT NULL AND n.channel_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM notification_channel_claims c WHERE c.channel_id = n.channel_id)
  ON CONFLICT DO NOTHING`;
