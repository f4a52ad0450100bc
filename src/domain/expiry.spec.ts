import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from './durations.js';
import { dueThreshold, judgeExpiry, nextExpiryNotice, thresholdsOf } from './expiry.js';

const UNTIL = Date.UTC(2027, 0, 1);
const lasting = (days: number) => ({ validFrom: UNTIL - days * DAY_MS, validUntil: UNTIL });
/** Returns the moment some days before the expiry. */
const before = (days: number): number => UNTIL - days * DAY_MS;
const SECOND_DAYS = 1 / 86_400;
const YEAR = lasting(365);

describe('thresholdsOf', () => {
  it.each<[days: number, thresholds: number[]]>([
    [365, [30, 14, 7, 3, 1]],
    [90, [30, 14, 7, 3, 1]],
    // As usual with ACME.
    [90 - SECOND_DAYS, [14, 7, 3, 1]],
    [47, [14, 7, 3, 1]],
    [42, [14, 7, 3, 1]],
    [41, [7, 3, 1]],
    [21, [7, 3, 1]],
    [20, [3, 1]],
    [6.7, [1]],
    [3, [1]],
    [2.9, []],
    [0, []],
    [-1, []],
  ])('of a certificate that is valid for %d days', (days, thresholds) => {
    expect(thresholdsOf(lasting(days))).toEqual(thresholds);
  });
});

describe('dueThreshold', () => {
  it.each<[daysLeft: number, raised: number | null, due: number | null]>([
    [31, null, null],
    [30 + SECOND_DAYS, null, null],
    [30, null, 30],
    [29, null, 30],
    [29, 30, null],
    [14 + SECOND_DAYS, 30, null],
    [14, 30, 14],
    [14, 14, null],
    [7, 14, 7],
    [3, 7, 3],
    [1, 3, 1],
    [0.5, 1, null],
    // Not one for each threshold that was missed.
    [5, null, 7],
    [0.5, 30, 1],
    [0, 3, null],
    [-1, null, null],
  ])('with %d days left, after that of %p days', (daysLeft, raised, due) => {
    expect(dueThreshold(YEAR, raised, before(daysLeft))).toBe(due);
  });

  it('skips what is too long for the certificate', () => {
    expect(dueThreshold(lasting(60), null, before(20))).toBeNull();
    expect(dueThreshold(lasting(60), null, before(14))).toBe(14);
  });
});

describe('nextExpiryNotice', () => {
  it.each<[daysLeft: number, raised: number | null, next: number | null]>([
    [100, null, 30],
    [30, null, 30],
    [30, 30, 14],
    [14.5, 30, 14],
    [10, null, 10],
    [1, 3, 1],
    [1, 1, null],
    [0, 3, null],
  ])('with %d days left, after that of %p days', (daysLeft, raised, next) => {
    expect(nextExpiryNotice(YEAR, raised, before(daysLeft))).toBe(next === null ? null : before(next));
  });
});

describe('judgeExpiry', () => {
  const domain = { validFrom: Number.NEGATIVE_INFINITY, validUntil: UNTIL };
  const HOUR_DAYS = 1 / 24;

  it('notifies of what is due, and names the next moment', () => {
    const verdict = { notifyDays: 14, raisedDays: 14, dueAtMs: before(7) };
    expect(judgeExpiry(domain, 30, true, before(13))).toEqual(verdict);
    expect(judgeExpiry(domain, 14, true, before(13))).toEqual({ ...verdict, notifyDays: null });
  });

  it.each<[daysLeft: number, dueInDays: number | null]>([
    [13, 13 - HOUR_DAYS],
    [0, null],
  ])('asks again later while nobody watches it, with %d days left', (daysLeft, dueInDays) => {
    expect(judgeExpiry(domain, 30, false, before(daysLeft))).toEqual({
      notifyDays: null,
      raisedDays: 30,
      dueAtMs: dueInDays === null ? null : before(dueInDays),
    });
  });
});
