import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../database/tx.js';
import { type Hold, type ParentFacts, type SilenceFacts } from '../../domain/notification-plan/facts.js';
import { type PolicyMatch } from '../../domain/notification-plan/policy.js';
import { PARENT_WAIT_MS } from '../../domain/notification-plan/stops.js';
import { type Span } from '../../domain/span.js';
import { type TeamId } from '../../http/auth/principal.js';
import { awaitsReports } from '../../probes/index.js';
import { USUAL_DELAY_MS } from '../checks/checks.service.js';
import { type SeenMonitor } from './notification-timer.entity.js';

/** A monitor, and the time in which something about it matters. */
export interface MonitorSpan {
  monitorId: string;
  type: string;
  sinceMs: number;
  /** Null: so far. */
  untilMs: number | null;
  /** Whether the alert is about a monitor that is degraded: a check that is no worse shows that it still is. */
  isDegraded?: boolean;
}

/** A monitor that has been down since `sinceMs`, and whose alert waits for the results of its parents. */
export interface DependentSpan extends MonitorSpan {
  /** When the alert was recorded. */
  recordedMs: number;
}

/** Monitors that a message counts at most as affected by the outage of another one. */
const MAX_CHILDREN = 1_000;

/**
 * Reads what decides about alerts besides their own events, for many alerts at once. It reads the tables of other
 * modules directly, because a plan must see all of them in one transaction and in few queries.
 */
