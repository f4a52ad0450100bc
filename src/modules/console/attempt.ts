import { ProblemException } from '../../http/problems/problem.js';

/** The outcome of an action: its result or the refusal. */
export type Outcome<T> = { value: T; refusal: null } | { value: null; refusal: ProblemException };

/** The statuses that the person who filled in a form can act on. */
const REFUSALS: ReadonlySet<number> = new Set([403, 409, 412, 422, 429]);

/**
 * Runs the action that a form requests. Returns a refusal, so that the page can show the form again; rethrows all other
 * errors.
 */
export async function attempt<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work(), refusal: null };
  } catch (error) {
    if (error instanceof ProblemException && REFUSALS.has(error.getStatus())) {
      return { value: null, refusal: error.getStatus() === 412 ? stale() : (error as ProblemException) };
    }
    throw error;
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
