import { randomSecret } from '../../../http/auth/random-secret.js';

/** 62^22 is just over 2^130. The length tells a ping key from the token of a monitor. */
const LENGTH = 22;
const PREFIX_LENGTH = 5;

/** The form of a ping key, as a source for patterns. */
export const PING_KEY = `[0-9A-Za-z]{${LENGTH}}`;

/** Returns a new ping key. */
export function newPingKey(): string {
  return randomSecret(LENGTH);
}

/** Returns the characters by which people recognise a ping key. The others still have more than 100 random bits. */
export function prefixOf(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}
