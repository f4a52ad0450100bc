import { timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { type SecretBox } from '../../database/secret-box.js';

const PURPOSE = 'acknowledgement';
const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;

/** Returns the token of the link in a message: the id of its notification, signed. 43 characters. */
export function acknowledgementToken(box: SecretBox, notificationId: string): string {
  return Buffer.concat([parse(notificationId), signatureOf(box, notificationId)]).toString('base64url');
}

/** Returns the id of the notification that a token names; null if this service did not sign it. */
export function notificationOfToken(box: SecretBox, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + SIGNATURE_BYTES) return null;
  const id = stringifyOrNull(bytes.subarray(0, ID_BYTES));
  // Compared as a whole, because several texts decode to the same bytes.
  return id !== null && isSame(acknowledgementToken(box, id), token) ? id : null;
}

function signatureOf(box: SecretBox, notificationId: string): Buffer {
  return box.hmac(PURPOSE, notificationId).subarray(0, SIGNATURE_BYTES);
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
