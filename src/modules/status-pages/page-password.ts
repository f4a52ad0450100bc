import { maxLength } from 'class-validator';
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';

export const MAX_PASSWORD_LENGTH = 200;

/** 2^15 blocks of 8, three passes: 32 MiB and some 250 ms a guess. One of OWASP's equivalent minimum settings. */
const COST = { log2N: 15, r: 8, p: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/** `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, both in base64url: later settings leave older hashes valid. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return ['scrypt', COST.log2N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether `password` is the one that `stored` was made from. Takes the same time wherever they differ. */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  const [scheme, log2N, r, p, salt = '', hash = ''] = stored.split('$');
  if (scheme !== 'scrypt') throw new Error('The stored password hash is of an unknown scheme');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(actual, Buffer.from(hash, 'base64url'));
}

/** The password of an `Authorization: Basic` header, whatever the user name; null for anything else. */
export function basicPassword(authorization: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const [, password] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  return password === undefined || !maxLength(password, MAX_PASSWORD_LENGTH) ? null : password;
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** cost.log2N, r: cost.r, p: cost.p, maxmem: MAX_MEMORY_BYTES };
  // The same letters can be typed as different code points on different devices.
  const normal = password.normalize('NFC');
  return new Promise((resolve, reject) => {
    scrypt(normal, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
