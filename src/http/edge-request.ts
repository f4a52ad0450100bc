import { type IncomingMessage } from 'node:http';
import { type FormFields } from './body/form-fields.js';
import { type KeepAnswer } from './idempotency/keep-answer.js';
import { type Person, type Principal } from './auth/principal.js';

/** The parts of an Express request that the conventions use. */
export interface EdgeRequest extends IncomingMessage {
  method: string;
  /** The request target as sent, not changed by mounted routers. */
  originalUrl: string;
  /** The part of the path that a mounted router has removed from `path`. */
  baseUrl: string;
  path: string;
  query: Record<string, unknown>;
  protocol: string;
  /** The client's address, or the one reported by a trusted proxy; undefined once the connection is closed. */
  ip: string | undefined;
  /** The `Host` header, or the host reported by a trusted proxy. */
  host: string | undefined;
  /** The domain of a status page, if it is the host of the request; the path is then the one on the service. */
  ownDomain?: string;
  /** Parsed JSON, neither scanned nor validated; absent if the request has no body. */
  body?: unknown;
  requestId?: string;
  principal?: Principal;
  /** The signed-in user, on routes of the web application. */
  person?: Person & { name: string };
  /**
   * Returns what is wrong with the token of a form, null if nothing is. Every form of a signed-in user contains a
   * token, so that no other site can submit forms on the user's behalf.
   */
  faultOfForm?: (token: string) => string | null;
  /** Set for a POST to the web application. */
  form?: FormFields;
  /** Set for a POST with an `Idempotency-Key`. */
  keep?: KeepAnswer;
}

/** Returns the path of a request without its query, which may contain confidential data. */
export function pathOf(request: EdgeRequest): string {
  return (request.baseUrl ?? '') + (request.path ?? '');
}

/**
 * Returns the path for the log, without anything as long as a secret, such as the token of an invitation. API keys are
 * exempt, because the logger itself cuts them to their public prefix.
 */
export function loggedPathOf(request: EdgeRequest): string {
  return pathOf(request).replace(/(?<![\w-])(?!dw_)[\w-]{40,}/g, '…');
}

/** Returns the path as a URI reference (RFC 3986): invalid characters are percent-encoded, the rest is unchanged. */
export function pathReferenceOf(request: EdgeRequest): string {
  return pathOf(request)
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w\-.~!$&'()*+,;=:@/%]/g, (character) => encodeURIComponent(character));
}
