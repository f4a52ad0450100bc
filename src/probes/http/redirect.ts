import { parseUrl } from '../net/parse-url.js';
import { isSecretHeader } from './credentials.js';

/** The content of the next request. `headers` includes credentials. */
export interface Hop {
  url: URL;
  method: string;
  /** The names keep the caller's case. */
  headers: Record<string, string>;
  /** Names of headers to treat as credentials. */
  secretHeaders: readonly string[];
  body: string | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the request that a redirect demands: `null` if the response is not a redirect, `'unusable'` if it redirects
 * to a URL that is not http(s). 307 and 308 repeat the request; the others change it to a GET without a body.
 * Credentials are not sent to another origin, except from http to https on the same host with default ports.
 */
export function nextHop(hop: Hop, statusCode: number, location: string | undefined): Hop | 'unusable' | null {
  if (!REDIRECTS.has(statusCode) || location === undefined) return null;
  // Header bytes are decoded as Latin-1, but servers send non-ASCII URLs as UTF-8.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  const url = parseUrl(text, hop.url);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'unusable';
  url.username = '';
  url.password = '';
  const repeats = statusCode === 307 || statusCode === 308 || hop.method === 'GET' || hop.method === 'HEAD';
  const keepsCredentials = url.origin === hop.url.origin || isUpgrade(hop.url, url);
  const headers = Object.entries(hop.headers).filter(([name]) => {
    if (!keepsCredentials && (isSecretHeader(name, hop.secretHeaders) || /^host$/i.test(name))) return false;
    return repeats || !/^content-/i.test(name);
  });
  return {
    url,
    method: repeats ? hop.method : 'GET',
    headers: Object.fromEntries(headers),
    secretHeaders: hop.secretHeaders,
    body: repeats ? hop.body : null,
  };
}

function isUpgrade(from: URL, to: URL): boolean {
  return (
    from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port
  );
}
