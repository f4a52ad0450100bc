import { type IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether, according to the browser, a request came from a page of this site or was not initiated by a page (a
 * typed address, a reload). `Sec-Fetch-Site` takes precedence, because pages cannot set it; browsers only send it over
 * HTTPS and to the local machine. Otherwise `Origin` must be one of `own`. A request with neither header is not
 * trusted.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, own: readonly string[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin !== undefined && own.includes(headers.origin);
}
