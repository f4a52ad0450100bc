import { describe, expect, it } from '@jest/globals';
import { isOutage } from './targets.js';

describe('isOutage', () => {
  it.each<[string, boolean]>([
    ['2026-11-20T12:59:59.999Z', false],
    ['2026-11-20T13:00:00.000Z', true],
    ['2026-11-20T13:00:39.999Z', true],
    ['2026-11-20T13:00:40.000Z', false],
    ['2026-11-20T13:04:59.999Z', false],
    ['2026-11-20T13:05:00.000Z', true],
  ])('returns for %s: %s', (time, failing) => {
    expect(isOutage(Date.parse(time))).toBe(failing);
  });
});
