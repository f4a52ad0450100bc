import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../database/tx.js';
import { type Hold, type ParentFacts, type SilenceFacts } from '../../domain/notification-plan/facts.js';
import { type MatchedMonitor, type PolicyMatch } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import {
  alertOfDegraded,
  alertOfMaintenance,
  alertsOfIncident,
  type AlertHistory,
  type LoggedEvent,
} from './alert-history.js';
import { type SeenMonitor } from './notification-timer.entity.js';

/** What a plan is made for: an incident, or an event without an incident. */
export interface AlertRef {
  teamId: TeamId;
  subjectId: string;
}

interface EventRecord {
  id: string;
  type: string;
  recorded_at: Date;
  actor_name: string | null;
  resource_id: string;
  resource_name: string | null;
  data: Record<string, unknown>;
}

const COLUMNS = 'e.id, e.type, e.recorded_at, e.actor_name, e.resource_id, e.resource_name, e.data';
/** Before their rows are read by the time of a check, partitions are selected by its slot, which is earlier. */
const LONGEST_DELAY_MS = 2 * 86_400_000;

/**
 * Reads what plans are made from: events, and the history of monitors. It reads the tables of other modules directly,
 * because a plan must see all of them in one transaction and in few queries.
 */
@Injectable()
export class AlertStore {
  /** Returns what an event may have changed: its own subject, and the open alerts of its monitor. */
  async refsOf(tx: Tx, eventIds: readonly string[]): Promise<AlertRef[]> {
    const rows: { team_id: TeamId; subject_id: string }[] = await managerOf(tx).query(
      `WITH planned AS (SELECT * FROM events WHERE id = ANY($1::uuid[])),
       incident_events AS MATERIALIZED (SELECT team_id, resource_id::uuid AS incident_id FROM planned
         WHERE resource_type = 'incident')
       SELECT team_id, incident_id AS subject_id FROM incident_events
       UNION SELECT team_id, id FROM planned WHERE type IN ('monitor.degraded', 'maintenance.started', 'maintenance.ended')
       UNION SELECT e.team_id, t.subject_id FROM planned e
         JOIN notification_timers t ON t.team_id = e.team_id AND t.closed_at IS NULL
           AND t.monitors @> jsonb_build_array(jsonb_build_object('id', e.resource_id))
         WHERE e.resource_type = 'monitor'
       UNION SELECT e.team_id, t.subject_id FROM planned e
         JOIN notification_timers t ON t.team_id = e.team_id AND t.event = 'down'
           AND t.monitors @> jsonb_build_array(jsonb_build_object('id', e.resource_id))
         JOIN incidents i ON i.id = t.subject_id AND i.resolved_at IS NULL
         WHERE e.type = 'monitor.resumed'
       UNION SELECT i.team_id, i.parent_incident_id FROM incident_events e JOIN incidents i ON i.id = e.incident_id
         WHERE i.parent_incident_id IS NOT NULL
       UNION SELECT i.team_id, i.id FROM incident_events e JOIN incidents i ON i.parent_incident_id = e.incident_id
         WHERE i.resolved_at IS NULL`,
      [eventIds],
    );
    return rows.map((row) => ({ teamId: row.team_id, subjectId: row.subject_id }));
  }

  /** Lets no other transaction plan or send these alerts until this one ends. */
  async lock(tx: Tx, subjectIds: readonly string[]): Promise<void> {
    await managerOf(tx).query(
      `SELECT pg_advisory_xact_lock(hashtextextended('alerts/' || id, 0))
       FROM (SELECT DISTINCT id FROM unnest($1::text[]) AS id ORDER BY id) AS subjects`,
      [subjectIds],
    );
  }

  /** Like `lock`, by the key of an alert. */
  async lockAlert(tx: Tx, alertKey: string): Promise<void> {
    const rows: { subject_id: string }[] = await managerOf(tx).query(
      'SELECT subject_id FROM notification_timers WHERE alert_key = $1',
      [alertKey],
    );
    await this.lock(
      tx,
      rows.map((row) => row.subject_id),
    );
  }

