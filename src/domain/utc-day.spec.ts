import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS } from './durations.js';
import { dateOf, dayStart, daysBetween, lastDays, parseDate } from './utc-day.js';

describe('parseDate', () => {
  it.each([
    ['1970-01-01', 0],
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['0099-01-01', Date.parse('0099-01-01T00:00:00Z')],
    ['2026-02-29', null],
    ['2100-02-29', null],
    ['2026-02-30', null],
    ['2026-04-31', null],
    ['2026-13-01', null],
    ['2026-00-10', null],
    ['2026-01-00', null],
    ['2026-1-1', null],
    ['2026-11-20T00:00:00Z', null],
    ['20261120', null],
    ['2026-11-20 ', null],
    ['٢٠٢٦-١١-٢٠', null],
    ['', null],
  ])('parses %j as %j', (date, expected) => {
    expect(parseDate(date)).toBe(expected);
  });

  it('is the inverse of dateOf', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.parse('0000-01-01'), max: Date.parse('9999-12-31') }), (at) => {
        expect(parseDate(dateOf(at))).toBe(dayStart(at));
      }),
    );
  });
});

describe('lastDays', () => {
  it('ends with today, even in the last and the first millisecond of a day', () => {
    const midnight = Date.UTC(2026, 10, 20);
    expect(lastDays(2, midnight).map((day) => day.date)).toEqual(['2026-11-19', '2026-11-20']);
    expect(lastDays(2, midnight - 1).map((day) => day.date)).toEqual(['2026-11-18', '2026-11-19']);
  });

  it('includes leap days', () => {
    const days = lastDays(90, Date.UTC(2028, 2, 1, 12)).map((day) => day.date);
    expect(days).toHaveLength(90);
    expect(days.slice(-3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
    expect(days[0]).toBe('2027-12-03');
  });

  it('returns exactly that many consecutive days at any moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 }), fc.nat(2 ** 42), (count, now) => {
        const days = lastDays(count, now);
        expect(days).toHaveLength(count);
        expect(days.at(-1)!.fromMs <= now && now < days.at(-1)!.toMs).toBe(true);
        for (const [i, day] of days.entries()) {
          expect(day.toMs - day.fromMs).toBe(DAY_MS);
          if (i > 0) expect(day.fromMs).toBe(days[i - 1]!.toMs);
        }
      }),
    );
  });
});

describe('daysBetween', () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  it.each([
    { from: noon, to: noon, dates: ['2026-11-20'] },
    { from: dayStart(noon), to: dayStart(noon), dates: [] },
    { from: dayStart(noon), to: dayStart(noon) + DAY_MS, dates: ['2026-11-20'] },
    { from: noon, to: noon + DAY_MS, dates: ['2026-11-20', '2026-11-21'] },
    { from: noon, to: noon - DAY_MS, dates: [] },
  ])('from $from to $to returns $dates', ({ from, to, dates }) => {
    expect(daysBetween(from, to).map((day) => day.date)).toEqual(dates);
  });
});
