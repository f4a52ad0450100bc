import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';

/**
 * How limited work ended: in time, interrupted after it used up its time, or interrupted although it had hardly run.
 */
export type Ending = 'done' | 'spent' | 'held up';

const THREAD_CPU = '/proc/thread-self/schedstat';
const sandbox = createContext({ work: null as (() => void) | null });
const script = new Script('work()');

/**
 * Runs work that may not end, and interrupts it after `limitMs` at an arbitrary point: objects that it was changing
 * must not be used afterwards. Errors of the work are rethrown. The limit also runs while this thread gets no processor
 * time; work that had less than half of its time by then was held up, which is detected only on Linux.
 */
export function runWithin(limitMs: number, work: () => void): Ending {
  const before = threadTimeMs();
  sandbox.work = work;
  try {
    script.runInContext(sandbox, { timeout: Math.max(1, Math.ceil(limitMs)) });
    return 'done';
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return threadTimeMs() - before < limitMs / 2 ? 'held up' : 'spent';
  } finally {
    sandbox.work = null;
  }
}

/** Returns the milliseconds of processor time that this thread has used, or of elapsed time if that is unknown. */
export function threadTimeMs(): number {
  try {
    return Number(readFileSync(THREAD_CPU, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
