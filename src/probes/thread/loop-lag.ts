const BEAT_MS = 10;
/** A lag up to this is everyday: within it, it cannot be told from the lateness of timers. */
const TOLERATED_MS = 10;

/**
 * Tells how late this thread may be with the event that it is handling, because of other work or for want of a
 * processor. Detects lags of more than 20 ms for certain, and none of less than 10 ms.
 */
export class LoopLag {
  private expected = performance.now() + BEAT_MS;
  /** Of the turn that the last beat belongs to: what arrived during the lag is handled after that beat. */
  private lastMs = 0;
  private readonly beat: NodeJS.Timeout;

  constructor(onBeat: () => void = () => undefined) {
    this.beat = setInterval(() => {
      const now = performance.now();
      this.lastMs = this.lateness(now);
      // Immediates run once the arrivals have been handled.
      if (this.lastMs > 0) setImmediate(() => (this.lastMs = 0));
      this.expected = now + BEAT_MS;
      onBeat();
    }, BEAT_MS);
    this.beat.unref();
  }

  /** Milliseconds by which the present event may be late; 0 where the thread is on time. */
  get ms(): number {
    return Math.max(this.lastMs, this.lateness(performance.now()));
  }

  stop(): void {
    clearInterval(this.beat);
  }

  private lateness(now: number): number {
    const late = now - this.expected;
    return late > TOLERATED_MS ? late : 0;
  }
}
