import { timingSafeEqual } from 'node:crypto';
import { type SecretBox } from '../../database/secret-box.js';
import { type Principal, type TeamId } from '../../http/principal.js';
import { type ApiKey } from './api-key.entity.js';

/** What a secret proves, and until when (epoch milliseconds, exclusive; `Infinity`: never ends by itself). */
export interface Credential extends Principal {
  validUntil: number;
}

/** What is stored of a secret: HMAC-SHA-256 under `SECRET_KEY`. */
export function hashSecret(box: SecretBox, secret: string): Buffer {
  return box.hmac('api-key', secret);
}

/**
 * What the secret with this hash proves by this row: the key's secret until the key expires, the one before the last
 * rotation until its overlap ends too. Null for any other secret and for a revoked key. Compares in constant time.
 */
export function credentialOf(key: ApiKey, hash: Buffer): Credential | null {
  if (key.revokedAt !== null) return null;
  const keyEnd = key.expiresAt?.getTime() ?? Infinity;
  const principal: Principal = { keyId: key.id, teamId: key.teamId as TeamId, scopes: key.scopes };
  if (isSame(key.secretHash, hash)) return { ...principal, validUntil: keyEnd };
  if (!isSame(key.previousSecretHash, hash)) return null;
  const overlapEnd = key.previousExpiresAt?.getTime() ?? 0;
  return { ...principal, validUntil: Math.min(keyEnd, overlapEnd) };
}

function isSame(stored: Buffer | null, hash: Buffer): boolean {
  return stored !== null && stored.length === hash.length && timingSafeEqual(stored, hash);
}
