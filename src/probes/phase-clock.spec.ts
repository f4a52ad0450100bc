import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { PhaseClock } from './phase-clock.js';

describe('PhaseClock', () => {
  it('measures phases, which add up to the whole, and a phase that is passed twice', async () => {
    const clock = new PhaseClock();
    for (const phase of ['connectMs', 'firstByteMs', 'connectMs', 'firstByteMs'] as const) {
      await delay(20);
      clock.lap(phase);
    }
    const { connectMs, firstByteMs, dnsMs } = clock.timings;
    expect(dnsMs).toBeNull();
    expect(connectMs).toBeGreaterThan(38);
    expect(firstByteMs).toBeGreaterThan(38);
    expect(clock.elapsedMs() - connectMs! - firstByteMs!).toBeLessThan(5);
    expect(clock.lostMs).toBe(0);
  });

  it('leaves out by how much the end of a phase was seen too late', async () => {
    const lags = [30, 0];
    const clock = new PhaseClock(() => lags.shift()!);
    await delay(60);
    clock.lap('connectMs');
    await delay(20);
    clock.lap('firstByteMs');
    expect(clock.lostMs).toBe(30);
    const { connectMs, firstByteMs } = clock.timings;
    expect(connectMs).toBeGreaterThan(28);
    expect(firstByteMs).toBeGreaterThan(18);
    expect(clock.elapsedMs() - connectMs! - firstByteMs!).toBeLessThan(5);
  });

  it('leaves out no more of a phase than there was', async () => {
    const clock = new PhaseClock(() => 60_000);
    await delay(20);
    clock.lap('connectMs');
    expect(clock.timings.connectMs).toBe(0);
    expect(clock.lostMs).toBeLessThan(10_000);
    expect(clock.elapsedMs()).toBeLessThan(5);
  });
});
