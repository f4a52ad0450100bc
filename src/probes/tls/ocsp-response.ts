import { verify, X509Certificate } from 'node:crypto';
import {
  BIT_STRING,
  DerFault,
  DerReader,
  ENUMERATED,
  GENERALIZED_TIME,
  generalizedTime,
  INTEGER,
  numbered,
  OBJECT_ID,
  objectId,
  OCTET_STRING,
  SEQUENCE,
} from '../net/der.js';

/** What is wrong with a response about the revocation of a certificate (RFC 6960). */
export type OcspFault =
  'malformed' | 'refused' | 'not_about_this' | 'revoked' | 'unknown' | 'not_current' | 'not_signed_by_issuer';

const SUCCESSFUL = 0;
const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
/** By which the clock of a responder may be ahead. */
const CLOCK_SKEW_MS = 300_000;

/** The hashes of signatures, by their algorithms. Others, such as SHA-1, prove nothing. */
const HASHES: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
};

/**
 * Returns why a response does not prove that a certificate is not revoked; null if it does. The response must be signed by
 * the issuer, or by a responder to which the issuer has delegated that.
 */
export function ocspFault(
  response: Buffer,
  certificate: X509Certificate,
  issuer: X509Certificate,
  nowMs: number,
): OcspFault | null {
  try {
    const outer = new DerReader(response).enter();
    if (outer.expect(ENUMERATED).content[0] !== SUCCESSFUL) return 'refused';
    const typed = outer.enter(numbered(0)).enter();
    if (objectId(typed.expect(OBJECT_ID)) !== BASIC_RESPONSE) return 'malformed';
    const basic = new DerReader(typed.expect(OCTET_STRING).content).enter();
    const signed = basic.expect(SEQUENCE);
    const algorithm = objectId(basic.enter().expect(OBJECT_ID));
    const bits = basic.expect(BIT_STRING).content;
    // The number of unused bits, of which a signature has none.
    if (bits[0] !== 0) return 'malformed';
    const responders = basic.optional(numbered(0));
    if (!isSigned(signed.bytes, algorithm, bits.subarray(1), issuer, responders?.content))
      return 'not_signed_by_issuer';
    return statusFault(signed.content, certificate, nowMs);
  } catch (error) {
    if (error instanceof DerFault) return 'malformed';
    throw error;
  }
}

function isSigned(
  content: Buffer,
  algorithm: string,
  signature: Buffer,
  issuer: X509Certificate,
  responders: Buffer | undefined,
): boolean {
  const hash = HASHES[algorithm];
  if (hash === undefined) return false;
  const keys = [issuer, ...delegated(responders, issuer)].map(({ publicKey }) => publicKey);
  // An algorithm that the type of a key does not have is an error.
  return keys.some((key) => {
    try {
      return verify(hash, content, key, signature);
    } catch {
      return false;
    }
  });
}

/** Returns those of the certificates in a response that the issuer has made for signing responses. */
function delegated(responders: Buffer | undefined, issuer: X509Certificate): X509Certificate[] {
  if (!responders) return [];
  const list = new DerReader(responders).enter();
  const found: X509Certificate[] = [];
  while (!list.isAtEnd) {
    const { bytes } = list.next();
    try {
      const responder = new X509Certificate(bytes);
      if (responder.keyUsage?.includes(OCSP_SIGNING) && responder.verify(issuer.publicKey)) found.push(responder);
    } catch {
      throw new DerFault('a certificate is not valid');
    }
  }
  return found;
}

function statusFault(content: Buffer, { serialNumber }: X509Certificate, nowMs: number): OcspFault | null {
  const data = new DerReader(content);
  data.optional(numbered(0));
  // The responder and the time of the response.
  data.next();
  data.expect(GENERALIZED_TIME);
  const statuses = data.enter();
  while (!statuses.isAtEnd) {
    const single = statuses.enter();
    const about = single.enter();
    // The algorithm and the hashes that identify the issuer, whose signature has been verified.
    for (let skipped = 0; skipped < 3; skipped += 1) about.next();
    if (BigInt(`0x${about.expect(INTEGER).content.toString('hex')}`) !== BigInt(`0x${serialNumber}`)) continue;
    const { tag } = single.next();
    if (tag === numbered(1)) return 'revoked';
    if (tag !== numbered(0, false)) return 'unknown';
    const from = generalizedTime(single.expect(GENERALIZED_TIME));
    const next = single.optional(numbered(0));
    const until = next ? generalizedTime(new DerReader(next.content).expect(GENERALIZED_TIME)) : Infinity;
    return from - CLOCK_SKEW_MS <= nowMs && nowMs <= until + CLOCK_SKEW_MS ? null : 'not_current';
  }
  return 'not_about_this';
}
