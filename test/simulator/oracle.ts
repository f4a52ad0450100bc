import { type Quorum } from '../../src/domain/quorum.js';
import { type OwnSide, ownSideOf } from './own-side.js';
import { atLeast, type Interval, intersect, type Intervals, lengthOf, subtract, touches, union } from './intervals.js';
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
  own: OwnSide;
  /** When it alone had no network: the times in which it may not report, and those in which it cannot. */
  missing: { maybe: Interval[]; surely: Interval[] };
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
  /** Where a location may or may not count, while some target may be down. */
  unsettled: Interval[];
}

export function truthOf(script: MonitorScript): Truth {
  const own = ownSideOf(script);
  const locations = script.targets.map((_, i) => locationTruth(script, i, own));
  const agreement = new Agreement(script.quorum, locations);
  const several = locations.length > 1;
  // While locations return one after the other, those that have returned decide.
  const alone = several ? intersect(union(...locations.map((one) => one.mayBeDown.withLoss)), own.dark) : [];
  const must = agreement.certain(locations.map((one) => one.mustBeDown));
  const mayBeDown = union(agreement.possible(locations.map((one) => one.mayBeDown.withLoss)), alone);
  const overlaid = union(own.dark, own.paused, own.maintenance);
  return {
    own,
    locations,
    down: agreement.actual(locations.map((one) => one.outages)),
    mayBeDown,
    mustBeDown: subtract(must, overlaid),
    mustBeDegraded: subtract(union(...locations.map((one) => one.mustBeDown)), union(mayBeDown, overlaid)),
    mayBeDegraded: union(...locations.map((one) => one.mayBeWorse)),
    mayBeUnknown: own.dark,
    lossy: union(...locations.map((one) => one.lossy)).map(({ from, to }) => ({ from, to: own.seenBy(to) })),
    unsettled: intersect(
      union(...locations.map(({ missing }) => subtract(missing.maybe, missing.surely))),
      union(...locations.map((one) => one.mayBeDown.withLoss)),
    ),
  };
}

/** When enough of the locations that count are in a state, of which each is in it at given times. */
class Agreement {
  constructor(
    private readonly quorum: Quorum,
    private readonly locations: readonly LocationTruth[],
  ) {}

  /** The moments at which enough are, if each location counts unless it surely cannot report. */
  actual(sets: readonly Intervals[]): Interval[] {
    const surely = this.locations.map(({ missing }) => missing.surely);
    return union(subtract(this.ofAll(sets), union(...surely)), this.withoutOne(sets, surely));
  }

  /** The moments at which enough are, whether or not a location counts that may not report. */
  certain(sets: readonly Intervals[]): Interval[] {
    const [maybe, surely] = (['maybe', 'surely'] as const).map((kind) =>
      this.locations.map(({ missing }) => missing[kind]),
    );
    return union(subtract(this.ofAll(sets), union(...maybe!)), this.withoutOne(sets, surely!));
  }

  /** The moments at which enough may be. */
  possible(sets: readonly Intervals[]): Interval[] {
    const maybe = this.locations.map(({ missing }) => missing.maybe);
    return union(this.ofAll(sets), this.withoutOne(sets, maybe));
  }

  private ofAll(sets: readonly Intervals[]): Interval[] {
    return atLeast(neededOf(this.quorum, sets.length), sets);
  }

  /** The moments at which enough of the others are while one of them is missing. */
  private withoutOne(sets: readonly Intervals[], missing: readonly Intervals[]): Interval[] {
    if (sets.length === 1) return [];
    const needed = neededOf(this.quorum, sets.length - 1);
    return union(
      ...missing.map((times, i) =>
        intersect(
          times,
          atLeast(
            needed,
            sets.filter((_, j) => j !== i),
          ),
        ),
      ),
    );
  }
}

function neededOf(quorum: Quorum, locationCount: number): number {
  const asked = { any: 1, majority: Math.floor(locationCount / 2) + 1, all: locationCount };
  return Math.min(locationCount, typeof quorum === 'number' ? quorum : asked[quorum]);
}

function locationTruth(script: MonitorScript, index: number, shared: OwnSide): LocationTruth {
  const blinds = script.blinds[index]!;
  const own = blinds.length === 0 ? shared : ownSideOf(script, blinds);
  const missing = { maybe: subtract(own.dark, shared.dark), surely: subtract(own.blind, shared.dark) };
  const phases = script.targets[index]!.map((phase) => ({ ...phase, ...own.time.of(phase) }));
  const down = union(phases.filter(({ kind }) => kind === 'down'));
  const lossy = union(phases.filter(({ kind }) => kind === 'lossy'));
  const outages = down.map((outage) => outageOf(outage, own));
  const firm = mayBeDown(down, own);
  const slow = phases.filter(({ kind }) => kind === 'slow');
  const certain = outages.flatMap(({ from, to, certain: isCertain }) => {
    const seen = own.seenBy(from);
    return isCertain && seen < to ? [{ from: seen, to }] : [];
  });
  return {
    own,
    missing,
    outages,
    lossy,
    mayBeDown: { firm, withLoss: lossy.length === 0 ? firm : mayBeDown(union(down, lossy), own) },
    mayBeWorse: mayBeDown(union(down, lossy, slow), own),
    mustBeDown: subtract(certain, missing.maybe),
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
  return bound + lengthOf(intersect([within], truth.unsettled));
}
