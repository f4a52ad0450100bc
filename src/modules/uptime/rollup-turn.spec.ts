import { expect, it } from '@jest/globals';
import { dateOf } from '../../domain/utc-day.js';
import { turnOf } from './rollup-turn.js';

it.each([
  // The first week began on 1970-01-01, so a week also begins on 2026-10-01.
  ['2026-10-10T00:00:00.000Z', 0, '2026-10-01', '2026-10-08'],
  ['2026-10-10T00:59:59.999Z', 0, '2026-10-01', '2026-10-08'],
  ['2026-10-10T01:00:00.000Z', 1, '2026-10-01', '2026-10-08'],
  ['2026-10-10T23:59:59.999Z', 23, '2026-10-01', '2026-10-08'],
  ['2026-10-11T00:00:00.000Z', 0, '2026-10-01', '2026-10-08'],
  ['2026-10-16T23:59:59.999Z', 23, '2026-10-01', '2026-10-08'],
  ['2026-10-17T00:00:00.000Z', 0, '2026-10-08', '2026-10-15'],
  // A week is final 48 hours after its last day.
  ['2026-10-09T23:59:59.999Z', 23, '2026-09-24', '2026-10-01'],
])('at %s, selects slice %d and the days from %s up to %s', (now, slice, from, to) => {
  const turn = turnOf(Date.parse(now));
  expect([turn.slice, dateOf(turn.fromMs), dateOf(turn.toMs)]).toEqual([slice, from, to]);
});
