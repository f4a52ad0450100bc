import { ProblemException } from '../../http/problems/problem.js';

/** Thrown if nobody is signed in. A page redirects to `location` instead of showing a problem. */
export class SignInNeeded extends ProblemException {
  constructor(readonly location: string) {
    super(401, 'unauthenticated', 'Sign in to the application.');
  }
}
