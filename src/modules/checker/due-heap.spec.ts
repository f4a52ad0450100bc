import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DueHeap } from './due-heap.js';

describe('DueHeap', () => {
  it('returns exactly the due items, earliest first', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000)), fc.nat(1_000), (times, now) => {
        const heap = new DueHeap<number>();
        for (const at of times) heap.add(at, at);
        const taken: number[] = [];
        for (let at = heap.takeDue(now); at !== undefined; at = heap.takeDue(now)) taken.push(at);
        expect(taken).toEqual(times.filter((at) => at <= now).sort((a, b) => a - b));
        expect(heap.size).toBe(times.length - taken.length);
      }),
    );
  });
});
