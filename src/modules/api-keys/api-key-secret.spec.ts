import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newSecret, prefixOf } from './api-key-secret.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const VALID = 'dw_4fJq0ZxTXnyR8vK2mLq7Wc1BsD5hG9tEoUiPaY3zNfVjQkAbCdE_20rkpA';

describe('prefixOf', () => {
  // The checksums were computed with another implementation of CRC-32.
  it.each([
    [VALID, 'dw_4fJq0ZxT'],
    ['dw_000000000000000000000000000000000000000000000000000_2QMBJE', 'dw_00000000'],
    ['dw_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz_3abLgw', 'dw_zzzzzzzz'],
    ['dw_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno_3hwNei', 'dw_01234567'],
    // A checksum that needs padding.
    ['dw_0000000000000000000000000000000000000000OKBUkrWZO7Z_0000B4', 'dw_00000000'],
  ])('returns for %s the prefix %s', (secret, prefix) => {
    expect(prefixOf(secret)).toBe(prefix);
  });

  it.each([
    ['', 'empty'],
    [`${VALID}\n`, 'a trailing line break'],
    [` ${VALID}`, 'a leading space'],
    [`${VALID}${VALID}`, 'twice'],
    [VALID.slice(0, -1), 'too short'],
    [`${VALID}0`, 'too long'],
    [VALID.replace('dw_', 'DW_'), 'another prefix'],
    [VALID.replace('dw_', 'ghp'), 'a foreign key'],
    [VALID.replace('_20rkpA', '-20rkpA'), 'another separator'],
    [VALID.replace('4fJq', '4fJ\0'), 'NUL'],
    [VALID.replace('4fJq', '4fJé'), 'not base62'],
    [VALID.replace('4fJq', '4fqJ'), 'two characters swapped'],
    [VALID.replace('20rkpA', '20rkpa'), 'another case in the checksum'],
    ['x'.repeat(10_000), '10 kB'],
  ])('returns null for %j: %s', (secret) => {
    expect(prefixOf(secret)).toBeNull();
  });

  it('returns null if any one character is mistyped', () => {
    const place = fc.nat(VALID.length - 1);
    const character = fc.constantFrom(...ALPHABET, '_');
    fc.assert(
      fc.property(place, character, (at, other) => {
        fc.pre(VALID[at] !== other);
        expect(prefixOf(VALID.slice(0, at) + other + VALID.slice(at + 1))).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws, whatever the input', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => prefixOf(text) === null));
  });
});

describe('newSecret', () => {
  it('returns the documented format with a valid checksum, and a new prefix each time', () => {
    const secrets = Array.from({ length: 1_000 }, newSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}$/);
      expect(prefixOf(secret)).toBe(secret.slice(0, 11));
    }
    expect(new Set(secrets.map((secret) => secret.slice(0, 11))).size).toBe(1_000);
  });

  it('uses every character equally often', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 2_000; n++) {
      for (const char of newSecret().slice(3, 54)) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    const expected = (2_000 * 51) / 62;
    const chiSquared = [...ALPHABET].reduce(
      (sum, char) => sum + ((counts.get(char) ?? 0) - expected) ** 2 / expected,
      0,
    );
    // 61 degrees of freedom: exceeds 150 by chance in less than one of ten million runs.
    expect(chiSquared).toBeLessThan(150);
  });
});
