import { expect, it } from '@jest/globals';
import { isBeginning } from './next-steps.js';

it.each([
  [true, 1, false],
  [true, 5, false],
  [false, 6, false],
  [false, 1, true],
])('is %s with %i monitors, a status page: %s', (expected, monitorCount, hasStatusPage) => {
  expect(isBeginning({ monitorCount, hasStatusPage })).toBe(expected);
});
