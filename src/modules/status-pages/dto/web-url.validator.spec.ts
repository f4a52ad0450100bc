import { describe, expect, it } from '@jest/globals';
import { isWebUrl } from './web-url.validator.js';

describe('isWebUrl', () => {
  it.each(['https://example.com/', 'http://192.0.2.1:8080/a?b#c', 'https://bücher.example/ü'])('accepts %j', (value) =>
    expect(isWebUrl(value)).toBe(true),
  );

  it.each([
    'ftp://example.com/',
    'example.com',
    'https://',
    'https://user@example.com/',
    'https://[2001:db8::1]/',
    'https://example.com\\@evil.example/',
    'https://example.com/a b',
    5,
    null,
  ])('rejects %j', (value) => expect(isWebUrl(value)).toBe(false));

  it('accepts the ten-thousandth URL like the first', () => {
    const accepted = new Set<boolean>();
    for (let i = 0; i < 10_000; i += 1) accepted.add(isWebUrl('https://bücher.example/'));
    expect([...accepted]).toEqual([true]);
  });
});
