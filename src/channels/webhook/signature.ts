import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const NEW_SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

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
    : 'must consist of whsec_ and the Base64 form of 24 to 64 random bytes';
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
  const signatures = secrets.map((secret) => {
    return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
