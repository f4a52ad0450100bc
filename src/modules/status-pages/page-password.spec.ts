import { describe, expect, it } from '@jest/globals';
import { basicPassword, hashPassword, verifyPassword } from './page-password.js';

describe('page passwords', () => {
  it('are verified against a salted hash', async () => {
    const [one, two] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')]);
    expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(two).not.toBe(one);
    expect(await verifyPassword(one, 'pässword')).toBe(true);
    expect(await verifyPassword(one, 'pa\u0308ssword')).toBe(true);
    expect(await verifyPassword(one, 'passwort')).toBe(false);
    expect(await verifyPassword(one, '')).toBe(false);
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
  ])('reads %j', (header, password) => {
    expect(basicPassword(header)).toBe(password);
  });
});
