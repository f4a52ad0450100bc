import { runWithin, threadTimeMs } from './time-limit.js';

/** Processor time for all patterns and JSONPaths of a request body. Usual ones take less than a millisecond each. */
const BUDGET_MS = 100;
/** Attempts for work that was interrupted although the machine had hardly run it. */
const ATTEMPTS = 3;

let leftMs = BUDGET_MS;
let isRefilling = false;

/**
 * Runs the compilation of a caller's pattern or JSONPath within the time that is left for the request body. Throws if
 * it is used up. Bodies are validated synchronously, so the budget is refilled as soon as the current one is done.
 */
export function withinCompileBudget<T>(compile: () => T): T {
  if (!isRefilling) queueMicrotask(refill);
  isRefilling = true;
  for (let attempt = 0; attempt < ATTEMPTS && leftMs > 0; attempt++) {
    const before = threadTimeMs();
    let compiled: { value: T } | null = null;
    const ending = runWithin(leftMs, () => (compiled = { value: compile() }));
    if (ending === 'spent') break;
    if (ending === 'held up') continue;
    leftMs -= threadTimeMs() - before;
    return compiled!.value;
  }
  leftMs = 0;
  throw new Error('it takes too long to compile, alone or together with those before it: simplify it');
}

function refill(): void {
  leftMs = BUDGET_MS;
  isRefilling = false;
}
