import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addLatency,
  countOf,
  EMPTY_HISTOGRAM,
  MAX_RELATIVE_ERROR,
  mergeHistograms,
  quantile,
} from './latency-histogram.js';

const latency = fc.oneof(
  fc.integer({ min: 1, max: 60_000 }),
  fc.integer({ min: 1, max: 300 }),
  fc.double({ min: 1, max: 60_000, noNaN: true }),
);
const histogramOf = (latencies: number[]) => latencies.reduce(addLatency, EMPTY_HISTOGRAM);

describe('latency histogram', () => {
  it.each([
    { what: 'nothing', latencies: [], p: 0.95, low: null, high: null },
    { what: 'a single time', latencies: [250], p: 0.5, low: 238, high: 262 },
    { what: 'one millisecond exactly', latencies: [1], p: 0.5, low: 1, high: 1 },
    { what: 'less than a millisecond as one millisecond', latencies: [0.2], p: 0.5, low: 1, high: 1 },
    { what: 'zero and negative times as one millisecond', latencies: [0, -5], p: 1, low: 1, high: 1 },
    { what: 'NaN as one millisecond', latencies: [NaN], p: 1, low: 1, high: 1 },
    { what: 'over a minute as a minute', latencies: [1e9, Infinity], p: 1, low: 57_000, high: 63_000 },
    { what: 'the smallest at p 0', latencies: [10, 1_000], p: 0, low: 9.5, high: 10.5 },
    { what: 'the 19th of 20 times', latencies: [...Array<number>(19).fill(10), 1_000], p: 0.95, low: 9.5, high: 10.5 },
    { what: 'the 20th of 20 times', latencies: [...Array<number>(19).fill(10), 1_000], p: 0.96, low: 952, high: 1_048 },
    {
      what: 'a rank with a floating-point error',
      latencies: [...Array<number>(7).fill(10), ...Array<number>(93).fill(99)],
      p: 0.07,
      low: 9.5,
      high: 10.5,
    },
  ])('returns the quantile of $what', ({ latencies, p, low, high }) => {
    const found = quantile(histogramOf(latencies), p);
    if (low === null) return expect(found).toBeNull();
    expect(found).toBeGreaterThanOrEqual(low);
    expect(found).toBeLessThanOrEqual(high);
  });

  it('returns each quantile within the stated error, which is under 5%', () => {
    expect(MAX_RELATIVE_ERROR).toBeLessThan(0.05);
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (latencies, p) => {
        const rank = Math.max(1, Math.ceil(p * latencies.length - 1e-9));
        const exact = [...latencies].sort((a, b) => a - b)[rank - 1]!;
        const found = quantile(histogramOf(latencies), p)!;
        expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(MAX_RELATIVE_ERROR + 1e-9);
      }),
    );
  });

  it('has the same content whether merged or added one by one, in any order', () => {
    fc.assert(
      fc.property(fc.array(latency), fc.array(latency), (some, others) => {
        const merged = mergeHistograms(histogramOf(some), histogramOf(others));
        expect(merged).toEqual(histogramOf([...others, ...some]));
        expect(merged).toEqual(mergeHistograms(histogramOf(others), histogramOf(some)));
        expect(countOf(merged)).toBe(some.length + others.length);
      }),
    );
  });

  it('has at most 117 pairs with ascending buckets, and does not change its inputs', () => {
    let histogram = EMPTY_HISTOGRAM;
    for (let ms = 0.5; ms < 70_000; ms *= 1.03) {
      const before = [...histogram];
      const next = addLatency(histogram, ms);
      expect(histogram).toEqual(before);
      histogram = next;
    }
    const buckets = histogram.filter((_, i) => i % 2 === 0);
    expect(buckets).toEqual(Array.from({ length: 117 }, (_, bucket) => bucket));
  });
});
