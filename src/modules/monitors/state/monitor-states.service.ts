import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../../database/tx.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { SYSTEM_ACTOR } from '../../../http/auth/actor.js';
import { EventLog } from '../../events/event-log.service.js';
import { type EventType } from '../../events/event.types.js';
import { type NewEvent } from '../../events/new-event.types.js';
import { KnownLocationsService } from '../../locations/known-locations.service.js';
import { monitorEvent } from '../definition/monitor-events.js';
import {
  compareResults,
  fold,
  type FoldedResult,
  type LocationState,
  PENDING_STATE,
  type StatePolicy,
  withoutWitness,
} from '../../../domain/monitor-state.js';
import {
  type Absence,
  absences,
  absencesOf,
  type LocationRow,
  locationKey,
  type LockedMonitor,
  lockStates,
  pauses,
  readCheckpointBefore,
  readLatestTypes,
  readLocations,
  readMonitors,
  readNames,
} from './state-records.js';
import { StateMemory } from './state-memory.js';
import { isRecent } from '../../../domain/data-gap.js';
import { groupBy } from '../../../domain/group-by.js';
import { replaceHistory } from './history-writes.js';
import {
  type LocationChange,
  type ShownChange,
  writeCheckpoints,
  writeHolds,
  writeLocations,
  writeShown,
} from './state-writes.js';

interface LocationOfMonitor {
  monitorId: string;
  location: string;
}

/** A newly inserted result, reduced to what the state depends on. */
export interface StateResult extends FoldedResult, LocationOfMonitor {}

/** A check that is no longer stored. */
export interface WithdrawnCheck extends LocationOfMonitor {
  scheduledAt: number;
}

/** Returns the stored results of one monitor and location from a time on (inclusive), in any order. */
export type ResultReader = (tx: Tx, monitorId: string, location: string, fromMs: number) => Promise<FoldedResult[]>;

/** The place of a result in the order of the fold. */
type Place = Pick<FoldedResult, 'checkedAt' | 'scheduledAt' | 'attempt'>;

/**
 * A result that arrives after newer ones, and later than this, is counted but does not change the state of that time,
 * which is final.
 */
export const LATE_LIMIT_MS = 48 * HOUR_MS;

/** Monitors that are locked for recording, with the cached rows of their locations. */
export interface LockedStates {
  monitors: ReadonlyMap<string, LockedMonitor>;
  remembered: ReadonlyMap<string, readonly LocationRow[]>;
}

/** The outcome of folding results in. */
export interface AppliedResults {
  /** Monitors whose outages may have changed. */
  moved: string[];
  /** Those of them for which a result arrived after newer ones. */
  late: Set<string>;
  /** When the earliest change by results in order began; `Infinity` without one. They may have waited for days. */
  changedFrom: number;
  /** Caches what was written. Call it after the transaction has been committed. */
  remember: () => void;
}

/** Owns the states of monitors: the folds, their checkpoints, and the transitions and gaps that they produce. */
@Injectable()
export class MonitorStatesService {
  private readonly memory = new StateMemory();

  constructor(
    private readonly events: EventLog,
    private readonly places: KnownLocationsService,
  ) {}

  /** Locks the monitors among `ids` that still exist, in ascending order of id, as every writer does. */
  async lock(tx: Tx, ids: readonly string[]): Promise<Map<string, LockedMonitor>> {
    const manager = managerOf(tx);
    return readMonitors(manager, [...(await lockStates(manager, ids)).keys()]);
  }

  /** Locks like `lock`, but reads only monitors that this process has not cached, or that were changed since. */
  async lockForResults(tx: Tx, ids: readonly string[]): Promise<LockedStates> {
    const manager = managerOf(tx);
    const versions = await lockStates(manager, ids);
    const monitors = new Map<string, LockedMonitor>();
    const remembered = new Map<string, readonly LocationRow[]>();
    const unknown: string[] = [];
    for (const [id, version] of versions) {
      const known = this.memory.recall(id, version);
      if (known) {
        monitors.set(id, known.monitor);
        remembered.set(id, known.locations);
      } else unknown.push(id);
    }
    for (const [id, monitor] of await readMonitors(manager, unknown)) monitors.set(id, monitor);
    return { monitors, remembered };
  }

