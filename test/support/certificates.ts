import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

/** A self-signed certificate with its key, as `createServer` of `node:tls` takes them. */
export interface TestCertificate {
  cert: string;
  key: string;
  fingerprint: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const COMMON_NAME = Buffer.from('550403', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');

/** Makes a certificate of this name and validity (epoch milliseconds, to the second), which nobody trusts. */
export function makeCertificate(name: string, validFrom: number, validUntil: number): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
  const attribute = der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from(name)));
  const subject = der(SEQUENCE, der(SET, attribute));
  const serial = der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const validity = der(SEQUENCE, time(validFrom), time(validUntil));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const content = der(SEQUENCE, serial, algorithm, subject, validity, subject, spki);
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey));
  const raw = der(SEQUENCE, content, algorithm, signature);
  const cert = `-----BEGIN CERTIFICATE-----\n${raw.toString('base64')}\n-----END CERTIFICATE-----\n`;
  const fingerprint = new X509Certificate(raw).fingerprint256.replaceAll(':', '').toLowerCase();
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, fingerprint };
}

/** Encodes a value by the distinguished encoding rules (X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function time(atMs: number): Buffer {
  return der(GENERALIZED_TIME, Buffer.from(new Date(atMs).toISOString().replace(/\.\d+|[-:T]/g, '')));
}
