import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Scrape } from '../../test/support/exposition.js';
import { BucketTally } from './bucket-tally.js';
import { familyHead } from '../modules/metrics/exposition.js';

const BOUNDS = [0.01, 0.5, 1, 60];

describe('BucketTally', () => {
  it('counts each value in every bucket whose inclusive bound it does not exceed', () => {
    const value = fc.oneof(fc.constantFrom(0, ...BOUNDS), fc.double({ min: 0, max: 100, noNaN: true }));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const tally = new BucketTally(BOUNDS);
        for (const one of values) tally.observe(one);
        const text = familyHead('x_seconds', 'histogram', 'x') + tally.samples('x_seconds', 'a="b"');
        const seen = new Scrape(text);
        for (const bound of BOUNDS) {
          const labels = { le: String(bound), a: 'b' };
          expect(seen.value('x_seconds_bucket', labels)).toBe(values.filter((one) => one <= bound).length);
        }
        expect(seen.value('x_seconds_bucket', { le: '+Inf' })).toBe(values.length);
        expect(seen.value('x_seconds_count', { a: 'b' })).toBe(values.length);
        expect(seen.value('x_seconds_sum')).toBeCloseTo(values.reduce((sum, one) => sum + one, 0));
      }),
    );
  });

  it('makes its counts visible to a reader of the same shared memory', () => {
    const memory = new Float64Array(new SharedArrayBuffer(8 * (BOUNDS.length + 2)));
    const [counting, reading] = [new BucketTally(BOUNDS, memory), new BucketTally(BOUNDS, memory)];
    counting.observe(0.7);
    expect(reading.samples('x')).toBe(counting.samples('x'));
    expect(reading.samples('x')).toContain('x_sum 0.7');
  });
});