  /**
   * Returns the results with the thresholds under which they count. If a monitor has several locations and only one had
   * a recent result at the time of the check, that one needs twice as many failures: it may be the cause itself. The
   * thresholds are stored with the result, so that it counts the same if it is folded in again.
   */
  async withThresholds<R extends Omit<StateResult, 'error'>>(
    tx: Tx,
    { monitors, remembered }: LockedStates,
    results: readonly R[],
  ): Promise<readonly R[]> {
    const several = (id: string): boolean => monitors.get(id)!.locations.length > 1;
    const failing = results.filter(({ monitorId, status }) => status !== 'up' && several(monitorId));
    if (failing.length === 0) return results;
    const rows = await this.locations(tx, [...new Set(failing.map(({ monitorId }) => monitorId))], remembered);
    const known = results.filter(({ status }) => status !== 'unknown');
    const batch = groupBy(known, ({ monitorId, location }) => locationKey(monitorId, location));
    const alone = new Set(
      failing.filter(({ monitorId, location, checkedAt }) => {
        const monitor = monitors.get(monitorId)!;
        const others = monitor.locations.filter((one) => one !== location && this.counts(one));
        return !others.some((one) => {
          const key = locationKey(monitorId, one);
          const last = rows.get(key)?.fold.last;
          // Those of this batch are not folded in yet. After an absence of the database, it covers minutes. What a location
          // had before a stored result that is later than this one is not known, and assumed.
          const fresh = (batch.get(key) ?? []).filter((other) => other.checkedAt <= checkedAt);
          return [...(last ? [last] : []), ...fresh].some((seen) => isRecent(seen, monitor, checkedAt));
        });
      }),
    );
    return results.map((result) => {
      if (!alone.has(result)) return result;
      return { ...result, thresholds: withoutWitness(result.thresholds ?? monitors.get(result.monitorId)!) };
    });
  }

  /** Clears the cache. Call it after `StaleMemory`. */
  forget(): void {
    this.memory.forget();
  }

  /**
   * Folds newly inserted results of locked monitors in, whatever the order of their arrival, and stores the changes.
   * Results from a pause do not affect the state. `nowMs` determines which states still hold. The states of
   * withdrawn checks are folded again without them.
   * @throws StaleMemory if another process has recorded results of these monitors since this one did
   */
  async apply(
    tx: Tx,
    { monitors, remembered }: LockedStates,
    results: readonly StateResult[],
    readResults: ResultReader,
    nowMs: number,
    withdrawn: readonly WithdrawnCheck[] = [],
  ): Promise<AppliedResults> {
    const groups = groupBy(
      results.filter((result) => monitors.has(result.monitorId)),
      (result) => locationKey(result.monitorId, result.location),
    );
    const firstWithdrawn = firstOfEach(withdrawn.filter(({ monitorId }) => monitors.has(monitorId)));
    const places = new Map<string, LocationOfMonitor>(firstWithdrawn);
    for (const [key, [first]] of groups) places.set(key, first!);
    const touched = new Map([...places.values()].map(({ monitorId }) => [monitorId, monitors.get(monitorId)!]));
    const rows = await this.locations(tx, [...touched.keys()], remembered);
    const excused = await this.absencesSince(tx, groups, rows);

    const changes: LocationChange[] = [];
    for (const [key, place] of places) {
      const group = groups.get(key) ?? [];
      const monitor = touched.get(place.monitorId)!;
      const row = rows.get(key) ?? newLocation(place);
      const change = await this.foldIn(
        tx,
        monitor,
        row,
        group,
        excused,
        readResults,
        nowMs,
        firstWithdrawn.get(key)?.scheduledAt,
      );
      rows.set(key, change);
      changes.push(change);
    }
    const manager = managerOf(tx);
    const moved = changes.filter((change) => change.transitions.length > 0 || change.refoldedAfter !== null);
    await writeCheckpoints(manager, changes, nowMs - LATE_LIMIT_MS);
    await writeLocations(manager, changes);
    await replaceHistory(manager, changes);
    const turned = await writeShown(manager, touched, rows, { nowMs, counts: this.counts });
    await this.recordTurns(tx, turned, nowMs);
    const late = moved.filter((change) => change.refoldedAfter !== null).map((change) => change.monitorId);
    return {
      moved: [...new Set([...moved.map(({ monitorId }) => monitorId), ...toOrFromDown(turned)])],
      late: new Set(late),
      changedFrom: Math.min(
        ...moved.flatMap((change) => (change.refoldedAfter === null ? change.transitions : [])).map(({ at }) => at),
      ),
      remember: () => this.remember(touched, rows),
    };
  }

