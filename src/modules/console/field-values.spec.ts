import { expect, it } from '@jest/globals';
import { partsOf, textOrNull, wholeOr } from './field-values.js';

it.each<[string, number | string]>([
  ['0', 0],
  ['-1', -1],
  ['007', 7],
  ['999999999999999', 999_999_999_999_999],
  // One more digit may be no exact number any more.
  ['9999999999999999', '9999999999999999'],
  ['1.5', '1.5'],
  ['1e3', '1e3'],
  ['0x10', '0x10'],
  [' 1', ' 1'],
  ['-', '-'],
  ['', ''],
])('%j as a whole number is %j', (text, value) => {
  expect(wholeOr(text)).toBe(value);
});

it.each<[string, string | null]>([
  ['', null],
  [' \t\r\n', null],
  [' a b ', 'a b'],
  ['0', '0'],
])('%j as a text is %j', (typed, value) => {
  expect(textOrNull(typed)).toBe(value);
});

it.each<[string, string[]]>([
  ['', []],
  [' , ,', []],
  ['a', ['a']],
  [' a b ,, c,', ['a b', 'c']],
])('%j is the parts %j', (typed, parts) => {
  expect(partsOf(typed)).toEqual(parts);
});
