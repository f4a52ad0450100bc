import { crc32 } from 'node:zlib';
import { BASE62, randomSecret } from '../../http/auth/random-secret.js';

const FORM = /^dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}$/;
/** Number of random characters: 8 in the public prefix, and 43 that are secret (62^43 is just over 2^256). */
const RANDOM_LENGTH = 51;
const PREFIX_LENGTH = 'dw_'.length + 8;
const BODY_LENGTH = 'dw_'.length + RANDOM_LENGTH;
const CHECKSUM_LENGTH = 6;

/** Returns a new API key secret. */
export function newSecret(): string {
  const body = `dw_${randomSecret(RANDOM_LENGTH)}`;
  return `${body}_${checksum(body)}`;
}

/**
 * Returns the public prefix of a secret: `dw_` and 8 characters. Returns null if the format or the checksum is wrong,
 * so that a mistyped or foreign key is refused without a database query.
 */
export function prefixOf(secret: string): string | null {
  if (!FORM.test(secret)) return null;
  const given = secret.slice(-CHECKSUM_LENGTH);
  return given === checksum(secret.slice(0, BODY_LENGTH)) ? secret.slice(0, PREFIX_LENGTH) : null;
}

/** Returns the CRC-32 (IEEE) in base62, most significant digit first, left-padded with 0. */
function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / BASE62.length)) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
  }
  return digits.padStart(CHECKSUM_LENGTH, '0');
}
