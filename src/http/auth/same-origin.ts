import { type IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that a request came from a page of ours, or from nobody's page (an address typed in, a
 * reload). `Sec-Fetch-Site` goes first: no page can set it; browsers send it over https and to this machine alone. Else
 * `Origin` must be one of `own`. A request that says neither is not believed.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, own: readonly string[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin !== undefined && own.includes(headers.origin);
}
