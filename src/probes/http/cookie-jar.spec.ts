import { describe, expect, it } from '@jest/globals';
import { CookieJar } from './cookie-jar.js';

const FROM = 'https://shop.example.com/account/login';

function sentTo(to: string, ...headers: string[]): string | null {
  const jar = new CookieJar();
  jar.take(new URL(FROM), headers);
  return jar.headerFor(new URL(to));
}

describe('CookieJar', () => {
  it.each<[string[], string, string | null]>([
    [['a=1'], 'https://shop.example.com/account/', 'a=1'],
    [['a=1'], 'https://shop.example.com/account/orders', 'a=1'],
    [['a=1'], 'https://shop.example.com/', null],
    [['a=1; Path=/'], 'https://shop.example.com/x', 'a=1'],
    [['a=1; Path=/acc'], 'https://shop.example.com/account', null],
    [['a=1; path=/; HttpOnly; SameSite=Lax', 'b="2"; Path=/'], 'https://shop.example.com/', 'a=1; b="2"'],
    [['a=1; Path=/', 'a=2; Path=/'], 'https://shop.example.com/', 'a=2'],
    [['a=; Path=/'], 'https://shop.example.com/', 'a='],
    [['a=1; Path=/'], 'https://example.com/', null],
    [['a=1; Path=/'], 'https://a.shop.example.com/', null],
    [['a=1; Path=/; Domain=example.com'], 'https://example.com/', 'a=1'],
    [['a=1; Path=/; Domain=.example.com'], 'https://other.example.com/', 'a=1'],
    [['a=1; Path=/; Domain=example.com'], 'https://notexample.com/', null],
    [['a=1; Path=/; Domain=com'], 'https://example.com/', null],
    [['a=1; Path=/; Domain=other.com'], 'https://other.com/', null],
    [['a=1; Path=/; Secure'], 'http://shop.example.com/', null],
    [['a=1; Path=/; Secure'], 'https://shop.example.com/', 'a=1'],
    [['a=1; Path=/; Max-Age=0'], 'https://shop.example.com/', null],
    [['a=1; Path=/', 'a=x; Path=/; Max-Age=0'], 'https://shop.example.com/', null],
    [['a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'https://shop.example.com/', null],
    [['a=1; Path=/; Expires=Fri, 31 Dec 2100 00:00:00 GMT'], 'https://shop.example.com/', 'a=1'],
    [['=1; Path=/', 'nothing', 'a b=1; Path=/', 'a=1\r\nX: y; Path=/'], 'https://shop.example.com/', 'a=1'],
    [[`a=${'x'.repeat(5_000)}; Path=/`], 'https://shop.example.com/', null],
  ])('for %j, sends to %s: %s', (headers, to, expected) => expect(sentTo(to, ...headers)).toBe(expected));

  it('keeps a limited number of cookies', () => {
    const header = sentTo(FROM, ...Array.from({ length: 200 }, (_, index) => `c${index}=1; Path=/`));
    expect(header!.split('; ')).toHaveLength(50);
  });
});
