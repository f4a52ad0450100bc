import { type IncomingHttpHeaders } from 'node:http';
import { ProblemException } from '../problems/problem.js';
import { isSameOrigin } from './same-origin.js';

/**
 * Rejects forms that a browser sends from another site, for pages that anybody can open. Pages have no referrer, so over
 * plain HTTP a browser sends their forms with the origin `null`, and some clients send none at all: these are accepted.
 *
 * @param own the origins under which the pages are served
 * @throws 403
 */
export function assertOwnForm(headers: IncomingHttpHeaders, own: readonly string[]): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined && (headers.origin === undefined || headers.origin === 'null')) return;
  if (isSameOrigin(headers, own)) return;
  throw new ProblemException(403, 'forbidden', 'The form was not sent from a page of this site. Nothing was changed.');
}
