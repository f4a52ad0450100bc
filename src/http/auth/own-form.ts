import { type EdgeRequest } from '../edge-request.js';
import { ProblemException } from '../problems/problem.js';
import { isSameOrigin } from './same-origin.js';

/**
 * Rejects forms that a browser sends from another site, for pages that anybody can open. Pages have no referrer, so over
 * plain HTTP a browser sends their forms with the origin `null`, and some clients send none at all: these are accepted.
 *
 * @param origin the address of the service; a page may also be served from a domain of its own
 * @throws 403
 */
export function assertOwnForm(
  { headers, protocol, host = '' }: Pick<EdgeRequest, 'headers' | 'protocol' | 'host'>,
  origin: string,
): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined && (headers.origin === undefined || headers.origin === 'null')) return;
  if (isSameOrigin(headers, [`${protocol}://${host}`, new URL(origin).origin])) return;
  throw new ProblemException(403, 'forbidden', 'The form was not sent from a page of this site. Nothing was changed.');
}
