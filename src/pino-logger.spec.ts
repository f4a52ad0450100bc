import { describe, expect, it } from '@jest/globals';
import { redact } from './pino-logger.js';

const KEY = 'dw_01234567abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ_abc123';

describe('redact', () => {
  it.each([
    ['a key', `using ${KEY} now`, 'using dw_01234567… now'],
    ['a mistyped key', `GET /v1/monitors/key:${KEY.slice(0, 30)} 404`, 'GET /v1/monitors/key:dw_01234567… 404'],
    ['two keys', `${KEY},${KEY}`, 'dw_01234567…,dw_01234567…'],
    ['an escaped key', `key:dw%5F${KEY.slice(3)}`, 'key:dw%5F012345…'],
    ['a prefix', 'dw_01234567 was revoked', 'dw_01234567 was revoked'],
    ['text that only resembles a key', 'raw_data and daywatch', 'raw_data and daywatch'],
  ])('logs at most the public prefix of %s', (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});
