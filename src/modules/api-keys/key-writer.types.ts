import { type Person, type Principal } from '../../http/auth/principal.js';

/** The principal of a request, as returned by the verifier of this module. */
export interface Caller extends Principal {
  /** Public prefix of the secret that was sent; a rotated key may have two. */
  prefix: string;
}

/** The author of a write to keys: an API key or a person. */
export type KeyWriter = Caller | Person;
