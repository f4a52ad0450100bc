import { describe, expect, it } from '@jest/globals';
import { SlotTime } from './slot-time.js';

const FORWARD_AND_BACK = [
  { at: 1_000, offsetMs: 100 },
  { at: 2_000, offsetMs: 0 },
];

describe('slot time', () => {
  it.each<[string, { at: number; offsetMs: number }[], number, number]>([
    ['without steps', [], 1_234, 1_234],
    ['before a step', FORWARD_AND_BACK, 999, 999],
    ['at a step forward', FORWARD_AND_BACK, 1_000, 1_100],
    ['between', FORWARD_AND_BACK, 1_500, 1_600],
    ['where it is set back, it goes on', FORWARD_AND_BACK, 2_000, 2_100],
    ['slowly', FORWARD_AND_BACK, 2_500, 2_550],
    ['until it is caught up', FORWARD_AND_BACK, 3_000, 3_000],
    ['and then as ever', FORWARD_AND_BACK, 3_500, 3_500],
    ['first back', [{ at: 1_000, offsetMs: -100 }], 1_500, 1_450],
    ['first back, caught up', [{ at: 1_000, offsetMs: -100 }], 2_500, 2_400],
    ['forward while it is catching up', [{ at: 1_000, offsetMs: -100 }, { at: 1_500, offsetMs: 0 }], 1_600, 1_600], // prettier-ignore
  ])('%s', (_, steps, at, expected) => {
    expect(new SlotTime(steps).at(at)).toBeCloseTo(expected, 6);
  });

  it('knows what was jumped over', () => {
    expect(new SlotTime(FORWARD_AND_BACK).jumps).toEqual([{ from: 1_000, to: 1_100 }]);
  });
});
