import { MASK } from '../../../../domain/mask.js';
import { parseUrl } from '../../../../probes/net/parse-url.js';
import { webAddressProblem } from '../../../../probes/host.rules.js';

const MAX_LENGTH = 2_048;
const WEB_PORTS = ['', '80', '443'];
/** Services other than web servers listen below it, and anybody may enter an address. */
const FIRST_FREE_PORT = 1_024;

/**
 * Returns what is wrong with the address of a webhook, as the end of a sentence; null if it is right.
 *
 * @param refusesHost whether a host is not allowed, as far as that is known without resolving it
 */
export function webhookAddressProblem(url: string, refusesHost: (host: string) => boolean): string | null {
  if (url.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const problem = webAddressProblem(url);
  if (problem !== null) return problem;
  const { hostname, port } = parseUrl(url)!;
  if (!WEB_PORTS.includes(port) && Number(port) < FIRST_FREE_PORT) {
    return `must use port 80, 443, or any port from ${FIRST_FREE_PORT} up`;
  }
  return refusesHost(hostname) ? 'must be reachable from the internet' : null;
}

/** Returns the host of the address of a webhook, by which requests to it are limited. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** Returns the address without what may be a credential, for administrators. */
export function maskedAddress(url: string): string {
  return `${new URL(url).origin}/${MASK}`;
}
