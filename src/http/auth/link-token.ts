import { createHash, randomBytes } from 'node:crypto';

/** Returns a secret of 256 random bits for links and cookies: 43 characters that need no escaping in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the hash to store for a token. With this much randomness, a fast hash is sufficient. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
