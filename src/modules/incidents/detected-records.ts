import { type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type IncidentCause } from './incident.entity.js';

/** The times of a detected incident, in epoch milliseconds. */
export interface IncidentTimes {
  monitorId: string;
  startedAt: number;
  confirmedAt: number | null;
  resolvedAt: number | null;
  settlesAt: number | null;
  outageCount: number;
}

/** A detected incident with its cause. */
interface KnownIncident extends IncidentTimes {
  cause: IncidentCause | null;
}

/** A new incident. */
export interface OpenedIncident extends KnownIncident {
  id: string;
  teamId: string;
  title: string;
}

export interface CorrectedIncident extends KnownIncident {
  id: string;
}

export interface StoredIncident extends KnownIncident {
  id: string;
  teamId: string;
  title: string;
  /** Whether a caller has changed or acknowledged it, or posted an update, or anybody was notified of it. */
  touched: boolean;
}

interface StoredRecord {
  id: string;
  team_id: string;
  title: string;
  monitor_id: string;
  started_at: Date;
  confirmed_at: Date | null;
  resolved_at: Date | null;
  settles_at: Date | null;
  outage_count: number;
  cause: IncidentCause | null;
  touched: boolean;
}

const MAX_NAME = 190;

const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time));

/**
 * Lets only one transaction at a time, across all processes, reconcile incidents of a team, because grouping also
 * changes incidents of monitors whose states the transaction has not locked. Must be called before any incident is
 * locked.
 */
