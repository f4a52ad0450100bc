import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../../domain/durations.js';
import { expiryMark } from './expiry.js';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');

describe('expiryMark', () => {
  it.each<[string, number | null, string | null]>([
    ['never', null, null],
    ['in a year', 365 * DAY_MS, null],
    ['in slightly more than two weeks', 14 * DAY_MS + 1, null],
    ['in two weeks', 14 * DAY_MS, 'degraded expires in 14 days'],
    ['in slightly less than six days', 6 * DAY_MS - 1, 'degraded expires in 5 days'],
    ['in a day and a half', 1.5 * DAY_MS, 'degraded expires in 1 day'],
    ['in a day', DAY_MS, 'degraded expires in 1 day'],
    ['in slightly less than a day', DAY_MS - 1, 'degraded expires within a day'],
    ['in a millisecond', 1, 'degraded expires within a day'],
    ['now', 0, 'down expired'],
    ['in the past', -DAY_MS, 'down expired'],
  ])('returns the mark of a key that expires %s', (_name, inMs, expected) => {
    const marked = expiryMark(inMs === null ? null : new Date(NOW + inMs).toISOString(), NOW);
    expect(marked && `${marked.mark} ${marked.words}`).toBe(expected);
  });
});
