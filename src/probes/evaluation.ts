import { forgetCompiled } from '../domain/assertions.js';
import { type Ending, runWithin } from './time-limit.js';

/** A fault of the service itself, so the check proves nothing about its target. The message may be published. */
export class CheckerFault extends Error {
  override readonly name = 'CheckerFault';
}

export const HELD_UP = 'The service was too busy to run the check on time, so the check is inconclusive.';

/** Maximum time for evaluating the assertions of one check. */
export const EVALUATION_MS = 500;

/**
 * Runs the evaluation of a response and interrupts it at its time limit: returns false if it used up its time. Throws a
 * `CheckerFault` if the time passed without the evaluation getting enough of it.
 */
export type Evaluate = (work: () => void) => boolean;

/** Runs an evaluation within a limit, see `runWithin`. If it is interrupted, drops the caches that it may have damaged. */
export function evaluateWithin(limitMs: number, work: () => void): Ending {
  const ending = runWithin(limitMs, work);
  if (ending !== 'done') forgetCompiled();
  return ending;
}

/** Applies the same limit to each evaluation, regardless of its team. */
export const evaluateAlone: Evaluate = (work) => {
  const ending = evaluateWithin(EVALUATION_MS, work);
  if (ending === 'held up') throw new CheckerFault(HELD_UP);
  return ending === 'done';
};
