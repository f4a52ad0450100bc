import { type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Gap, holdsUntil, type StatePolicy, type Transition } from '../../domain/monitor-state.js';
import { type Shown, shownStatus } from '../../domain/shown-status.js';
import { type LocationRow, type LockedMonitor } from './state-records.js';

/** What folding new results in has changed at one location. */
export interface LocationChange extends LocationRow {
  monitor: LockedMonitor;
  location: string;
  policy: StatePolicy;
  transitions: Transition[];
  gaps: Gap[];
  /** Where the fold began again: what was found after it is replaced. `null`: in order, so only added to. */
  refoldedAfter: number | null;
}

const CHECKPOINT_EVERY_MS = 24 * 3_600_000;

const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time));

export async function writeLocations(manager: EntityManager, changes: readonly LocationChange[]): Promise<void> {
  const holds = changes.map((change) => holdsUntil(change.fold, change.policy, change.monitor.intervalMs));
  await manager.query(
    `INSERT INTO location_states
       (monitor_id, location, fold, holds_until, missing_from, checkpoint_through, last_check_at, version)
     SELECT *, 1 FROM unnest($1::uuid[], $2::text[], $3::jsonb[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[])
     ON CONFLICT (monitor_id, location) DO UPDATE SET
       fold = excluded.fold, holds_until = excluded.holds_until, missing_from = excluded.missing_from,
       checkpoint_through = excluded.checkpoint_through, last_check_at = excluded.last_check_at,
       version = location_states.version + 1`,
    [
      changes.map((change) => change.monitorId),
      changes.map((change) => change.location),
      changes.map((change) => JSON.stringify(change.fold)),
      holds.map((hold) => dateOf(hold?.until ?? null)),
      holds.map((hold) => dateOf(hold?.missingFrom ?? null)),
      changes.map((change) => dateOf(change.checkpointThrough)),
      changes.map((change) => dateOf(change.lastCheckAt)),
    ],
  );
}

