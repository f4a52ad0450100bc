import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseHost } from '../net/host-literal.js';

/**
 * Returns the name to query, in lower-case ASCII without the final dot, or `null` if the host is not a valid name. For
 * the type PTR, an IP address in the usual notation means its name under `in-addr.arpa` or `ip6.arpa`.
 */
export function questionName(host: string, recordType: string): string | null {
  if (recordType === 'PTR' && isIP(host) && !host.includes('%')) return reverseName(host);
  const meaning = parseHost(host);
  return meaning.kind === 'name' ? meaning.name : null;
}

function reverseName(address: string): string {
  const parsed = ipaddr.parse(address);
  const bytes = parsed.toByteArray();
  if (parsed.kind() === 'ipv4') return `${bytes.reverse().join('.')}.in-addr.arpa`;
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15]).reverse();
  return `${nibbles.map((nibble) => nibble.toString(16)).join('.')}.ip6.arpa`;
}
