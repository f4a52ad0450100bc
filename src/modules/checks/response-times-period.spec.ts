import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { expectFewChecks, periodOf, stepOf } from './response-times-period.js';

describe('stepOf', () => {
  it.each([
    [HOUR_MS, 240, 5, 15_000],
    [HOUR_MS, 240, 60, 60_000],
    [DAY_MS, 240, 60, 360_000],
    [DAY_MS, 240, 86_400, DAY_MS],
    [7 * DAY_MS, 240, 60, 2_520_000],
    [30 * DAY_MS, 240, 30, 10_800_000],
    [HOUR_MS, 240, 1, 15_000],
    [DAY_MS, 1, 60, DAY_MS],
    [1, 1_000, 60, 60_000],
    [DAY_MS, 240, 0, 360_000],
  ])(
    'divides %d ms into at most %d steps of checks every %d s: steps of %d ms',
    (lengthMs, points, intervalSeconds, stepMs) => {
      expect(stepOf(lengthMs, points, { intervalSeconds })).toBe(stepMs);
    },
  );
});

describe('periodOf', () => {
  const NOW = Date.parse('2026-03-10T12:00:00.000Z');
  const hours = (from: string | undefined, to: string | undefined): number[] => {
    const { fromMs, toMs } = periodOf({ ...(from && { from }), ...(to && { to }) }, NOW, 90);
    return [fromMs, toMs].map((ms) => (ms - NOW) / HOUR_MS);
  };

  it.each([
    ['neither bound', undefined, undefined, [-24, 0]],
    ['a start', '2026-03-10T10:30:00Z', undefined, [-1.5, 0]],
    ['an end', undefined, '2026-03-10T10:30:00Z', [-25.5, -1.5]],
    ['bounds with offsets', '2026-03-10T10:00:00+02:00', '2026-03-10T10:00:00+01:00', [-4, -3]],
    ['an end in the future', '2026-03-10T12:00:00Z', '2026-03-10T13:00:00Z', [0, 1]],
    ['exactly the longest period', '2025-12-10T12:00:00Z', '2026-03-10T12:00:00Z', [-2_160, 0]],
  ])('accepts %s', (_, from, to, expected) => {
    expect(hours(from, to)).toEqual(expected);
  });

  it.each([
    ['an empty period', '2026-03-10T10:00:00Z', '2026-03-10T10:00:00Z'],
    ['a start after the end', '2026-03-10T10:00:00.001Z', '2026-03-10T10:00:00Z'],
    ['a start in the future without an end', '2026-03-10T12:00:00.001Z', undefined],
    ['a period longer than results are kept', '2025-12-10T11:59:59.999Z', undefined],
  ])('rejects %s', (_, from, to) => {
    expect(() => hours(from, to)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

describe('expectFewChecks', () => {
  const judged = (intervalSeconds: number, locations: number, days: number) => () => {
    const toMs = days * DAY_MS;
    expectFewChecks([{ from: toMs, intervalMs: intervalSeconds * 1_000, locations }], { fromMs: 0, toMs });
  };

  it.each([
    [60, 1, 90],
    [60, 7, 90],
    [5, 1, 57],
    [86_400, 50, 3_650],
    [0, 1, 90],
  ])('accepts checks every %d s at %d locations over %d days', (intervalSeconds, places, days) => {
    expect(judged(intervalSeconds, places, days)).not.toThrow();
  });

  it.each([
    [60, 8, 90],
    [5, 1, 58],
  ])('rejects checks every %d s at %d locations over %d days', (intervalSeconds, places, days) => {
    expect(judged(intervalSeconds, places, days)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('counts the checks by the schedule of each time', () => {
    const fasterFor = (days: number) => () => {
      const schedules = [
        { from: -DAY_MS, intervalMs: 5_000, locations: 1 },
        { from: days * DAY_MS, intervalMs: 60_000, locations: 1 },
        { from: 90 * DAY_MS, intervalMs: 1_000, locations: 1 },
      ];
      expectFewChecks(schedules, { fromMs: 0, toMs: 90 * DAY_MS });
    };
    expect(fasterFor(50)).not.toThrow();
    expect(fasterFor(60)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
