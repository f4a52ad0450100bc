import { type KnownStatus, type LocationState, type Run, type Streak } from '../../../domain/monitor-state.js';
import { type Quorum } from '../../../domain/quorum.js';
import { type ClosedSpan } from '../../../domain/span.js';
import { sharedLocations } from '../shared-locations.js';
import { type LocationRow, type LockedMonitor } from './state-records.js';

const CONFIRMED = ['pending', 'up', 'degraded', 'down'] as const;
const SHOWN = [...CONFIRMED, 'paused', 'maintenance', 'unknown'] as const;
const QUORUMS = ['any', 'majority', 'all'] as const;
/** The locations seen by this process, which are few. */
const locationNames: string[] = [];

/** The number of numbers that {@link packed} returns. */
export const PACKED_WIDTH = 29;

/**
 * Returns everything that the next result of a monitor depends on, as numbers. They take a quarter of the memory of the
 * objects, for each of 100,000 monitors. Returns `null` for a monitor that numbers cannot represent: with several
 * locations, also former ones, with an error, or with a deadline that could not be judged.
 */
export function packed(monitor: LockedMonitor, locations: readonly LocationRow[]): number[] | null {
  const [row] = locations;
  const isOne = locations.length === 1 && monitor.locations.length === 1 && monitor.locations[0] === row!.location;
  if (!isOne || row!.fold.lastError !== null || row!.fold.unknownSince !== undefined) return null;
  const { shown, maintenance } = monitor;
  const { streak, passing, last, ...fold } = row!.fold;
  return [
    monitor.version,
    monitor.createdAt,
    monitor.intervalMs,
    monitor.failureThreshold,
    monitor.recoveryThreshold,
    numberOfQuorum(monitor.quorum),
    orNaN(monitor.pausedAt),
    orNaN(monitor.pausedUntil),
    orNaN(monitor.resumedAt),
    orNaN(maintenance?.from),
    orNaN(maintenance?.to),
    SHOWN.indexOf(shown.status),
    shown.since,
    numberOfStatus(shown.verifying),
    numberOfLocation(row!.location),
    row!.version,
    orNaN(row!.checkpointThrough),
    orNaN(row!.lastCheckAt),
    CONFIRMED.indexOf(fold.status),
    orNaN(fold.since),
    numberOfStatus(streak?.status),
    orNaN(streak?.count),
    orNaN(streak?.startedAt),
    orNaN(passing?.count),
    orNaN(passing?.startedAt),
    orNaN(last?.checkedAt),
    orNaN(last?.scheduledAt),
    orNaN(last?.attempt),
    orNaN(last?.intervalMs),
  ];
}

/** Returns the arguments of {@link packed} from its numbers, which begin at index `from`. */
export function unpacked(
  monitorId: string,
  numbers: Float64Array,
  from: number,
): { monitor: LockedMonitor; locations: readonly LocationRow[] } {
  let at = from;
  const number = (): number => numbers[at++]!;
  const orNull = (): number | null => nullable(number());
  const run = (): Run | null => runOf(number(), number());
  // Properties are evaluated in the order in which they are written, which must be that of `packed`.
  const monitor: LockedMonitor = {
    monitorId,
    version: number(),
    createdAt: number(),
    intervalMs: number(),
    failureThreshold: number(),
    recoveryThreshold: number(),
    // Of a single location, which the row names.
    locations: [],
    quorum: quorumOf(number()),
    pausedAt: orNull(),
    pausedUntil: orNull(),
    resumedAt: orNull(),
    maintenance: spanOf(number(), number()),
    shown: { status: SHOWN[number()]!, since: number(), verifying: knownStatus(number()) },
  };
  const row: LocationRow = {
    monitorId,
    location: locationNames[number()]!,
    version: number(),
    checkpointThrough: orNull(),
    lastCheckAt: orNull(),
    fold: {
      status: CONFIRMED[number()]!,
      since: orNull(),
      streak: streakOf(knownStatus(number()), run()),
      passing: run(),
      last: lastOf(number(), number(), number(), number()),
      lastError: null,
    },
  };
  monitor.locations = sharedLocations([row.location]);
  return { monitor, locations: [row] };
}

function streakOf(status: KnownStatus | null, run: Run | null): Streak | null {
  return status && run && { status, count: run.count, startedAt: run.startedAt };
}

function runOf(count: number, startedAt: number): Run | null {
  return Number.isNaN(count) ? null : { count, startedAt };
}

function lastOf(checkedAt: number, scheduledAt: number, attempt: number, intervalMs: number): LocationState['last'] {
  return Number.isNaN(checkedAt) ? null : { checkedAt, scheduledAt, attempt, intervalMs };
}

function spanOf(from: number, to: number): ClosedSpan | null {
  return Number.isNaN(from) ? null : { from, to };
}

function numberOfLocation(name: string): number {
  const known = locationNames.indexOf(name);
  return known >= 0 ? known : locationNames.push(name) - 1;
}

/** Encodes counts as positive and names as negative numbers. */
function numberOfQuorum(quorum: Quorum): number {
  return typeof quorum === 'number' ? quorum : -1 - QUORUMS.indexOf(quorum);
}

function quorumOf(number: number): Quorum {
  return number >= 0 ? number : QUORUMS[-1 - number]!;
}

const orNaN = (number: number | null | undefined): number => number ?? NaN;
const nullable = (number: number): number | null => (Number.isNaN(number) ? null : number);

const numberOfStatus = (status: KnownStatus | null | undefined): number => (status ? CONFIRMED.indexOf(status) : NaN);
const knownStatus = (number: number): KnownStatus | null =>
  Number.isNaN(number) ? null : (CONFIRMED[number] as KnownStatus);
