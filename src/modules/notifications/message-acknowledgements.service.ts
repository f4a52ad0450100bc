import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecretBox } from '../../database/secret-box.js';
import { actingAs } from '../../http/auth/actor.js';
import { type TeamId } from '../../http/auth/principal.js';
import { IncidentWritesService } from '../incidents/incident-writes.service.js';
import { notificationOfToken } from './acknowledgement-token.js';

/** An incident that a message reported, as it is now. Times are ISO 8601. */
export interface ReportedIncident {
  id: string;
  title: string;
  startedAt: string;
  /** Whether the alert of the message has ended: the incident was resolved, or is a new outage by now. */
  isOver: boolean;
  resolvedAt: string | null;
  /** See `acknowledgedBy` of an incident; null unless it is acknowledged now. */
  acknowledgedBy: string | null;
  acknowledgedUntil: string | null;
  /** When an open drill ends by itself; null for other incidents. */
  endsAt: string | null;
}

/** What the link of a message is about. */
export interface MessageLink {
  teamId: TeamId;
  teamName: string;
  /** The channel whose message contains the link, as the author of the acknowledgement. */
  author: string;
  /** Null for an email to the owners, and for a deleted channel. */
  channelName: string | null;
  /** Never empty. */
  incidents: ReportedIncident[];
}

interface LinkRecord {
  team_id: TeamId;
  team_name: string;
  channel_id: string;
  channel_name: string | null;
  id: string;
  title: string;
  started_at: Date;
  closed_at: Date | null;
  resolved_at: Date | null;
  acknowledged_by: string | null;
  acknowledged_until: Date | null;
  ends_at: Date | null;
}

/**
 * Acknowledges incidents by the links in messages. A link is signed and names a notification, so that there is nothing to
 * store; whoever has it may acknowledge what the message reported, and nothing else.
 */
@Injectable()
export class MessageAcknowledgements {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
    private readonly incidents: IncidentWritesService,
  ) {}

  /** Returns what a link is about; null if this service did not create it, or the incidents no longer exist. */
  async look(token: string, nowMs = Date.now()): Promise<MessageLink | null> {
    const id = notificationOfToken(this.box, token);
    if (id === null) return null;
    const rows: LinkRecord[] = await this.dataSource.query(READ, [id, new Date(nowMs)]);
    const [first] = rows;
    if (!first) return null;
    const isToOwners = first.channel_id === first.team_id;
    return {
      teamId: first.team_id,
      teamName: first.team_name,
      author: isToOwners ? 'owners' : `channel:${first.channel_id}`,
      channelName: first.channel_name,
      incidents: rows.map(toReported),
    };
  }

  /** Acknowledges the incidents of a link that are open and not acknowledged. */
  async acknowledge({ teamId, author, channelName, incidents }: MessageLink): Promise<void> {
    const name = channelName ?? 'Email to the owners';
    for (const { id, isOver, acknowledgedBy } of incidents) {
      if (isOver || acknowledgedBy !== null) continue;
      await actingAs({ type: 'system', id: null, name }, () => this.incidents.acknowledge(teamId, id, author, {}));
    }
  }
}

function toReported(row: LinkRecord): ReportedIncident {
  return {
    id: row.id,
    title: row.title,
    startedAt: row.started_at.toISOString(),
    isOver: row.resolved_at !== null || row.closed_at !== null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    acknowledgedBy: row.acknowledged_by,
    acknowledgedUntil: row.acknowledged_until?.toISOString() ?? null,
    endsAt: row.ends_at?.toISOString() ?? null,
  };
}

/** The incidents of all notifications that were sent in one message with $1. */
const READ = `
  WITH linked AS (SELECT id, team_id, channel_id, coalesce(message_id, id) AS message FROM notifications WHERE id = $1),
  alerts AS (
    SELECT DISTINCT n.alert_key, n.incident_id FROM linked l
    JOIN notifications n ON n.id = l.id OR n.message_id = l.message
    WHERE n.incident_id IS NOT NULL AND n.kind IN ('trigger', 'repeat')
  )
  SELECT l.team_id, t.name AS team_name, l.channel_id, c.name AS channel_name, i.id, i.title, i.started_at,
    i.resolved_at, a.closed_at, ack.by AS acknowledged_by, ack.until AS acknowledged_until,
    CASE WHEN i.kind = 'drill' AND i.resolved_at IS NULL THEN i.settles_at END AS ends_at
  FROM alerts n CROSS JOIN linked l
  JOIN teams t ON t.id = l.team_id
  JOIN incidents i ON i.id = n.incident_id AND i.team_id = l.team_id
  LEFT JOIN notification_timers a ON a.alert_key = n.alert_key
  LEFT JOIN notification_channels c ON c.id = l.channel_id
  LEFT JOIN LATERAL (
    SELECT i.acknowledged_by AS by, i.acknowledged_until AS until
    WHERE i.acknowledged_at IS NOT NULL AND (i.acknowledged_until IS NULL OR i.acknowledged_until > $2)
  ) AS ack ON true
  ORDER BY i.started_at, i.id`;
