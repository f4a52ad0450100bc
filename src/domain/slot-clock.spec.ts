import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HOUR_MS } from './durations.js';
import { advanceClock, startClock } from './slot-clock.js';

const T = Date.UTC(2026, 10, 20);

describe('startClock', () => {
  it.each([
    { highWater: null, now: T },
    { highWater: T - 1, now: T },
    { highWater: T + HOUR_MS, now: T + HOUR_MS },
  ])('with high-water mark $highWater starts at $now', ({ highWater, now }) => {
    expect(startClock(highWater, T, 7)).toEqual({ nowMs: now, monotonicMs: 7 });
  });
});

describe('advanceClock', () => {
  it.each([
    { what: 'follows the wall clock', wall: T + 50, monotonic: 50, now: T + 50 },
    { what: 'steps forward an hour', wall: T + HOUR_MS, monotonic: 1, now: T + HOUR_MS },
    { what: 'steps forward a year', wall: T + 8_760 * HOUR_MS, monotonic: 1, now: T + 8_760 * HOUR_MS },
    { what: 'stands still if neither clock advanced', wall: T, monotonic: 0, now: T },
    { what: 'slews when the wall clock went back an hour', wall: T - HOUR_MS + 100, monotonic: 100, now: T + 90 },
    { what: 'slews when the wall clock went back a little', wall: T - 1, monotonic: 100, now: T + 90 },
    { what: 'waits for a whole millisecond', wall: T - HOUR_MS, monotonic: 1, now: T },
    { what: 'never goes back, even if the monotonic clock does', wall: T - HOUR_MS, monotonic: -500, now: T },
  ])('$what', ({ wall, monotonic, now }) => {
    expect(advanceClock({ nowMs: T, monotonicMs: 0 }, wall, monotonic).nowMs).toBe(now);
  });

  it('never goes back, whatever the wall clock does', () => {
    const step = fc.record({
      jump: fc.integer({ min: -8_760 * HOUR_MS, max: 8_760 * HOUR_MS }),
      elapsed: fc.nat(60_000),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let [wall, monotonic] = [T, 0];
        let clock = startClock(null, wall, monotonic);
        for (const { jump, elapsed } of steps) {
          wall += jump + elapsed;
          monotonic += elapsed;
          const next = advanceClock(clock, wall, monotonic);
          expect(next.nowMs).toBeGreaterThanOrEqual(Math.max(clock.nowMs, wall));
          expect(Number.isInteger(next.nowMs)).toBe(true);
          clock = next;
        }
      }),
    );
  });

  it('runs at 0.9 of real time however often it is read, and meets the wall clock after ten times the setback', () => {
    const back = fc.integer({ min: 100, max: 2_000 });
    const tick = fc.double({ min: 0.3, max: 10, noNaN: true });
    fc.assert(
      fc.property(back, tick, fc.nat(8), (backMs, tickMs, share) => {
        const wallAt = (elapsed: number) => T - backMs + Math.floor(elapsed);
        let clock = startClock(null, T, 0);
        let elapsed = 0;
        for (; elapsed < backMs * share; elapsed += tickMs) clock = advanceClock(clock, wallAt(elapsed), elapsed);
        clock = advanceClock(clock, wallAt(elapsed), elapsed);
        expect(Math.abs(clock.nowMs - (T + elapsed * 0.9))).toBeLessThan(2);

        for (; elapsed < backMs * 10 + 20; elapsed += tickMs) clock = advanceClock(clock, wallAt(elapsed), elapsed);
        expect(advanceClock(clock, wallAt(elapsed), elapsed).nowMs).toBe(wallAt(elapsed));
      }),
    );
  });
});