/** Writes anew how long the states hold: another interval makes it another time. */
export async function writeHolds(
  manager: EntityManager,
  monitors: ReadonlyMap<string, LockedMonitor>,
  rows: ReadonlyMap<string, LocationRow>,
): Promise<void> {
  const holds = [...rows.values()].flatMap((row) => {
    const monitor = monitors.get(row.monitorId);
    const hold = monitor && holdsUntil(row.fold, { monitorId: row.monitorId, excused: [] }, monitor.intervalMs);
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

/** Adds the transitions and gaps that were found; after a re-fold, in place of those found after its beginning. */
export async function replaceHistory(manager: EntityManager, changes: readonly LocationChange[]): Promise<void> {
  for (const change of changes.filter(({ refoldedAfter }) => refoldedAfter !== null))
    await keepUnchanged(manager, change);

  const transitions = changes.flatMap((change) => change.transitions.map((one) => ({ ...one, ...placeOf(change) })));
  if (transitions.length > 0) {
    await manager.query(
      `INSERT INTO transitions (id, monitor_id, location, at, confirmed_at, from_status, to_status, error_code)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::text[], $8::text[])`,
      [
        transitions.map(() => uuidv7()),
        transitions.map((one) => one.monitorId),
        transitions.map((one) => one.location),
        transitions.map((one) => new Date(one.at)),
        transitions.map((one) => new Date(one.confirmedAt)),
        transitions.map((one) => one.from),
        transitions.map((one) => one.to),
        transitions.map((one) => one.errorCode),
      ],
    );
  }
  const gaps = changes.flatMap((change) => change.gaps.map((gap) => ({ ...gap, ...placeOf(change) })));
  if (gaps.length > 0) {
    await manager.query(
      `INSERT INTO spans (id, monitor_id, location, kind, starts_at, ends_at)
       SELECT id, monitor_id, location, 'gap', starts_at, ends_at
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[]) AS t (id, monitor_id, location, starts_at, ends_at)`,
      [
        gaps.map(() => uuidv7()),
        gaps.map((one) => one.monitorId),
        gaps.map((one) => one.location),
        gaps.map((one) => new Date(one.from)),
        gaps.map((one) => new Date(one.to)),
      ],
    );
  }
}

function placeOf({ monitorId, location }: LocationRow): { monitorId: string; location: string } {
  return { monitorId, location };
}

/** Removes what the re-fold no longer finds, and takes what is stored already out of the change: its id survives. */
async function keepUnchanged(manager: EntityManager, change: LocationChange): Promise<void> {
  const after = change.refoldedAfter === Number.NEGATIVE_INFINITY ? '-infinity' : new Date(change.refoldedAfter!);
  const place = [change.monitorId, change.location, after];
  const transitions: { id: string; at: Date; confirmed_at: Date; from_status: string; to_status: string }[] =
    await manager.query(
      `SELECT id, at, confirmed_at, from_status, to_status FROM transitions
       WHERE monitor_id = $1 AND location = $2 AND confirmed_at > $3`,
      place,
    );
  const gaps: { id: string; starts_at: Date; ends_at: Date }[] = await manager.query(
    `SELECT id, starts_at, ends_at FROM spans
     WHERE monitor_id = $1 AND location = $2 AND kind = 'gap' AND ends_at > $3`,
    place,
  );
  const stored = new Map<string, string>();
  for (const row of transitions) {
    stored.set([row.at.getTime(), row.confirmed_at.getTime(), row.from_status, row.to_status].join(), row.id);
  }
  for (const row of gaps) stored.set([row.starts_at.getTime(), row.ends_at.getTime()].join(), row.id);

  change.transitions = change.transitions.filter(
    (one) => !stored.delete([one.at, one.confirmedAt, one.from, one.to].join()),
  );
  change.gaps = change.gaps.filter((one) => !stored.delete([one.from, one.to].join()));
  const gone = [...stored.values()];
  if (gone.length === 0) return;
  await manager.query('DELETE FROM transitions WHERE id = ANY($1::uuid[])', [gone]);
  await manager.query('DELETE FROM spans WHERE id = ANY($1::uuid[])', [gone]);
}

/** Keeps a checkpoint about every day, and of those before `finalBeforeMs` only the last: nothing re-folds from an older. */
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
    `WITH added AS (
       INSERT INTO monitor_checkpoints (monitor_id, location, through, fold)
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::jsonb[])
       ON CONFLICT (monitor_id, location, through) DO UPDATE SET fold = excluded.fold
       RETURNING monitor_id, location, through
     )
     UPDATE location_states l SET checkpoint_through = added.through FROM added
     WHERE l.monitor_id = added.monitor_id AND l.location = added.location`,
    [
      ...places,
      due.map((change) => new Date(change.fold.last!.checkedAt)),
      due.map((change) => JSON.stringify(change.fold)),
    ],
  );
  await manager.query(
    `DELETE FROM monitor_checkpoints old USING unnest($1::uuid[], $2::text[]) AS t (monitor_id, location)
     WHERE old.monitor_id = t.monitor_id AND old.location = t.location AND old.through <
       (SELECT max(through) FROM monitor_checkpoints c
        WHERE c.monitor_id = t.monitor_id AND c.location = t.location AND c.through < $3)`,
    [...places, new Date(finalBeforeMs)],
  );
}

/** Writes what is shown of the monitors, where it has changed. */
export async function writeShown(
  manager: EntityManager,
  monitors: ReadonlyMap<string, LockedMonitor>,
  rows: ReadonlyMap<string, LocationRow>,
  nowMs: number,
): Promise<void> {
  const locations = new Map<string, LocationRow[]>();
  for (const row of rows.values()) locations.set(row.monitorId, [...(locations.get(row.monitorId) ?? []), row]);
  const changed = [...monitors.values()].flatMap((monitor) => {
    const shown = shownNow(monitor, locations.get(monitor.monitorId) ?? [], nowMs);
    const { status, since, verifying } = monitor.shown;
    const same = shown.status === status && shown.since === since && shown.verifying === verifying;
    return same ? [] : [{ monitorId: monitor.monitorId, ...shown }];
  });
  if (changed.length === 0) return;
  await manager.query(
    `UPDATE monitor_states s
     SET status = t.status, verifying = t.verifying, status_since = t.since, version = s.version + 1
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) AS t (monitor_id, status, verifying, since)
     WHERE s.monitor_id = t.monitor_id`,
    [
      changed.map((one) => one.monitorId),
      changed.map((one) => one.status),
      changed.map((one) => one.verifying),
      changed.map((one) => new Date(one.since)),
    ],
  );
}

function shownNow(monitor: LockedMonitor, rows: readonly LocationRow[], nowMs: number): Shown {
  const paused = monitor.pausedAt !== null && (monitor.pausedUntil === null || nowMs < monitor.pausedUntil);
  const { monitorId, failureThreshold, recoveryThreshold } = monitor;
  const policy: StatePolicy = { monitorId, failureThreshold, recoveryThreshold, excused: [] };
  return shownStatus(
    {
      createdAt: monitor.createdAt,
      pausedAt: paused ? monitor.pausedAt : null,
      quorum: monitor.quorum,
      locations: rows.map(({ fold }) => ({ fold, hold: holdsUntil(fold, policy, monitor.intervalMs) })),
      previous: monitor.shown,
    },
    nowMs,
  );
}
