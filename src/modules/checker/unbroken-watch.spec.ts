import { expect, it } from '@jest/globals';
import { UnbrokenWatch } from './unbroken-watch.js';

it.each<[string, [nowMs: number, sinceMs: number][]]>([
  [
    'begins with the first sweep, and lasts while sweeps follow each other',
    [
      [1_000, 1_000],
      [6_000, 1_000],
      [36_000, 1_000],
    ],
  ],
  [
    'begins anew after an interruption',
    [
      [1_000, 1_000],
      [31_001, 31_001],
      [36_000, 31_001],
    ],
  ],
  [
    'begins anew after the clock was set back',
    [
      [3_600_000, 3_600_000],
      [10_000, 10_000],
    ],
  ],
])('an unbroken watch %s', (_, sweeps) => {
  const watch = new UnbrokenWatch();
  expect(sweeps.map(([nowMs]) => [nowMs, watch.note(nowMs)])).toEqual(sweeps);
});
