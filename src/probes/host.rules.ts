import { isIPv6 } from 'node:net';
import { parseHost } from './net/host-literal.js';
import { parseUrl } from './net/parse-url.js';

export const HAS_USER_INFORMATION = 'must not contain a username or password';

/** Returns what is wrong with a host to connect to, or `null`. Values of other types pass. */
export function hostProblem(value: unknown): string | null {
  return typeof value === 'string' && parseHost(value).kind === 'invalid'
    ? 'must be a host name or an IP address, without scheme, port or path'
    : null;
}

/** Returns `host:port`, with an IPv6 address in brackets. */
export function shownEndpoint(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Returns what is wrong with an absolute http or https URL, or `null`. Values of other types pass. */
export function webAddressProblem(value: unknown): string | null {
  return addressProblem(value, ['http', 'https']);
}

/** Returns what is wrong with an absolute URL that has one of two schemes, or `null`. Values of other types pass. */
export function addressProblem(value: unknown, [plain, secure]: readonly [string, string]): string | null {
  if (typeof value !== 'string') return null;
  const wrong = `must be an absolute ${plain} or ${secure} URL`;
  const scheme = /^(\w+):\/\/[^/\\]/.exec(value)?.[1]?.toLowerCase();
  // The parser would silently correct such URLs, with results that readers of the definition would not expect.
  if ((scheme !== plain && scheme !== secure) || /[\s\p{Cc}\\]/u.test(value)) return wrong;
  if (/^[^/]*\/\/[^/?#]*@/.test(value)) return HAS_USER_INFORMATION;
  const url = parseUrl(value);
  if (!url) return wrong;
  if (url.port === '0') return 'must not have port 0';
  return parseHost(url.hostname).kind === 'invalid' ? 'must have a valid host' : null;
}
