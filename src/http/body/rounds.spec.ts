import { expect, it } from '@jest/globals';
import { setImmediate as nextRound } from 'node:timers/promises';
import { threadTimeMs } from '../../probes/time-limit.js';
import { Rounds } from './rounds.js';

/** Blocks the thread. */
function work(ms: number): void {
  for (const untilMs = threadTimeMs() + ms; threadTimeMs() < untilMs;);
}

it('lets others run between the callers, which it serves in order', async () => {
  const rounds = new Rounds();
  const seen: string[] = [];
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextRound();
      if (seen.at(-1) !== 'another') seen.push('another');
    }
  })();
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await rounds.next();
      seen.push(name);
      work(15);
    }),
  );
  isOver = true;
  await others;
  expect(seen.filter((one) => one !== 'another')).toEqual(['a', 'b', 'c']);
  expect(seen.join(' ')).toMatch(/a another b another c/);
});

it('serves a caller at once if none was before it, and others whenever they come', async () => {
  const rounds = new Rounds();
  let isServed = false;
  const served = rounds.next().then(() => (isServed = true));
  await nextRound();
  expect(isServed).toBe(true);
  await served;
  await rounds.next();
  await rounds.next();
});
