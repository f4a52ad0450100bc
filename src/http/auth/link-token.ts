import { createHash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits for links and cookies; of 43 characters that an address takes as they are. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token: with so much randomness a fast hash is enough. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
