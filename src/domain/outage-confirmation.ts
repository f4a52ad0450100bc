import { type ConfirmedStatus } from './quorum.js';

/** The transitions that were found from one location, sorted by `at`. Times are epoch milliseconds. */
export interface ConfirmedTransitions {
  location: string;
  transitions: readonly { at: number; confirmedAt: number; to: ConfirmedStatus }[];
}

/** Which location's failure made an outage, and when it was confirmed. */
export interface Confirmation {
  location: string;
  /** `checkedAt` of its first failing check. */
  at: number;
  /** `checkedAt` of the check by which enough locations had confirmed it. */
  confirmedAt: number;
}

/**
 * How the outage that began at `fromMs` was confirmed: by the location that joined last of those that saw it then, for it
 * made the quorum. `null` where no location saw it, such as where what remains of them agrees only since others are gone.
 */
export function confirmationOf(fromMs: number, locations: readonly ConfirmedTransitions[]): Confirmation | null {
  const seen = locations.flatMap(({ location, transitions }) => {
    const newest = transitions.findLast((one) => one.at <= fromMs);
    return newest?.to === 'down' ? [{ location, at: newest.at, confirmedAt: newest.confirmedAt }] : [];
  });
  const [last] = seen.sort((a, b) => b.at - a.at || (a.location < b.location ? -1 : 1));
  return last ? { ...last, confirmedAt: Math.max(...seen.map((one) => one.confirmedAt)) } : null;
}
