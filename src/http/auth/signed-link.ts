import { timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { type SecretBox } from '../../database/secret-box.js';

const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;

/**
 * Returns the token of a link that gives access to one row: its id, signed under `SECRET_KEY`. 43 characters. Nothing is
 * stored for it, so a copy of the database contains no links. It is valid as long as the row exists.
 *
 * @param purpose what the link is for; a token of one purpose is invalid for every other
 */
export function signedToken(box: SecretBox, purpose: string, id: string): string {
  const signature = box.hmac(purpose, id).subarray(0, SIGNATURE_BYTES);
  return Buffer.concat([parse(id), signature]).toString('base64url');
}

/** Returns the id that a token of this purpose names; null if this service did not sign it. */
export function idOfToken(box: SecretBox, purpose: string, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + SIGNATURE_BYTES) return null;
  const id = stringifyOrNull(bytes.subarray(0, ID_BYTES));
  // Compared as a whole, because several texts decode to the same bytes.
  return id !== null && isSame(signedToken(box, purpose, id), token) ? id : null;
}

function stringifyOrNull(bytes: Buffer): string | null {
  try {
    return stringify(bytes);
  } catch {
    return null;
  }
}

function isSame(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}
