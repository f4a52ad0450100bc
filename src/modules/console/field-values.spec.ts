import { expect, it } from '@jest/globals';
import { inOrderOf, listedOr, partsOf, textOrNull, wholeOr } from './field-values.js';

it.each<[string, number | string]>([
  ['0', 0],
  ['-1', -1],
  ['007', 7],
  ['999999999999999', 999_999_999_999_999],
  // With one more digit, the number may no longer be exact.
  ['9999999999999999', '9999999999999999'],
  ['1.5', '1.5'],
  ['1e3', '1e3'],
  ['0x10', '0x10'],
  [' 1', ' 1'],
  ['-', '-'],
  ['', ''],
])('wholeOr returns for %j: %j', (text, value) => {
  expect(wholeOr(text)).toBe(value);
});

it.each<[string, string | null]>([
  ['', null],
  [' \t\r\n', null],
  [' a b ', 'a b'],
  ['0', '0'],
])('textOrNull returns for %j: %j', (typed, value) => {
  expect(textOrNull(typed)).toBe(value);
});

it.each<[string, string[]]>([
  ['', []],
  [' , ,', []],
  ['a', ['a']],
  [' a b ,, c,', ['a b', 'c']],
])('partsOf returns for %j: %j', (typed, parts) => {
  expect(partsOf(typed)).toEqual(parts);
});

it.each<[string[] | undefined, string, string[]]>([
  [undefined, 'a, b', ['a', 'b']],
  [['a, b', 'c'], 'a, b, c', ['a, b', 'c']],
  [['a, b', 'c'], 'a, b, d', ['a', 'b', 'd']],
  [[], '', []],
])('listedOr returns for stored %j and typed %j: %j', (stored, typed, listed) => {
  expect(listedOr(stored, typed)).toEqual(listed);
});

it.each<[string[] | undefined, string[], string[]]>([
  [undefined, ['b', 'a'], ['b', 'a']],
  [
    ['c', 'a', 'b'],
    ['a', 'b', 'c'],
    ['c', 'a', 'b'],
  ],
  [
    ['c', 'a'],
    ['a', 'b'],
    ['a', 'b'],
  ],
  [['c', 'a'], [], []],
])('inOrderOf returns for stored %j and chosen %j: %j', (stored, chosen, ordered) => {
  expect(inOrderOf(stored, chosen)).toEqual(ordered);
});