  /**
   * Updates the reported states of locked monitors, and how long they hold, as of `nowMs` and the current definitions.
   */
  async refresh(tx: Tx, monitors: ReadonlyMap<string, LockedMonitor>, nowMs: number): Promise<void> {
    const manager = managerOf(tx);
    const rows = await readLocations(manager, [...monitors.keys()]);
    await writeHolds(manager, monitors, rows);
    const turned = await writeShown(manager, monitors, rows, { nowMs, counts: this.counts, always: true });
    await this.recordTurns(tx, turned, nowMs);
  }

  /** Returns up to `limit` monitors whose reported state stopped holding before `beforeMs`. */
  async stale(tx: Tx, beforeMs: number, limit: number): Promise<string[]> {
    const rows: { monitor_id: string }[] = await managerOf(tx).query(
      // Almost no monitor matches, even of 100,000, so the query must not look up or sort the others.
      `SELECT DISTINCT l.monitor_id FROM location_states l
       JOIN monitor_states s ON s.monitor_id = l.monitor_id AND s.status IN ('up', 'degraded', 'down', 'pending')
       WHERE l.holds_until < $1 AND NOT EXISTS (
         SELECT FROM location_states other WHERE other.monitor_id = l.monitor_id AND other.holds_until >= $1)
         -- A former location says nothing about the present state.
         AND (SELECT l.location = ANY(m.locations) FROM monitors m WHERE m.id = l.monitor_id)
       ORDER BY l.monitor_id LIMIT $2`,
      [new Date(beforeMs), limit],
    );
    return rows.map((row) => row.monitor_id);
  }

  private readonly counts = (location: string): boolean => this.places.counts(location);

  /** Records an event for each change of state that says something new about the target. */
  private async recordTurns(tx: Tx, turned: readonly ShownChange[], nowMs: number): Promise<void> {
    const manager = managerOf(tx);
    const returned = (status: string): string[] =>
      turned.flatMap(({ monitorId, from, to }) => (to === status && !CONFIRMED.has(from) ? monitorId : []));
    const before = new Map([
      ...(await readLatestTypes(manager, returned('up'), TURN_TYPES)),
      // A pause ends the alert of a degraded monitor.
      ...(await readLatestTypes(manager, returned('degraded'), [...TURN_TYPES, 'monitor.paused'])),
    ]);
    const told = turned.filter((change) => isNews(change, before.get(change.monitorId)));
    if (told.length === 0) return;
    const monitors = await readNames(
      manager,
      told.map(({ monitorId }) => monitorId),
    );
    const events = told.flatMap(({ monitorId, from, to, sinceMs }): NewEvent[] => {
      const monitor = monitors.get(monitorId);
      if (!monitor) return [];
      const type = `monitor.${to as 'up' | 'degraded' | 'down'}` as const;
      const data = { status: to, previousStatus: from };
      return [monitorEvent(type, monitor, { occurredAtMs: sinceMs, data, actor: SYSTEM_ACTOR })];
    });
    await this.events.record(tx, events, nowMs);
  }

