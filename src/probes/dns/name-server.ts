import { isIP, isIPv6 } from 'node:net';
import { canonicalAddress } from '../net/host-literal.js';

const DNS_PORT = 53;

export interface NameServer {
  /** In canonical notation. */
  address: string;
  port: number;
}

/**
 * Parses `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`; returns `null` for other texts.
 * Accepts only the usual notation of an address, so that the resolver cannot interpret it differently.
 */
export function parseNameServer(text: string): NameServer | null {
  if (isIP(text) && !text.includes('%')) return { address: canonicalAddress(text), port: DNS_PORT };
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const address = bracketed ?? plain ?? '';
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const fits = bracketed === undefined ? isIP(address) === 4 : isIPv6(address);
  return fits && port >= 1 && port <= 65_535 ? { address: canonicalAddress(address), port } : null;
}

/** Returns the server in the format that the resolver accepts. */
export function nameServerText({ address, port }: NameServer): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}
