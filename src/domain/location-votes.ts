import { HOLD_GRACE_MS } from './data-gap.js';
import { type Span } from './span.js';

/**
 * How the monitors of a location compare with other locations: of the monitors with a recent result there that pass
 * somewhere else, how many fail at the location.
 */
export interface Comparison {
  location: string;
  /** Number of monitors that pass at another location whose vote counts. */
  compared: number;
  failing: number;
}

/** Fewer monitors prove nothing about a location. */
export const MIN_COMPARED = 4;

/**
 * Returns the locations whose vote does not count from now on, from those whose vote did not count so far. A location
 * loses its vote if at least half of the monitors that pass elsewhere fail there, and gets it back once fewer than a
 * quarter do. Nothing changes for a location with too few monitors to compare, unless none of them fails.
 * @param unrivalled locations with which no other one can be compared any more, so that their vote counts again
 */
export function voteless(
  comparisons: readonly Comparison[],
  before: ReadonlySet<string>,
  unrivalled: readonly string[],
): Set<string> {
  const after = new Set(before);
  const candidates = comparisons.filter(
    ({ location, compared, failing }) => !before.has(location) && compared >= MIN_COMPARED && failing * 2 >= compared,
  );
  // One at a time: once its vote is gone, the others may agree.
  const [worst] = candidates.sort((a, b) => b.failing / b.compared - a.failing / a.compared);
  if (worst) after.add(worst.location);
  for (const { location, compared, failing } of comparisons) {
    if (before.has(location) && (failing === 0 || (compared >= MIN_COMPARED && failing * 4 < compared))) {
      after.delete(location);
    }
  }
  for (const location of unrivalled) after.delete(location);
  return after;
}

/** The checks of a monitor at a location. Times are epoch milliseconds. */
export interface LocationChecks {
  intervalMs: number;
  /** When the latest one ran; `null` if there is none. */
  lastCheckAt: number | null;
  /** When the confirmed state changed, in ascending order. */
  changes: readonly { at: number }[];
}

/**
 * Returns when results of a monitor do not count because their location has no vote: until the vote is back, and longer
 * if the first check after that is not made yet, or shows that what was confirmed meanwhile is over. A change within an
 * interval is taken for that of the first check.
 */
export function withoutVote({ from, to }: Span, { intervalMs, lastCheckAt, changes }: LocationChecks): Span {
  if (to === null || lastCheckAt === null || lastCheckAt < to) return { from, to: null };
  const firstBy = to + intervalMs + HOLD_GRACE_MS;
  const change = changes.find(({ at }) => at > to);
  return { from, to: change && change.at <= firstBy ? change.at : to };
}
