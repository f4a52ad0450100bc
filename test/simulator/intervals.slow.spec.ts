import { describe, expect, it } from '@jest/globals';
import { atLeast, intersect, type Interval, subtract, touches, union } from './intervals.js';

const set = (...pairs: [number, number][]): Interval[] => pairs.map(([from, to]) => ({ from, to }));

describe('sets of moments', () => {
  it.each<[string, Interval[], Interval[]]>([
    ['nothing', union(), []],
    ['overlapping, nested and unordered', union(set([5, 9], [1, 6], [2, 3])), set([1, 9])],
    ['adjacent ones are one', union(set([1, 2]), set([2, 3])), set([1, 3])],
    ['empty ones are none', union(set([1, 1], [3, 2])), []],
    ['what both have', intersect(set([0, 4], [6, 9]), set([3, 7])), set([3, 4], [6, 7])],
    ['a set that overlaps itself counts once', atLeast(2, [set([0, 4], [2, 6]), set([5, 9])]), set([5, 6])],
    ['two of three', atLeast(2, [set([0, 4]), set([2, 6]), set([5, 9])]), set([2, 4], [5, 6])],
    ['all of three', atLeast(3, [set([0, 4]), set([2, 6]), set([3, 9])]), set([3, 4])],
    ['a hole', subtract(set([0, 9]), set([2, 3], [5, 6])), set([0, 2], [3, 5], [6, 9])],
    ['a hole beyond both ends', subtract(set([2, 3]), set([0, 9])), []],
    ['no hole', subtract(set([2, 3]), []), set([2, 3])],
    ['a hole without an end', subtract(set([2, 9]), set([5, Infinity])), set([2, 5])],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  it.each<[number, number, boolean]>([
    [0, 2, false],
    [0, 3, true],
    [4, 4, true],
    [5, 6, true],
    [6, 7, false],
  ])('from %d to %d touches 3 to 5: %s', (from, to, expected) => {
    expect(touches({ from, to }, { from: 3, to: 5 })).toBe(expected);
  });
});
