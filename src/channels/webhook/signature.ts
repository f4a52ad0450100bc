import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const NEW_SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
/** How far the clocks of sender and receiver may differ, and how long a captured request can be repeated. */
const TOLERANCE_MS = 5 * 60_000;

/** Returns a new secret for signatures. */
export function newSecret(): string {
  return PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64');
}

/** Returns what is wrong with a secret for signatures, or `null`. Values of other types pass. */
export function secretProblem(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const bytes = keyOf(value);
  const isExact = value === PREFIX + bytes.toString('base64');
  return isExact && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES
    ? null
    : 'must be whsec_ followed by 24 to 64 random bytes in Base64';
}

/**
 * Returns the headers that sign a body with each of the secrets.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signatures = secrets.map((secret) => `v1,${macOf(secret, id, timestamp, body).toString('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** The headers of a signed request; undefined if they are missing. */
export interface SignatureHeaders {
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
}

/**
 * Returns whether one of the signatures in the headers is that of the body, made at most five minutes ago. There are
 * several while the sender replaces its secret.
 */
export function isSigned(
  secret: string,
  body: Buffer,
  { id = '', timestamp = '', signature = '' }: SignatureHeaders,
  nowMs: number,
): boolean {
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS) return false;
  const expected = macOf(secret, id, timestamp, body);
  return signature.split(' ').some((one) => {
    const [version, base64 = ''] = one.split(',');
    const given = Buffer.from(base64, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function macOf(secret: string, id: string, timestamp: string, body: string | Buffer): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest();
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
