import { ProblemException } from '../../http/problems/problem.js';

/** Thrown where nobody is signed in; a page sends them to `location` instead of telling a problem. */
export class SignInNeeded extends ProblemException {
  constructor(readonly location: string) {
    super(401, 'unauthenticated', 'Sign in to the application.');
  }
}
