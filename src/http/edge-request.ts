import { type IncomingMessage } from 'node:http';
import { type FormFields } from './body/form-fields.js';
import { type KeepAnswer } from './idempotency/keep-answer.js';
import { type Person, type Principal } from './auth/principal.js';

/** What the conventions use of an Express request. */
export interface EdgeRequest extends IncomingMessage {
  method: string;
  /** The target as it was sent; not changed by mounted routers. */
  originalUrl: string;
  /** The path that a mounted router has taken off `path`. */
  baseUrl: string;
  path: string;
  query: Record<string, unknown>;
  protocol: string;
  /** The client's address, or what a trusted proxy says it is; none once the connection is gone. */
  ip: string | undefined;
  /** The `Host` header, or what a trusted proxy says. */
  host: string | undefined;
  /** Parsed JSON, neither scanned nor validated; absent where the request has no body. */
  body?: unknown;
  requestId?: string;
  principal?: Principal;
  /** Who is signed in, on routes of the web application. */
  person?: Person;
  /**
   * What is wrong with the token of a form, null where nothing is. Those who are signed in send one with each form, so that
   * no other page can send forms in their name.
   */
  faultOfForm?: (token: string) => string | null;
  /** Of a POST to the web application. */
  form?: FormFields;
  /** Of a POST with an `Idempotency-Key`. */
  keep?: KeepAnswer;
}

/** The path of a request without its query, which may hold what nobody should read. */
export function pathOf(request: EdgeRequest): string {
  return (request.baseUrl ?? '') + (request.path ?? '');
}

/**
 * The same for the log: what is as long as a secret, such as an invitation's, is left out; but for API keys, of which
 * the logger itself leaves the public prefix.
 */
export function loggedPathOf(request: EdgeRequest): string {
  return pathOf(request).replace(/(?<![\w-])(?!dw_)[\w-]{40,}/g, '…');
}

/**
 * The same as a reference that RFC 3986 allows: what is broken or out of place in it is percent-encoded, all else stays as
 * it was sent.
 */
export function pathReferenceOf(request: EdgeRequest): string {
  return pathOf(request)
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w\-.~!$&'()*+,;=:@/%]/g, (character) => encodeURIComponent(character));
}
