import { describe, expect, it } from '@jest/globals';
import { type Admission, admissionsOf, bucketOf, rateLimitHeaders, retryAfterSeconds, roomIn } from './token-bucket.js';

describe('bucketOf', () => {
  it.each<[number, number, number]>([
    // requests per minute, at once, microseconds between tokens
    [1, 1, 60_000_000],
    [7, 7, 8_571_429],
    [60, 60, 1_000_000],
    [99, 99, 606_061],
    [100, 100, 600_000],
    [101, 100, 594_060],
    [600, 100, 100_000],
    [601, 101, 99_834],
    [6_000, 1_000, 10_000],
    [100_000, 16_667, 600],
  ])('allows for %i per minute: %i at once, then one every %i µs', (perMinute, burst, stepMicros) => {
    expect(bucketOf(perMinute)).toEqual({ perMinute, burst, stepMicros });
  });
});

describe('roomIn', () => {
  it.each([
    // requests per minute, microseconds until full, tokens
    [6, 0, 6],
    [6, 1, 5],
    [6, 10_000_000, 5],
    [6, 10_000_001, 4],
    [6, 50_000_000, 1],
    [6, 50_000_001, 0],
    [6, 60_000_000, 0],
    [6, 3_600_000_000, 0],
    [7, 6 * 8_571_429, 1],
    [7, 6 * 8_571_429 + 1, 0],
    [100_000, 16_666 * 600, 1],
    [100_000, 600, 16_666],
  ])('computes for %i per minute, full in %i µs: %i tokens', (perMinute, fullInMicros, room) => {
    expect(roomIn(bucketOf(perMinute), fullInMicros)).toBe(room);
  });
});

describe('admissionsOf', () => {
  // One token every 10 s, 6 in total.
  const bucket = bucketOf(6);
  const debts = (admissions: Admission[]) => admissions.map((one) => (one.admitted ? one.debt : `+${one.waitMs}`));

  it.each<[string, number, number, number, (number | string)[]]>([
    ['the first request', 1, 1, 10_000_000, [1]],
    ['the first request, a moment later', 1, 1, 9_999_000, [0.9999]],
    ['three requests on a full bucket', 3, 3, 30_000_000, [1, 2, 3]],
    ['one request too many', 3, 2, 60_000_000, [5, 6, '+10000']],
    ['two requests too many, a moment later', 3, 1, 59_500_000, [5.95, '+9500', '+9500']],
    ['no token, just before the next one', 2, 0, 50_000_001, ['+0.001', '+0.001']],
    ['no token, although the next one has arrived meanwhile', 1, 0, 49_999_000, ['+0']],
    ['a clock that was set forward meanwhile', 2, 2, 0, [0, 0]],
  ])('handles %s', (_, requests, granted, fullInMicros, expected) => {
    expect(debts(admissionsOf(bucket, requests, { granted, fullInMicros }))).toEqual(expected);
  });
});

describe('retryAfterSeconds', () => {
  it.each([
    [0, 1],
    [0.5, 1],
    [1_000, 1],
    [1_000.001, 2],
    [59_999, 60],
  ])('rounds %f ms to %i s', (waitMs, seconds) => {
    expect(retryAfterSeconds(waitMs)).toBe(seconds);
  });
});

describe('rateLimitHeaders', () => {
  it.each<[number, Admission, string, string]>([
    [600, { admitted: true, debt: 1 }, '"burst";q=100;w=10, "minute";q=600;w=60', '"minute";r=599;t=1'],
    [600, { admitted: true, debt: 0.001 }, '"burst";q=100;w=10, "minute";q=600;w=60', '"minute";r=599;t=1'],
    [600, { admitted: true, debt: 10.01 }, '"burst";q=100;w=10, "minute";q=600;w=60', '"minute";r=589;t=2'],
    [600, { admitted: true, debt: 100 }, '"burst";q=100;w=10, "minute";q=600;w=60', '"minute";r=500;t=10'],
    [600, { admitted: false, waitMs: 99 }, '"burst";q=100;w=10, "minute";q=600;w=60', '"minute";r=0;t=1'],
    [6, { admitted: true, debt: 6 }, '"burst";q=6;w=10, "minute";q=6;w=60', '"minute";r=0;t=60'],
    [6, { admitted: false, waitMs: 9_001 }, '"burst";q=6;w=10, "minute";q=6;w=60', '"minute";r=0;t=10'],
    [12_000, { admitted: true, debt: 2_000 }, '"burst";q=2000;w=10, "minute";q=12000;w=60', '"minute";r=10000;t=10'],
  ])('reports %i per minute and %j', (perMinute, admission, policy, limit) => {
    expect(rateLimitHeaders(bucketOf(perMinute), admission)).toEqual({ 'RateLimit-Policy': policy, RateLimit: limit });
  });
});
