import { type CheckError, type ResultStatus } from './check-result.js';
import { gapBetween, type Gap, type SeenCheck, type SlotPolicy } from './data-gap.js';
import { type ErrorCode } from './error-codes.js';
import { type ConfirmedStatus } from './quorum.js';

// What follows from the fold about missing data belongs to its interface.
export { HOLD_GRACE_MS, holdsUntil, type Gap, type Hold } from './data-gap.js';

/** What a confirmation can lead to. */
export type KnownStatus = Exclude<ConfirmedStatus, 'pending'>;

/** How many consecutive results of a kind confirm a change of state. */
export interface Thresholds {
  failureThreshold: number;
  recoveryThreshold: number;
}

/** A stored check, as far as state depends on it. Times are epoch milliseconds. */
export interface FoldedResult extends SeenCheck {
  attempt: number;
  status: ResultStatus;
  error: CheckError | null;
  /** Those in force when the check was made, so that a later change of them does not change what it confirmed. */
  thresholds?: Thresholds | null;
}

/** What the fold needs to know about a monitor. Its thresholds are for results that do not carry their own. */
export interface StatePolicy extends SlotPolicy, Thresholds {}

/** Consecutive results of one kind, `unknown` ones left out; `startedAt` is the first one's `checkedAt`. */
export interface Run {
  count: number;
  startedAt: number;
}

/** The newest results that share one status. */
export interface Streak extends Run {
  status: KnownStatus;
}

/** A monitor's state as seen from one location: all that the fold remembers. Plain JSON. */
export interface LocationState {
  status: ConfirmedStatus;
  /** When `status` began, backdated; `null` while pending. */
  since: number | null;
  streak: Streak | null;
  /** The newest results none of which is down; `null` where the newest is. */
  passing: Run | null;
  /** The newest result that was not `unknown`. */
  last: (SeenCheck & { attempt: number }) | null;
  /** The newest failure, while the target fails or is confirmed down. */
  lastError: CheckError | null;
}

/** A confirmed change of state. */
export interface Transition {
  /** `checkedAt` of the first result of the run that confirmed the change. */
  at: number;
  /** `checkedAt` of the result that confirmed it. */
  confirmedAt: number;
  from: ConfirmedStatus;
  to: KnownStatus;
  /** Of the confirming result, where the change is to `down`. */
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

/** Orders results as the fold takes them: `checkedAt`, then `scheduledAt`, then `attempt`. */
export function compareResults(
  a: Pick<FoldedResult, 'checkedAt' | 'scheduledAt' | 'attempt'>,
  b: Pick<FoldedResult, 'checkedAt' | 'scheduledAt' | 'attempt'>,
): number {
  return a.checkedAt - b.checkedAt || a.scheduledAt - b.scheduledAt || a.attempt - b.attempt;
}

/**
 * The state after one more result, which must come after all earlier ones in the order of {@link compareResults}, each
 * given once. `unknown` results change nothing: they neither count nor break a run, nor end a gap.
 */
export function advance(state: LocationState, result: FoldedResult, policy: StatePolicy): Advance {
  const { status, checkedAt } = result;
  if (status === 'unknown') return { state, transition: null, gap: null };

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
    gap: state.last && gapBetween(state.last, result, policy),
  };
}

/**
 * Advances over results that are sorted by {@link compareResults}. Folding up to a checkpoint and then from there gives
 * the same as folding all at once; of what an earlier fold found, a re-fold from a checkpoint replaces the transitions
 * with `confirmedAt`, and the gaps with `to`, after the checkpoint.
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

/** The status that the newest results point to but do not confirm yet; `null` where they agree with the state. */
export function verifying(state: LocationState): KnownStatus | null {
  return state.streak && (pendingChange(state.status, state.streak, state.passing)?.to ?? null);
}

/** Whether the newest result is of the confirmed status: nothing is being confirmed, and one more of them changes nothing. */
export function isSettledAs(state: LocationState, status: ResultStatus): boolean {
  return state.status === status && state.streak?.status === status;
}

/**
 * A state that confirms the same of whatever results follow, for one who only asks for that: of what led to a settled
 * state nothing matters, so that one of each kind does for all monitors, in little memory.
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

/** The change that the newest results argue for, and the run that would confirm it. */
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
