/** How many of a monitor's locations must agree that it is down. */
export type Quorum = 'any' | 'majority' | 'all' | number;

/** The confirmed state of a monitor, or of a monitor seen from one location. `pending`: nothing is confirmed yet. */
export type ConfirmedStatus = 'pending' | 'up' | 'degraded' | 'down';

/** A confirmed state and when it began, in epoch milliseconds; `since` is `null` while pending. */
export interface Confirmed {
  status: ConfirmedStatus;
  since: number | null;
}

/**
 * How many of `locationCount` locations must agree. A number is kept within `1…locationCount`: a quorum of three must
 * not hide an outage from a monitor with two locations left. 0 where there are no locations.
 */
export function neededOf(quorum: Quorum, locationCount: number): number {
  switch (quorum) {
    case 'any':
      return Math.min(1, locationCount);
    case 'majority':
      return locationCount === 0 ? 0 : Math.floor(locationCount / 2) + 1;
    case 'all':
      return locationCount;
    default:
      return Math.min(Math.max(1, quorum), locationCount);
  }
}

/** The merged status where this many locations are up, degraded and down. Nothing counted: `pending`. */
export function statusByCount(up: number, degraded: number, down: number, quorum: Quorum): ConfirmedStatus {
  const counted = up + degraded + down;
  if (counted === 0) return 'pending';
  const needed = neededOf(quorum, counted);
  if (down >= needed) return 'down';
  return down + degraded >= needed ? 'degraded' : 'up';
}

/**
 * Merges the states of the locations that have a fresh result; the caller leaves the others out, and pending ones do
 * not count. `since` is when the quorum-th of the agreeing locations joined, as far as their present states tell: a
 * caller that sees the same status as before keeps the `since` it has.
 */
export function decide(locations: readonly Confirmed[], quorum: Quorum): Confirmed {
  const notUp: number[] = [];
  const notDown: number[] = [];
  const up: number[] = [];
  const down: number[] = [];
  for (const { status, since } of locations) {
    if (status === 'pending' || since === null) continue;
    (status === 'up' ? up : notUp).push(since);
    (status === 'down' ? down : notDown).push(since);
  }
  const counted = up.length + notUp.length;
  const status = statusByCount(up.length, notUp.length - down.length, down.length, quorum);
  const needed = neededOf(quorum, counted);
  // So many locations without a fault leave too few for a quorum with one.
  const blocking = counted - needed + 1;
  switch (status) {
    case 'pending':
      return { status, since: null };
    case 'down':
      return { status, since: nth(down, needed) };
    case 'degraded':
      return { status, since: Math.max(nth(notUp, needed), nth(notDown, blocking)) };
    case 'up':
      return { status, since: nth(up, blocking) };
  }
}

/** The n-th smallest, counted from 1; there are at least n. */
function nth(moments: number[], n: number): number {
  return moments.sort((a, b) => a - b)[n - 1]!;
}
