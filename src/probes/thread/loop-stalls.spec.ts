import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { LoopStalls } from './loop-stalls.js';

let stalls: LoopStalls | undefined;
afterEach(() => stalls?.stop());

function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('LoopStalls', () => {
  it('counts what holds this thread up, also while it still does', async () => {
    stalls = new LoopStalls();
    await delay(60);
    const before = stalls.stalledMs;
    holdUp(300);
    expect(stalls.stalledMs - before).toBeGreaterThan(250);
    await delay(60);
    const after = stalls.stalledMs - before;
    expect(after).toBeGreaterThan(250);
    holdUp(200);
    await delay(60);
    expect(stalls.stalledMs - before).toBeGreaterThan(after + 150);
  });

  it('turns with the beat', async () => {
    let beats = 0;
    stalls = new LoopStalls(() => (beats += 1));
    await delay(200);
    expect(beats).toBeGreaterThan(0);
    stalls.stop();
    const stopped = beats;
    await delay(60);
    expect(beats).toBe(stopped);
  });
});
