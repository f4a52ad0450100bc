import { describe, expect, it } from '@jest/globals';
import { type IncomingHttpHeaders } from 'node:http';
import { isSameOrigin } from './same-origin.js';

const OWN = ['http://10.0.0.1:3000', 'https://watch.example.com'];

describe('isSameOrigin', () => {
  it.each<[IncomingHttpHeaders, boolean]>([
    [{}, false],
    [{ origin: 'http://10.0.0.1:3000' }, true],
    [{ origin: 'https://watch.example.com' }, true],
    [{ origin: 'http://watch.example.com' }, false],
    [{ origin: 'https://watch.example.com.evil.test' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ referer: 'https://watch.example.com/' }, false],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://watch.example.com' }, false],
    [{ 'sec-fetch-site': '' }, false],
  ])('judges %j: %s', (headers, expected) => {
    expect(isSameOrigin(headers, OWN)).toBe(expected);
  });
});
