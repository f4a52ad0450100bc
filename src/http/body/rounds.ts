import { setImmediate as nextRound, setTimeout as delay } from 'node:timers/promises';

/** Work that took longer than this is followed by a pause. */
const LONG_MS = 10;
/** Enough to answer the requests that arrived during the work, each of which needs several rounds. */
const PAUSE_MS = 10;

/**
 * Gives each caller a round of the event loop of its own, in the order in which they ask. What several callers do
 * without a pause thus does not add up to one long pause: other requests are answered in between.
 */
export class Rounds {
  private readonly waiting: (() => void)[] = [];
  private isGiving = false;

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (!this.isGiving) void this.give();
    });
  }

  private async give(): Promise<void> {
    this.isGiving = true;
    for (let first = this.waiting.shift(); first; first = this.waiting.shift()) {
      const fromMs = performance.now();
      first();
      await nextRound();
      if (performance.now() - fromMs > LONG_MS) await delay(PAUSE_MS);
    }
    this.isGiving = false;
  }
}
