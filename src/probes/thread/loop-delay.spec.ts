import { expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { Scrape } from '../../../test/support/exposition.js';
import { countDelays, delaysIn, makeDelayMemory } from './loop-delay.js';

it('counts how long the event loop was blocked', async () => {
  const memory = makeDelayMemory();
  const late = (): number => {
    const seen = new Scrape(`# HELP x x\n# TYPE x histogram\n${delaysIn(memory).samples('x')}`);
    return seen.value('x_count') - seen.value('x_bucket', { le: '0.25' });
  };
  const stop = countDelays(memory);
  const until = performance.now() + 400;
  while (performance.now() < until);
  await eventually(() => expect(late()).toBeGreaterThanOrEqual(1));
  stop();
});
