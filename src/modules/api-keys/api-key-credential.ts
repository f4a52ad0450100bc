import { timingSafeEqual } from 'node:crypto';
import { type SecretBox } from '../../database/secret-box.js';
import { type Person, type Principal, type TeamId } from '../../http/auth/principal.js';
import { type ApiKey } from './api-key.entity.js';
import { previousUntil, type StoredSecret } from './api-key-rotation.js';
import { prefixOf } from './api-key-secret.js';

/** The principal of a request, as the verifier of this module gives it. */
export interface Caller extends Principal {
  /** Public prefix of the secret that was sent: of a rotated key there are two. */
  prefix: string;
}

/** Who may write keys: another key, or a person. */
export type KeyWriter = Caller | Person;

/** What a secret proves, and until when (epoch milliseconds, exclusive; `Infinity`: never ends by itself). */
export interface Credential extends Principal {
  validUntil: number;
}

/** HMAC-SHA-256 of a secret under `SECRET_KEY`. */
export function hashSecret(box: SecretBox, secret: string): Buffer {
  return box.hmac('api-key', secret);
}

/** What is stored of a well-formed secret. */
export function storedSecret(box: SecretBox, secret: string): StoredSecret {
  return { prefix: prefixOf(secret)!, secretHash: hashSecret(box, secret) };
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
  return isSame(key.previousSecretHash, hash) ? { ...principal, validUntil: previousUntil(key) } : null;
}

function isSame(stored: Buffer | null, hash: Buffer): boolean {
  return stored !== null && stored.length === hash.length && timingSafeEqual(stored, hash);
}
