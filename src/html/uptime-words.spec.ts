import { describe, expect, it } from '@jest/globals';
import { percent, uptimeWords } from './uptime-words.js';

describe('uptime words', () => {
  it.each([
    [100, '100%'],
    [99.999, '99.999%'],
    [99.5, '99.500%'],
    [0, '0.000%'],
  ])('express %d as a percentage', (value, text) => {
    expect(percent(value)).toBe(text);
  });

  it.each<[number | null, number | null, string]>([
    [99.982, 89.49 * 86_400, '99.982% over 89.4 days'],
    [100, 3_700, '100% over 1 hour'],
    [0, 60, '0.000% over 1 minute'],
    [100, 0.9, 'No data yet'],
    [null, 0, 'No data yet'],
    [null, null, 'No data yet'],
  ])('express an uptime of %s over %s seconds', (uptimePercent, observedSeconds, text) => {
    expect(uptimeWords({ uptimePercent, observedSeconds })).toBe(text);
  });

  it.each<[number | null, number, number, string]>([
    [99.982, 90 * 86_400, 90 * 86_400, '99.982%'],
    [99.982, 7_698_240, 90 * 86_400, '99.982%'],
    [99.982, 7_698_239, 90 * 86_400, '99.982% over 89.0 days'],
    [100, 3_600, 3_600, '100%'],
    [100, 3_600, 7_200, '100% over 1 hour'],
    [null, 0, 3_600, 'No data yet'],
  ])('express an uptime of %s over %d of %d seconds', (uptimePercent, observedSeconds, periodSeconds, text) => {
    expect(uptimeWords({ uptimePercent, observedSeconds }, periodSeconds)).toBe(text);
  });
});
