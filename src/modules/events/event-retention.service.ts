import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { deleteOlder } from '../../database/delete-in-batches.js';
import { HOUR_MS } from '../../domain/durations.js';

/** Small, so that no statement delays others for long. */
const BATCH = 1_000;

/**
 * Deletes events that are older than `EVENT_RETENTION_DAYS`, except those of stored alerts: of their incidents and
 * monitors. Notifications follow from them, so without them the end of an outage would not be reported.
 */
@Injectable()
export class EventRetention {
  private readonly logger = new Logger(EventRetention.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
  ) {}

  /** Never throws: what is left is deleted next time, here or in another process. */
  @Interval(HOUR_MS)
  async deleteExpired(nowMs?: number): Promise<void> {
    const age = { days: this.config.get('EVENT_RETENTION_DAYS'), nowMs, dataSource: this.dataSource };
    const failure = 'could not delete old events; will retry';
    await deleteOlder(age, BATCH, (before) => this.deleteSome(before), this.logger, failure);
  }

  private async deleteSome(before: Date): Promise<number> {
    const [, deleted]: [unknown[], number] = await this.dataSource.query(
      `WITH alerting AS MATERIALIZED (
         SELECT DISTINCT alerts.team_id, m ->> 'id' AS monitor_id FROM teams
         CROSS JOIN LATERAL (SELECT * FROM notification_timers t WHERE t.team_id = teams.id AND t.recorded_at < $1) AS alerts
         CROSS JOIN LATERAL jsonb_array_elements(alerts.monitors) AS m
       )
       DELETE FROM events WHERE id IN (
         SELECT id FROM events e WHERE recorded_at < $1
           AND NOT EXISTS (SELECT FROM notification_timers t
             WHERE t.subject_id = CASE WHEN e.resource_type = 'incident' THEN e.resource_id::uuid ELSE e.id END)
           AND NOT EXISTS (SELECT FROM alerting a WHERE a.team_id = e.team_id AND a.monitor_id = e.resource_id)
         ORDER BY recorded_at LIMIT ${BATCH} FOR UPDATE OF e SKIP LOCKED)`,
      [before],
    );
    return deleted;
  }
}
