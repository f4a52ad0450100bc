import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { makeCertificate } from '../../../test/support/certificates.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';
import { CertificateMemory } from './certificate-memory.js';

const FROM = Date.UTC(2026, 0, 1);
const UNTIL = Date.UTC(2026, 3, 1, 12, 30, 15);
const made = makeCertificate('example.com', FROM, UNTIL);
const first = new X509Certificate(made.cert);
const renewed = new X509Certificate(makeCertificate('example.com', FROM, UNTIL).cert);

describe('the memory of certificates', () => {
  it('returns the facts of a certificate', () => {
    expect(new CertificateMemory().toReport(first, 0, false)).toEqual({
      fingerprint: made.fingerprint,
      subject: 'CN=example.com',
      issuer: 'CN=example.com',
      validFrom: FROM,
      validUntil: UNTIL,
    });
  });

  it.each<[string, X509Certificate, afterMs: number, isAsked: boolean, isReported: boolean]>([
    ['the same one soon', first, MINUTE_MS, false, false],
    ['the same one just before a day has passed', first, DAY_MS - 1, false, false],
    ['the same one after a day', first, DAY_MS, false, true],
    ['the same one off schedule', first, 1, true, true],
    ['another one at once', renewed, 10 * MINUTE_MS - 1, false, false],
    ['another one after ten minutes', renewed, 10 * MINUTE_MS, false, true],
    ['another one off schedule', renewed, 1, true, true],
  ])('after a report, judges %s', (_, certificate, afterMs, isAsked, isReported) => {
    const memory = new CertificateMemory();
    memory.toReport(first, 5_000, false);
    expect(memory.toReport(certificate, 5_000 + afterMs, isAsked) !== undefined).toBe(isReported);
  });

  it('cuts long names, and replaces control characters', () => {
    const { cert } = makeCertificate(`a\u0007${'b'.repeat(1_000)}`, FROM, UNTIL);
    const { subject } = new CertificateMemory().toReport(new X509Certificate(cert), 0, false)!;
    expect(subject).toMatch(/^CN=a\P{Cc}+b+$/u);
    expect(subject).toHaveLength(300);
  });
});
