import { describe, expect, it } from '@jest/globals';
import { SlotTime } from './slot-time.js';

const FORWARD_AND_BACK = [
  { at: 1_000, offsetMs: 100 },
  { at: 2_000, offsetMs: 0 },
];

describe('slot time', () => {
  it.each<[string, { at: number; offsetMs: number }[], number, number]>([
    ['equals true time without steps', [], 1_234, 1_234],
    ['equals true time before a step', FORWARD_AND_BACK, 999, 999],
    ['jumps at a step forward', FORWARD_AND_BACK, 1_000, 1_100],
    ['is ahead after a step forward', FORWARD_AND_BACK, 1_500, 1_600],
    ['does not jump at a step back', FORWARD_AND_BACK, 2_000, 2_100],
    ['runs slowly after a step back', FORWARD_AND_BACK, 2_500, 2_550],
    ['runs slowly until it agrees with the wall clock', FORWARD_AND_BACK, 3_000, 3_000],
    ['runs at full speed once it agrees with the wall clock', FORWARD_AND_BACK, 3_500, 3_500],
    ['runs slowly if the first step is back', [{ at: 1_000, offsetMs: -100 }], 1_500, 1_450],
    ['agrees with the wall clock long after a step back', [{ at: 1_000, offsetMs: -100 }], 2_500, 2_400],
    ['follows a step forward while it runs slowly', [{ at: 1_000, offsetMs: -100 }, { at: 1_500, offsetMs: 0 }], 1_600, 1_600], // prettier-ignore
  ])('%s', (_, steps, at, expected) => {
    expect(new SlotTime(steps).at(at)).toBeCloseTo(expected, 6);
  });

  it('has the skipped time as its jumps', () => {
    expect(new SlotTime(FORWARD_AND_BACK).jumps).toEqual([{ from: 1_000, to: 1_100 }]);
  });
});
