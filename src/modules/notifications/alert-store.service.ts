import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../database/tx.js';
import { groupBy } from '../../domain/group-by.js';
import { type TeamId } from '../../http/auth/principal.js';
import { TURNS } from '../events/event.types.js';
import {
  type AlertRef,
  eventsById,
  eventsOfFollowed,
  eventsOfIncidents,
  eventsOfMonitors,
  MAX_TURNS,
  type StoredEvent,
  type WatchedResource,
} from './alert-events.js';
import {
  alertOfCertificate,
  alertOfChannel,
  alertOfDegraded,
  alertOfDomain,
  alertOfLocation,
  alertOfMaintenance,
  alertsOfIncident,
  alertsOfInterruption,
  type AlertHistory,
  isRepetition,
  type LoggedEvent,
} from './alert-history.js';
import { endOfCertificate, endOfDomain } from './expiry-end.js';
import { alertOfUnreported, endOfUnreported } from './unreported-alert.js';
import { alertOfUnobserved, isLocationLoss, isNetworkLoss, unobservedGroup } from './unobserved-alert.js';

/** Events without an incident whose end later events of their resource tell. */
const FOLLOWED: ReadonlySet<string> = new Set(['monitor.degraded', 'channel.failing']);
/** The events with which an incident begins and ends. */
const PHASES: ReadonlySet<string> = new Set(['incident.opened', 'incident.reopened', 'incident.resolved']);
/** The events that open an alert of an incident. */
const OPENINGS: ReadonlySet<string> = new Set(['incident.opened', 'incident.reopened', 'monitor.resumed']);

/** The resources that decide about alerts, whatever these are about. */
const SETTINGS: readonly string[] = ['notification_policy', 'notification_channel', 'silence'];

/** What events change besides the alerts they are about: all alerts of a team, or those of the children of an incident. */
export interface EventEffect {
  eventIds: string[];
  teamId: TeamId;
  /** The parent incident; null for all of the team. */
  parentId: string | null;
}

/** Reads alerts from the log of events, for many of them at once, and locks them. */
@Injectable()
export class AlertStore {
  /**
   * Returns what events may have changed: their own subjects, and the open alerts of their monitors. Those whose number
   * has no bound are left to `effects`.
   */
  async refsOf(tx: Tx, eventIds: readonly string[]): Promise<AlertRef[]> {
    const rows: { team_id: TeamId; subject_id: string }[] = await managerOf(tx).query(
      `WITH planned AS (SELECT * FROM events WHERE id = ANY($1::uuid[])),
       incident_events AS MATERIALIZED (SELECT team_id, resource_id::uuid AS incident_id FROM planned
         WHERE resource_type = 'incident'),
       monitor_events AS MATERIALIZED (SELECT team_id, resource_id, resource_id::uuid AS monitor_id FROM planned
         WHERE resource_type = 'monitor')
       SELECT team_id, incident_id AS subject_id FROM incident_events
       UNION SELECT team_id, id FROM planned WHERE type IN
         ('monitor.degraded', 'heartbeat.unreported', 'maintenance.started', 'maintenance.ended', 'certificate.expiring',
          'domain.expiring', 'channel.failing', 'checking.interrupted')
       UNION SELECT team_id, (data ->> 'groupId')::uuid FROM planned WHERE type = 'monitor.unknown'
       UNION SELECT e.team_id, i.id FROM monitor_events e JOIN incident_monitors im ON im.monitor_id = e.monitor_id
         JOIN incidents i ON i.id = im.incident_id AND i.resolved_at IS NULL
       UNION SELECT e.team_id, t.subject_id FROM planned e JOIN notification_timers t ON t.team_id = e.team_id
         AND t.event = 'location_offline' AND t.closed_at IS NULL WHERE e.type = 'checking.resumed'
       UNION SELECT e.team_id, t.subject_id FROM monitor_events e
         JOIN notification_timers t ON t.monitors -> 0 ->> 'id' = e.resource_id AND t.team_id = e.team_id
           AND t.event = 'degraded' AND t.closed_at IS NULL
       UNION SELECT i.team_id, i.parent_incident_id FROM incident_events e JOIN incidents i ON i.id = e.incident_id
         WHERE i.parent_incident_id IS NOT NULL`,
      [eventIds],
    );
    return rows.map((row) => ({ teamId: row.team_id, subjectId: row.subject_id }));
  }

