import { type EntityManager } from 'typeorm';
import { uuids } from '../../../database/array-parameter.js';
import { compareResults, type FoldedResult, type LocationState } from '../../../domain/monitor-state.js';
import { type Quorum } from '../../../domain/quorum.js';
import { isInScope, type ShardScope } from '../../../domain/shard.js';
import { type Shown } from '../../../domain/shown-status.js';
import { type ClosedSpan, type Span } from '../../../domain/span.js';
import { type EventType } from '../../events/event.types.js';
import { type NamedMonitor } from '../definition/monitor-events.js';
import { sharedLocations } from '../shared-locations.js';

/** A monitor whose row is locked, so that this transaction may change its state. Times are epoch milliseconds. */
export interface LockedMonitor {
  monitorId: string;
  /** Incremented with every write that affects the state, except for the recording of results. */
  version: number;
  createdAt: number;
  intervalMs: number;
  failureThreshold: number;
  recoveryThreshold: number;
  /** From where it is checked. */
  locations: readonly string[];
  quorum: Quorum;
  pausedAt: number | null;
  pausedUntil: number | null;
  resumedAt: number | null;
  /** The current or next maintenance, as far as it is known. It may be over. */
  maintenance: ClosedSpan | null;
  shown: Shown;
}

/** The stored fold of one location. */
export interface LocationRow {
  monitorId: string;
  location: string;
  /** Incremented with each write; 0 before the first one. */
  version: number;
  fold: LocationState;
  checkpointThrough: number | null;
  lastCheckAt: number | null;
}

export function placeOf({ monitorId, location }: LocationRow): Pick<LocationRow, 'monitorId' | 'location'> {
  return { monitorId, location };
}

export function locationKey(monitorId: string, location: string): string {
  return `${monitorId}/${location}`;
}

/** Maps to constants, so that the strings of many rows are not retained. */
const QUORUM_NAMES = new Map<string, Quorum>([
  ['any', 'any'],
  ['majority', 'majority'],
  ['all', 'all'],
]);

export function quorumOf(text: string): Quorum {
  return QUORUM_NAMES.get(text) ?? Number(text);
}

const ms = (date: Date | null): number | null => date?.getTime() ?? null;

/** Returns these monitors by id. Deleted ones are omitted. */
export async function readNames(manager: EntityManager, ids: readonly string[]): Promise<Map<string, NamedMonitor>> {
  const rows: NamedMonitor[] = await manager.query(
    'SELECT id, team_id AS "teamId", key, name FROM monitors WHERE id = ANY($1::uuid[])',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the type of the latest event of these types about each of these monitors that has one, by the monitor's id. */
export async function readLatestTypes(
  manager: EntityManager,
  ids: readonly string[],
  types: readonly EventType[],
): Promise<Map<string, EventType>> {
  if (ids.length === 0) return new Map();
  const rows: { id: string; type: EventType }[] = await manager.query(
    `SELECT m.id, latest.type FROM monitors m CROSS JOIN LATERAL (
       SELECT e.type FROM events e WHERE e.team_id = m.team_id AND e.resource_id = m.id::text
         AND e.type = ANY($2)
       ORDER BY e.era DESC, e.transaction_id DESC, e.sequence DESC LIMIT 1) latest
     WHERE m.id = ANY($1::uuid[])`,
    [ids, types],
  );
  return new Map(rows.map((row) => [row.id, row.type]));
}

/** Locks the monitors among `ids` that still exist, in ascending order of id. Returns the version of each. */
export async function lockStates(manager: EntityManager, ids: readonly string[]): Promise<Map<string, number>> {
  const rows: { monitor_id: string; version: number }[] = await manager.query(
    `SELECT monitor_id, version FROM monitor_states
     WHERE monitor_id = ANY($1::uuid[]) ORDER BY monitor_id FOR UPDATE`,
    [uuids(ids)],
  );
  return new Map(rows.map((row) => [row.monitor_id, row.version]));
}

/**
 * Returns monitors whose states this transaction has locked. A separate query, because one that waits for the locks
 * does not see what their previous holders wrote.
 */
export async function readMonitors(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, LockedMonitor>> {
  if (ids.length === 0) return new Map();
  const rows: MonitorRecord[] = await manager.query(
    `SELECT m.id, m.created_at, m.interval_seconds, m.failure_threshold, m.recovery_threshold, m.locations, m.quorum,
            m.paused_at, m.paused_until, m.resumed_at,
            s.version, s.status, s.verifying, s.status_since, s.maintenance_from, s.maintenance_until
     FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
     WHERE m.id = ANY($1::uuid[]) ORDER BY m.id`,
    [uuids(ids)],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        monitorId: row.id,
        version: row.version,
        createdAt: row.created_at.getTime(),
        intervalMs: row.interval_seconds * 1_000,
        failureThreshold: row.failure_threshold,
        recoveryThreshold: row.recovery_threshold,
        locations: sharedLocations(row.locations),
        quorum: quorumOf(row.quorum),
        pausedAt: ms(row.paused_at),
        pausedUntil: ms(row.paused_until),
        resumedAt: ms(row.resumed_at),
        ...stateParts(row),
      },
    ]),
  );
}

