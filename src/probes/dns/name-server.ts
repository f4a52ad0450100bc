import { isIP, isIPv6 } from 'node:net';
import { canonicalAddress } from '../net/host-literal.js';

const DNS_PORT = 53;

export interface NameServer {
  /** In its canonical spelling. */
  address: string;
  port: number;
}

/**
 * Reads `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`; `null` for what is none of them. Only
 * the usual spelling of an address: this is handed to the resolver, whose own reading must not differ. Pure.
 */
export function parseNameServer(text: string): NameServer | null {
  if (isIP(text) && !text.includes('%')) return { address: canonicalAddress(text), port: DNS_PORT };
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const address = bracketed ?? plain ?? '';
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const fits = bracketed === undefined ? isIP(address) === 4 : isIPv6(address);
  return fits && port >= 1 && port <= 65_535 ? { address: canonicalAddress(address), port } : null;
}

/** As the resolver takes it. */
export function nameServerText({ address, port }: NameServer): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}
