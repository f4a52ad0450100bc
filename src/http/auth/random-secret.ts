import { randomInt } from 'node:crypto';

/** The digits of base62, the lowest first. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns this many random letters and digits. Each is uniform, from the operating system's generator. */
export function randomSecret(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}
