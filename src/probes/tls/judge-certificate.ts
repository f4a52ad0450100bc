import { type X509Certificate } from 'node:crypto';
import { ProbeFault } from '../net/probe-fault.js';
import { keyStrength, keyWords } from './key-strength.js';
import { type OcspFault, ocspFault } from './ocsp-response.js';

export const OCSP_MODES = ['check', 'require'] as const;
export type OcspMode = (typeof OCSP_MODES)[number];

/** What a server presented in the handshake. */
export interface Presented {
  certificate: X509Certificate | null;
  /** The response about the revocation of the certificate; null if it sent none. */
  staple: Buffer | null;
}

export interface Expected {
  /** In bits; null for any. */
  minKeyStrength: number | null;
  /** Null if revocation does not matter. */
  ocsp: OcspMode | null;
}

const OCSP_WORDS: Readonly<Record<OcspFault, string>> = {
  malformed: 'cannot be read',
  refused: 'says that the responder could not answer',
  not_about_this: 'is about another certificate',
  revoked: 'says that the certificate is revoked',
  unknown: 'says that the certificate is not known',
  not_current: 'is not current',
  not_signed_by_issuer: 'is not signed by the issuer of the certificate',
};

/** @throws ProbeFault `tls_untrusted` if a certificate is not as expected */
export function judgeCertificate({ certificate, staple }: Presented, expected: Expected, nowMs: number): void {
  const { minKeyStrength, ocsp } = expected;
  if (!certificate) {
    if (minKeyStrength === null && ocsp === null) return;
    throw untrusted('The server did not present a certificate.');
  }
  if (minKeyStrength !== null && keyStrength(certificate.publicKey) < minKeyStrength) {
    const key = keyWords(certificate.publicKey);
    throw untrusted(`The key of the certificate (${key}) is weaker than ${minKeyStrength} bits.`);
  }
  if (ocsp === null) return;
  if (!staple) {
    if (ocsp === 'check') return;
    throw untrusted('The server sent no OCSP response about its certificate.');
  }
  const issuer = certificate.issuerCertificate;
  if (!issuer)
    throw untrusted(
      'The server did not send the certificate of its issuer, without which its OCSP response cannot be verified.',
    );
  const fault = ocspFault(staple, certificate, issuer, nowMs);
  if (fault !== null) throw untrusted(`The OCSP response of the server ${OCSP_WORDS[fault]}.`);
}

function untrusted(message: string): ProbeFault {
  return new ProbeFault('tls_untrusted', message);
}
