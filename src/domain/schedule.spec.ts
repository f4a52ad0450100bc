import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { nextSlotAfter, phaseMs, retryIntervalMs, slotAtOrBefore } from './schedule.js';

const INTERVALS = [1_000, 5_000, 30_000, 60_000, 300_000, 3_600_000, 86_400_000];
const NOW = Date.UTC(2026, 10, 20);
const interval = fc.oneof(fc.constantFrom(...INTERVALS), fc.integer({ min: 1, max: 86_400_000 }));
const moment = fc.integer({ min: 0, max: 4 * NOW });

/** Ids as a bulk import makes them: all within a few milliseconds. The random part comes from a fixed seed. */
function uuids(count: number, idsPerMs: number): string[] {
  let seed = 42;
  const nextByte = () => ((seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 24) & 0xff;
  return Array.from({ length: count }, (_, i) =>
    v7({ msecs: NOW + Math.floor(i / idsPerMs), seq: i, random: Uint8Array.from({ length: 16 }, nextByte) }),
  );
}

describe('phaseMs', () => {
  it.each(INTERVALS.flatMap((intervalMs) => [1, 10_000].map((idsPerMs) => ({ intervalMs, idsPerMs }))))(
    'spreads 10,000 ids evenly over $intervalMs ms if $idsPerMs are generated per millisecond',
    ({ intervalMs, idsPerMs }) => {
      const counts = new Array<number>(100).fill(0);
      for (const id of uuids(10_000, idsPerMs)) counts[Math.floor((phaseMs(id, intervalMs) / intervalMs) * 100)]! += 1;
      const chiSquare = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
      // With 99 degrees of freedom, chance exceeds 160 once in 10,000 runs, while a clustered hash reaches thousands.
      expect(chiSquare).toBeLessThan(160);
    },
  );

  it('lies within the interval, is a whole number, and does not depend on the case of the id', () => {
    fc.assert(
      fc.property(fc.uuid(), interval, (id, intervalMs) => {
        const phase = phaseMs(id, intervalMs);
        expect(Number.isInteger(phase) && phase >= 0 && phase < intervalMs).toBe(true);
        expect(phaseMs(id.toUpperCase(), intervalMs)).toBe(phase);
      }),
    );
  });

  it('never changes, because every process and release recomputes the slots', () => {
    expect(phaseMs('01932d3e-7b4c-7d1f-8a2b-3c4d5e6f7081', 86_400_000)).toBe(33_824_846);
  });
});

describe('slots', () => {
  it.each([
    { phase: 0, at: 0, before: 0, after: 60 },
    { phase: 0, at: 59, before: 0, after: 60 },
    { phase: 0, at: 60, before: 60, after: 120 },
    { phase: 17, at: 16, before: -43, after: 17 },
    { phase: 17, at: 17, before: 17, after: 77 },
    { phase: 59, at: 60, before: 59, after: 119 },
  ])('with phase $phase of 60, around $at, are $before and $after', ({ phase, at, before, after }) => {
    expect(slotAtOrBefore(phase, 60, at)).toBe(before);
    expect(nextSlotAfter(phase, 60, at)).toBe(after);
  });

  it('lie on the phase, enclose the moment, and follow each other by exactly the interval', () => {
    fc.assert(
      fc.property(fc.uuid(), interval, moment, (id, intervalMs, at) => {
        const phase = phaseMs(id, intervalMs);
        const before = slotAtOrBefore(phase, intervalMs, at);
        const after = nextSlotAfter(phase, intervalMs, at);
        expect(Math.abs((before - phase) % intervalMs)).toBe(0);
        expect(before <= at && at < after).toBe(true);
        expect(after - before).toBe(intervalMs);
        expect(slotAtOrBefore(phase, intervalMs, before)).toBe(before);
        expect(nextSlotAfter(phase, intervalMs, before)).toBe(after);
      }),
    );
  });
});

describe('retryIntervalMs', () => {
  it.each([
    { intervalMs: 60_000, given: null, retry: 20_000 },
    { intervalMs: 10_000, given: null, retry: 3_333 },
    { intervalMs: 3_000, given: null, retry: 1_000 },
    { intervalMs: 1_000, given: null, retry: 1_000 },
    { intervalMs: 60_000, given: 5_000, retry: 5_000 },
    { intervalMs: 60_000, given: 3_600_000, retry: 3_600_000 },
    { intervalMs: 60_000, given: 0, retry: 1_000 },
  ])('for the interval $intervalMs and the configured $given, returns $retry', ({ intervalMs, given, retry }) => {
    expect(retryIntervalMs({ intervalMs, retryIntervalMs: given })).toBe(retry);
  });
});
