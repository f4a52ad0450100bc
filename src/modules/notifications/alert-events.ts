import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { IS_CORRECTION, IS_RARE, TURNS } from '../events/event.types.js';
import { type LoggedEvent } from './alert-history.js';

/** What a plan is made for: an incident, or an event without an incident. */
export interface AlertRef {
  teamId: TeamId;
  subjectId: string;
}

/** An event, the subject it was read for, and its place in the log. */
export interface StoredEvent extends LoggedEvent {
  subjectId: string;
  era: number;
  sequence: number;
}

/** A resource whose events in a time belong to the alerts of a subject. */
export interface WatchedResource extends AlertRef {
  resourceId: string;
  /** The event that opened the first alert. */
  first: StoredEvent;
  /** The last event that matters; null: the latest so far. */
  last: StoredEvent | null;
}

interface EventRecord {
  subject_id: string;
  era: number;
  sequence: string;
  id: string;
  type: string;
  recorded_at: Date;
  actor_name: string | null;
  resource_id: string;
  resource_name: string | null;
  data: Record<string, unknown>;
}

/** Events of a monitor, besides its turns, that belong to its incident. */
const PAUSES = ['monitor.paused', 'monitor.resumed'];
/**
 * How many of the latest turns of a monitor are read for its incident, so that a monitor that flaps for days costs each
 * plan no more than one that flaps for an hour.
 */
export const MAX_TURNS = 50;
/** How many of the latest corrections of an incident are read: each states all of its facts. */
const MAX_CORRECTIONS = 10;
const COLUMNS = 'e.id, e.type, e.recorded_at, e.actor_name, e.resource_id, e.resource_name, e.data, e.era, e.sequence';
const WATCHED = `unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::int[], $6::bigint[],
    $7::timestamptz[], $8::int[], $9::bigint[])
  AS t (team_id, subject_id, resource_id, since, since_era, since_sequence, until, until_era, until_sequence)`;
/** How far the clocks of the processes that record events may differ. */
const CLOCKS_DIFFER = `interval '1 day'`;
/**
 * SQL condition: an event is of the time in which a resource is watched. The log has the order of the events; the times
 * at which they were recorded only limit how much of it is read.
 */
const WITHIN = `recorded_at BETWEEN t.since - ${CLOCKS_DIFFER} AND t.until + ${CLOCKS_DIFFER}
  AND (recorded_at >= t.since OR (era, sequence) > (t.since_era, t.since_sequence))
  AND (t.until_era IS NULL OR (era, sequence) <= (t.until_era, t.until_sequence))`;

/** Returns the events of incidents, in the order of the log. Of many corrections, only the latest. */
export function eventsOfIncidents(tx: Tx, refs: readonly AlertRef[]): Promise<StoredEvent[]> {
  return read(
    tx,
    `unnest($1::uuid[], $2::uuid[]) AS t (team_id, subject_id) CROSS JOIN LATERAL (
       SELECT * FROM events WHERE team_id = t.team_id AND resource_id = t.subject_id::text
         AND resource_type = 'incident' AND ${IS_RARE}
       UNION ALL (
         SELECT * FROM events WHERE team_id = t.team_id AND resource_id = t.subject_id::text AND ${IS_CORRECTION}
         ORDER BY recorded_at DESC LIMIT ${MAX_CORRECTIONS})) AS e`,
    [refs.map(({ teamId }) => teamId), refs.map(({ subjectId }) => subjectId)],
  );
}

/** Returns the events that are themselves the subjects. */
export function eventsById(tx: Tx, refs: readonly AlertRef[]): Promise<StoredEvent[]> {
  return read(
    tx,
    `unnest($1::uuid[], $2::uuid[]) AS t (team_id, subject_id)
       JOIN events e ON e.team_id = t.team_id AND e.id = t.subject_id`,
    [refs.map(({ teamId }) => teamId), refs.map(({ subjectId }) => subjectId)],
  );
}

/** Returns what happened to the monitors of incidents, in the order of the log: pauses, and the latest turns. */
export function eventsOfMonitors(tx: Tx, watched: readonly WatchedResource[]): Promise<StoredEvent[]> {
  return read(
    tx,
    `${WATCHED} CROSS JOIN LATERAL (
       SELECT * FROM events WHERE team_id = t.team_id AND resource_id = t.resource_id
         AND ${WITHIN} AND ${IS_RARE} AND type = ANY($10)
       UNION ALL (
         SELECT * FROM events WHERE team_id = t.team_id AND resource_id = t.resource_id
           AND ${WITHIN} AND type = ANY($11)
         ORDER BY recorded_at DESC LIMIT ${MAX_TURNS})) AS e`,
    [...columnsOf(watched), PAUSES, [...TURNS]],
  );
}

/** Returns what happened to the resources of alerts without an incident, in the order of the log. */
export function eventsOfFollowed(tx: Tx, watched: readonly WatchedResource[]): Promise<StoredEvent[]> {
  return read(
    tx,
    `${WATCHED} JOIN events e ON e.team_id = t.team_id AND e.resource_id = t.resource_id
       AND ${WITHIN} AND e.resource_type IN ('monitor', 'notification_channel', 'location')`,
    columnsOf(watched),
  );
}

function columnsOf(watched: readonly WatchedResource[]): unknown[][] {
  return [
    watched.map(({ teamId }) => teamId),
    watched.map(({ subjectId }) => subjectId),
    watched.map(({ resourceId }) => resourceId),
    watched.map(({ first }) => new Date(first.recordedAt)),
    watched.map(({ first }) => first.era),
    watched.map(({ first }) => first.sequence),
    watched.map(({ last }) => (last === null ? 'infinity' : new Date(last.recordedAt))),
    watched.map(({ last }) => last?.era ?? null),
    watched.map(({ last }) => last?.sequence ?? null),
  ];
}

async function read(tx: Tx, from: string, parameters: readonly unknown[][]): Promise<StoredEvent[]> {
  if (parameters[0]!.length === 0) return [];
  const rows: EventRecord[] = await managerOf(tx).query(
    `SELECT t.subject_id, ${COLUMNS} FROM ${from} ORDER BY e.era, e.sequence`,
    parameters as unknown[],
  );
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    recordedAt: row.recorded_at.getTime(),
    actorName: row.actor_name,
    resourceId: row.resource_id,
    resourceName: row.resource_name,
    data: row.data,
    subjectId: row.subject_id,
    era: row.era,
    sequence: Number(row.sequence),
  }));
}
