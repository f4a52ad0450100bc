import { type CheckError, type ResultStatus } from './check-result.js';
import { gapBetween, type Gap, type SeenCheck, type SlotPolicy } from './data-gap.js';
import { type ErrorCode } from './error-codes.js';
import { type ConfirmedStatus } from './quorum.js';

// Callers of the fold need these too, so they are part of its interface.
export { HOLD_GRACE_MS, holdsUntil, stillHolds, type Gap, type Hold } from './data-gap.js';

/** The states that results can confirm. */
export type KnownStatus = Exclude<ConfirmedStatus, 'pending'>;

/** Numbers of consecutive results that confirm a change of state. */
export interface Thresholds {
  failureThreshold: number;
  recoveryThreshold: number;
}

/**
 * Returns the thresholds for results of the only one of several locations that has recent ones: it needs twice as many
 * failures, because it may be the cause itself.
 */
export function withoutWitness({ failureThreshold, recoveryThreshold }: Thresholds): Thresholds {
  return { failureThreshold: 2 * failureThreshold, recoveryThreshold };
}

/** The part of a stored result that the state depends on. Times are epoch milliseconds. */
export interface FoldedResult extends SeenCheck {
  attempt: number;
  status: ResultStatus;
  error: CheckError | null;
  /** The thresholds when the check ran, so that changing them later does not change which states it confirmed. */
  thresholds?: Thresholds | null;
}

/** The monitor's settings that the fold needs. The thresholds apply to results that do not contain their own. */
export interface StatePolicy extends SlotPolicy, Thresholds {}

/** Consecutive results of one kind, not counting `unknown` ones; `startedAt` is the first one's `checkedAt`. */
export interface Run {
  count: number;
  startedAt: number;
}

/** The newest results that share one status. */
export interface Streak extends Run {
  status: KnownStatus;
}

/** A monitor's state at one location: the complete state of the fold, as plain JSON. */
export interface LocationState {
  status: ConfirmedStatus;
  /** When `status` began, which is the first result of the run that confirmed it; `null` while pending. */
  since: number | null;
  streak: Streak | null;
  /** The run of newest results that are not down; `null` if the newest one is. */
  passing: Run | null;
  /** The newest result that was not `unknown`. */
  last: (SeenCheck & { attempt: number }) | null;
  /** The newest failure, while the target fails or is confirmed down. */
  lastError: CheckError | null;
  /**
   * Of a monitor that waits for reports: the first deadline since the newest result at which a missing report proves
   * nothing. Absent if there is none.
   */
  unknownSince?: number;
}

/** A confirmed change of state. */
export interface Transition {
  /** `checkedAt` of the first result of the run that confirmed the change. */
  at: number;
  /** `checkedAt` of the result that confirmed it. */
  confirmedAt: number;
  from: ConfirmedStatus;
  to: KnownStatus;
  /** The confirming result's error if the change is to `down`, otherwise `null`. */
  errorCode: ErrorCode | null;
}

export interface Advance {
  state: LocationState;
  transition: Transition | null;
  gap: Gap | null;
}

/** The state before any result. */
export const PENDING_STATE: LocationState = Object.freeze({
  status: 'pending',
  since: null,
  streak: null,
  passing: null,
  last: null,
  lastError: null,
});

/** Compares results in the order that the fold requires: by `checkedAt`, then `scheduledAt`, then `attempt`. */
export function compareResults(
  a: Pick<FoldedResult, 'checkedAt' | 'scheduledAt' | 'attempt'>,
  b: Pick<FoldedResult, 'checkedAt' | 'scheduledAt' | 'attempt'>,
): number {
  return a.checkedAt - b.checkedAt || a.scheduledAt - b.scheduledAt || a.attempt - b.attempt;
}

/**
 * Returns the state after one more result. Each result must be passed once, in the order of {@link compareResults}.
 * `unknown` results change nothing: they neither count towards a run, nor break one, nor end a gap. But for a monitor
 * that waits for reports, the first one begins a gap.
 */
export function advance(state: LocationState, result: FoldedResult, policy: StatePolicy): Advance {
  const { status, checkedAt } = result;
  if (status === 'unknown') return { state: withUnknown(state, result), transition: null, gap: null };

  const streak: Streak =
    state.streak?.status === status
      ? { status, count: state.streak.count + 1, startedAt: state.streak.startedAt }
      : { status, count: 1, startedAt: checkedAt };
  const passing: Run | null =
    status === 'down'
      ? null
      : { count: (state.passing?.count ?? 0) + 1, startedAt: state.passing?.startedAt ?? checkedAt };

  const change = pendingChange(state.status, streak, passing);
  const thresholds = result.thresholds ?? policy;
  const confirmed = change !== null && change.run.count >= thresholds[change.threshold] ? change : null;
  const nextStatus = confirmed ? confirmed.to : state.status;
  return {
    state: {
      status: nextStatus,
      since: confirmed ? confirmed.run.startedAt : state.since,
      streak,
      passing,
      last: { checkedAt, scheduledAt: result.scheduledAt, attempt: result.attempt, intervalMs: result.intervalMs },
      lastError: status === 'down' ? result.error : nextStatus === 'down' ? state.lastError : null,
    },
    transition: confirmed && {
      at: confirmed.run.startedAt,
      confirmedAt: checkedAt,
      from: state.status,
      to: confirmed.to,
      errorCode: confirmed.to === 'down' ? (result.error?.code ?? null) : null,
    },
    gap: gapBefore(state, result, policy),
  };
}

