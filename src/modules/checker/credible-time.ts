import { judge } from '../../domain/check-result.js';
import { ourFault } from '../../probes/run-check.js';
import { type CheckResult } from './check-queue.js';

/** By how much a check may appear to start after its result arrived, because clocks agree only to within some time. */
const AHEAD_MS = 1_000;
/** By how much the time of a request may be ahead, because it comes from the process that was asked. */
const REQUEST_AHEAD_MS = 3_600_000;
const NOT_CREDIBLE = 'The worker reported a time at which it cannot have made this check, so its result is not used.';

/** Returns whether a result can belong to a slot that has been served, of which checks are still kept. */
export function isSlotPossible({ attempt, scheduledAt }: CheckResult, receivedAt: number, keptMs: number): boolean {
  const aheadMs = scheduledAt - receivedAt;
  return aheadMs <= (attempt < 0 ? REQUEST_AHEAD_MS : AHEAD_MS) && aheadMs >= -keptMs;
}

/** Returns whether the check can have begun when the result says: not before its slot, nor after it was received. */
export function isTimeCredible({ attempt, scheduledAt, checkedAt }: CheckResult, receivedAt: number): boolean {
  return checkedAt <= receivedAt + AHEAD_MS && (attempt < 0 || checkedAt >= scheduledAt);
}

/**
 * Returns what is recorded of a result whose time is not credible: a fault of the service, at the possible time that
 * comes closest.
 */
export function asOwnFault(result: CheckResult, receivedAt: number): CheckResult {
  const outcome = ourFault(NOT_CREDIBLE);
  const checkedAt = Math.max(Math.min(result.checkedAt, receivedAt), result.attempt < 0 ? 0 : result.scheduledAt);
  return {
    ...result,
    checkedAt,
    status: judge(outcome, null),
    outcome,
    certificate: undefined,
    registration: undefined,
  };
}
