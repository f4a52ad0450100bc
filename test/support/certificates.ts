import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { BIT_STRING, GENERALIZED_TIME, INTEGER, OBJECT_ID, SEQUENCE } from '../../src/probes/net/der.js';

/** A self-signed certificate with its key, as `createServer` of `node:tls` takes them. */
export interface TestCertificate {
  cert: string;
  key: string;
  fingerprint: string;
}

const SET = 0x31;
const UTF8_STRING = 0x0c;
const COMMON_NAME = Buffer.from('550403', 'hex');

/** Makes a certificate of this name and validity (epoch milliseconds, to the second), which nobody trusts. */
export function makeCertificate(name: string, validFrom: number, validUntil: number): TestCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { cert, fingerprint } = certified({ name, keys, issuer: { name, ...keys }, validFrom, validUntil });
  return { cert, key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, fingerprint };
}

export interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export interface CertificateRequest {
  name: string;
  keys: KeyPair;
  /** Its keys must be on the curve P-256. */
  issuer: KeyPair & { name: string };
  validFrom: number;
  validUntil: number;
  /** In DER. */
  extensions?: readonly Buffer[];
}

/** Makes a certificate that an issuer has signed. */
export function certified(request: CertificateRequest): { cert: string; fingerprint: string; x509: X509Certificate } {
  const { name, keys, issuer, validFrom, validUntil, extensions = [] } = request;
  const serial = der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const validity = der(SEQUENCE, time(validFrom), time(validUntil));
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const names = [nameOf(issuer.name), validity, nameOf(name)];
  const content = [serial, ECDSA_WITH_SHA256, ...names, spki];
  // Only the third version of certificates has extensions.
  if (extensions.length > 0) {
    content.unshift(der(0xa0, der(INTEGER, Buffer.from([2]))));
    content.push(der(0xa3, der(SEQUENCE, ...extensions)));
  }
  const raw = signed(der(SEQUENCE, ...content), issuer.privateKey);
  const x509 = new X509Certificate(raw);
  const cert = `-----BEGIN CERTIFICATE-----\n${raw.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { cert, fingerprint: x509.fingerprint256.replaceAll(':', '').toLowerCase(), x509 };
}

/** Returns signed content with its signature, and with what else belongs to it. */
export function signed(content: Buffer, key: KeyObject, ...more: Buffer[]): Buffer {
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', content, key));
  return der(SEQUENCE, content, ECDSA_WITH_SHA256, signature, ...more);
}

function nameOf(name: string): Buffer {
  const attribute = der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from(name)));
  return der(SEQUENCE, der(SET, attribute));
}

/** Encodes a value by the distinguished encoding rules (X.690). */
export function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export function time(atMs: number): Buffer {
  return der(GENERALIZED_TIME, Buffer.from(new Date(atMs).toISOString().replace(/\.\d+|[-:T]/g, '')));
}

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')));
