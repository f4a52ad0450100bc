import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS } from './durations.js';
import { cutPercent, seconds, TIME_KINDS, UptimeTally, type TimeKind } from './uptime-figures.js';

describe('cutPercent', () => {
  it.each([
    { part: 0, whole: 0, percent: null },
    { part: 0, whole: DAY_MS, percent: 0 },
    { part: DAY_MS, whole: DAY_MS, percent: 100 },
    { part: DAY_MS - 1, whole: DAY_MS, percent: 99.999 },
    { part: 90 * DAY_MS - 1, whole: 90 * DAY_MS, percent: 99.999 },
    { part: 3_650 * DAY_MS - 1, whole: 3_650 * DAY_MS, percent: 99.999 },
    { part: 1, whole: DAY_MS, percent: 0 },
    { part: 1, whole: 3, percent: 33.333 },
    { part: 2, whole: 3, percent: 66.666 },
    { part: 29, whole: 100, percent: 29 },
    { part: 999_999, whole: 1_000_000, percent: 99.999 },
    // 0.57 × 100 in floating point is 56.99999999999999.
    { part: 57, whole: 100, percent: 57 },
  ])('returns $percent for $part of $whole', ({ part, whole, percent }) => {
    expect(cutPercent(part, whole)).toBe(percent);
  });

  it('returns 100 only for the whole, and never more than the exact share', () => {
    const ms = fc.integer({ min: 1, max: 3_650 * DAY_MS });
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        const [part, whole] = [Math.min(a, b), Math.max(a, b)];
        const percent = cutPercent(part, whole)!;
        expect(percent === 100).toBe(part === whole);
        const thousandths = BigInt(Math.round(percent * 1000));
        expect(thousandths * BigInt(whole) <= BigInt(part) * 100_000n).toBe(true);
        expect((thousandths + 1n) * BigInt(whole) > BigInt(part) * 100_000n).toBe(true);
      }),
    );
  });
});

it.each([
  [0, 0],
  [1, 0.001],
  [86_400_000, 86_400],
  [1_234, 1.234],
])('converts %d ms to %d seconds', (ms, expected) => {
  expect(seconds(ms)).toBe(expected);
});

describe('UptimeTally', () => {
  it.each<[TimeKind[], TimeKind]>([
    [[], 'unknown'],
    [['up'], 'up'],
    [['up', 'excluded'], 'excluded'],
    [['excluded', 'paused'], 'paused'],
    [['paused', 'maintenance'], 'maintenance'],
    [['up', 'unknown', 'maintenance'], 'maintenance'],
    [['up', 'unknown'], 'up'],
    [['unknown'], 'unknown'],
    [['unknown', 'degraded'], 'degraded'],
    [[...TIME_KINDS], 'down'],
  ])('returns for the kinds %j the worst one, %s', (kinds, worst) => {
    const tally = new UptimeTally();
    for (const kind of TIME_KINDS) tally.add(kind, kinds.includes(kind) ? 1 : 0, 0);
    expect(tally.worst()).toBe(worst);
  });

  it('counts an incident once, and only if it has down time', () => {
    const tally = new UptimeTally();
    tally.add('down', 5, 0);
    tally.add('maintenance', 5, 0);
    tally.add('down', 5, 0);
    tally.add('up', 5, 1);
    tally.add('down', 5, 2);
    expect(tally.figures()).toEqual({
      elapsedMs: 25,
      uptimePercent: 25,
      coveragePercent: 80,
      upMs: 5,
      degradedMs: 0,
      downMs: 15,
      maintenanceMs: 5,
      pausedMs: 0,
      excludedMs: 0,
      unknownMs: 0,
      incidentCount: 2,
    });
  });
});
