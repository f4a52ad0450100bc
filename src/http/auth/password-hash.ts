import { hash, verify } from '@node-rs/argon2';

/** Argon2id with OWASP's first choice for little memory: 19 MiB, two passes, some 20 ms. */
const ARGON2 = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash of no known password, which takes as long to verify as others. It is not computed, which could fail or take
 * longer than the verification that it stands in for.
 */
export const NOBODYS_HASH = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Hashes a password with a salt of its own. The result names its settings, so that later settings leave it valid. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), ARGON2);
}

/** Returns whether `password` is the one that `stored` was derived from. Rejects if `stored` is not an Argon2 hash. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return verify(stored, normalized(password));
}

/** The same letters can be typed as different code points on different devices. */
export function normalized(password: string): string {
  return password.normalize('NFC');
}