export async function lockTeams(manager: EntityManager, monitorIds: readonly string[]): Promise<void> {
  await manager.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('incidents/' || team_id, 0)) FROM (
       SELECT DISTINCT team_id FROM monitor_states WHERE monitor_id = ANY($1::uuid[]) ORDER BY team_id
     ) AS teams`,
    [monitorIds],
  );
}

/**
 * Returns the incidents of these monitors that are open or were resolved after `sinceMs`, by monitor, oldest first.
 * Includes those that were resolved after an open one began, because the open one may have ended before them.
 */
export async function readStored(
  manager: EntityManager,
  monitorIds: readonly string[],
  sinceMs: number,
): Promise<Map<string, StoredIncident[]>> {
  const rows: StoredRecord[] = await manager.query(
    `SELECT i.id, i.team_id, i.title, im.monitor_id, i.started_at, i.confirmed_at, i.resolved_at, i.settles_at, i.outage_count, i.cause,
            i.acknowledged_at IS NOT NULL OR i.notified_at IS NOT NULL OR i.revision > 1 OR EXISTS (SELECT FROM incident_updates u WHERE u.incident_id = i.id) AS touched
     FROM incident_monitors im JOIN incidents i ON i.id = im.incident_id
     WHERE im.monitor_id = ANY($1::uuid[]) AND i.kind = 'detected' AND (i.resolved_at IS NULL OR i.resolved_at >= least($2, (
       SELECT min(o.started_at) FROM incident_monitors om JOIN incidents o ON o.id = om.incident_id
       WHERE om.monitor_id = im.monitor_id AND o.kind = 'detected' AND o.resolved_at IS NULL)))
     ORDER BY i.started_at, i.id FOR UPDATE OF i`,
    [monitorIds, new Date(sinceMs)],
  );
  const stored = new Map<string, StoredIncident[]>();
  for (const row of rows) {
    const incident = {
      id: row.id,
      teamId: row.team_id,
      title: row.title,
      monitorId: row.monitor_id,
      startedAt: row.started_at.getTime(),
      confirmedAt: row.confirmed_at?.getTime() ?? null,
      resolvedAt: row.resolved_at?.getTime() ?? null,
      settlesAt: row.settles_at?.getTime() ?? null,
      outageCount: row.outage_count,
      cause: row.cause,
      touched: row.touched,
    };
    stored.set(row.monitor_id, [...(stored.get(row.monitor_id) ?? []), incident]);
  }
  return stored;
}

export async function insertIncidents(
  manager: EntityManager,
  opened: readonly OpenedIncident[],
  nowMs: number,
): Promise<void> {
  if (opened.length === 0) return;
  await manager.query(
    `WITH found AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::timestamptz[],
         $7::timestamptz[], $8::timestamptz[], $9::int[], $10::jsonb[])
         AS t (id, team_id, monitor_id, title, started_at, confirmed_at, resolved_at, settles_at, outage_count, cause)
     ), added AS (
       INSERT INTO incidents (id, team_id, kind, title, impact, started_at, confirmed_at, resolved_at, settles_at,
         outage_count, cause, created_at, updated_at)
       SELECT id, team_id, 'detected', title, 'down', started_at, confirmed_at, resolved_at, settles_at,
         outage_count, cause, $11, $11 FROM found
     )
     INSERT INTO incident_monitors (incident_id, monitor_id, team_id) SELECT id, monitor_id, team_id FROM found`,
    [
      opened.map((one) => one.id),
      opened.map((one) => one.teamId),
      opened.map((one) => one.monitorId),
      opened.map((one) => one.title),
      ...columnsOf(opened),
      new Date(nowMs),
    ],
  );
}

export async function updateIncidents(
  manager: EntityManager,
  corrected: readonly CorrectedIncident[],
  nowMs: number,
): Promise<void> {
  if (corrected.length === 0) return;
  await manager.query(
    `UPDATE incidents i
     SET started_at = t.started_at, confirmed_at = t.confirmed_at, resolved_at = t.resolved_at,
         settles_at = t.settles_at, outage_count = t.outage_count, cause = t.cause, updated_at = $8,
         ${['acknowledged_at', 'acknowledged_by', 'acknowledged_until', 'acknowledge_note'].map(unlessReopened).join(', ')}
     FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::jsonb[])
       AS t (id, started_at, confirmed_at, resolved_at, settles_at, outage_count, cause)
     WHERE i.id = t.id`,
    [corrected.map((one) => one.id), ...columnsOf(corrected), new Date(nowMs)],
  );
}

/**
 * Withdraws incidents that no longer follow from the history. Those that a caller has changed, acknowledged or updated,
 * or of which anybody was notified, remain with a duration of zero and a note; the others are deleted.
 */
export async function withdrawIncidents(
  manager: EntityManager,
  withdrawn: readonly StoredIncident[],
  nowMs: number,
): Promise<void> {
  const untouched = withdrawn.filter((one) => !one.touched).map((one) => one.id);
  if (untouched.length > 0) await manager.query('DELETE FROM incidents WHERE id = ANY($1::uuid[])', [untouched]);
  // An incident that was withdrawn before already has a duration of zero.
  const kept = withdrawn.filter((one) => one.touched && one.resolvedAt !== one.startedAt).map((one) => one.id);
  if (kept.length === 0) return;
  await manager.query(
    `WITH closed AS (
       UPDATE incidents SET resolved_at = started_at, settles_at = NULL, outage_count = 0, updated_at = $2
       WHERE id = ANY($1::uuid[])
     )
     INSERT INTO incident_updates (id, incident_id, at, phase, text, author, public)
     SELECT *, $2, 'note', 'Withdrawn: results that arrived late show no outage at this time.', 'system', false
     FROM unnest($3::uuid[], $1::uuid[])`,
    [kept, new Date(nowMs), kept.map(() => uuidv7())],
  );
}

/** Returns the title of an incident of a monitor. */
export function titleOf(name: string): string {
  return `${shortName(name)} is down`;
}

/** Returns the name of a monitor, truncated to what the title of an incident has room for. */
export function shortName(name: string): string {
  const characters = [...name];
  return characters.length <= MAX_NAME ? name : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

/** SQL: an acknowledgement ends with its incident, so a reopened one has none. */
function unlessReopened(column: string): string {
  return `${column} = CASE WHEN i.resolved_at IS NULL OR t.resolved_at IS NOT NULL THEN i.${column} END`;
}

function columnsOf(incidents: readonly KnownIncident[]): unknown[][] {
  return [
    incidents.map((one) => new Date(one.startedAt)),
    incidents.map((one) => dateOf(one.confirmedAt)),
    incidents.map((one) => dateOf(one.resolvedAt)),
    incidents.map((one) => dateOf(one.settlesAt)),
    incidents.map((one) => one.outageCount),
    incidents.map((one) => JSON.stringify(one.cause)),
  ];
}
