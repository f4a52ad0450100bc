import { stillHolds, verifying, type Hold, type LocationState } from './monitor-state.js';
import { type ConfirmedStatus, decide, type Quorum } from './quorum.js';

/** The status of a monitor that is shown to users. */
export type ShownStatus = ConfirmedStatus | 'paused' | 'maintenance' | 'unknown';

export interface Shown {
  status: ShownStatus;
  /** Epoch milliseconds. */
  since: number;
  verifying: Exclude<ConfirmedStatus, 'pending'> | null;
}

export interface ShownInput {
  createdAt: number;
  /** Since when it has been paused; `null` if it is not. */
  pausedAt: number | null;
  /** When its latest pause ended; `null` if it has never been resumed. */
  resumedAt: number | null;
  /** Since when it has been in maintenance; `null` if it is not. */
  maintenanceSince: number | null;
  quorum: Quorum;
  /** One entry per location that has checked. The state of a silent one does not count, however recent it is. */
  locations: readonly { fold: LocationState; hold: Hold | null; isSilent?: boolean }[];
  /**
   * The status that was shown before; with several locations, or with silent ones alone, an unchanged status keeps its
   * `since`.
   */
  previous: Shown | null;
}

/**
 * Returns the status at `nowMs`: paused, otherwise maintenance, otherwise unknown if no location has a state that still
 * holds, otherwise the confirmed state by quorum over the locations that have one. Checks continue during maintenance,
 * so `verifying` is reported then too. A pause interrupts every state: the state after it counts from its end.
 */
export function shownStatus(input: ShownInput, nowMs: number): Shown {
  if (input.pausedAt !== null) return { status: 'paused', since: input.pausedAt, verifying: null };
  const found = foundStatus(input, nowMs);
  const shown: Shown =
    input.maintenanceSince === null ? found : { ...found, status: 'maintenance', since: input.maintenanceSince };
  return input.resumedAt === null ? shown : { ...shown, since: Math.max(shown.since, input.resumedAt) };
}

/** Returns the status according to the checks, regardless of pauses and maintenance. */
function foundStatus(input: ShownInput, nowMs: number): Shown {
  const seen = input.locations.filter(({ fold }) => fold.last !== null);
  if (seen.length === 0) return { status: 'pending', since: input.createdAt, verifying: null };

  const fresh = seen.filter(({ hold, isSilent }) => !isSilent && (hold === null || stillHolds(hold, nowMs)));
  if (fresh.length === 0) {
    // Results that do not count continue at a silent location. They must not move the time since when nothing is known.
    const unknownSince = input.previous?.status === 'unknown' ? input.previous.since : null;
    const since = Math.max(
      ...seen.map(({ fold, hold, isSilent }) =>
        isSilent ? (unknownSince ?? fold.last!.checkedAt) : (hold?.missingFrom ?? input.createdAt),
      ),
    );
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