  /** Returns the rows of these monitors by location, reading those that are not cached. */
  private async locations(
    tx: Tx,
    ids: readonly string[],
    remembered: LockedStates['remembered'],
  ): Promise<Map<string, LocationRow>> {
    const rows = await readLocations(
      managerOf(tx),
      ids.filter((id) => !remembered.has(id)),
    );
    for (const id of ids) for (const row of remembered.get(id) ?? []) rows.set(locationKey(id, row.location), row);
    return rows;
  }

  private remember(monitors: ReadonlyMap<string, LockedMonitor>, rows: ReadonlyMap<string, LocationRow>): void {
    const locations = groupBy([...rows.values()].map(bare), (row) => row.monitorId);
    for (const [id, monitor] of monitors) this.memory.remember(monitor, locations.get(id) ?? []);
  }

  private async foldIn(
    tx: Tx,
    monitor: LockedMonitor,
    row: LocationRow,
    group: readonly StateResult[],
    excused: readonly Absence[],
    readResults: ResultReader,
    nowMs: number,
    withdrawnAt: number | undefined,
  ): Promise<LocationChange> {
    const policy = policyOf(monitor, excused);
    const { last } = row.fold;
    const isNew = (result: FoldedResult): boolean => last === null || compareResults(result, last) > 0;
    const moving = await this.outsidePauses(
      tx,
      monitor,
      group.filter((result) => result.status !== 'unknown' || result.intervalMs === 0),
    );
    const late: Place[] = moving.filter((result) => !isNew(result) && result.checkedAt > nowMs - LATE_LIMIT_MS);
    if (withdrawnAt !== undefined) late.push({ checkedAt: withdrawnAt, scheduledAt: withdrawnAt, attempt: 0 });
    const { state, transitions, gaps } = folded(row.fold, late.length === 0 ? moving.filter(isNew) : [], policy);
    // Listing the properties is faster than spreading, and this runs for each of thousands of checks per second.
    const change: LocationChange = {
      monitorId: row.monitorId,
      location: row.location,
      version: row.version,
      fold: state,
      checkpointThrough: row.checkpointThrough,
      lastCheckAt: group.reduce((newest, { checkedAt }) => Math.max(newest, checkedAt), row.lastCheckAt ?? 0),
      monitor,
      policy,
      transitions,
      gaps,
      refoldedAfter: null,
    };
    if (late.length === 0) return change;
    const from = late.sort(compareResults)[0]!;
    return { ...change, ...(await this.refold(tx, monitor, row.location, from, readResults)) };
  }

  /** Folds all stored results since the last checkpoint before `late` again. */
  private async refold(
    tx: Tx,
    monitor: LockedMonitor,
    location: string,
    late: Place,
    readResults: ResultReader,
  ): Promise<Partial<LocationChange>> {
    const checkpoint = await readCheckpointBefore(managerOf(tx), monitor.monitorId, location, late);
    const start = checkpoint ?? PENDING_STATE;
    const throughMs = start.last?.checkedAt ?? null;
    const stored = await readResults(tx, monitor.monitorId, location, throughMs ?? monitor.createdAt - LATE_LIMIT_MS);
    const rest = stored.filter((result) => start.last === null || compareResults(result, start.last) > 0);
    // What such a result produces has the same time as what the last result of the checkpoint produced, and could not
    // be distinguished from it when the history is replaced.
    if (start.last && rest.some((result) => result.checkedAt === throughMs)) {
      return this.refold(tx, monitor, location, start.last, readResults);
    }
    const excused = await absences(managerOf(tx), [location], throughMs ?? monitor.createdAt);
    const moving = await this.outsidePauses(tx, monitor, rest);
    const { state, transitions, gaps } = folded(start, moving, policyOf(monitor, excused));
    // Without a checkpoint, what is older than the first result may come from results that are no longer stored.
    const firstMs = stored.reduce((first, { checkedAt }) => Math.min(first, checkedAt), late.checkedAt);
    return {
      fold: state,
      transitions,
      gaps,
      checkpointThrough: throughMs,
      refoldedAfter: throughMs ?? firstMs - 1,
    };
  }

