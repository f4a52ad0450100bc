import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runHttp, testEgress } from '../../../test/support/probe-run.js';
import { rawTarget, testCertificate, textAnswer, type RawTarget } from '../../../test/support/raw-target.js';
import { httpProbe } from '../http.probe.js';
import { createAddressPolicy } from '../net/address-policy.js';
import { Egress } from '../net/egress.js';
import { DnsResolver } from '../net/name-resolver.js';
import { runProbe } from '../run-check.js';

const targets: RawTarget[] = [];

async function target(...args: Parameters<typeof rawTarget>): Promise<RawTarget> {
  const one = await rawTarget(...args);
  targets.push(one);
  return one;
}

afterEach(async () => {
  await Promise.all(targets.splice(0).map((one) => one.close()));
});

describe('TLS', () => {
  it.each([
    ['valid', true, undefined],
    ['expired', true, 'tls_expired'],
    ['self-signed', true, 'tls_untrusted'],
    ['other-name', true, 'tls_name_mismatch'],
    ['expired', false, undefined],
    ['self-signed', false, undefined],
    ['other-name', false, undefined],
  ] as const)(
    'evaluates a certificate that is %s, with verification %s, to the error %s',
    async (certificate, verifyTls, code) => {
      const { origin } = await target(textAnswer('ok'), testCertificate(certificate));
      const outcome = await runHttp({ url: origin, verifyTls });
      expect(outcome.error?.code).toBe(code);
      expect(outcome.remoteAddress).toBe('127.0.0.1');
      expect(outcome.timings.connectMs).not.toBeNull();
      expect(outcome.timings.dnsMs).not.toBeNull();
      expect(outcome.timings.tlsMs === null).toBe(code !== undefined);
    },
  );

  it('verifies an address against the addresses in the certificate', async () => {
    const { port } = await target(textAnswer('ok'), testCertificate('valid'));
    expect((await runHttp({ url: `https://127.0.0.1:${port}` })).error).toBeNull();
    expect((await runHttp({ url: `https://127.0.0.2:${port}` })).error?.code).toBe('connect_refused');
  });

  it('reports a protocol other than TLS, and a connection closed in the handshake', async () => {
    const plain = await target(textAnswer('ok'));
    expect((await runHttp({ url: plain.origin.replace('http:', 'https:') })).error?.code).toMatch(/tls_failed|timeout/);
    const old = await target(textAnswer('ok'), {
      ...testCertificate('valid'),
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    expect((await runHttp({ url: old.origin })).error?.code).toBe('tls_failed');
  });

  it('reports a server that requires a client certificate', async () => {
    const { origin } = await target(textAnswer('ok'), {
      ...testCertificate('valid'),
      requestCert: true,
      rejectUnauthorized: true,
    });
    expect((await runHttp({ url: origin })).error?.code).toMatch(/tls_failed|connection_reset/);
  });

  it('counts the days until the certificate expires', async () => {
    const { origin } = await target(textAnswer('ok'), testCertificate('valid'));
    const assertions = [
      { source: 'tlsDaysLeft' as const, comparison: 'greaterThan' as const, target: 365 },
      { source: 'tlsDaysLeft' as const, comparison: 'lessThan' as const, target: 365 },
    ];
    const outcome = await runHttp({ url: origin, assertions });
    expect(outcome.failedAssertions).toEqual([{ index: 1, actual: expect.any(Number) }]);
  });

  it.each([
    ['valid', true, null],
    ['expired', true, 'tls_expired'],
    ['self-signed', true, 'tls_untrusted'],
    ['other-name', true, 'tls_name_mismatch'],
    ['expired', false, null],
  ] as const)('passes on a certificate that is %s, with verification %s', async (certificate, verifyTls, code) => {
    const { origin } = await target(textAnswer('ok'), testCertificate(certificate));
    const seen: string[] = [];
    const onCertificate = ({ fingerprint256 }: X509Certificate) => void seen.push(fingerprint256);
    const options = { timeoutMs: 5_000, egress: testEgress(), onCertificate };
    const outcome = await runProbe(httpProbe, { url: origin, verifyTls }, options);
    expect(outcome.error?.code ?? null).toBe(code);
    expect(seen).toEqual([new X509Certificate(testCertificate(certificate).cert as Buffer).fingerprint256]);
  });

  it('trusts only its root certificates', async () => {
    const { origin } = await target(textAnswer('ok'), testCertificate('valid'));
    const egress = new Egress(createAddressPolicy(true), new DnsResolver());
    expect((await runProbe(httpProbe, { url: origin }, { timeoutMs: 5_000, egress })).error?.code).toBe(
      'tls_untrusted',
    );
  });
});
