import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^22 is just over 2^130. The length tells a ping key from the token of a monitor. */
const LENGTH = 22;
const PREFIX_LENGTH = 5;

/** The form of a ping key, as a source for patterns. */
export const PING_KEY = `[0-9A-Za-z]{${LENGTH}}`;

/** Returns a new ping key. Each character is uniform, from the operating system's generator. */
export function newPingKey(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Returns the characters by which people recognise a ping key. The others still have more than 100 random bits. */
export function prefixOf(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}
