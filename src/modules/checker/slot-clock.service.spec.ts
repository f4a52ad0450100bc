import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { HOUR_MS } from '../../domain/durations.js';
import { SlotClockService } from './slot-clock.service.js';

afterEach(() => void jest.restoreAllMocks());

describe('SlotClockService', () => {
  it('agrees with the system clock', () => {
    const clock = new SlotClockService();
    const before = Date.now();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    expect(clock.aheadMs()).toBeLessThan(10_000);
  });

  it.each([
    ['follows another clock forward only', 'follow', 120_000],
    ['can be set back if it only adopts the readings of another clock', 'adopt', 0],
  ] as const)('%s', (_, method, expectedMs) => {
    const clock = new SlotClockService();
    for (const aheadMs of [0, 120_000, 0]) {
      clock[method]({ nowMs: Date.now() + aheadMs, monotonicMs: performance.now() });
      clock.now();
    }
    expect(Math.abs(clock.now() - Date.now() - expectedMs)).toBeLessThan(10_000);
  });

  it('reports how far it is ahead of a system clock that was set back, and warns once an hour', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const clock = new SlotClockService();
    clock.now();
    expect(warn).not.toHaveBeenCalled();
    // The mark of an earlier process, from before the clock was set back by an hour.
    clock.startAfter(Date.now() + HOUR_MS);
    const ahead = clock.aheadMs();
    expect(ahead).toBeGreaterThan(HOUR_MS - 60_000);
    expect(ahead).toBeLessThanOrEqual(HOUR_MS);
    for (let reading = 0; reading < 100; reading += 1) clock.now();
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^the system clock was set back: .* 3600 s ahead of it$/)],
    ]);
  });
});
