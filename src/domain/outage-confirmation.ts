import { type ConfirmedStatus } from './quorum.js';

/** The confirmed transitions at one location, sorted by `at`. Times are epoch milliseconds. */
export interface ConfirmedTransitions {
  location: string;
  transitions: readonly { at: number; confirmedAt: number; to: ConfirmedStatus }[];
}

/** The location whose failure completed the quorum of an outage, and when the outage was confirmed. */
export interface Confirmation {
  location: string;
  /** `checkedAt` of its first failing check. */
  at: number;
  /** `checkedAt` of the check by which enough locations had confirmed it. */
  confirmedAt: number;
}

/**
 * Returns how the outage that began at `fromMs` was confirmed. The location is the one that went down last by then,
 * since it completed the quorum. Returns `null` if no location was down, for example if the remaining locations form a
 * quorum only because others are gone.
 */
export function confirmationOf(fromMs: number, locations: readonly ConfirmedTransitions[]): Confirmation | null {
  const seen = locations.flatMap(({ location, transitions }) => {
    const newest = transitions.findLast((one) => one.at <= fromMs);
    return newest?.to === 'down' ? [{ location, at: newest.at, confirmedAt: newest.confirmedAt }] : [];
  });
  const [last] = seen.sort((a, b) => b.at - a.at || (a.location < b.location ? -1 : 1));
  return last ? { ...last, confirmedAt: Math.max(...seen.map((one) => one.confirmedAt)) } : null;
}
