import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { eventually } from '../../../test/support/eventually.js';
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
    lag.work();
    await delay(60);
    holdUp(300);
    expect(lag.ms).toBeGreaterThan(275);
    expect(lag.ms).toBeLessThan(5_000);
  });

  it('applies to what became due during a lag, even after the beat that noticed it, but not to later events', async () => {
    lag = new LoopLag();
    lag.work();
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

  it('beats at most every 10 ms at work, and at most twice a second at rest', async () => {
    let beats = 0;
    lag = new LoopLag(() => (beats += 1));
    /** Returns how many beats came until there were `count`, and how many there may be in that time. */
    const wait = async (count: number, periodMs: number): Promise<{ came: number; most: number }> => {
      const [startedAt, before] = [performance.now(), beats];
      await eventually(() => expect(beats - before).toBeGreaterThanOrEqual(count));
      return { came: beats - before, most: Math.ceil((performance.now() - startedAt) / periodMs) };
    };
    for (const [start, count, periodMs] of [
      ['rest', 1, 500],
      ['work', 20, 10],
      ['rest', 1, 500],
    ] as const) {
      lag[start]();
      const { came, most } = await wait(count, periodMs);
      expect(came).toBeLessThanOrEqual(most);
    }
  });

  it('reports a delay that lasts until the work ends', () => {
    const delays: number[] = [];
    lag = new LoopLag((delayMs) => delays.push(delayMs));
    lag.work();
    holdUp(100);
    lag.rest();
    expect(Math.max(...delays)).toBeGreaterThan(75);
  });

  it('calls back at each beat until it is stopped', async () => {
    let beats = 0;
    lag = new LoopLag(() => (beats += 1));
    lag.work();
    await delay(200);
    expect(beats).toBeGreaterThan(0);
    lag.stop();
    const stopped = beats;
    await delay(60);
    expect(beats).toBe(stopped);
  });
});
