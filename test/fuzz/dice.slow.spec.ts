import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Dice } from './dice.js';

describe('Dice', () => {
  it('draws the same values for the same seed and number, and different ones for others', () => {
    const drawn = (seed: number, number: number) => {
      const dice = new Dice(seed, number);
      return [dice.bits(), dice.of(fc.string({ minLength: 20 })), dice.of(fc.integer())];
    };
    expect(drawn(1, 2)).toEqual(drawn(1, 2));
    for (const [seed, number] of [
      [2, 1],
      [1, 3],
      [2, 2],
    ] as const) {
      expect(drawn(seed, number)).not.toEqual(drawn(1, 2));
    }
  });

  it('draws uniformly, even in the first draws of consecutive numbers', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let number = 0; number < 10_000; number += 1) counts[new Dice(7, number).below(10)]! += 1;
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it('draws choices by their weights', () => {
    const counts = { rare: 0, never: 0, often: 0 };
    const choices = [[1, 'rare'] as const, [0, 'never'] as const, [9, 'often'] as const];
    for (let number = 0; number < 10_000; number += 1) counts[new Dice(7, number).weighted(choices)] += 1;
    expect(counts.never).toBe(0);
    expect(Math.abs(counts.rare - 1_000)).toBeLessThan(150);
  });
});
