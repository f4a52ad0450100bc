import { expect, it } from '@jest/globals';
import { ageText } from '../../src/web/age.js';

it.each([
  [-1, '0 seconds'],
  [999, '0 seconds'],
  [1_000, '1 second'],
  [59_999, '59 seconds'],
  [60_000, '1 minute'],
  [3_599_999, '59 minutes'],
  [3_600_000, '1 hour'],
  [86_399_999, '23 hours'],
  [86_400_000, '1 day'],
  [172_800_000, '2 days'],
])('formats an age of %d ms as %s', (ms, text) => expect(ageText(ms)).toBe(text));
