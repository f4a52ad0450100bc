import { maxLength } from 'class-validator';
import { scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { normalized, verifyPassword } from '../../http/auth/password-hash.js';

export const MAX_PASSWORD_LENGTH = 200;

const HASH_BYTES = 32;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * Returns whether `password` is the one that `stored` was derived from. Also accepts `scrypt$<log2
 * N>$<r>$<p>$<salt>$<hash>`, the format of earlier versions. The comparison takes constant time.
 */
export async function verifyPagePassword(stored: string, password: string): Promise<boolean> {
  if (!stored.startsWith('scrypt$')) return verifyPassword(stored, password);
  const [, log2N, r, p, salt = '', hash = ''] = stored.split('$');
  const cost = { N: 2 ** Number(log2N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(actual, Buffer.from(hash, 'base64url'));
}

/** Returns the password of an `Authorization: Basic` header, whatever the user name; null for anything else. */
export function basicPassword(authorization: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const [, password] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  return password === undefined || !maxLength(password, MAX_PASSWORD_LENGTH) ? null : password;
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: MAX_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    scrypt(normalized(password), salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
