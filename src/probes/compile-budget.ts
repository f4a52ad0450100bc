import { runWithin, threadTimeMs } from './time-limit.js';

/** Processor time for all patterns and JSONPaths of a request body. Usual ones take less than a millisecond each. */
const BUDGET_MS = 50;
/** The first compilations in a process are slow, because the compilers have not been optimised yet. */
const FIRST_BUDGET_MS = 200;
/** Attempts for work that was interrupted before it had used its processor time, each twice as long as the one before. */
const ATTEMPTS = 3;
/** Share of the time that was left which an interrupted attempt must have used to count as having used all of it. */
const SPENT = 0.8;

let leftMs = FIRST_BUDGET_MS;
let isRefilling = false;

/**
 * Runs the compilation of a caller's pattern or JSONPath within the processor time that is left for the request body.
 * Throws if it is used up. Bodies are validated synchronously, so the budget is refilled as soon as the current one is
 * done.
 */
export function withinCompileBudget<T>(compile: () => T): T {
  if (!isRefilling) queueMicrotask(refill);
  isRefilling = true;
  for (let attempt = 0; attempt < ATTEMPTS && leftMs > 0; attempt++) {
    const before = threadTimeMs();
    let compiled: { value: T } | null = null;
    runWithin(leftMs * 2 ** attempt, () => (compiled = { value: compile() }));
    const usedMs = threadTimeMs() - before;
    if (compiled !== null) {
      leftMs -= usedMs;
      return (compiled as { value: T }).value;
    }
    if (usedMs > SPENT * leftMs) break;
  }
  leftMs = 0;
  throw new Error('it takes too long to compile, alone or together with those before it: simplify it');
}

function refill(): void {
  leftMs = BUDGET_MS;
  isRefilling = false;
}