interface StateRecord {
  version: number;
  status: Shown['status'];
  verifying: Shown['verifying'];
  status_since: Date;
  maintenance_from: Date | null;
  maintenance_until: Date | null;
}

function stateParts(row: StateRecord): Pick<LockedMonitor, 'shown' | 'maintenance'> {
  const { maintenance_from: from, maintenance_until: until } = row;
  return {
    shown: { status: row.status, verifying: row.verifying, since: row.status_since.getTime() },
    maintenance: from && until && { from: from.getTime(), to: until.getTime() },
  };
}

interface MonitorRecord extends StateRecord {
  id: string;
  created_at: Date;
  interval_seconds: number;
  failure_threshold: number;
  recovery_threshold: number;
  locations: string[];
  quorum: string;
  paused_at: Date | null;
  paused_until: Date | null;
  resumed_at: Date | null;
}

export async function readLocations(manager: EntityManager, ids: readonly string[]): Promise<Map<string, LocationRow>> {
  if (ids.length === 0) return new Map();
  const rows: {
    monitor_id: string;
    location: string;
    fold: LocationState;
    checkpoint_through: Date | null;
    last_check_at: Date | null;
    version: number;
  }[] = await manager.query(
    `SELECT monitor_id, location, fold, checkpoint_through, last_check_at, version FROM location_states
     WHERE monitor_id = ANY($1::uuid[]) ORDER BY monitor_id, location`,
    [uuids(ids)],
  );
  return new Map(
    rows.map((row) => [
      locationKey(row.monitor_id, row.location),
      {
        monitorId: row.monitor_id,
        location: row.location,
        version: row.version,
        fold: row.fold,
        checkpointThrough: ms(row.checkpoint_through),
        lastCheckAt: ms(row.last_check_at),
      },
    ]),
  );
}

/** An absence of the service, of all monitors or, if `shard` is set, of those of one shard. */
export type Absence = Span & ShardScope;

/** Returns the absences of the service at these locations that end after `fromMs`. */
export async function absences(
  manager: EntityManager,
  locations: readonly string[],
  fromMs: number,
): Promise<Absence[]> {
  const rows: (SpanRecord & ShardScope)[] = await manager.query(
    `SELECT starts_at, ends_at, shard, shards FROM spans
     WHERE monitor_id IS NULL AND kind = 'absence' AND location = ANY($1::text[]) AND (ends_at IS NULL OR ends_at > $2)`,
    [locations, new Date(fromMs)],
  );
  return rows.map((row) => ({ ...spanOf(row), shard: row.shard, shards: row.shards }));
}

/** Returns the absences that apply to a monitor. */
export function absencesOf(monitorId: string, some: readonly Absence[]): readonly Span[] {
  return some.filter((absence) => isInScope(monitorId, absence));
}

export async function pauses(manager: EntityManager, monitorId: string): Promise<Span[]> {
  const rows: SpanRecord[] = await manager.query(
    `SELECT starts_at, ends_at FROM spans WHERE monitor_id = $1 AND kind = 'pause'`,
    [monitorId],
  );
  return rows.map(spanOf);
}

interface SpanRecord {
  starts_at: Date;
  ends_at: Date | null;
}

function spanOf(row: SpanRecord): Span {
  return { from: row.starts_at.getTime(), to: ms(row.ends_at) };
}

/** Returns the newest checkpoint before `late`, and deletes the later ones, because they do not include that result. */
export async function readCheckpointBefore(
  manager: EntityManager,
  monitorId: string,
  location: string,
  late: Pick<FoldedResult, 'checkedAt' | 'scheduledAt' | 'attempt'>,
): Promise<LocationState | null> {
  const rows: { through: Date; fold: LocationState }[] = await manager.query(
    `SELECT through, fold FROM monitor_checkpoints WHERE monitor_id = $1 AND location = $2 AND through <= $3
     ORDER BY through DESC`,
    [monitorId, location, new Date(late.checkedAt)],
  );
  const found = rows.find(({ fold }) => fold.last !== null && compareResults(fold.last, late) < 0);
  await manager.query(
    'DELETE FROM monitor_checkpoints WHERE monitor_id = $1 AND location = $2 AND ($3::timestamptz IS NULL OR through > $3)',
    [monitorId, location, found?.through ?? null],
  );
  return found?.fold ?? null;
}
