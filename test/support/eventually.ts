import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from './patience.js';

const POLL_MS = 25;

/**
 * Repeats `attempt`, which should contain the expectation, until it neither throws nor rejects, and returns its result.
 * Rethrows its last error after `timeoutMs` times {@link PATIENCE}.
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

/** Repeats a call every second while the service responds with 503, like a client that respects `Retry-After`. */
export async function untilServed<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    await delay(1_000);
  }
}