function withUnknown(state: LocationState, { intervalMs, checkedAt }: FoldedResult): LocationState {
  return intervalMs > 0 || state.unknownSince !== undefined ? state : { ...state, unknownSince: checkedAt };
}

function gapBefore({ last, unknownSince }: LocationState, result: FoldedResult, policy: SlotPolicy): Gap | null {
  if (unknownSince === undefined) return last && gapBetween(last, result, policy);
  return unknownSince < result.checkedAt ? { from: unknownSince, to: result.checkedAt } : null;
}

/**
 * Advances over results that are sorted by {@link compareResults}. Folding up to a checkpoint and then from there has
 * the same outcome as folding all results at once. A fold that is repeated from a checkpoint replaces the transitions
 * whose `confirmedAt`, and the gaps whose `to`, is after the checkpoint.
 */
export function fold(
  start: LocationState,
  results: Iterable<FoldedResult>,
  policy: StatePolicy,
): { state: LocationState; transitions: Transition[]; gaps: Gap[] } {
  let state = start;
  const transitions: Transition[] = [];
  const gaps: Gap[] = [];
  for (const result of results) {
    const next = advance(state, result, policy);
    state = next.state;
    if (next.transition) transitions.push(next.transition);
    if (next.gap) gaps.push(next.gap);
  }
  return { state, transitions, gaps };
}

/** Returns the status that the newest results indicate but do not confirm yet; `null` if they agree with the state. */
export function verifying(state: LocationState): KnownStatus | null {
  return state.streak && (pendingChange(state.status, state.streak, state.passing)?.to ?? null);
}

/** How far a change of state is confirmed. */
export interface Confirmation {
  to: KnownStatus;
  /** Number of consecutive results that indicate the change. */
  count: number;
  /** Number that confirms it; always greater than `count`. */
  needed: number;
}

/**
 * Returns how far the change that the newest results indicate is confirmed; `null` if they agree with the state. At
 * least one more result is always needed: lowering a threshold takes effect with the next result.
 */
export function confirmation(state: LocationState, thresholds: Thresholds): Confirmation | null {
  const change = state.streak && pendingChange(state.status, state.streak, state.passing);
  if (!change) return null;
  const { count } = change.run;
  return { to: change.to, count, needed: Math.max(thresholds[change.threshold], count + 1) };
}

/**
 * Returns whether `status` is both the confirmed status and that of the newest result. Then no change is being
 * confirmed, and another result of that status changes nothing.
 */
export function isSettledAs(state: LocationState, status: ResultStatus): boolean {
  return state.status === status && state.streak?.status === status;
}

/**
 * Returns a state from which further results confirm the same changes, for callers that need nothing else. The history
 * of a settled state does not matter for that, so that all monitors can share one object per status, which saves
 * memory.
 */
export function condensed(state: LocationState): LocationState {
  return state.status !== 'pending' && isSettledAs(state, state.status) ? SETTLED[state.status] : state;
}

const SETTLED: Readonly<Record<KnownStatus, LocationState>> = {
  up: settledAs('up'),
  degraded: settledAs('degraded'),
  down: settledAs('down'),
};

function settledAs(status: KnownStatus): LocationState {
  const run = { count: 1, startedAt: 0 };
  const passing = status === 'down' ? null : run;
  return Object.freeze({ ...PENDING_STATE, status, since: 0, streak: { ...run, status }, passing });
}

interface PendingChange {
  to: KnownStatus;
  run: Run;
  threshold: 'failureThreshold' | 'recoveryThreshold';
}

/** Returns the change that the newest results indicate, and the run that would confirm it. */
function pendingChange(status: ConfirmedStatus, streak: Streak, passing: Run | null): PendingChange | null {
  if (passing === null) {
    return status === 'down' ? null : { to: 'down', run: streak, threshold: 'failureThreshold' };
  }
  if (status === 'up') {
    return streak.status === 'up' ? null : { to: 'degraded', run: streak, threshold: 'failureThreshold' };
  }
  if (status === 'degraded') {
    return streak.status === 'degraded' ? null : { to: 'up', run: streak, threshold: 'recoveryThreshold' };
  }
  const allDegraded = streak.status === 'degraded' && streak.count === passing.count;
  return { to: allDegraded ? 'degraded' : 'up', run: passing, threshold: 'recoveryThreshold' };
}
