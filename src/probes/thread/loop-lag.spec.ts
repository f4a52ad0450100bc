import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { LoopLag } from './loop-lag.js';

let lag: LoopLag | undefined;
afterEach(() => lag?.stop());

function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('LoopLag', () => {
  it('returns how long this thread has been blocked while it still is', async () => {
    lag = new LoopLag();
    await delay(60);
    holdUp(300);
    expect(lag.ms).toBeGreaterThan(275);
    expect(lag.ms).toBeLessThan(5_000);
  });

  it('applies to what became due during a lag, even after the beat that noticed it, but not to later events', async () => {
    lag = new LoopLag();
    const { port1, port2 } = new MessageChannel();
    const arrived = once(port2, 'message').then(() => lag!.ms);
    await delay(60);
    const beaten = new Promise<number>((resolve) => setTimeout(() => resolve(lag!.ms), 20));
    port1.postMessage('during the lag');
    holdUp(200);
    expect(await arrived).toBeGreaterThan(150);
    expect(await beaten).toBeGreaterThan(150);
    // Where the machine is busy, the next moment may be late again, but not each of them.
    let onTime = 0;
    while (onTime === 0) {
      await delay(15);
      if (lag.ms === 0) onTime += 1;
    }
    port1.close();
  });

  it('calls back at each beat until it is stopped', async () => {
    let beats = 0;
    lag = new LoopLag(() => (beats += 1));
    await delay(200);
    expect(beats).toBeGreaterThan(0);
    lag.stop();
    const stopped = beats;
    await delay(60);
    expect(beats).toBe(stopped);
  });
});
