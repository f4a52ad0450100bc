import { describe, expect, it } from '@jest/globals';
import { cookieOf, setCookie } from './cookies.js';

describe('cookieOf', () => {
  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['', null],
    ['a', null],
    ['a=1', '1'],
    ['b=2; a=1', '1'],
    ['aa=2;a=1=2', '1=2'],
    ['xa=2', null],
    ['a=; a=2', ''],
    [' a = 1 ', '1'],
  ])('finds the cookie in %j', (header, value) => {
    expect(cookieOf(header, 'a')).toBe(value);
  });
});

describe('setCookie', () => {
  it.each<[Parameters<typeof setCookie>[2], string]>([
    [{ httpOnly: false, secure: false }, 'a=1; Path=/; SameSite=Lax'],
    [{ httpOnly: true, secure: true, maxAgeSeconds: 0 }, 'a=1; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax'],
  ])('applies the options %j', (options, line) => {
    expect(setCookie('a', '1', options)).toBe(line);
  });
});
