import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../../domain/durations.js';
import { type UptimeSegment } from '../../../domain/uptime.js';
import { periodFigures } from './figures.js';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const segment = (kind: UptimeSegment['kind'], from: number, to: number): UptimeSegment => ({ kind, from, to });

describe('periodFigures', () => {
  it('counts the time within each period, cut at its start', () => {
    const segments = [
      segment('unknown', NOW - 2_000 * HOUR_MS, NOW - 100 * HOUR_MS),
      segment('up', NOW - 100 * HOUR_MS, NOW - 30 * HOUR_MS),
      segment('down', NOW - 30 * HOUR_MS, NOW - 18 * HOUR_MS),
      segment('up', NOW - 18 * HOUR_MS, NOW),
    ];
    const [day, week, month, quarter] = periodFigures(segments, NOW);
    expect(day).toEqual({
      label: '24 hours',
      uptimePercent: 75,
      observedSeconds: 24 * 3_600,
      downSeconds: 6 * 3_600,
      periodSeconds: 24 * 3_600,
    });
    expect(week).toMatchObject({ label: '7 days', uptimePercent: 88, observedSeconds: 100 * 3_600 });
    expect(month).toMatchObject({ uptimePercent: 88, observedSeconds: 100 * 3_600 });
    expect(quarter).toMatchObject({ uptimePercent: 88 });
  });

  it('returns null, neither 0 nor 100, if nothing was observed', () => {
    for (const one of periodFigures([segment('paused', NOW - HOUR_MS, NOW)], NOW)) {
      expect(one).toMatchObject({ uptimePercent: null, observedSeconds: 0 });
    }
  });

  it('counts UTC days, with today as the last one', () => {
    const begin = Date.parse('2026-03-25T00:00:00Z');
    const segments = [segment('down', begin - HOUR_MS, begin), segment('up', begin, NOW)];
    const [, week, month] = periodFigures(segments, NOW);
    expect(week?.uptimePercent).toBe(100);
    expect(month?.uptimePercent).toBeLessThan(100);
  });
});
