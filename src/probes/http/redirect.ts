import { parseUrl } from '../net/parse-url.js';
import { isCredentialHeader } from './credentials.js';

/** What the next request is made of. Credentials stand in `headers` like everything else. */
export interface Hop {
  url: URL;
  method: string;
  /** Names as the caller wrote them. */
  headers: Record<string, string>;
  body: string | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer sends the client next: `null` where it is no redirect, `'unusable'` where it leads to no http(s) URL.
 * 307 and 308 repeat the request; the others make it a GET without a body. Credentials stay behind at the origin,
 * except on the way from http to https at one host with default ports. Pure.
 */
export function nextHop(hop: Hop, statusCode: number, location: string | undefined): Hop | 'unusable' | null {
  if (!REDIRECTS.has(statusCode) || location === undefined) return null;
  // Header bytes come as Latin-1; addresses outside ASCII are sent as UTF-8.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  const url = parseUrl(text, hop.url);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'unusable';
  url.username = '';
  url.password = '';
  const repeats = statusCode === 307 || statusCode === 308 || hop.method === 'GET' || hop.method === 'HEAD';
  const keepsCredentials = url.origin === hop.url.origin || isUpgrade(hop.url, url);
  const headers = Object.entries(hop.headers).filter(([name]) => {
    if (!keepsCredentials && (isCredentialHeader(name) || /^host$/i.test(name))) return false;
    return repeats || !/^content-/i.test(name);
  });
  return {
    url,
    method: repeats ? hop.method : 'GET',
    headers: Object.fromEntries(headers),
    body: repeats ? hop.body : null,
  };
}

function isUpgrade(from: URL, to: URL): boolean {
  return (
    from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port
  );
}
