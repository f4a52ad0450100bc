import { LRUCache } from 'lru-cache';

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;
const MAX_DEFINITIONS = 10_000;

/** One state of a monitor's definition. */
interface Definition {
  monitorId: string;
  revision: number;
}

interface Hold {
  revision: number;
  untilMs: number;
  forMs: number;
}

/**
 * Definitions whose checks are not run for a while: a minute at first, then twice as long each time, an hour at most. A
 * change of the definition ends it. Times are of the monotonic clock.
 */
export class BackOff {
  private readonly holdOf = new LRUCache<string, Hold>({ max: MAX_DEFINITIONS });

  holds({ monitorId, revision }: Definition, now: number): boolean {
    const hold = this.holdOf.get(monitorId);
    return hold?.revision === revision && now < hold.untilMs;
  }

  note({ monitorId, revision }: Definition, now: number): void {
    const before = this.holdOf.get(monitorId);
    const forMs = before?.revision === revision ? Math.min(LONGEST_MS, 2 * before.forMs) : FIRST_MS;
    this.holdOf.set(monitorId, { revision, untilMs: now + forMs, forMs });
  }
}
