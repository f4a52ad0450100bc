import { describe, expect, it } from '@jest/globals';
import { percent, uptimeWords } from './uptime-words.js';

describe('uptime words', () => {
  it.each([
    [100, '100 %'],
    [99.999, '99.999 %'],
    [99.5, '99.500 %'],
    [0, '0.000 %'],
  ])('express %d as a percentage', (value, text) => {
    expect(percent(value)).toBe(text);
  });

  it.each<[number | null, number | null, string]>([
    [99.982, 89.49 * 86_400, '99.982 % of 89.4 days observed'],
    [100, 3_700, '100 % of 1 hour observed'],
    [0, 60, '0.000 % of 1 minute observed'],
    [null, 0, 'Nothing observed yet'],
    [null, null, 'Nothing observed yet'],
  ])('express an uptime of %s over %s seconds', (uptimePercent, observedSeconds, text) => {
    expect(uptimeWords({ uptimePercent, observedSeconds })).toBe(text);
  });
});
