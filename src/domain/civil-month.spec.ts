import { describe, expect, it } from '@jest/globals';
import { isMonth, monthAfter, monthBounds, monthOf } from './civil-month.js';

describe('isMonth', () => {
  it.each([
    ['2026-01', true],
    ['2026-12', true],
    ['2026-00', false],
    ['2026-13', false],
    ['2026-1', false],
    ['26-01', false],
    ['2026-01-01', false],
    ['', false],
    [undefined, false],
    [['2026-01'], false],
  ])('of %j is %s', (text, expected) => {
    expect(isMonth(text)).toBe(expected);
  });
});

it.each([
  ['2026-01-31T23:59:59Z', 'UTC', '2026-01'],
  ['2026-01-31T23:59:59Z', 'Europe/Berlin', '2026-02'],
  ['2026-03-01T00:00:00Z', 'America/New_York', '2026-02'],
])('monthOf %s in %s is %s', (at, zone, month) => {
  expect(monthOf(Date.parse(at), zone)).toBe(month);
});

it.each([
  ['2026-01', -1, '2025-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-05', -17, '2024-12'],
])('monthAfter %s by %i is %s', (month, months, expected) => {
  expect(monthAfter(month, months)).toBe(expected);
});

it.each([
  ['2026-02', 'UTC', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  // The clocks change within the month.
  ['2026-03', 'Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
])('monthBounds of %s in %s are %s and %s', (month, zone, from, to) => {
  const { fromMs, toMs } = monthBounds(month, zone);
  expect([fromMs, toMs].map((ms) => new Date(ms).toISOString())).toEqual([from, to]);
});
