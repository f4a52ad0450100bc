import { describe, expect, it } from '@jest/globals';
import { BriefCache } from './brief-cache.js';

describe('BriefCache', () => {
  it.each([
    [0, 'value'],
    [999, 'value'],
    [1_000, undefined],
    [-1, undefined],
  ])('after %i ms returns %s', (ageMs, expected) => {
    const cache = new BriefCache<string>(1_000, 10);
    cache.set('key', 'value', 5_000);
    expect(cache.get('key', 5_000 + ageMs)).toBe(expected);
    expect(cache.get('other', 5_000)).toBeUndefined();
  });

  it.each([
    [499, 500, 'value'],
    [500, 500, undefined],
    [1_000, 2_000, undefined],
  ])('after %i ms returns, of an age below %i ms, %s', (ageMs, maxAgeMs, expected) => {
    const cache = new BriefCache<string>(1_000, 10);
    cache.set('key', 'value', 5_000);
    expect(cache.get('key', 5_000 + ageMs, maxAgeMs)).toBe(expected);
  });

  it('holds no more than its bound, evicting the oldest', () => {
    const cache = new BriefCache<number>(1_000, 3);
    for (let n = 0; n < 100; n++) cache.set(`key ${n}`, n, 5_000);
    expect(cache.size).toBe(3);
    expect([96, 97, 98, 99].map((n) => cache.get(`key ${n}`, 5_000))).toEqual([undefined, 97, 98, 99]);
  });

  it('evicts expired values when one is added', () => {
    const cache = new BriefCache<number>(1_000, 100);
    for (let n = 0; n < 50; n++) cache.set(`key ${n}`, n, 5_000);
    cache.set('new', 1, 6_000);
    expect(cache.size).toBe(1);
  });

  it('restarts the age of a value that is replaced', () => {
    const cache = new BriefCache<number>(1_000, 100);
    cache.set('key', 1, 5_000);
    cache.set('key', 2, 5_500);
    expect(cache.get('key', 6_400)).toBe(2);
  });

  it('drops a value, but not its replacement', () => {
    const cache = new BriefCache<number>(1_000, 100);
    cache.set('key', 1, 0);
    cache.drop('key', 2);
    expect(cache.get('key', 0)).toBe(1);
    cache.drop('key', 1);
    expect(cache.get('key', 0)).toBeUndefined();
  });
});
