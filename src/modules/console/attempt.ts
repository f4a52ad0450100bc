import { ProblemException } from '../../http/problems/problem.js';

/** What a write came to: its result, or why it was refused. */
export type Outcome<T> = { value: T; refusal: null } | { value: null; refusal: ProblemException };

/** What whoever filled in a form can do something about. */
const REFUSALS: ReadonlySet<number> = new Set([403, 409, 412, 422, 429]);

/** Does what a form asks for. A refusal comes back, for the page to show it again; all else passes through. */
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

/** The API speaks of revisions there; a page shows what was typed once more, and what is stored now. */
function stale(): ProblemException {
  return new ProblemException(
    412,
    'precondition_failed',
    'Somebody else has saved a change since you opened this page, so nothing of yours is saved yet.',
  );
}
