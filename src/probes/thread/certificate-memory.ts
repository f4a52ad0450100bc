import { type X509Certificate } from 'node:crypto';
import { type ServerCertificate } from '../../domain/check-result.js';
import { cutLine } from '../../domain/cut.js';
import { DAY_MS } from '../../domain/durations.js';

/** The least time between two scheduled checks that report: servers behind one address may have several certificates. */
const CHANGE_MS = 600_000;
const MAX_NAME = 300;

/**
 * Decides which checks of a definition report the certificate of the target: the first one, one a day, those that find
 * another certificate (at most every ten minutes), and those off schedule. For all others, it only compares a
 * fingerprint.
 */
export class CertificateMemory {
  private fingerprint = '';
  private reportedAt = Number.NEGATIVE_INFINITY;

  /** Returns the certificate if a check is to report it. `atMs` is a monotonic time in milliseconds. */
  toReport(certificate: X509Certificate, atMs: number, isAsked: boolean): ServerCertificate | undefined {
    const { fingerprint256 } = certificate;
    const waitMs = fingerprint256 === this.fingerprint ? DAY_MS : CHANGE_MS;
    if (!isAsked && atMs - this.reportedAt < waitMs) return undefined;
    this.fingerprint = fingerprint256;
    this.reportedAt = atMs;
    return described(certificate);
  }
}

/** Returns the facts of a certificate; `undefined` if its dates cannot be read. */
function described({ fingerprint256, subject, issuer, validFrom, validTo }: X509Certificate) {
  const facts: ServerCertificate = {
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: onOneLine(subject),
    issuer: onOneLine(issuer),
    validFrom: Date.parse(validFrom),
    validUntil: Date.parse(validTo),
  };
  return Number.isNaN(facts.validFrom) || Number.isNaN(facts.validUntil) ? undefined : facts;
}

/** Returns a name, of which Node writes each part on a line, such as "CN=example.com, O=Example". */
function onOneLine(name: string | undefined): string {
  return cutLine((name ?? '').replaceAll('\n', ', '), MAX_NAME);
}
