/** What receivers of mail find in the DNS about a sender's domain. */
export interface Finding {
  /** `warning`: mail is accepted, but something should be changed. */
  verdict: 'ok' | 'warning' | 'missing';
  /** What was found, and what to publish instead. */
  text: string;
}

/**
 * Judges the TXT records of a domain as its SPF policy (RFC 7208). Does not resolve what the policy includes, because
 * the addresses from which a provider sends are not known here.
 */
export function judgeSpf(domain: string, records: readonly string[]): Finding {
  const policies = records.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [policy] = policies;
  if (policy === undefined) {
    const example = quoted('v=spf1 include:<your mail provider> ~all');
    return missing(`There is no SPF record. Publish one as a TXT record at ${domain}, such as ${example}.`);
  }
  if (policies.length > 1) {
    return missing(
      `There are ${policies.length} SPF records, so receivers accept none. Merge them: ${list(policies)}.`,
    );
  }
  const terms = policy.toLowerCase().split(/ +/).slice(1).filter(Boolean);
  const all = terms.find((term) => /^[-~?+]?all$/.test(term));
  if (!terms.some((term) => !/^(?:[-~?+]?all|exp=.*)$/.test(term)) && !ALLOWS_ALL.has(all)) {
    return missing(`${quoted(policy)} permits no server to send. Add the servers of your mail provider before ${all}.`);
  }
  if (ALLOWS_ALL.has(all)) return warning(`${quoted(policy)} permits every server to send. End it with ~all or -all.`);
  if (all === '?all' || (all === undefined && !terms.some((term) => term.startsWith('redirect=')))) {
    return warning(`${quoted(policy)} does not refuse other servers. End it with ~all or -all.`);
  }
  return ok(quoted(policy));
}

const ALLOWS_ALL: ReadonlySet<string | undefined> = new Set(['all', '+all']);

/**
 * Judges the TXT records of a name under `_domainkey` as a DKIM key (RFC 6376).
 *
 * @param rsaBitsOf returns the length of an RSA key in DER, in bits; null if it is not one
 */
export function judgeDkim(
  name: string,
  records: readonly string[],
  rsaBitsOf: (key: Buffer) => number | null,
): Finding {
  const publish = `Publish the key that your mail server or provider shows for this selector as a TXT record at ${name}`;
  const [record] = records;
  if (record === undefined) return missing(`There is no DKIM key at ${name}. ${publish}.`);
  if (records.length > 1)
    return missing(`There are ${records.length} records at ${name}, so receivers accept none. Keep one.`);
  const tags = tagsOf(record);
  const key = tags.get('p')?.replace(/\s/g, '');
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1' || key === undefined) {
    return missing(`The record at ${name} is not a DKIM key. ${publish}.`);
  }
  if (key === '') return missing(`The key at ${name} is revoked (p= is empty). ${publish}.`);
  const type = tags.get('k')?.toLowerCase() ?? 'rsa';
  const bytes = Buffer.from(key, 'base64');
  const bits = type === 'rsa' ? rsaBitsOf(bytes) : null;
  if (type === 'rsa' ? bits === null : type !== 'ed25519' || bytes.length !== 32) {
    return missing(`The key at ${name} is malformed or of an unknown type. ${publish}.`);
  }
  if (bits !== null && bits < 1_024)
    return missing(`The key at ${name} has ${bits} bits. Receivers require at least 1,024.`);
  if (bits !== null && bits < 2_048)
    return warning(`The key at ${name} has ${bits} bits. At least 2,048 are recommended.`);
  if (tags.get('t')?.split(':').includes('y')) {
    return warning(`The key at ${name} is marked as a test (t=y), so receivers may ignore it. Remove t=y.`);
  }
  return ok(`${name} has ${bits === null ? 'an Ed25519' : `a ${bits}-bit RSA`} key`);
}

/**
 * Returns the names at which the DMARC policy of a domain may be, in the order in which receivers ask: the domain's own,
 * and those of the domains above it. Ends before top-level domains, which have no policy for mail.
 */
export function dmarcNames(domain: string): string[] {
  const labels = domain.split('.');
  const count = Math.max(1, labels.length - 1);
  return Array.from({ length: count }, (_, at) => `_dmarc.${labels.slice(at).join('.')}`);
}

/** Returns those records that are DMARC policies. */
export function dmarcPolicies(records: readonly string[]): string[] {
  return records.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text));
}

/**
 * Judges the DMARC policies (RFC 7489) of a domain.
 *
 * @param name where they were found: if it is that of a domain above, its policy for subdomains applies
 */
export function judgeDmarc(domain: string, name: string, policies: readonly string[]): Finding {
  const own = `_dmarc.${domain}`;
  const [policy] = policies;
  if (policy === undefined) {
    const example = quoted(`v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}`);
    return missing(`There is no DMARC policy. Publish a TXT record at ${own}, such as ${example}.`);
  }
  if (policies.length > 1) {
    return missing(`There are ${policies.length} policies at ${name}, so receivers apply none: ${list(policies)}.`);
  }
  const tags = tagsOf(policy);
  const requested = ((name === own ? undefined : tags.get('sp')) ?? tags.get('p'))?.toLowerCase();
  const shown = name === own ? quoted(policy) : `${quoted(policy)} at ${name}`;
  if (requested === 'none') {
    return warning(
      `${shown} does not stop others from sending as ${domain}. Once its reports list only your servers, set p=quarantine.`,
    );
  }
  if (requested !== 'quarantine' && requested !== 'reject') {
    return missing(`${shown} has no valid policy. Set p=quarantine, p=reject or p=none.`);
  }
  return ok(shown);
}

function tagsOf(record: string): ReadonlyMap<string, string> {
  const pairs = record.split(';').map((one) => one.split('='));
  return new Map(pairs.map(([name = '', ...value]) => [name.trim().toLowerCase(), value.join('=').trim()]));
}

const quoted = (record: string): string => `"${record}"`;
const list = (records: readonly string[]): string => records.map(quoted).join(', ');
const ok = (text: string): Finding => ({ verdict: 'ok', text });
const warning = (text: string): Finding => ({ verdict: 'warning', text });
const missing = (text: string): Finding => ({ verdict: 'missing', text });
