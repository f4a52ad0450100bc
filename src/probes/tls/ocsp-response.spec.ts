import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { certified, type CertificateRequest, der } from '../../../test/support/certificates.js';
import { ocspResponse, type OcspOptions, TRY_LATER } from '../../../test/support/ocsp-responses.js';
import { HOUR_MS } from '../../domain/durations.js';
import { OBJECT_ID, OCTET_STRING, SEQUENCE } from '../net/der.js';
import { ocspFault } from './ocsp-response.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const validity = { validFrom: NOW - HOUR_MS, validUntil: NOW + 1_000 * HOUR_MS };
const keys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const authority = { name: 'Authority', ...keys() };
const issuer = certified({ name: 'Authority', keys: authority, issuer: authority, ...validity }).x509;
const issued = (more: Partial<CertificateRequest> = {}) =>
  certified({ name: 'shop.example', keys: keys(), issuer: authority, ...validity, ...more }).x509;
const certificate = issued();
const current = { thisUpdate: NOW - HOUR_MS, nextUpdate: NOW + HOUR_MS };

/** Extended key usage: signing of OCSP responses. */
const SIGNS_RESPONSES = der(
  SEQUENCE,
  der(OBJECT_ID, Buffer.from('551d25', 'hex')),
  der(OCTET_STRING, der(SEQUENCE, der(OBJECT_ID, Buffer.from('2b06010505070309', 'hex')))),
);

describe('ocspFault', () => {
  it.each<[string, OcspOptions, string | null]>([
    ['a good certificate', current, null],
    ['a good certificate, without an end', { thisUpdate: NOW - HOUR_MS }, null],
    ['a responder whose clock is ahead a little', { thisUpdate: NOW + 60_000 }, null],
    ['a revoked certificate', { ...current, status: 'revoked' }, 'revoked'],
    ['an unknown certificate', { ...current, status: 'unknown' }, 'unknown'],
    ['the past', { thisUpdate: NOW - 2 * HOUR_MS, nextUpdate: NOW - HOUR_MS }, 'not_current'],
    ['the future', { thisUpdate: NOW + HOUR_MS }, 'not_current'],
  ])('of a response about %s', (_, options, fault) => {
    expect(ocspFault(ocspResponse(certificate, authority, options), certificate, issuer, NOW)).toBe(fault);
  });

  it('is not_about_this for another certificate', () => {
    expect(ocspFault(ocspResponse(issued(), authority, current), certificate, issuer, NOW)).toBe('not_about_this');
  });

  it('accepts a responder to which the issuer has delegated it, and no other', () => {
    const responderKeys = keys();
    const other = { name: 'Authority', ...keys() };
    const respond = (more: Partial<CertificateRequest>) => {
      const responder = issued({ name: 'Responder', keys: responderKeys, ...more });
      const response = ocspResponse(certificate, responderKeys, { ...current, responder });
      return ocspFault(response, certificate, issuer, NOW);
    };
    expect(respond({ extensions: [SIGNS_RESPONSES] })).toBeNull();
    expect(respond({})).toBe('not_signed_by_issuer');
    expect(respond({ extensions: [SIGNS_RESPONSES], issuer: other })).toBe('not_signed_by_issuer');
  });

  it('is not_signed_by_issuer for a response of somebody else, or one that was changed', () => {
    expect(ocspFault(ocspResponse(certificate, keys(), current), certificate, issuer, NOW)).toBe(
      'not_signed_by_issuer',
    );
    const revoked = ocspResponse(certificate, authority, { ...current, status: 'unknown' });
    // The tag of the status is changed from "unknown" to "good".
    const at = revoked.indexOf(Buffer.from([0x82, 0x00]));
    revoked[at] = 0x80;
    expect(ocspFault(revoked, certificate, issuer, NOW)).toBe('not_signed_by_issuer');
  });

  it('is refused if the responder could not answer', () => {
    expect(ocspFault(TRY_LATER, certificate, issuer, NOW)).toBe('refused');
  });

  it('is never an error, whichever byte is missing or changed', () => {
    const response = ocspResponse(certificate, authority, current);
    for (let at = 0; at < response.length; at += 1) {
      expect(ocspFault(response.subarray(0, at), certificate, issuer, NOW)).toBe('malformed');
      const changed = Buffer.from(response);
      changed[at]! ^= 0x11;
      expect(ocspFault(changed, certificate, issuer, NOW)).not.toBeNull();
    }
  });
});
