import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PagerdutyAction } from '../../channels/webhook/pagerduty-webhook.js';
import { actingAs } from '../../http/auth/actor.js';
import { type TeamId } from '../../http/auth/principal.js';
import { IncidentWritesService } from '../incidents/incident-writes.service.js';

/** Acknowledges incidents on behalf of those who acknowledge them at the provider of a channel. */
@Injectable()
export class ProviderAcknowledgements {
  constructor(
    private readonly dataSource: DataSource,
    private readonly incidents: IncidentWritesService,
  ) {}

  /** Applies what happened at PagerDuty to the open incidents of an alert that was sent through this channel. */
  async apply(channel: { id: string; teamId: TeamId }, action: PagerdutyAction): Promise<void> {
    const { type, agent, alertKey, occurredAtMs: atMs } = action;
    const { id: channelId, teamId } = channel;
    const found: { id: string }[] = await this.dataSource.query(OPEN, [teamId, channelId, alertKey]);
    const name = agent === null ? 'PagerDuty' : `PagerDuty: ${agent}`;
    const note = agent === null ? 'Acknowledged in PagerDuty.' : `Acknowledged in PagerDuty by ${agent}.`;
    for (const { id } of found) {
      await actingAs({ type: 'system', id: null, name }, () =>
        this.incidents.follow(teamId, id, `provider:${channelId}`, { type, note, atMs }),
      );
    }
  }
}

/** The incidents with an open alert of this key, or of a storm with it, of which the channel $2 was sent something. */
const OPEN = `
  SELECT i.id FROM incidents i
  WHERE i.team_id = $1 AND i.resolved_at IS NULL AND i.id IN (
    SELECT n.incident_id FROM notifications n JOIN notification_timers t ON t.alert_key = n.alert_key
    WHERE n.team_id = $1 AND n.channel_id = $2 AND (n.alert_key = $3 OR n.storm_key = $3)
      AND n.kind IN ('trigger', 'repeat') AND t.closed_at IS NULL
      AND (n.storm_key IS NOT NULL OR n.attempts <> '[]')
  )
  ORDER BY i.id`;
