import { HOLD_GRACE_MS, verifying, type Hold, type LocationState } from './monitor-state.js';
import { type ConfirmedStatus, decide, type Quorum } from './quorum.js';

/** What a reader is told a monitor's status is. */
export type ShownStatus = ConfirmedStatus | 'paused' | 'maintenance' | 'unknown';

export interface Shown {
  status: ShownStatus;
  /** Epoch milliseconds. */
  since: number;
  verifying: Exclude<ConfirmedStatus, 'pending'> | null;
}

export interface ShownInput {
  createdAt: number;
  /** Since when it is paused now; `null`: it is not. */
  pausedAt: number | null;
  /** Since when it is in maintenance now; `null`: it is not. */
  maintenanceSince: number | null;
  quorum: Quorum;
  /** One entry a location that has been checked. */
  locations: readonly { fold: LocationState; hold: Hold | null }[];
  /** What was shown before: an unchanged status over several locations keeps its beginning. */
  previous: Shown | null;
}

/**
 * The status at `nowMs`: paused, else maintenance, else unknown where no location has a state that still holds, else the
 * confirmed state by quorum over the locations that have one. Checks go on in maintenance, so what they are confirming
 * is told there too.
 */
export function shownStatus(input: ShownInput, nowMs: number): Shown {
  if (input.pausedAt !== null) return { status: 'paused', since: input.pausedAt, verifying: null };
  const found = foundStatus(input, nowMs);
  if (input.maintenanceSince === null) return found;
  return { status: 'maintenance', since: input.maintenanceSince, verifying: found.verifying };
}

/** What the checks say. */
function foundStatus(input: ShownInput, nowMs: number): Shown {
  const seen = input.locations.filter(({ fold }) => fold.last !== null);
  if (seen.length === 0) return { status: 'pending', since: input.createdAt, verifying: null };

  const fresh = seen.filter(({ hold }) => hold === null || nowMs <= hold.until + HOLD_GRACE_MS);
  if (fresh.length === 0) {
    const since = Math.max(...seen.map(({ hold }) => hold?.missingFrom ?? input.createdAt));
    return { status: 'unknown', since, verifying: null };
  }

  const folds = fresh.map(({ fold }) => fold);
  const { status, since } = decide(folds, input.quorum);
  const keeps = folds.length > 1 && input.previous?.status === status;
  return {
    status,
    since: keeps ? input.previous!.since : (since ?? input.createdAt),
    verifying: folds.map(verifying).find((one) => one !== null) ?? null,
  };
}
