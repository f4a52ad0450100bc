import { expect, it } from '@jest/globals';
import { hashPassword, NOBODYS_HASH, verifyPassword } from './password-hash.js';

it('the hash of nobody has the settings and the size of others, so that it takes as long to verify', async () => {
  const settingsOf = (hash: string): string[] => hash.split('$').slice(0, 4);
  const other = await hashPassword('other');
  expect(settingsOf(NOBODYS_HASH)).toEqual(settingsOf(other));
  expect(NOBODYS_HASH).toHaveLength(other.length);
  expect(await verifyPassword(NOBODYS_HASH, '')).toBe(false);
});
