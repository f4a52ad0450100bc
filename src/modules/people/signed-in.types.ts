import { type EdgeRequest } from '../../http/edge-request.js';
import { type Person } from '../../http/auth/principal.js';
import { type Membership } from '../teams/members.service.js';

/** Who is signed in, and to what: all that a page needs to know of its reader. */
export interface SignedIn extends Person {
  sessionId: string;
  name: string;
  email: string;
  teamName: string;
  /** All teams that they are in, the present one included. */
  memberships: readonly Membership[];
  /** What each of their forms carries: see `FORM_TOKEN_FIELD`. */
  formToken: string;
}

/** A request of the web application, once the guard has let it pass. */
export interface SessionRequest extends EdgeRequest {
  signedIn?: SignedIn;
}

/** What a browser that signs in says of itself. */
export interface Browser {
  address: string;
  userAgent: string | undefined;
  /** The token of the session that it had until now. */
  token: string | null;
}
