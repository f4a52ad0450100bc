import { type Quorum } from '../../src/domain/quorum.js';
import { type OwnSide, ownSideOf } from './own-side.js';
import { atLeast, type Interval, intersect, type Intervals, subtract, touches, union } from './intervals.js';
import { type MonitorScript } from './script.types.js';

/** A time in which the target was down as seen from one location, and the documented guarantees for it. */
export interface TrueOutage extends Interval {
  /** Whether an undisturbed part of it is longer than confirmation takes, so that it must be found. */
  certain: boolean;
  /** The time that may be reported as down because of it. */
  reach: Interval;
  /** The maximum difference in milliseconds between the reported and the true down time. */
  bound: number;
}

export interface LocationTruth {
  outages: TrueOutage[];
  /** Times in which checks failed at random. */
  lossy: Intervals;
  /** The time that may be reported as down without random failures, and with them. */
  mayBeDown: { firm: Interval[]; withLoss: Interval[] };
  /** The time that may be reported as degraded or down. */
  mayBeWorse: Interval[];
  mustBeDown: Interval[];
  /** Times between two outages that are too short to be detected reliably. */
  shortUps: Interval[];
}

/** The truth about a monitor, and what a detector may and must report. In slot time. */
export interface Truth {
  own: OwnSide;
  locations: LocationTruth[];
  down: Interval[];
  mayBeDown: Interval[];
  mustBeDown: Interval[];
  /** Where too few locations are down for the quorum, which is degraded. */
  mustBeDegraded: Interval[];
  mayBeDegraded: Interval[];
  mayBeUnknown: Interval[];
  /** Where random failures may be reported as down. */
  lossy: Interval[];
}

export function truthOf(script: MonitorScript): Truth {
  const own = ownSideOf(script);
  const locations = script.targets.map((_, i) => locationTruth(script, i, own));
  const needed = neededOf(script.quorum, locations.length);
  const several = locations.length > 1;
  // While locations return one after the other, those that have returned decide.
  const alone = several ? intersect(union(...locations.map((one) => one.mayBeDown.withLoss)), own.dark) : [];
  const must = atLeast(
    needed,
    locations.map((one) => one.mustBeDown),
  );
  const mayBeDown = union(
    atLeast(
      needed,
      locations.map((one) => one.mayBeDown.withLoss),
    ),
    alone,
  );
  const overlaid = union(own.dark, own.paused, own.maintenance);
  return {
    own,
    locations,
    down: atLeast(
      needed,
      locations.map((one) => one.outages),
    ),
    mayBeDown,
    mustBeDown: subtract(must, overlaid),
    mustBeDegraded: subtract(union(...locations.map((one) => one.mustBeDown)), union(mayBeDown, overlaid)),
    mayBeDegraded: union(...locations.map((one) => one.mayBeWorse)),
    mayBeUnknown: own.dark,
    lossy: union(...locations.map((one) => one.lossy)).map(({ from, to }) => ({ from, to: own.seenBy(to) })),
  };
}

function neededOf(quorum: Quorum, locationCount: number): number {
  const asked = { any: 1, majority: Math.floor(locationCount / 2) + 1, all: locationCount };
  return Math.min(locationCount, typeof quorum === 'number' ? quorum : asked[quorum]);
}

function locationTruth(script: MonitorScript, index: number, own: OwnSide): LocationTruth {
  const phases = script.targets[index]!.map((phase) => ({ ...phase, ...own.time.of(phase) }));
  const down = union(phases.filter(({ kind }) => kind === 'down'));
  const lossy = union(phases.filter(({ kind }) => kind === 'lossy'));
  const outages = down.map((outage) => outageOf(outage, own));
  const firm = mayBeDown(down, own);
  const slow = phases.filter(({ kind }) => kind === 'slow');
  return {
    outages,
    lossy,
    mayBeDown: { firm, withLoss: lossy.length === 0 ? firm : mayBeDown(union(down, lossy), own) },
    mayBeWorse: mayBeDown(union(down, lossy, slow), own),
    mustBeDown: outages.flatMap(({ from, to, certain }) => {
      const seen = own.seenBy(from);
      return certain && seen < to ? [{ from: seen, to }] : [];
    }),
    shortUps: down.flatMap(({ to }, i) => {
      const up = { from: to, to: down[i + 1]?.from ?? Infinity };
      return own.clearStretch(up, own.recoveredWithin) ? [] : [up];
    }),
  };
}

function outageOf(outage: Interval, own: OwnSide): TrueOutage {
  const certain = own.clearStretch(outage, own.confirmedWithin);
  const reach = { from: outage.from - own.probeMs, to: own.seenBy(outage.to) };
  const edges = 2 * own.edgeAt(outage.to) + own.probeMs;
  const disturbed = own.disturbances.filter((one) => touches(one, reach)).length;
  const missed = certain ? 0 : outage.to - outage.from;
  return { ...outage, certain, reach, bound: Math.max(edges, missed) + 3 * disturbed * own.slowestEdge };
}

/**
 * Returns each time of failures, extended to when a check must have detected its end, or to the next one if the time
 * between is too short to be detected reliably.
 */
function mayBeDown(failing: Intervals, own: OwnSide): Interval[] {
  return union(
    failing.map(({ from, to }, i) => {
      const next = failing[i + 1]?.from ?? Infinity;
      const told = own.clearStretch({ from: to, to: next }, own.recoveredWithin);
      // A check fails if it started before the outage and was still running when the outage began.
      return { from: from - own.probeMs, to: told ? own.seenBy(to) : next };
    }),
  );
}

/**
 * Returns the maximum difference between the reported and true down time of a period: the bound of docs/accuracy.md.
 */
export function downTimeBound(truth: Truth, within: Interval): number {
  let bound = 0;
  for (const { outages, shortUps } of truth.locations) {
    for (const outage of outages) if (touches(within, outage.reach)) bound += outage.bound;
    for (const up of shortUps) bound += Math.max(0, Math.min(up.to, within.to) - Math.max(up.from, within.from));
  }
  return bound;
}
