import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from './patience.js';

const POLL_MS = 25;

/**
 * Tries until `attempt` neither throws nor rejects, and gives what it returned. What it threw last is thrown once
 * `timeoutMs` have passed, and {@link PATIENCE} with a busy machine is exhausted: put the expectation inside.
 */
export async function eventually<T>(attempt: () => Promise<T> | T, timeoutMs = 20_000): Promise<T> {
  for (const deadline = performance.now() + timeoutMs * PATIENCE; ; await delay(POLL_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

/** A call as clients make it that mind `Retry-After`: it is made again while the service is too busy. */
export async function untilServed<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    await delay(1_000);
  }
}
