import { describe, expect, it } from '@jest/globals';
import { RANGE_MS, stepOf } from './response-times.service.js';

describe('stepOf', () => {
  it.each([
    ['1h', 5_000, 15_000],
    ['1h', 60_000, 60_000],
    ['24h', 60_000, 360_000],
    ['24h', 86_400_000, 86_400_000],
    ['7d', 60_000, 2_520_000],
    ['30d', 30_000, 10_800_000],
    ['1h', 1_000, 15_000],
  ] as const)('divides %s of checks every %d ms into steps of %d ms', (range, intervalMs, stepMs) => {
    expect(stepOf(RANGE_MS[range], intervalMs)).toBe(stepMs);
  });
});
