import { asProblemException } from '../../http/problems/problem.filter.js';
import { ProblemException } from '../../http/problems/problem.js';

/** The outcome of an action: its result or the refusal. */
export type Outcome<T> = { value: T; refusal: null } | { value: null; refusal: ProblemException };

/** The statuses that the person who filled in a form can act on. */
const REFUSALS: ReadonlySet<number> = new Set([403, 409, 412, 422, 429]);

/**
 * Runs the action that a form requests. Returns a refusal, so that the page can show the form again; rethrows all other
 * errors. What is unavailable at present, such as a worker that could run a check, is a refusal unless it is the
 * database, without which there is no page.
 */
export async function attempt<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work(), refusal: null };
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    const status = error.getStatus();
    if (!REFUSALS.has(status) && error.code !== 'unavailable') throw error;
    return { value: null, refusal: status === 412 ? stale() : asProblemException(error) };
  }
}

/**
 * Replaces the API's detail, which refers to revisions. The page shows the form again with a link to the stored
 * version.
 */
function stale(): ProblemException {
  return new ProblemException(
    412,
    'precondition_failed',
    'Someone else changed this while you were editing, so your changes have not been saved.',
  );
}
