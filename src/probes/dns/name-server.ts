import { isIP, isIPv6 } from 'node:net';
import { addressProblem } from '../host.rules.js';
import { canonicalAddress, parseHost } from '../net/host-literal.js';
import { parseUrl } from '../net/parse-url.js';

const DNS_PORT = 53;
const TLS_PORT = 853;

/** How queries reach a name server: by datagrams, over TLS, or over HTTPS. */
export const TRANSPORTS = ['udp', 'tls', 'https'] as const;
export type Transport = (typeof TRANSPORTS)[number];

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

/** A name server that is asked over TLS or over HTTPS. */
export type EncryptedServer = { host: string; port: number } | { url: URL };

/**
 * Parses a name server for a transport that encrypts: for `tls` a host name or an address, optionally with a port, for
 * `https` a URL. Returns `null` for other texts.
 */
export function parseEncryptedServer(text: string, transport: Exclude<Transport, 'udp'>): EncryptedServer | null {
  if (transport === 'https') {
    const isUrl = text.startsWith('https://') && addressProblem(text, ['http', 'https']) === null;
    return isUrl ? { url: parseUrl(text)! } : null;
  }
  const bare = isIP(text) ? { host: text, port: TLS_PORT } : null;
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^:[\]/\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const { host, port } = bare ?? { host: bracketed ?? plain ?? '', port: Number(digits ?? TLS_PORT) };
  return parseHost(host).kind !== 'invalid' && port >= 1 && port <= 65_535 ? { host, port } : null;
}
