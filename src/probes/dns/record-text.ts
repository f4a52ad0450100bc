import { type CaaRecord, type MxRecord, type SoaRecord, type SrvRecord } from 'node:dns';

// The texts of DNS records that assertions compare with, in a format close to that of zone files (RFC 1035, section 5).

/** Returns a domain name in lower case, without the final dot; the root is `.`. */
export function nameText(name: string): string {
  return name.toLowerCase().replace(/(?<!\\)\.$/, '') || '.';
}

/** Returns an MX record as `10 mail.example.com`. */
export function mxText({ priority, exchange }: MxRecord): string {
  return `${priority} ${nameText(exchange)}`;
}

/** Returns an SRV record as `10 60 5060 sip.example.com`: priority, weight, port, target. */
export function srvText({ priority, weight, port, name }: SrvRecord): string {
  return `${priority} ${weight} ${port} ${nameText(name)}`;
}

/**
 * Returns an SOA record as `ns1.example.com hostmaster.example.com 2026010101 7200 3600 1209600 300`, in the order of
 * zone files.
 */
export function soaText(soa: SoaRecord): string {
  const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = soa;
  return [nameText(nsname), nameText(hostmaster), serial, refresh, retry, expire, minttl].join(' ');
}

/** Returns the strings of one TXT record as one text, without quotes. */
export function txtText(strings: readonly string[]): string {
  return readable(strings.join(''));
}

/** Returns a CAA record as `0 issue "letsencrypt.org"`: flags, tag in lower case, value. */
export function caaText(record: CaaRecord): string {
  const { critical: flags, ...tagged } = record as CaaRecord & Record<string, unknown>;
  // Node 24 adds the record type as another member.
  const [tag = '', value = ''] = Object.entries(tagged).find(([name, of]) => name !== 'type' || of !== 'CAA') ?? [];
  return `${flags} ${tag.toLowerCase()} "${readable(String(value)).replace(/["\\]/g, '\\$&')}"`;
}

/** Decodes bytes, which Node returns as Latin-1, as UTF-8, and escapes control characters by number, such as `\007`. */
function readable(bytes: string): string {
  return Buffer.from(bytes, 'latin1')
    .toString('utf8')
    .replace(/\p{Cc}/gu, (character) => `\\${String(character.codePointAt(0)).padStart(3, '0')}`);
}