  /** Returns the alerts of a subject, oldest first; none if its events have been deleted. */
  async alerts(tx: Tx, { teamId, subjectId }: AlertRef): Promise<AlertHistory[]> {
    const own = await this.events(tx, `e.team_id = $1 AND e.resource_id = $2 AND e.resource_type = 'incident'`, [
      teamId,
      subjectId,
    ]);
    if (own.length > 0) return this.ofIncident(tx, teamId, subjectId, own);
    const [opening] = await this.events(tx, 'e.team_id = $1 AND e.id = $2::uuid', [teamId, subjectId]);
    if (!opening) return [];
    if (opening.type === 'monitor.degraded') {
      const later = await this.ofMonitors(tx, teamId, [opening.resourceId], opening.recordedAt);
      const after = later.slice(later.findIndex(({ id }) => id === opening.id) + 1);
      return [alertOfDegraded(opening, after)];
    }
    return [alertOfMaintenance(opening, await this.inMaintenance(tx, opening))];
  }

  /** Returns monitors of the team as messages name them and policies match them. */
  async monitors(tx: Tx, teamId: TeamId, ids: readonly string[]): Promise<SeenMonitor[]> {
    if (ids.length === 0) return [];
    return managerOf(tx).query(
      `SELECT id, name, type, target, tags FROM monitors WHERE team_id = $1 AND id = ANY($2::uuid[])
       ORDER BY array_position($2::uuid[], id)`,
      [teamId, ids],
    );
  }

  /** Returns the monitors whose open incidents are grouped under this one. */
  async children(tx: Tx, incidentId: string): Promise<(MatchedMonitor & SeenMonitor)[]> {
    return managerOf(tx).query(
      `SELECT DISTINCT m.id, m.name, m.type, m.target, m.tags FROM incidents i
       JOIN incident_monitors im ON im.incident_id = i.id JOIN monitors m ON m.id = im.monitor_id
       WHERE i.parent_incident_id = $1 AND i.resolved_at IS NULL AND i.kind = 'detected' ORDER BY m.id LIMIT 1000`,
      [incidentId],
    );
  }

  /** Returns the maintenance of a monitor since a moment. */
  async maintenance(tx: Tx, monitorId: string, sinceMs: number): Promise<Hold[]> {
    const rows: { starts_at: Date; ends_at: Date; fails_again_at: Date | null }[] = await managerOf(tx).query(
      `SELECT s.starts_at, s.ends_at, ${failsAgain('$1', 's.ends_at')} AS fails_again_at FROM spans s
       WHERE s.monitor_id = $1 AND s.kind = 'maintenance' AND s.ends_at > $2 AND s.starts_at <= now() ORDER BY s.starts_at`,
      [monitorId, new Date(sinceMs)],
    );
    return rows.map((row) => ({
      from: row.starts_at.getTime(),
      to: row.ends_at.getTime(),
      failsAgainAt: row.fails_again_at?.getTime() ?? null,
    }));
  }