  /** Returns what the events may change besides their own alerts, which has no bound. */
  async effects(tx: Tx, eventIds: readonly string[]): Promise<EventEffect[]> {
    const rows: { event_ids: string[]; team_id: TeamId; parent_id: string | null }[] = await managerOf(tx).query(
      `SELECT array_agg(id) AS event_ids, team_id, parent_id FROM (
         SELECT id, team_id, NULL AS parent_id FROM events
         WHERE id = ANY($1::uuid[]) AND resource_type = ANY($2::text[]) AND type <> 'channel.failing'
         UNION ALL
         SELECT e.id, e.team_id, e.resource_id FROM events e
         WHERE e.id = ANY($1::uuid[]) AND EXISTS (SELECT FROM incidents i
           WHERE i.parent_incident_id = CASE WHEN e.resource_type = 'incident' THEN e.resource_id::uuid END
             AND i.resolved_at IS NULL)
       ) AS effects GROUP BY team_id, parent_id`,
      [eventIds, SETTINGS],
    );
    return rows.map((row) => ({ eventIds: row.event_ids, teamId: row.team_id, parentId: row.parent_id }));
  }

  /** Returns some of the subjects with open alerts that an effect concerns, in the order of their ids. */
  async concerned(tx: Tx, { teamId, parentId }: EventEffect, after: string | null, count: number): Promise<string[]> {
    const isChild = 'subject_id IN (SELECT id FROM incidents WHERE parent_incident_id = $4 AND resolved_at IS NULL)';
    const rows: { subject_id: string }[] = await managerOf(tx).query(
      `SELECT DISTINCT subject_id FROM notification_timers
       WHERE team_id = $1 AND closed_at IS NULL AND ($2::uuid IS NULL OR subject_id > $2)
         AND ${parentId === null ? '$4::uuid IS NULL' : isChild}
       ORDER BY subject_id LIMIT $3`,
      [teamId, after, count, parentId],
    );
    return rows.map((row) => row.subject_id);
  }

  /** Announces that this transaction plans by the settings of these teams. */
  async enterTeams(tx: Tx, teamIds: readonly TeamId[]): Promise<void> {
    await managerOf(tx).query(
      `SELECT pg_advisory_xact_lock_shared(hashtextextended('plans/' || id, 0))
       FROM (SELECT DISTINCT id FROM unnest($1::text[]) AS id ORDER BY id) AS teams`,
      [teamIds],
    );
  }

  /** Waits until no transaction plans by settings of a team that it read before. */
  async awaitTeam(tx: Tx, teamId: TeamId): Promise<void> {
    await managerOf(tx).query(`SELECT pg_advisory_xact_lock(hashtextextended('plans/' || $1::text, 0))`, [teamId]);
  }

  /** Lets no other transaction plan or send these alerts until this one ends. */
  async lock(tx: Tx, subjectIds: readonly string[]): Promise<void> {
    if (subjectIds.length === 0) return;
    await managerOf(tx).query(
      `SELECT pg_advisory_xact_lock(hashtextextended('alerts/' || id, 0))
       FROM (SELECT DISTINCT id FROM unnest($1::text[]) AS id ORDER BY id) AS subjects`,
      [subjectIds],
    );
  }

