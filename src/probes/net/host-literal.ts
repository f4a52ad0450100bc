import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { remembering } from '../../domain/memo.js';
import { parseUrl } from './parse-url.js';

/** The meaning of a host's text to a connecting client. */
export type HostMeaning =
  | { kind: 'address'; address: string }
  | { kind: 'name'; name: string }
  /** Neither an address nor a valid DNS name. */
  | { kind: 'invalid' };

const INVALID: HostMeaning = { kind: 'invalid' };
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62}(?<!-))?(\.[a-z0-9_]([a-z0-9_-]{0,62}(?<!-))?)*$/;
const LONGEST_HOST = 1_000;

/**
 * Parses a host as a connecting client would: decimal, octal, hexadecimal, short and full-width notations become the
 * address that they mean; brackets, a zone and the final dot of the root are removed; names become lower-case ASCII.
 * Uses the WHATWG parser both on write and when connecting, so that validation and connection agree.
 */
export const parseHost: (text: string) => HostMeaning = remembering((text) => {
  if (text.length > LONGEST_HOST) return INVALID;
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  if (bare.includes(':')) return parseIPv6(bare);
  // Characters that end the host of a URL or are decoded in it must not reach the URL parser.
  if (bare !== text || /[\s\p{Cc}/\\?#@%]/u.test(bare)) return INVALID;
  const url = bare === '' ? null : parseUrl(`http://${bare}/`);
  if (!url) return INVALID;
  if (isIPv4(url.hostname)) return { kind: 'address', address: url.hostname };
  const name = url.hostname.replace(/\.$/, '');
  return NAME.test(name) && name.split('.').every((label) => label.length <= 63) ? { kind: 'name', name } : INVALID;
});

/** Removes the zone, which names an interface of this machine; the policy applies to the address. */
function parseIPv6(text: string): HostMeaning {
  const address = text.split('%', 1)[0]!;
  return isIPv6(address) ? { kind: 'address', address: canonicalAddress(address) } : INVALID;
}

/**
 * Returns the canonical notation of an IP address; an IPv4-mapped address (`::ffff:1.2.3.4`) becomes the IPv4 address.
 */
export const canonicalAddress = remembering((address) => ipaddr.process(address).toString());

/** Returns whether the host is an address, which needs no resolution. */
export function isIpLiteral(host: string): boolean {
  return parseHost(host).kind === 'address';
}