  /** Returns the parents of a monitor: whether they have been checked since it first failed, and when they were down. */
  async parents(tx: Tx, monitorId: string, failedSince: number): Promise<ParentFacts[]> {
    const rows: { answered_at: Date | null; down: { from: string; to: string | null; again: string | null }[] }[] =
      await managerOf(tx).query(
        `SELECT (SELECT min(c.checked_at) FROM checks c
                  WHERE c.monitor_id = p.id AND c.scheduled_at >= $3 AND c.checked_at > $2
                    AND NOT EXISTS (SELECT FROM monitor_states s WHERE s.monitor_id = p.id AND s.verifying = 'down')
                ) AS answered_at,
           coalesce((SELECT jsonb_agg(jsonb_build_object('from', i.created_at, 'to', i.resolved_at, 'again',
               CASE WHEN i.resolved_at IS NULL THEN NULL ELSE ${failsAgain('$1', 'i.resolved_at')} END) ORDER BY i.created_at)
             FROM incident_monitors im JOIN incidents i ON i.id = im.incident_id
             WHERE im.monitor_id = p.id AND i.kind = 'detected' AND i.resolved_at IS DISTINCT FROM i.started_at
               AND (i.resolved_at IS NULL OR i.resolved_at > $2)), '[]') AS down
         FROM monitors m CROSS JOIN unnest(m.parent_ids) AS p (id) WHERE m.id = $1`,
        [monitorId, new Date(failedSince), new Date(failedSince - LONGEST_DELAY_MS)],
      );
    const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time));
    return rows.map(({ answered_at, down }) => ({
      answeredAt: answered_at?.getTime() ?? null,
      down: down.map(({ from, to, again }) => ({ from: ms(from)!, to: ms(to), failsAgainAt: ms(again) })),
    }));
  }

  /** Returns the silences of a team that were not over at a moment. */
  async silences(tx: Tx, teamId: TeamId, sinceMs: number): Promise<SilenceFacts[]> {
    const rows: { match: PolicyMatch; created_at: Date; ends_at: Date }[] = await managerOf(tx).query(
      'SELECT match, created_at, ends_at FROM silences WHERE team_id = $1 AND ends_at > $2 ORDER BY created_at, id',
      [teamId, new Date(sinceMs)],
    );
    return rows.map((row) => ({ match: row.match, from: row.created_at.getTime(), to: row.ends_at.getTime() }));
  }

  private async ofIncident(
    tx: Tx,
    teamId: TeamId,
    incidentId: string,
    own: readonly LoggedEvent[],
  ): Promise<AlertHistory[]> {
    const monitorIds = [...new Set(alertsOfIncident(incidentId, own).flatMap((one) => one.monitorIds))];
    const isDetected = own[0]!.data.kind === 'detected';
    if (monitorIds.length === 0 || !isDetected) return alertsOfIncident(incidentId, own);
    const all = await this.events(
      tx,
      `e.team_id = $1 AND (e.resource_id = $2 AND e.resource_type = 'incident'
         OR e.resource_id = ANY($3::text[]) AND e.recorded_at >= $4 AND e.type LIKE 'monitor.%')`,
      [teamId, incidentId, monitorIds, new Date(own[0]!.recordedAt)],
    );
    return alertsOfIncident(incidentId, all);
  }

  private ofMonitors(tx: Tx, teamId: TeamId, ids: readonly string[], sinceMs: number): Promise<LoggedEvent[]> {
    return this.events(tx, 'e.team_id = $1 AND e.resource_id = ANY($2::text[]) AND e.recorded_at >= $3', [
      teamId,
      ids,
      new Date(sinceMs),
    ]);
  }

  /** Within an era, the sequence is the order of the events of a resource, because a writer locks the resource first. */
  private async events(tx: Tx, condition: string, parameters: unknown[]): Promise<LoggedEvent[]> {
    const rows: EventRecord[] = await managerOf(tx).query(
      `SELECT ${COLUMNS} FROM events e WHERE ${condition} ORDER BY e.era, e.sequence`,
      parameters,
    );
    return rows.map((row) => ({
      id: row.id,
      type: row.type,
      recordedAt: row.recorded_at.getTime(),
      actorName: row.actor_name,
      resourceId: row.resource_id,
      resourceName: row.resource_name,
      data: row.data,
    }));
  }

  private async inMaintenance(tx: Tx, { resourceId, recordedAt }: LoggedEvent): Promise<string[]> {
    const rows: { monitor_id: string }[] = await managerOf(tx).query(
      `SELECT DISTINCT monitor_id FROM spans WHERE window_id::text = $1 AND monitor_id IS NOT NULL
         AND starts_at <= $2 AND ends_at > $2::timestamptz - interval '1 minute' ORDER BY monitor_id`,
      [resourceId, new Date(recordedAt)],
    );
    return rows.map((row) => row.monitor_id);
  }
}

/** SQL: the time of the first failing check of a monitor after a moment. */
function failsAgain(monitorId: string, since: string): string {
  return `(SELECT min(c.checked_at) FROM checks c WHERE c.monitor_id = ${monitorId} AND c.status = 'down'
    AND c.scheduled_at >= ${since} - interval '2 days' AND c.checked_at >= ${since})`;
}