@Injectable()
export class AlertContext {
  /** Returns those of the monitors that exist, by id, as messages name them and policies match them. */
  async monitors(
    tx: Tx,
    monitors: readonly { teamId: TeamId; monitorId: string }[],
  ): Promise<Map<string, SeenMonitor>> {
    if (monitors.length === 0) return new Map();
    const rows: SeenMonitor[] = await managerOf(tx).query(
      `SELECT DISTINCT ON (m.id) m.id, m.name, m.type, m.target, m.tags FROM unnest($1::uuid[], $2::uuid[]) AS t (team_id, id)
       JOIN monitors m ON m.team_id = t.team_id AND m.id = t.id`,
      [monitors.map(({ teamId }) => teamId), monitors.map(({ monitorId }) => monitorId)],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Returns the monitors whose incidents are grouped under each of these, by incident: the open ones, or `all`. */
  async children(
    tx: Tx,
    incidentIds: readonly string[],
    which: 'open' | 'all' = 'open',
  ): Promise<Map<string, SeenMonitor[]>> {
    if (incidentIds.length === 0) return new Map();
    const rows: { incident_id: string; children: SeenMonitor[] }[] = await managerOf(tx).query(
      `SELECT t.id AS incident_id, jsonb_agg(to_jsonb(child)) AS children
       FROM (SELECT DISTINCT parent_incident_id AS id FROM incidents WHERE parent_incident_id = ANY($1::uuid[])) AS t
       CROSS JOIN LATERAL (
         SELECT DISTINCT m.id, m.name, m.type, m.target, m.tags FROM incidents i
         JOIN incident_monitors im ON im.incident_id = i.id JOIN monitors m ON m.id = im.monitor_id
         WHERE i.parent_incident_id = t.id AND ($2 OR i.resolved_at IS NULL) AND i.kind = 'detected'
         ORDER BY m.id LIMIT ${MAX_CHILDREN}) AS child
       GROUP BY t.id`,
      [incidentIds, which === 'all'],
    );
    return new Map(rows.map((row) => [row.incident_id, row.children]));
  }

  /**
   * Returns the maintenance of each monitor that ends in its time, also at its very start, and when the alert may be sent
   * after it, in the same order.
   */
  async maintenance(tx: Tx, monitors: readonly MonitorSpan[]): Promise<Hold[][]> {
    const found = monitors.map((): Hold[] => []);
    if (monitors.length === 0) return found;
    const rows: { place: number; starts_at: Date; ends_at: Date; fails_again_at: Date | null }[] = await managerOf(
      tx,
    ).query(
      `SELECT t.place::int, s.starts_at, s.ends_at,
         ${firstCheck('t.id', 's.ends_at', 't.until', STILL_FAILS)} AS fails_again_at
       FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::boolean[])
         WITH ORDINALITY AS t (id, since, until, is_degraded, place)
       JOIN spans s ON s.monitor_id = t.id AND s.kind = 'maintenance' AND s.ends_at >= t.since
         AND s.starts_at <= least(now(), t.until)
       ORDER BY s.starts_at`,
      [
        monitors.map(({ monitorId }) => monitorId),
        monitors.map(({ sinceMs }) => new Date(sinceMs)),
        monitors.map(({ untilMs }) => timeOf(untilMs)),
        monitors.map(({ isDegraded = false }) => isDegraded),
      ],
    );
    for (const row of rows) {
      const span = { from: row.starts_at.getTime(), to: row.ends_at.getTime() };
      const place = row.place - 1;
      found[place]!.push(holdOf(monitors[place]!, span, row.fails_again_at?.getTime() ?? null));
    }
    return found;
  }

  /** Returns the ends of the pauses of monitors that were resumed at `sinceMs`, in the same order. */
  async resumptions(tx: Tx, monitors: readonly MonitorSpan[]): Promise<Hold[]> {
    if (monitors.length === 0) return [];
    const rows: { fails_again_at: Date | null }[] = await managerOf(tx).query(
      `SELECT ${failsAgain('t.id', 't.since', 't.until')} AS fails_again_at
       FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS t (id, since, until, place)
       ORDER BY t.place`,
      [
        monitors.map(({ monitorId }) => monitorId),
        monitors.map(({ sinceMs }) => new Date(sinceMs)),
        monitors.map(({ untilMs }) => timeOf(untilMs)),
      ],
    );
    return monitors.map((monitor, index) => {
      const end = { from: monitor.sinceMs, to: monitor.sinceMs };
      return holdOf(monitor, end, rows[index]!.fails_again_at?.getTime() ?? null);
    });
  }

  /**
   * Returns the parents of each monitor, in the order of the monitors: whether they have been checked since the monitor
   * first failed, and when they were down. A parent that is paused is not waited for, and does not count as down,
   * because its alert has ended although its incident may be open.
   */
  async parents(tx: Tx, monitors: readonly DependentSpan[]): Promise<ParentFacts[][]> {
    const found = monitors.map((): ParentFacts[] => []);
    if (monitors.length === 0) return found;
    const answersUntil = `t.recorded + interval '${PARENT_WAIT_MS} ms'`;
    const rows: ParentRecord[] = await managerOf(tx).query(
      `SELECT t.place::int,
         CASE
           WHEN EXISTS (SELECT FROM spans s WHERE s.monitor_id = p.id AND s.kind = 'pause' AND s.starts_at <= t.recorded
             AND (s.ends_at IS NULL OR s.ends_at > t.recorded)) THEN t.recorded
           WHEN NOT EXISTS (SELECT FROM monitor_states s WHERE s.monitor_id = p.id AND s.verifying = 'down')
           THEN ${firstCheck('p.id', 't.since', answersUntil, 'c.checked_at > t.since')}
         END AS answered_at,
         coalesce((SELECT jsonb_agg(jsonb_build_object('from', d.starts_at, 'to', d.ends_at,
             'again', ${failsAgain('m.id', 'd.ends_at', 't.until')}) ORDER BY d.starts_at)
           FROM incident_monitors im JOIN incidents i ON i.id = im.incident_id CROSS JOIN LATERAL (${WATCHED_SPANS}) AS d
           WHERE im.monitor_id = p.id AND i.kind = 'detected' AND i.resolved_at IS DISTINCT FROM i.started_at
             AND i.created_at <= t.until AND (d.ends_at IS NULL OR d.ends_at > t.since)), '[]') AS down
       FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[])
         WITH ORDINALITY AS t (id, since, recorded, until, place)
       JOIN monitors m ON m.id = t.id CROSS JOIN unnest(m.parent_ids) AS p (id)`,
      [
        monitors.map(({ monitorId }) => monitorId),
        monitors.map(({ sinceMs }) => new Date(sinceMs)),
        monitors.map(({ recordedMs }) => new Date(recordedMs)),
        monitors.map(({ untilMs }) => timeOf(untilMs)),
      ],
    );
    const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time));
    for (const { place, answered_at: answeredAt, down } of rows) {
      found[place - 1]!.push({
        answeredAt: answeredAt?.getTime() ?? null,
        down: down.map(({ from, to, again }) => {
          return holdOf(monitors[place - 1]!, { from: ms(from)!, to: ms(to) }, ms(again));
        }),
      });
    }
    return found;
  }

