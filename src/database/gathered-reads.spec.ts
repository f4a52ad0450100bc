import { describe, expect, it } from '@jest/globals';
import { GatheredReads } from './gathered-reads.js';

/** Doubles numbers, and records the keys of each read. */
function doubles(most?: number): { reads: GatheredReads<number, number>; asked: number[][] } {
  const asked: number[][] = [];
  const reads = new GatheredReads((keys: readonly number[]) => {
    asked.push([...keys]);
    if (keys.includes(13)) return Promise.reject(new Error('unlucky'));
    return Promise.resolve(keys.map((key) => key * 2));
  }, most);
  return { reads, asked };
}

describe('GatheredReads', () => {
  it('reads keys that are requested together once, and gives each caller its value', async () => {
    const { reads, asked } = doubles();
    expect(await Promise.all([3, 1, 3, 2].map((key) => reads.get(key)))).toEqual([6, 2, 6, 4]);
    expect(asked).toEqual([[3, 1, 3, 2]]);
  });

  it('reads again for later requests', async () => {
    const { reads, asked } = doubles();
    await reads.get(1);
    await reads.get(1);
    expect(asked).toEqual([[1], [1]]);
  });

  it('does not exceed the maximum number of keys per read', async () => {
    const { reads, asked } = doubles(2);
    expect(await Promise.all([1, 2, 3, 4, 5].map((key) => reads.get(key)))).toEqual([2, 4, 6, 8, 10]);
    expect(asked).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('does not wait for a read that hangs', async () => {
    let answer: (values: number[]) => void = () => undefined;
    const pending = new Promise<number[]>((resolve) => (answer = resolve));
    const reads = new GatheredReads<number, number>((keys) => (keys[0] === 1 ? pending : Promise.resolve([...keys])));
    const first = reads.get(1);
    // Lets the first read be sent in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await reads.get(2)).toBe(2);
    answer([1]);
    expect(await first).toBe(1);
  });

  it('fails only the callers whose read fails', async () => {
    const { reads } = doubles(2);
    const outcomes = await Promise.allSettled([1, 13, 3].map((key) => reads.get(key)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await reads.get(4)).toBe(8);
  });
});
