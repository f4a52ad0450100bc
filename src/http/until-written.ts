import { setTimeout as delay } from 'node:timers/promises';
import { ProblemException } from './problems/problem.js';

/** How often a write starts over because another one, or the deletion of what it names, came in between. */
const ATTEMPTS = 20;

/**
 * Judges and writes again while that gives `null`: what was judged has changed before it was written.
 * @throws 409 `conflict` where that never ends
 */
export async function untilWritten<T>(noun: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count += 1) {
    const written = await attempt();
    if (written !== null) return written;
    await delay(Math.random() * 20 * (count + 1));
  }
  throw new ProblemException(409, 'conflict', `The ${noun} is being written by too many at once; try again.`);
}
