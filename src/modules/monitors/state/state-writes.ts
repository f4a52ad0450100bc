import { type EntityManager } from 'typeorm';
import { integers, jsons, texts, times, uuids } from '../../../database/array-parameter.js';
import { StaleMemory } from '../../../database/stale-memory.js';
import { DAY_MS } from '../../../domain/durations.js';
import { type Gap, holdsUntil, type StatePolicy, type Transition } from '../../../domain/monitor-state.js';
import { type Shown, type ShownStatus, shownStatus } from '../../../domain/shown-status.js';
import { groupBy } from '../../../domain/group-by.js';
import { type LocationRow, type LockedMonitor, placeOf } from './state-records.js';

/** The changes at one location from folding new results in. */
export interface LocationChange extends LocationRow {
  monitor: LockedMonitor;
  location: string;
  policy: StatePolicy;
  transitions: Transition[];
  gaps: Gap[];
  /**
   * Where folding restarted; later transitions and gaps are replaced. `null` if the results arrived in order, so that
   * transitions and gaps are only added.
   */
  refoldedAfter: number | null;
}

/** A change of the reported status of a monitor. */
export interface ShownChange {
  monitorId: string;
  from: ShownStatus;
  to: ShownStatus;
  sinceMs: number;
}

const CHECKPOINT_EVERY_MS = DAY_MS;

/**
 * Stores the folds of rows that were read or cached. Increments the versions of the changes.
 * @throws StaleMemory if another process has written to a cached row
 */
export async function writeLocations(manager: EntityManager, changes: readonly LocationChange[]): Promise<void> {
  const stored = changes.filter(({ version }) => version > 0);
  const fresh = changes.filter(({ version }) => version === 0);
  if (stored.length > 0) {
    const { affected } = await manager.queryRunner!.query(
      `UPDATE location_states l SET fold = t.fold, holds_until = t.holds_until, missing_from = t.missing_from,
         checkpoint_through = t.checkpoint_through, last_check_at = t.last_check_at, version = t.version + 1
       FROM ${LOCATION_ROWS}
       WHERE l.monitor_id = t.monitor_id AND l.location = t.location AND l.version = t.version`,
      locationColumns(stored),
      true,
    );
    if (affected !== stored.length) throw new StaleMemory();
  }
  if (fresh.length > 0) {
    const { affected } = await manager.queryRunner!.query(
      `INSERT INTO location_states
         (monitor_id, location, fold, holds_until, missing_from, checkpoint_through, last_check_at, version)
       SELECT monitor_id, location, fold, holds_until, missing_from, checkpoint_through, last_check_at, version + 1
       FROM ${LOCATION_ROWS}
       ON CONFLICT DO NOTHING`,
      locationColumns(fresh),
      true,
    );
    if (affected !== fresh.length) throw new StaleMemory();
  }
  for (const change of changes) change.version += 1;
}

const LOCATION_ROWS = `unnest($1::uuid[], $2::text[], $3::jsonb[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
    $7::timestamptz[], $8::int[])
  AS t (monitor_id, location, fold, holds_until, missing_from, checkpoint_through, last_check_at, version)`;

function locationColumns(changes: readonly LocationChange[]): Buffer[] {
  const holds = changes.map(({ fold, policy, monitor }) => {
    // A state does not hold longer because the location has just been disabled, which may last forever.
    const excused = policy.excused.filter(({ to }) => to !== null);
    return holdsUntil(fold, { ...policy, excused }, monitor.intervalMs);
  });
  return [
    uuids(changes.map((change) => change.monitorId)),
    texts(changes.map((change) => change.location)),
    jsons(changes.map((change) => JSON.stringify(change.fold))),
    times(holds.map((hold) => hold?.until ?? null)),
    times(holds.map((hold) => hold?.missingFrom ?? null)),
    times(changes.map((change) => change.checkpointThrough)),
    times(changes.map((change) => change.lastCheckAt)),
    integers(changes.map((change) => change.version)),
  ];
}

/**
 * Recalculates how long the states hold, which depends on the interval; but not at locations from which a monitor is no
 * longer checked.
 */
export async function writeHolds(
  manager: EntityManager,
  monitors: ReadonlyMap<string, LockedMonitor>,
  rows: ReadonlyMap<string, LocationRow>,
): Promise<void> {
  const holds = [...rows.values()].flatMap((row) => {
    const monitor = monitors.get(row.monitorId);
    if (!monitor?.locations.includes(row.location)) return [];
    const hold = holdsUntil(row.fold, { monitorId: row.monitorId, excused: [] }, monitor.intervalMs);
    return hold ? [{ ...placeOf(row), ...hold }] : [];
  });
  if (holds.length === 0) return;
  await manager.query(
    `UPDATE location_states l SET holds_until = t.until, missing_from = t.missing_from
     FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[]) AS t (monitor_id, location, until, missing_from)
     WHERE l.monitor_id = t.monitor_id AND l.location = t.location
       AND (l.holds_until, l.missing_from) IS DISTINCT FROM (t.until, t.missing_from)`,
    [
      holds.map((one) => one.monitorId),
      holds.map((one) => one.location),
      holds.map((one) => new Date(one.until)),
      holds.map((one) => new Date(one.missingFrom)),
    ],
  );
}

