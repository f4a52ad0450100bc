import { SECOND_MS } from '../../src/domain/durations.js';
import { type Interval, type Intervals, lengthOf, subtract, touches, union } from './intervals.js';
import { type MonitorScript, type OwnEvent } from './script.types.js';
import { SlotTime } from './slot-time.js';

/** Maximum delay of each step between two checks by the service's ticks, batches and timers. */
const OWN_DELAY_MS = 200;
/** Maximum time until an expired lease is taken over. */
const LEASE_MS = 16 * SECOND_MS;
const NOTED_EVERY_MS = SECOND_MS;

/** The effect of the service's own events on what can be known about a target. All in slot time. */
export interface OwnSide {
  time: SlotTime;
  /** The maximum duration of one check. */
  probeMs: number;
  /** Times in which the schedule or the results are disturbed. */
  disturbances: Interval[];
  /** Times in which the state may be unknown: around disturbances, and before the first confirmation. */
  dark: Interval[];
  /** Times in which the state must be unknown, because no state is assumed to continue for that long. */
  blind: Interval[];
  paused: Interval[];
  maintenance: Interval[];
  /** The maximum delay with which an undisturbed change at this moment is detected. */
  edgeAt: (at: number) => number;
  intervalAt: (at: number) => number;
  slowestEdge: number;
  /** The time by which a check must have detected a change at `at`, which is later if the service was disturbed. */
  seenBy: (at: number) => number;
  /** The maximum time from the start of a failure, or of a recovery, to its confirmation. */
  confirmedWithin: (at: number) => number;
  recoveredWithin: (at: number) => number;
  /** Returns whether an undisturbed part of the period lasts at least `long` of its start. */
  clearStretch: (stretch: Interval, long: (at: number) => number) => boolean;
}

/** Returns what can be known, where the network was also gone at these times. */
export function ownSideOf(script: MonitorScript, blinds: Intervals = []): OwnSide {
  const { plan, createdAt, endsAt } = script;
  const own: OwnEvent[] = [...script.own, ...blinds.map((blind) => ({ ...blind, kind: 'network' as const }))];
  const time = new SlotTime(script.clockSteps);
  const probeMs = plan.timeoutMs;
  const delayMs = OWN_DELAY_MS + Math.max(0, ...own.map((event) => (event.kind === 'slowRunner' ? event.lagMs : 0)));
  const changes = own.flatMap((event) => (event.kind === 'interval' ? [event] : []));
  const intervals = [plan.intervalMs, ...changes.map(({ intervalMs }) => intervalMs)];
  const changedAt = changes.map(({ from }) => time.at(from));
  const intervalAt = (at: number): number => intervals[changedAt.findLastIndex((from) => from <= at) + 1]!;

  const theEnd = { from: time.at(endsAt), to: Infinity };
  const disturbances = [...own.flatMap((event) => disturbance(event, time)), ...time.jumps, theEnd];
  disturbances.sort((a, b) => a.from - b.from);
  const edgeAt = (at: number): number => intervalAt(at) + probeMs + delayMs;
  const slowestEdge = Math.max(...intervals) + probeMs + delayMs;
  const seenBy = (at: number): number => {
    let until = at + edgeAt(at);
    for (const { from, to } of disturbances) if (to >= at && from <= until) until = Math.max(until, to + edgeAt(to));
    return until;
  };
  const confirming = (threshold: number) => (at: number) => {
    const retryMs = Math.max(SECOND_MS, plan.retryIntervalMs ?? Math.floor(intervalAt(at) / 3));
    return edgeAt(at) + (threshold - 1) * (Math.min(retryMs, intervalAt(at)) + probeMs + delayMs) + probeMs;
  };
  // If checks take as long as the interval, a delay of the service may skip a slot.
  const crowded = own
    .filter((event) => event.kind === 'slowRunner' && probeMs + 2 * event.lagMs >= plan.intervalMs)
    .map((event) => time.of(event));
  const confirmedWithin = confirming(plan.failureThreshold);
  const recoveredWithin = confirming(plan.recoveryThreshold);
  const begun = time.at(createdAt);
  const first = { from: -Infinity, to: seenBy(begun) + Math.max(confirmedWithin(begun), recoveredWithin(begun)) };
  const closed = (event: Interval): Interval => time.of({ from: event.from, to: Math.min(event.to, endsAt) });
  return {
    time,
    probeMs,
    disturbances,
    dark: union([
      first,
      ...[...disturbances, ...crowded].map(({ from, to }) => ({
        from: from - probeMs - delayMs - NOTED_EVERY_MS,
        to: seenBy(to),
      })),
    ]),
    blind: union([
      { from: -Infinity, to: begun },
      ...time.jumps,
      ...own.filter(({ kind }) => kind === 'stopped').map((event) => time.of(event)),
      ...own
        .filter(({ kind }) => kind === 'network')
        .map((event) => time.of(event))
        // A state continues until a slot passes without a check, by the slower schedule of its neighbours. That is
        // detected once a whole interval has passed.
        .filter(({ from, to }) => to - from > 2 * slowestEdge)
        .map(({ from, to }) => ({ from: from + slowestEdge, to })),
    ]),
    paused: own.filter(({ kind }) => kind === 'pause').map(closed),
    maintenance: union(script.maintenance),
    edgeAt,
    intervalAt,
    slowestEdge,
    seenBy,
    confirmedWithin,
    recoveredWithin,
    clearStretch: (stretch, long) =>
      clearPieces(stretch, disturbances).some((piece) => lengthOf([piece]) >= long(piece.from)),
  };
}

function clearPieces(stretch: Interval, disturbances: Intervals): Interval[] {
  const near = disturbances.filter((one) => touches(one, stretch));
  if (near.length === 0) return [stretch];
  // A change of the plan has no duration, but restarts the schedule.
  return subtract(
    [stretch],
    near.map(({ from, to }) => ({ from, to: Math.max(to, from + 1) })),
  );
}

/**
 * Returns the time in which an event of the service prevents checks from running or being recorded. An unavailable
 * database and a slow runner do neither.
 */
function disturbance(event: OwnEvent, time: SlotTime): Interval[] {
  const { from, to } = time.of(event);
  switch (event.kind) {
    case 'stopped':
      return [{ from: from - NOTED_EVERY_MS, to }];
    case 'handOver':
      return [{ from: from - LEASE_MS, to }];
    case 'network':
    case 'pause':
    case 'interval':
      return [{ from, to }];
    case 'database':
    case 'slowRunner':
    case 'clock':
      return [];
  }
}
