import { type X509Certificate } from 'node:crypto';
import { ENUMERATED, INTEGER, numbered, OBJECT_ID, OCTET_STRING, SEQUENCE } from '../../src/probes/net/der.js';
import { der, type KeyPair, signed, time } from './certificates.js';

const BASIC_RESPONSE = Buffer.from('2b0601050507300101', 'hex');
const SHA1 = Buffer.from('2b0e03021a', 'hex');

export interface OcspOptions {
  status?: 'good' | 'revoked' | 'unknown';
  /** Epoch milliseconds. */
  thisUpdate: number;
  nextUpdate?: number;
  /** The certificate of the responder, if that is not the issuer. */
  responder?: X509Certificate;
}

/** Makes a response about the revocation of a certificate (RFC 6960), signed with this key on the curve P-256. */
export function ocspResponse(
  about: X509Certificate,
  { privateKey }: Pick<KeyPair, 'privateKey'>,
  options: OcspOptions,
): Buffer {
  const { status = 'good', thisUpdate, nextUpdate, responder } = options;
  const hash = der(OCTET_STRING, Buffer.alloc(20));
  const serial = der(INTEGER, Buffer.from(about.serialNumber, 'hex'));
  const id = der(SEQUENCE, der(SEQUENCE, der(OBJECT_ID, SHA1)), hash, hash, serial);
  const statuses = {
    good: der(numbered(0, false)),
    revoked: der(numbered(1), time(thisUpdate)),
    unknown: der(numbered(2, false)),
  };
  const until = nextUpdate === undefined ? [] : [der(numbered(0), time(nextUpdate))];
  const single = der(SEQUENCE, id, statuses[status], time(thisUpdate), ...until);
  const responderId = der(numbered(2), hash);
  const content = der(SEQUENCE, responderId, time(thisUpdate), der(SEQUENCE, single));
  const chain = responder ? [der(numbered(0), der(SEQUENCE, responder.raw))] : [];
  const basic = signed(content, privateKey, ...chain);
  const typed = der(SEQUENCE, der(OBJECT_ID, BASIC_RESPONSE), der(OCTET_STRING, basic));
  return der(SEQUENCE, der(ENUMERATED, Buffer.from([0])), der(numbered(0), typed));
}

/** A response of a responder that could not answer: "try later". */
export const TRY_LATER = der(SEQUENCE, der(ENUMERATED, Buffer.from([3])));
