import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { remembering } from '../../domain/memo.js';
import { parseUrl } from './parse-url.js';

/** What the text of a host means to those who would connect to it. */
export type HostMeaning =
  | { kind: 'address'; address: string }
  | { kind: 'name'; name: string }
  /** Neither an address nor a name that could stand in DNS. */
  | { kind: 'invalid' };

const INVALID: HostMeaning = { kind: 'invalid' };
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62}(?<!-))?(\.[a-z0-9_]([a-z0-9_-]{0,62}(?<!-))?)*$/;
const LONGEST_HOST = 1_000;

/**
 * Reads a host as the connecting side would: decimal, octal, hexadecimal, short and full-width spellings of an address
 * are the address that they mean; brackets, a zone and the final dot of the root fall away; names become lower-case
 * ASCII. Pure. The WHATWG parser decides, so that what is refused on write and what is connected to are read alike.
 */
export const parseHost: (text: string) => HostMeaning = remembering((text) => {
  if (text.length > LONGEST_HOST) return INVALID;
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  if (bare.includes(':')) return parseIPv6(bare);
  // What would end the host of a URL, or be decoded in it, must not reach that parser.
  if (bare !== text || /[\s\p{Cc}/\\?#@%]/u.test(bare)) return INVALID;
  const url = bare === '' ? null : parseUrl(`http://${bare}/`);
  if (!url) return INVALID;
  if (isIPv4(url.hostname)) return { kind: 'address', address: url.hostname };
  const name = url.hostname.replace(/\.$/, '');
  return NAME.test(name) && name.split('.').every((label) => label.length <= 63) ? { kind: 'name', name } : INVALID;
});

/** The zone is cut: it names an interface of this machine, and the policy judges the address. */
function parseIPv6(text: string): HostMeaning {
  const address = text.split('%', 1)[0]!;
  return isIPv6(address) ? { kind: 'address', address: canonicalAddress(address) } : INVALID;
}

/** One spelling for each IP address; an IPv4 address within IPv6 (`::ffff:1.2.3.4`) is that IPv4 address. */
export const canonicalAddress = remembering((address) => ipaddr.process(address).toString());

/** Whether the host is an address, so that nothing is resolved. */
export function isIpLiteral(host: string): boolean {
  return parseHost(host).kind === 'address';
}
