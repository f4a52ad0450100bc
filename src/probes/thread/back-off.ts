import { LRUCache } from 'lru-cache';

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;
const MAX_DEFINITIONS = 10_000;

/** A revision of a monitor's definition. */
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
 * Remembers definitions whose checks must not run for a while: for a minute at first, then twice as long each time, up
 * to an hour. A change of the definition ends the back-off. Times are milliseconds of the monotonic clock.
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
