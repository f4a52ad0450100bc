import { timingSafeEqual } from 'node:crypto';
import { type SecretBox } from '../../database/secret-box.js';
import { type Principal, type TeamId } from '../../http/auth/principal.js';
import { type ApiKey } from './api-key.entity.js';
import { previousUntil, type StoredSecret } from './api-key-rotation.js';
import { prefixOf } from './api-key-secret.js';

/** The principal that a secret authenticates, and until when (epoch milliseconds, exclusive; `Infinity`: no expiry). */
export interface Credential extends Principal {
  validUntil: number;
}

/** Returns the HMAC-SHA-256 of a secret under `SECRET_KEY`. */
export function hashSecret(box: SecretBox, secret: string): Buffer {
  return box.hmac('api-key', secret);
}

/** Returns the stored form of a well-formed secret. */
export function storedSecret(box: SecretBox, secret: string): StoredSecret {
  return { prefix: prefixOf(secret)!, secretHash: hashSecret(box, secret) };
}

/**
 * Returns the credential of the secret with this hash, according to this row. The current secret is valid until the key
 * expires, the previous one until the key expires or its overlap ends. Returns null for any other secret and for a
 * revoked key. Compares in constant time.
 */
export function credentialOf(key: ApiKey, hash: Buffer): Credential | null {
  if (key.revokedAt !== null) return null;
  const keyEnd = key.expiresAt?.getTime() ?? Infinity;
  const principal: Principal = {
    keyId: key.id,
    name: key.name,
    teamId: key.teamId as TeamId,
    scopes: key.scopes,
  };
  if (isSame(key.secretHash, hash)) return { ...principal, validUntil: keyEnd };
  return isSame(key.previousSecretHash, hash) ? { ...principal, validUntil: previousUntil(key) } : null;
}

function isSame(stored: Buffer | null, hash: Buffer): boolean {
  return stored !== null && stored.length === hash.length && timingSafeEqual(stored, hash);
}
