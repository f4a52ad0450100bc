import { type EdgeRequest } from '../../http/edge-request.js';
import { type Person } from '../../http/auth/principal.js';
import { type Membership } from '../teams/members.service.js';

/** The signed-in person with their session and teams: all that a page needs to know about its reader. */
export interface SignedIn extends Person {
  sessionId: string;
  name: string;
  email: string;
  teamName: string;
  /** All memberships of the person, including that of the current team. */
  memberships: readonly Membership[];
  /** The token that each of their forms contains: see `FORM_TOKEN_FIELD`. */
  formToken: string;
}

/** A request to the web application that the guard has admitted. */
export interface SessionRequest extends EdgeRequest {
  signedIn?: SignedIn;
}

/** The details of a browser that signs in. */
export interface Browser {
  address: string;
  userAgent: string | undefined;
  /** The token of the session that the browser had before. */
  token: string | null;
}
