import { hash, verify } from '@node-rs/argon2';

/** Argon2id with OWASP's first choice for little memory: 19 MiB, two passes, some 20 ms. */
const ARGON2 = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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
