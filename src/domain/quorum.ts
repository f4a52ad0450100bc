/** How many of a monitor's locations must agree that it is down. */
export type Quorum = 'any' | 'majority' | 'all' | number;

/** Quorums over time, oldest first, at least one. The first one also applies to the time before it. */
export type QuorumHistory = readonly { from: number; quorum: Quorum }[];

/** The confirmed state of a monitor, overall or at one location. `pending`: nothing is confirmed yet. */
export type ConfirmedStatus = 'pending' | 'up' | 'degraded' | 'down';

/** A confirmed state and when it began, in epoch milliseconds; `since` is `null` while pending. */
export interface Confirmed {
  status: ConfirmedStatus;
  since: number | null;
}

/**
 * Returns how many of `locationCount` locations must agree; 0 if there are none. A number is clamped to
 * `1…locationCount`: a quorum of three must not hide an outage of a monitor with two locations left.
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

/**
 * Returns the merged status of this many locations that are up, degraded and down; `pending` if all counts are 0. A
 * partial outage, in which fewer locations are down than the quorum needs, is `degraded`.
 */
export function statusByCount(up: number, degraded: number, down: number, quorum: Quorum): ConfirmedStatus {
  const counted = up + degraded + down;
  if (counted === 0) return 'pending';
  const needed = neededOf(quorum, counted);
  if (down >= needed) return 'down';
  return down > 0 || degraded >= needed ? 'degraded' : 'up';
}

/**
 * Merges the states of the locations that have a fresh result. The caller omits the others; pending ones do not count.
 * `since` is when the agreeing locations reached the quorum, which their present states may put too late: if the status
 * is the same as before, the caller must retain the previous `since`.
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
  // With this many locations outside the worse status, the others are too few for a quorum.
  const blocking = counted - needed + 1;
  switch (status) {
    case 'pending':
      return { status, since: null };
    case 'down':
      return { status, since: nth(down, needed) };
    case 'degraded': {
      const partial = down.length > 0 ? nth(down, 1) : Infinity;
      const agreed = notUp.length >= needed ? nth(notUp, needed) : Infinity;
      return { status, since: Math.max(Math.min(partial, agreed), nth(notDown, blocking)) };
    }
    case 'up':
      return { status, since: Math.max(nth(up, blocking), nth(notDown, counted)) };
  }
}

/** Returns the n-th smallest moment, counted from 1; there must be at least n. */
function nth(moments: number[], n: number): number {
  return moments.sort((a, b) => a - b)[n - 1]!;
}
