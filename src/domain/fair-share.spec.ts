import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aboveFairShare, fairShare } from './fair-share.js';

describe('a fair share', () => {
  it.each([
    [[], 10, Infinity],
    [[10], 10, Infinity],
    [[11], 10, 10],
    [[1, 1_000], 10, 9],
    [[1_000, 2, 1_000], 10, 4],
    [[5, 5, 5], 10, 10 / 3],
  ])('of %j within %d is %d', (needs, total, share) => {
    expect(fairShare(needs, total)).toBe(share);
  });

  it('gives out all that is needed and there', () => {
    const needs = fc.array(fc.nat(100), { minLength: 1 });
    fc.assert(
      fc.property(needs, fc.nat(1_000), (all, total) => {
        const share = fairShare(all, total);
        const needed = all.reduce((sum, need) => sum + need, 0);
        const taken = all.reduce((sum, need) => sum + Math.min(need, share), 0);
        expect(taken).toBeCloseTo(Math.min(needed, total), 6);
      }),
    );
  });

  it('is exceeded by those that have more', () => {
    const counts = new Map([
      ['small', 1],
      ['large', 9],
      ['larger', 90],
    ]);
    expect(aboveFairShare(counts, 19)).toEqual(new Set(['larger']));
    expect(aboveFairShare(counts, 18)).toEqual(new Set(['large', 'larger']));
    expect(aboveFairShare(counts, 100)).toEqual(new Set());
  });
});
