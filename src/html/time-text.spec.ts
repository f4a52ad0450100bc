import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/durations.js';
import { Clock, dayText, duration, exact, fromNow } from './time-text.js';

describe('duration', () => {
  it.each([
    [-5, '0 seconds'],
    [0, '0 seconds'],
    [999, '0 seconds'],
    [SECOND_MS, '1 second'],
    [MINUTE_MS - 1, '59 seconds'],
    [MINUTE_MS, '1 minute'],
    [HOUR_MS - 1, '59 minutes'],
    [HOUR_MS, '1 hour'],
    [DAY_MS - 1, '23 hours'],
    [DAY_MS, '1 day'],
    [89.9 * DAY_MS, '89 days'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('formats of moments', () => {
  const now = Date.parse('2026-11-20T13:08:21.500Z');

  it.each([
    ['UTC', '2026-11-20T00:00:00Z', '00:00 UTC'],
    ['UTC', '2026-11-19T23:59:59Z', '19 Nov 2026, 23:59 UTC'],
    ['Europe/Berlin', '2026-11-19T23:00:00Z', '00:00 CET'],
    ['Europe/Berlin', '2026-07-01T10:00:00Z', '1 Jul 2026, 12:00 CEST'],
    ['Asia/Kolkata', '2026-11-20T13:00:00Z', '18:30 GMT+5:30'],
    ['Pacific/Kiritimati', '2026-11-20T09:59:00Z', '20 Nov 2026, 23:59 GMT+14'],
  ])('in %s present %s as %s', (zone, at, text) => {
    expect(new Clock(zone, now).at(Date.parse(at))).toBe(text);
  });

  it.each([
    ['UTC', '2026-11-20T13:00:00Z', '20 Nov 2026, 13:00 UTC', '2026-11-20'],
    ['Europe/Berlin', '2026-11-19T23:00:00Z', '20 Nov 2026, 00:00 CET', '2026-11-20'],
    ['Pacific/Kiritimati', '2025-12-31T10:00:00Z', '1 Jan 2026, 00:00 GMT+14', '2026-01-01'],
  ])('in %s present %s in full as %s, with the date %s', (zone, at, full, date) => {
    const clock = new Clock(zone, now);
    expect([clock.full(Date.parse(at)), clock.date(Date.parse(at))]).toEqual([full, date]);
  });

  it('present an exact moment in UTC', () => {
    expect(exact(now)).toBe('2026-11-20 13:08:21 UTC');
  });

  it('present days by their UTC date', () => {
    expect(['2026-01-01', '2024-02-29', '2026-01-01'].map(dayText)).toEqual([
      '1 Jan 2026',
      '29 Feb 2024',
      '1 Jan 2026',
    ]);
  });
});

describe('fromNow', () => {
  it.each([
    [-1, '0 seconds ago'],
    [0, '0 seconds ago'],
    [-360_000, '6 minutes ago'],
    [1, 'in 0 seconds'],
    [1_036_800_000, 'in 12 days'],
    [7 * DAY_MS - SECOND_MS, 'in 7 days'],
    [90 * DAY_MS - MINUTE_MS, 'in 90 days'],
    [-7 * DAY_MS + SECOND_MS, '6 days ago'],
  ])('writes %d ms from now as %s', (ms, words) => {
    expect(fromNow(ms, 0)).toBe(words);
  });
});
