import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { PhaseClock } from './phase-clock.js';

/** Rounding error of each figure, since they are rounded to tenths. */
const ROUNDING_MS = 0.1;

describe('PhaseClock', () => {
  it('measures phases that add up to the total, including a repeated phase', async () => {
    const clock = new PhaseClock();
    const from = performance.now();
    let until = from;
    for (const phase of ['connectMs', 'firstByteMs', 'connectMs', 'firstByteMs'] as const) {
      await delay(20);
      until = performance.now();
      clock.lap(phase);
    }
    const elapsedMs = clock.elapsedMs();
    const { connectMs, firstByteMs, dnsMs } = clock.timings;
    expect(dnsMs).toBeNull();
    expect(connectMs).toBeGreaterThan(38);
    expect(firstByteMs).toBeGreaterThan(38);
    expect(connectMs! + firstByteMs!).toBeGreaterThan(until - from - 2 * ROUNDING_MS);
    expect(connectMs! + firstByteMs!).toBeLessThan(elapsedMs + 3 * ROUNDING_MS);
    expect(clock.lostMs).toBe(0);
  });

  it('subtracts the delay with which the end of a phase was noticed', async () => {
    const lags = [30, 0];
    const clock = new PhaseClock(() => lags.shift()!);
    const from = performance.now();
    await delay(60);
    clock.lap('connectMs');
    await delay(20);
    const until = performance.now();
    clock.lap('firstByteMs');
    const elapsedMs = clock.elapsedMs();
    expect(clock.lostMs).toBe(30);
    const { connectMs, firstByteMs } = clock.timings;
    expect(connectMs).toBeGreaterThan(28);
    expect(firstByteMs).toBeGreaterThan(18);
    expect(connectMs! + firstByteMs!).toBeGreaterThan(until - from - 30 - 2 * ROUNDING_MS);
    expect(connectMs! + firstByteMs!).toBeLessThan(elapsedMs + 3 * ROUNDING_MS);
    expect(elapsedMs).toBeLessThanOrEqual(performance.now() - from - 30 + 1);
  });

  it('leaves out what was skipped, from the phase and the total', async () => {
    const clock = new PhaseClock();
    await delay(20);
    clock.lap('connectMs');
    const from = performance.now();
    await delay(60);
    const skippedMs = performance.now() - from;
    clock.skip(skippedMs);
    await delay(20);
    const until = performance.now();
    clock.lap('firstByteMs');
    const tookMs = until - from - skippedMs;
    expect(clock.timings.firstByteMs).toBeGreaterThan(tookMs - ROUNDING_MS);
    expect(clock.timings.connectMs! + clock.timings.firstByteMs!).toBeLessThan(clock.elapsedMs() + 3 * ROUNDING_MS);
    expect(clock.elapsedMs()).toBeLessThanOrEqual(performance.now() - from - skippedMs + clock.timings.connectMs! + 1);
    expect(clock.lostMs).toBe(0);
  });

  it('reports at least a tenth of a millisecond per phase', async () => {
    const clock = new PhaseClock(() => 60_000);
    const from = performance.now();
    await delay(20);
    clock.lap('connectMs');
    expect(clock.timings.connectMs).toBe(0.1);
    expect(clock.lostMs).toBeGreaterThan(18);
    expect(clock.lostMs).toBeLessThan(performance.now() - from + 1);
  });
});
