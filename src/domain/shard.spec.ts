import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { shardOf, shareOf } from './shard.js';

describe('shardOf', () => {
  it('depends on the id only, and spreads monitors evenly', () => {
    const counts = new Map<number, number>();
    for (let made = 0; made < 16_000; made += 1) {
      const id = uuidv7();
      const shard = shardOf(id, 16);
      expect(shardOf(id, 16)).toBe(shard);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, shard) => shard));
    // Eight standard deviations around the mean of 1,000.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250);
  });
});

describe('shareOf', () => {
  it('gives each member as many shards as any other, or one more, and together all', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 64 }),
        (members, shards) => {
          const shares = members.map((member) => shareOf(member, members, shards));
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(shards);
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('is nothing for one that is not a member', () => {
    expect(shareOf('c', ['a', 'b'], 16)).toBe(0);
  });
});
