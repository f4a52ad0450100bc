import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS } from './durations.js';
import { parseTarget, slaFigures, type SlaTimes, sumTimes, targetPercent } from './sla.js';

const times = (more: Partial<SlaTimes>): SlaTimes => {
  const known = { upMs: 0, degradedMs: 0, downMs: 0, incidentCount: 0, ...more };
  const elapsedMs = more.elapsedMs ?? known.upMs + known.degradedMs + known.downMs;
  return { ...known, elapsedMs, periodMs: more.periodMs ?? elapsedMs };
};
const target = (text: string): number => parseTarget(text)!;

describe('parseTarget', () => {
  it.each([
    ['99.9', 999_000],
    ['99.95', 999_500],
    ['99.9999', 999_999],
    ['99', 990_000],
    ['0.0001', 1],
    ['0.3', 3_000],
    ['05.5', 55_000],
    ['29.29', 292_900],
  ])('parses %s as %d parts per million', (text, parts) => {
    expect(parseTarget(text)).toBe(parts);
  });

  it.each([
    '0',
    '0.0',
    '00.0000',
    '100',
    '100.0',
    '99.99999',
    '-1',
    '1e1',
    '99.',
    '.9',
    '',
    ' 99',
    '99,9',
    'NaN',
    '٩٩',
  ])('rejects %j', (text) => {
    expect(parseTarget(text)).toBeNull();
  });

  it('is reversed by targetPercent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), (parts) => {
        const text = `${Math.floor(parts / 10_000)}.${String(parts % 10_000).padStart(4, '0')}`;
        expect(parseTarget(text)).toBe(parts);
        expect(targetPercent(parts)).toBe(Number(text));
      }),
    );
  });
});

describe('slaFigures', () => {
  it('returns the figures of a month with two outages', () => {
    const month = times({
      upMs: 30 * DAY_MS - 1_240_500 - 60_000,
      degradedMs: 60_000,
      downMs: 1_240_500,
      incidentCount: 2,
    });
    expect(slaFigures(month, target('99.9'))).toEqual({
      uptimePercent: 99.952,
      coveragePercent: 100,
      monitoredSeconds: 2_592_000,
      downSeconds: 1_240.5,
      incidentCount: 2,
      mttrSeconds: 620.25,
      mtbfSeconds: 1_295_379.75,
      errorBudgetSeconds: 2_592,
      errorBudgetConsumedSeconds: 1_240.5,
      errorBudgetRemainingSeconds: 1_351.5,
      burnRate: 0.4786,
      met: true,
    });
  });

  it('returns null for the figures of a period in which nothing was monitored', () => {
    expect(slaFigures(times({ elapsedMs: DAY_MS, periodMs: 2 * DAY_MS }), target('99'))).toEqual({
      uptimePercent: null,
      coveragePercent: 0,
      monitoredSeconds: 0,
      downSeconds: 0,
      incidentCount: 0,
      mttrSeconds: null,
      mtbfSeconds: null,
      burnRate: null,
      met: null,
      // The future part of the period may still be monitored.
      errorBudgetSeconds: 864,
      errorBudgetConsumedSeconds: 0,
      errorBudgetRemainingSeconds: 864,
    });
  });

  it.each([
    // target, monitored, down → burn rate, met, remaining budget
    ['99.9', 1_000_000, 1_000, 1, true, 0],
    ['99.9', 1_000_000, 1_001, 1.001, false, -0.001],
    ['99.9', 1_000_000, 999, 0.999, true, 0.001],
    ['99.9', 100_000_000_000, 100_000_001, 1.0001, false, -0.001],
    ['99.9', 100_000_000_000, 99_999_999, 1, true, 0.001],
    ['99.9999', 1_000_000, 1, 1, true, 0],
    ['99.9999', 999_999, 1, 1.0001, false, -0.001],
    ['0.0001', 1_000_000, 999_999, 1, true, 0],
    ['0.0001', 1_000_000, 1_000_000, 1.0001, false, -0.001],
    ['99.7', 1_000_000, 3_000, 1, true, 0],
    ['90', 100, 100, 10, false, -0.09],
    ['50', 1_000_000, 1, 0.0001, true, 499.999],
    ['50', 1_000_000, 0, 0, true, 500],
  ])(
    'for the target %s and %d ms with %d ms down, returns burn rate %d, met %p and %d s left',
    (text, monitored, downMs, burnRate, met, left) => {
      const figures = slaFigures(times({ upMs: monitored - downMs, downMs, incidentCount: 1 }), target(text));
      expect(figures).toMatchObject({ burnRate, met, errorBudgetRemainingSeconds: left });
    },
  );

  const anyTimes = fc
    .tuple(...Array.from({ length: 5 }, () => fc.nat(365 * DAY_MS)), fc.nat(50))
    .map(([upMs = 0, degradedMs = 0, downMs = 0, rest = 0, ahead = 0, incidents = 0]) => {
      const elapsedMs = upMs + degradedMs + downMs + rest;
      return { upMs, degradedMs, downMs, elapsedMs, periodMs: elapsedMs + ahead, incidentCount: incidents };
    });

  it('has a burn rate above 1 if and only if the target is missed, and a budget that adds up', () => {
    fc.assert(
      fc.property(anyTimes, fc.integer({ min: 1, max: 999_999 }), (any, goal) => {
        const { burnRate, met, ...figures } = slaFigures(any, goal);
        if (met !== null) expect(burnRate! <= 1).toBe(met);
        const ms = (seconds: number): number => Math.round(seconds * 1_000);
        expect(ms(figures.errorBudgetSeconds) - ms(figures.errorBudgetConsumedSeconds)).toBe(
          ms(figures.errorBudgetRemainingSeconds),
        );
        for (const one of Object.values(figures)) {
          // At most three decimals: 99.9, never 99.89999.
          if (typeof one === 'number') expect(Number(one.toFixed(3))).toBe(one);
        }
      }),
    );
  });

  it('accepts the summed times of several monitors', () => {
    fc.assert(
      fc.property(fc.array(anyTimes, { minLength: 1, maxLength: 20 }), (all) => {
        const sum = slaFigures(sumTimes(all), target('99.9'));
        const down = all.reduce((ms, one) => ms + one.downMs, 0);
        expect(sum.downSeconds).toBe(down / 1_000);
        expect(sum.incidentCount).toBe(all.reduce((count, one) => count + one.incidentCount, 0));
        expect(sumTimes(all.toReversed())).toEqual(sumTimes(all));
      }),
    );
  });
});
