import { describe, expect, it } from '@jest/globals';
import { cut, fitLines, oneLine, utf8Bytes } from './plain-text.js';

describe('oneLine', () => {
  it.each([
    ['a\r\nb\tc', 'a b c'],
    ['\u202ecba\u202c x\u200f', 'cba x'],
    ['lone \ud83d surrogate', 'lone \ufffd surrogate'],
    ['family 👩‍👩‍👧', 'family 👩‍👩‍👧'],
    ['\u0000\u001b[31m', '[31m'],
  ])('turns %j into %j', (text, expected) => expect(oneLine(text)).toBe(expected));
});

describe('cut', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['ab cdef', 4, 'ab…'],
    ['😀😀😀', 6, '😀😀😀'],
    ['😀😀😀', 5, '😀😀…'],
    ['😀😀😀', 4, '😀…'],
  ])('cuts %j to %i units: %j', (text, max, expected) => expect(cut(text, max)).toBe(expected));

  it.each([
    ['üüü', 6, 'üüü'],
    ['üüü', 5, 'ü…'],
    ['😀😀', 7, '😀…'],
  ])('cuts %j to %i bytes: %j', (text, max, expected) => {
    expect(cut(text, max, utf8Bytes)).toBe(expected);
    expect(Buffer.byteLength(cut(text, max, utf8Bytes))).toBeLessThanOrEqual(max);
  });
});

describe('fitLines', () => {
  it.each([
    [['abc', 'def'], 7, 'abc\ndef'],
    [['abc', 'def'], 6, 'abc\n…'],
    [['abc', 'def', 'g'], 7, 'abc\n…'],
    [['abcdefgh'], 5, '…'],
    [[], 5, ''],
  ])('fits %j into %i: %j', (lines, max, expected) => expect(fitLines(lines, max)).toBe(expected));
});