/**
 * Stores about one checkpoint per day. Of the checkpoints before `finalBeforeMs` only the last one is retained, because
 * no re-fold starts from an older one. Updates `checkpointThrough` of the changes, so write them afterwards.
 */
export async function writeCheckpoints(
  manager: EntityManager,
  changes: readonly LocationChange[],
  finalBeforeMs: number,
): Promise<void> {
  const due = changes.filter(
    ({ fold, checkpointThrough }) =>
      fold.last !== null &&
      fold.last.checkedAt - (checkpointThrough ?? Number.NEGATIVE_INFINITY) >= CHECKPOINT_EVERY_MS,
  );
  if (due.length === 0) return;
  const places = [due.map((change) => change.monitorId), due.map((change) => change.location)];
  await manager.query(
    `INSERT INTO monitor_checkpoints (monitor_id, location, through, fold)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::jsonb[])
     ON CONFLICT (monitor_id, location, through) DO UPDATE SET fold = excluded.fold`,
    [
      ...places,
      due.map((change) => new Date(change.fold.last!.checkedAt)),
      due.map((change) => JSON.stringify(change.fold)),
    ],
  );
  for (const change of due) change.checkpointThrough = change.fold.last!.checkedAt;
  await manager.query(
    `DELETE FROM monitor_checkpoints old USING unnest($1::uuid[], $2::text[]) AS t (monitor_id, location)
     WHERE old.monitor_id = t.monitor_id AND old.location = t.location AND old.through <
       (SELECT max(through) FROM monitor_checkpoints c
        WHERE c.monitor_id = t.monitor_id AND c.location = t.location AND c.through < $3)`,
    [...places, new Date(finalBeforeMs)],
  );
}

/**
 * Stores the reported states that have changed, and updates `monitors` accordingly. `counts` returns whether a location
 * counts. With `always`, increments the version of every monitor, even if its state has not changed. Returns the statuses
 * that have changed.
 */
export async function writeShown(
  manager: EntityManager,
  monitors: ReadonlyMap<string, LockedMonitor>,
  rows: ReadonlyMap<string, LocationRow>,
  { nowMs, counts, always = false }: { nowMs: number; counts: (location: string) => boolean; always?: boolean },
): Promise<ShownChange[]> {
  const locations = groupBy([...rows.values()], (row) => row.monitorId);
  const changed: LockedMonitor[] = [];
  const turned: ShownChange[] = [];
  for (const monitor of monitors.values()) {
    const own = (locations.get(monitor.monitorId) ?? []).filter(({ location }) => monitor.locations.includes(location));
    const shown = shownNow(monitor, own, nowMs, counts);
    const { status, since, verifying } = monitor.shown;
    if (!always && shown.status === status && shown.since === since && shown.verifying === verifying) continue;
    if (shown.status !== status) {
      turned.push({ monitorId: monitor.monitorId, from: status, to: shown.status, sinceMs: shown.since });
    }
    Object.assign(monitor, { shown, version: monitor.version + 1 });
    changed.push(monitor);
  }
  if (changed.length > 0) {
    await manager.query(
      `UPDATE monitor_states s
       SET status = t.status, verifying = t.verifying, status_since = t.since, version = t.version
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::int[]) AS t
         (monitor_id, status, verifying, since, version)
       WHERE s.monitor_id = t.monitor_id`,
      [
        uuids(changed.map(({ monitorId }) => monitorId)),
        texts(changed.map(({ shown }) => shown.status)),
        texts(changed.map(({ shown }) => shown.verifying)),
        times(changed.map(({ shown }) => shown.since)),
        integers(changed.map(({ version }) => version)),
      ],
    );
  }
  return turned;
}

function shownNow(
  monitor: LockedMonitor,
  rows: readonly LocationRow[],
  nowMs: number,
  counts: (location: string) => boolean,
): Shown {
  const paused = monitor.pausedAt !== null && (monitor.pausedUntil === null || nowMs < monitor.pausedUntil);
  const { maintenance } = monitor;
  const maintained = maintenance !== null && maintenance.from <= nowMs && nowMs < maintenance.to;
  const { monitorId, failureThreshold, recoveryThreshold } = monitor;
  const policy: StatePolicy = { monitorId, failureThreshold, recoveryThreshold, excused: [] };
  return shownStatus(
    {
      createdAt: monitor.createdAt,
      pausedAt: paused ? monitor.pausedAt : null,
      // A pause may have ended before its end is recorded.
      resumedAt: !paused && monitor.pausedUntil !== null ? monitor.pausedUntil : monitor.resumedAt,
      maintenanceSince: maintained ? maintenance.from : null,
      quorum: monitor.quorum,
      locations: rows.map(({ fold, location }) => {
        // Reports arrive even if no checks are made from the location, or their results do not count.
        const isSilent = monitor.intervalMs > 0 && !counts(location);
        return { fold, hold: holdsUntil(fold, policy, monitor.intervalMs), isSilent };
      }),
      previous: monitor.shown,
    },
    nowMs,
  );
}
