import { type Limiter } from '../domain/text-pattern.js';
import { runWithin, threadTimeMs } from './time-limit.js';

/**
 * Processor time for all patterns and JSONPaths of a request body. Usual ones take less than a millisecond each; a garbage
 * collection among them takes much longer.
 */
const BUDGET_MS = 100;
/** The first compilations in a process are slow, because the compilers have not been optimised yet. */
const FIRST_BUDGET_MS = 200;
/**
 * Work that was interrupted before it had used its processor time is attempted again with twice the elapsed time, up to
 * this. What is left of the budget may be shorter than a single pause of this thread on a busy machine.
 */
const LONGEST_ATTEMPT_MS = 2_000;
/** Share of the time that was left which an interrupted attempt must have used to count as having used all of it. */
const SPENT = 0.8;

let isFirst = true;

/**
 * Returns a function that runs the compilations of one body's patterns and JSONPaths within a common budget of processor
 * time. Once it is used up, the function throws.
 */
export function compileBudget(): Limiter {
  let leftMs = isFirst ? FIRST_BUDGET_MS : BUDGET_MS;
  return <T>(compile: () => T): T => {
    isFirst = false;
    for (let limitMs = leftMs; limitMs > 0 && limitMs <= LONGEST_ATTEMPT_MS; limitMs *= 2) {
      const before = threadTimeMs();
      let compiled: { value: T } | null = null;
      runWithin(limitMs, () => (compiled = { value: compile() }));
      const usedMs = threadTimeMs() - before;
      if (compiled !== null) {
        leftMs -= usedMs;
        return (compiled as { value: T }).value;
      }
      if (usedMs > SPENT * leftMs) break;
    }
    leftMs = 0;
    throw new Error('it takes too long to compile, alone or together with those before it: simplify it');
  };
}