  /** Removes results of checks that started during a pause, for example of requested checks. */
  private async outsidePauses<R extends FoldedResult>(tx: Tx, monitor: LockedMonitor, results: R[]): Promise<R[]> {
    const sincePause = (result: FoldedResult): boolean =>
      monitor.pausedAt === null && result.checkedAt >= (monitor.resumedAt ?? Number.NEGATIVE_INFINITY);
    if (results.every(sincePause)) return results;
    const spans = await pauses(managerOf(tx), monitor.monitorId);
    return results.filter(
      ({ checkedAt }) => !spans.some((span) => span.from <= checkedAt && checkedAt < (span.to ?? Infinity)),
    );
  }

  /** Returns absences of the service if a result follows its predecessor so late that they may be the cause. */
  private async absencesSince(
    tx: Tx,
    groups: ReadonlyMap<string, StateResult[]>,
    rows: ReadonlyMap<string, LocationRow>,
  ): Promise<readonly Absence[]> {
    const gapStarts = [...groups].flatMap(([key, group]) => {
      const times = group.map((result) => result.checkedAt);
      // For a monitor that has no state yet, the first of these results.
      const before = rows.get(key)?.fold.last?.checkedAt ?? Math.min(...times);
      const isGap = ({ checkedAt, intervalMs }: StateResult): boolean =>
        intervalMs > 0 && checkedAt - before > intervalMs;
      return group.some(isGap) ? [before] : [];
    });
    if (gapStarts.length === 0) return [];
    const locations = [...new Set([...groups.values()].map(([first]) => first!.location))];
    return absences(managerOf(tx), locations, Math.min(...gapStarts));
  }
}

function folded(start: LocationState, results: FoldedResult[], policy: StatePolicy): ReturnType<typeof fold> {
  return fold(start, results.sort(compareResults), policy);
}

function policyOf(monitor: LockedMonitor, excused: readonly Absence[]): StatePolicy {
  const { monitorId, failureThreshold, recoveryThreshold } = monitor;
  return { monitorId, failureThreshold, recoveryThreshold, excused: absencesOf(monitorId, excused) };
}

/** Returns the earliest of these checks of each monitor and location. */
function firstOfEach(checks: readonly WithdrawnCheck[]): Map<string, WithdrawnCheck> {
  const first = new Map<string, WithdrawnCheck>();
  for (const one of checks) {
    const key = locationKey(one.monitorId, one.location);
    if (one.scheduledAt < (first.get(key)?.scheduledAt ?? Infinity)) first.set(key, one);
  }
  return first;
}

function newLocation({ monitorId, location }: LocationOfMonitor): LocationRow {
  return { monitorId, location, version: 0, fold: PENDING_STATE, checkpointThrough: null, lastCheckAt: null };
}

/** Returns only the stored columns of a change. */
function bare({ monitorId, location, version, fold, checkpointThrough, lastCheckAt }: LocationRow): LocationRow {
  return { monitorId, location, version, fold, checkpointThrough, lastCheckAt };
}

const CONFIRMED: ReadonlySet<string> = new Set(['pending', 'up', 'degraded', 'down']);

const TURN_TYPES = ['monitor.up', 'monitor.degraded', 'monitor.down'] as const;

/**
 * Returns whether a change of the reported status says something new about the target. After a pause, maintenance or a
 * gap, being up is news only if the monitor was not up before it, and being degraded only if it was not degraded.
 * @param before the latest event about its state, if the status was not a confirmed one
 */
function isNews({ from, to }: ShownChange, before: EventType | undefined): boolean {
  if (to !== 'up' && to !== 'degraded' && to !== 'down') return false;
  if (to === 'down' || CONFIRMED.has(from)) return true;
  return to === 'up' ? before !== undefined && before !== 'monitor.up' : before !== 'monitor.degraded';
}

function toOrFromDown(turned: readonly ShownChange[]): string[] {
  return turned.filter(({ from, to }) => from === 'down' || to === 'down').map(({ monitorId }) => monitorId);
}
