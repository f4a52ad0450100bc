import { describe, expect, it } from '@jest/globals';
import { atLeast, intersect, type Interval, subtract, touches, union } from './intervals.js';

const set = (...pairs: [number, number][]): Interval[] => pairs.map(([from, to]) => ({ from, to }));

describe('interval sets', () => {
  it.each<[string, Interval[], Interval[]]>([
    ['the union of nothing', union(), []],
    ['the union of overlapping, nested and unordered intervals', union(set([5, 9], [1, 6], [2, 3])), set([1, 9])],
    ['the union of adjacent intervals', union(set([1, 2]), set([2, 3])), set([1, 3])],
    ['the union of empty intervals', union(set([1, 1], [3, 2])), []],
    ['the intersection of two sets', intersect(set([0, 4], [6, 9]), set([3, 7])), set([3, 4], [6, 7])],
    ['a set that overlaps itself, counted once', atLeast(2, [set([0, 4], [2, 6]), set([5, 9])]), set([5, 6])],
    ['the moments in two of three sets', atLeast(2, [set([0, 4]), set([2, 6]), set([5, 9])]), set([2, 4], [5, 6])],
    ['the moments in all of three sets', atLeast(3, [set([0, 4]), set([2, 6]), set([3, 9])]), set([3, 4])],
    ['an interval minus two holes', subtract(set([0, 9]), set([2, 3], [5, 6])), set([0, 2], [3, 5], [6, 9])],
    ['an interval minus a larger hole', subtract(set([2, 3]), set([0, 9])), []],
    ['an interval minus nothing', subtract(set([2, 3]), []), set([2, 3])],
    ['an interval minus a hole without an end', subtract(set([2, 9]), set([5, Infinity])), set([2, 5])],
  ])('compute %s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  it.each<[number, number, boolean]>([
    [0, 2, false],
    [0, 3, true],
    [4, 4, true],
    [5, 6, true],
    [6, 7, false],
  ])('determine that [%d, %d) touches [3, 5): %s', (from, to, expected) => {
    expect(touches({ from, to }, { from: 3, to: 5 })).toBe(expected);
  });
});
