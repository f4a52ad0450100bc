import { runWithin } from './time-limit.js';

/** A fault of ours, in words that may be published: the check says nothing about its target. */
export class CheckerFault extends Error {
  override readonly name = 'CheckerFault';
}

export const HELD_UP = 'The checking process was held up; this says nothing about the target.';

/** The most that judging the assertions of one check may take. */
export const EVALUATION_MS = 500;

/**
 * Runs what judges an answer, and cuts it off: false where its time was spent. Throws a `CheckerFault` where it got none
 * through no fault of its own.
 */
export type Evaluate = (work: () => void) => boolean;

/** Each evaluation has the same limit, whoever asks. */
export const evaluateAlone: Evaluate = (work) => {
  const ending = runWithin(EVALUATION_MS, work);
  if (ending === 'held up') throw new CheckerFault(HELD_UP);
  return ending === 'done';
};
