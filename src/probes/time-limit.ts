import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';

/** How work under a limit ended: in time, cut off when its time was spent, or cut off although it had hardly run. */
export type Ending = 'done' | 'spent' | 'held up';

const THREAD_CPU = '/proc/thread-self/schedstat';
const sandbox = createContext({ work: null as (() => void) | null });
const script = new Script('work()');

/**
 * Runs work that cannot be trusted to end, and cuts it off after `limitMs`, wherever it stands: what it was changing is
 * not to be used any more. What it throws is thrown on. The clock of the limit runs also while the machine gives this
 * thread no processor; work that had less than half of its time by then was held up, as far as the system tells (Linux).
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

/** Milliseconds of processor time that this thread has used; where the system does not tell, those that have passed. */
export function threadTimeMs(): number {
  try {
    return Number(readFileSync(THREAD_CPU, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