  /** Returns the silences of these teams that were not over at a moment. */
  async silences(tx: Tx, teamIds: readonly TeamId[], sinceMs: number): Promise<Map<TeamId, SilenceFacts[]>> {
    const rows: { team_id: TeamId; match: PolicyMatch; created_at: Date; ends_at: Date }[] = await managerOf(tx).query(
      `SELECT team_id, match, created_at, ends_at FROM silences WHERE team_id = ANY($1::uuid[]) AND ends_at > $2
       ORDER BY created_at, id`,
      [teamIds, new Date(sinceMs)],
    );
    const found = new Map(teamIds.map((id): [TeamId, SilenceFacts[]] => [id, []]));
    for (const { team_id: teamId, match, created_at: from, ends_at: to } of rows) {
      found.get(teamId)!.push({ match, from: from.getTime(), to: to.getTime() });
    }
    return found;
  }

  /** Returns the channels that were sent notices of the conditions that these events report, by the id of the event. */
  async toldOf(tx: Tx, eventIds: readonly string[]): Promise<Map<string, string[]>> {
    if (eventIds.length === 0) return new Map();
    const rows: { id: string; channel_ids: string[] }[] = await managerOf(tx).query(
      `SELECT o.id, array_agg(DISTINCT n.channel_id) AS channel_ids FROM events o
       JOIN events e ON e.team_id = o.team_id AND e.resource_id = o.resource_id AND e.type = o.type
         AND e.data -> 'expiresAt' IS NOT DISTINCT FROM o.data -> 'expiresAt'
       JOIN notifications n ON n.alert_key = e.id || '/1' AND n.kind = 'notice' AND n.attempts <> '[]'
       WHERE o.id = ANY($1::uuid[]) GROUP BY o.id`,
      [eventIds],
    );
    return new Map(rows.map((row) => [row.id, row.channel_ids]));
  }
}

interface ParentRecord {
  place: number;
  answered_at: Date | null;
  down: { from: string; to: string | null; again: string | null }[];
}

/**
 * Returns the time in which something holds back the alert of a monitor. One that awaits reports is not checked when that
 * ends: unless a report has ended its alert, it is still down, and its next failure may be days away.
 */
function holdOf({ type }: MonitorSpan, span: Span, failsAgainAt: number | null): Hold {
  return { ...span, failsAgainAt: awaitsReports(type) ? span.to : failsAgainAt };
}

/** Returns a moment as a parameter of a query; null: no moment is too late. */
function timeOf(ms: number | null): Date | 'infinity' {
  return ms === null ? 'infinity' : new Date(ms);
}

/**
 * SQL: the spans in which an incident `i` of a monitor `p` is open and the monitor is not paused: from its record, and
 * from the end of each pause, to the start of the next one. A span that would end before it starts is empty.
 */
const WATCHED_SPANS = `
  SELECT b.starts_at, least(i.resolved_at, (SELECT min(s.starts_at) FROM spans s WHERE s.monitor_id = p.id
    AND s.kind = 'pause' AND (s.ends_at IS NULL OR s.ends_at > b.starts_at))) AS ends_at
  FROM (SELECT i.created_at AS starts_at UNION ALL SELECT s.ends_at FROM spans s WHERE s.monitor_id = p.id
    AND s.kind = 'pause' AND s.ends_at > i.created_at AND s.ends_at <= now()) AS b`;

/** SQL condition: a check shows that what an alert is about lasts. */
const STILL_FAILS = "(c.status = 'down' OR t.is_degraded AND c.status = 'degraded')";

/** SQL: the time of the first failing check of a monitor between two moments. */
function failsAgain(monitorId: string, since: string, until: string): string {
  return firstCheck(monitorId, since, until, "c.status = 'down'");
}

/**
 * SQL: the time of the first check of a monitor between two moments. Follows the primary key and stops at the first row
 * that is found, because a plan is computed every few seconds for as long as its alert waits. A check that began
 * unusually long after its slot may be passed over; the next one counts.
 */
function firstCheck(monitorId: string, since: string, until: string, condition: string): string {
  return `(SELECT c.checked_at FROM checks c WHERE c.monitor_id = ${monitorId} AND ${condition}
    AND c.scheduled_at BETWEEN ${since} - interval '${USUAL_DELAY_MS} ms' AND ${until} AND c.checked_at >= ${since}
    ORDER BY c.scheduled_at, c.location, c.attempt LIMIT 1)`;
}
