import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../domain/durations.js';
import { BackOff } from './back-off.js';

const FIRST = { monitorId: 'a', revision: 1 };

/** Returns for how many minutes a definition is held back after each of several incidents. */
function heldMinutes(backOff: BackOff, incidents: number): number[] {
  let now = 0;
  return Array.from({ length: incidents }, () => {
    const from = now;
    backOff.note(FIRST, now);
    while (backOff.holds(FIRST, now)) now += MINUTE_MS;
    expect(backOff.holds(FIRST, now - 1)).toBe(true);
    return (now - from) / MINUTE_MS;
  });
}

describe('BackOff', () => {
  it('holds a definition back for a minute, then twice as long each time, up to an hour', () => {
    expect(heldMinutes(new BackOff(), 9)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('holds back no other monitor', () => {
    const backOff = new BackOff();
    backOff.note(FIRST, 0);
    expect(backOff.holds({ monitorId: 'b', revision: 1 }, 0)).toBe(false);
  });

  it('ends with a change of the definition, which starts again with a minute', () => {
    const backOff = new BackOff();
    heldMinutes(backOff, 5);
    const changed = { ...FIRST, revision: 2 };
    backOff.note(FIRST, 0);
    expect([backOff.holds(FIRST, 0), backOff.holds(changed, 0)]).toEqual([true, false]);
    backOff.note(changed, 0);
    expect([backOff.holds(changed, MINUTE_MS - 1), backOff.holds(changed, MINUTE_MS)]).toEqual([true, false]);
  });
});
