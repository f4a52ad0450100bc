import { describe, expect, it } from '@jest/globals';
import { scryptSync } from 'node:crypto';
import { hashPassword } from '../../http/auth/password-hash.js';
import { basicPassword, verifyPagePassword } from './page-password.js';

/** Returns a hash in the format of earlier versions. */
function scryptHash(password: string): string {
  const salt = Buffer.alloc(16, 1);
  const hash = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 });
  return ['scrypt', 15, 8, 3, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

describe('page passwords', () => {
  it('are hashed with a salt', async () => {
    const [one, two] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(two).not.toBe(one);
  });

  it.each([
    ['Argon2id', hashPassword('pässword')],
    ['scrypt, the format of earlier versions', Promise.resolve(scryptHash('pässword'))],
  ])('are verified against a hash of %s', async (_, hashing) => {
    const stored = await hashing;
    expect(await verifyPagePassword(stored, 'pässword')).toBe(true);
    expect(await verifyPagePassword(stored, 'pa\u0308ssword')).toBe(true);
    expect(await verifyPagePassword(stored, 'passwort')).toBe(false);
    expect(await verifyPagePassword(stored, '')).toBe(false);
  });

  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['', null],
    ['Bearer abc', null],
    ['Basic', null],
    ['Basic ???', null],
    [basic('no colon'), null],
    [basic('user:'), ''],
    [basic(':secret'), 'secret'],
    [basic('user:se:cret'), 'se:cret'],
    [basic('user:pässword'), 'pässword'],
    [basic('user:line\nbreak'), 'line\nbreak'],
    [basic('user:secret').replace('Basic', 'bAsIc'), 'secret'],
    [basic(`user:${'x'.repeat(200)}`), 'x'.repeat(200)],
    [basic(`user:${'x'.repeat(201)}`), null],
  ])('are read from the header %j', (header, password) => {
    expect(basicPassword(header)).toBe(password);
  });
});