  /** Locks those of the alerts that no other transaction plans or sends at this moment, and returns their ids. */
  async tryLock(tx: Tx, subjectIds: readonly string[]): Promise<string[]> {
    const rows: { id: string; locked: boolean }[] = await managerOf(tx).query(
      `SELECT id, pg_try_advisory_xact_lock(hashtextextended('alerts/' || id, 0)) AS locked
       FROM (SELECT DISTINCT id FROM unnest($1::text[]) AS id ORDER BY id) AS subjects`,
      [subjectIds],
    );
    return rows.filter(({ locked }) => locked).map(({ id }) => id);
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

  /** Returns the alerts of each subject, oldest first. Subjects whose events have been deleted have none. */
  async alerts(tx: Tx, refs: readonly AlertRef[]): Promise<Map<string, AlertHistory[]>> {
    const own = groupBy(await eventsOfIncidents(tx, refs), ({ subjectId }) => subjectId);
    const others = refs.filter(({ subjectId }) => !own.has(subjectId));
    const openings = groupBy(await eventsById(tx, others), ({ subjectId }) => subjectId);
    const monitors = refs.flatMap((ref) => watchedBy(ref, own.get(ref.subjectId) ?? []));
    const followed = refs.flatMap((ref) => watchedBy(ref, openings.get(ref.subjectId) ?? []));
    const later = groupBy(
      [...(await eventsOfMonitors(tx, monitors)), ...(await eventsOfFollowed(tx, followed))],
      ({ subjectId }) => subjectId,
    );
    const histories = new Map<string, AlertHistory[]>();
    for (const { teamId, subjectId } of refs) {
      const [incident, [opening]] = [own.get(subjectId), openings.get(subjectId) ?? []];
      const others = later.get(subjectId) ?? [];
      if (incident) {
        const events = [...incident, ...others].sort(byOrder);
        histories.set(subjectId, alertsOfIncident(subjectId, withUnread(events)));
      } else if (opening) {
        const after = others.slice(others.findIndex(({ id }) => id === opening.id) + 1);
        histories.set(subjectId, await this.alertsOf(tx, teamId, opening, after));
      }
    }
    return histories;
  }

  /** Returns the alerts of an event without an incident. */
  private async alertsOf(
    tx: Tx,
    teamId: TeamId,
    opening: LoggedEvent,
    after: readonly LoggedEvent[],
  ): Promise<AlertHistory[]> {
    if (opening.type === 'monitor.degraded') return isRepetition(opening) ? [] : [alertOfDegraded(opening, after)];
    if (opening.type === 'channel.failing') return [alertOfChannel(opening, after)];
    if (opening.type === 'certificate.expiring') {
      return [alertOfCertificate(opening, await endOfCertificate(tx, teamId, opening))];
    }
    if (opening.type === 'heartbeat.unreported')
      return [alertOfUnreported(opening, await endOfUnreported(tx, opening, Date.now()))];
    if (opening.type === 'domain.expiring') return [alertOfDomain(opening, await endOfDomain(tx, teamId, opening))];
    if (opening.type === 'monitor.unknown' || isNetworkLoss(opening)) {
      return [alertOfUnobserved(opening, await unobservedGroup(tx, opening))];
    }
    if (isLocationLoss(opening)) return [alertOfLocation(opening, after)];
    if (opening.type === 'checking.interrupted') return alertsOfInterruption(opening);
    return [alertOfMaintenance(opening, await this.inMaintenance(tx, opening), Date.now())];
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

/**
 * Adds turns in place of those that were not read: the monitor counts as up from the opening of an alert to the first turn
 * that was read. This delays no message, because what was due in that time has been planned already.
 */
function withUnread(events: readonly StoredEvent[]): readonly LoggedEvent[] {
  const turns = events.filter(({ type }) => TURNS.has(type));
  if (turns.length < MAX_TURNS) return events;
  const first = turns[0]!;
  const begin = events.indexOf(first);
  const up = (at: LoggedEvent): LoggedEvent => ({ ...at, type: 'monitor.up', resourceId: first.resourceId, data: {} });
  const earlier = events.slice(0, begin).flatMap((one) => (OPENINGS.has(one.type) ? [one, up(one)] : [one]));
  return [...earlier, ...events.slice(begin)];
}

/** Returns the resources whose later events belong to the alerts of a subject with these events. */
function watchedBy({ teamId, subjectId }: AlertRef, events: readonly StoredEvent[]): WatchedResource[] {
  const [first] = events;
  if (!first) return [];
  const last = endOf(events);
  return resourcesOf(subjectId, events).map((resourceId) => ({ teamId, subjectId, resourceId, first, last }));
}

function resourcesOf(subjectId: string, events: readonly StoredEvent[]): string[] {
  const { type, resourceId, data } = events[0]!;
  if (FOLLOWED.has(type) || isLocationLoss(events[0]!)) return [resourceId];
  if (data.kind !== 'detected') return [];
  return [...new Set(alertsOfIncident(subjectId, events).flatMap((one) => one.monitorIds))];
}

/** Returns the last event of an incident that has ended: what happens to its monitors afterwards does not concern it. */
function endOf(events: readonly StoredEvent[]): StoredEvent | null {
  const phase = events.findLast(({ type }) => PHASES.has(type));
  return phase?.type === 'incident.resolved' ? events.at(-1)! : null;
}

/** Within an era, the sequence is the order of the events of a resource, because a writer locks the resource first. */
function byOrder(a: StoredEvent, b: StoredEvent): number {
  return a.era - b.era || a.sequence - b.sequence;
}
