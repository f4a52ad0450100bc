const BEAT_MS = 10;
/** Lags up to this are normal: they cannot be distinguished from the inaccuracy of timers. */
const TOLERATED_MS = 10;

/**
 * Measures how late this thread may be with the event that it is handling, because of other work or for want of a
 * processor. Detects every lag of more than 20 ms, and none of less than 10 ms.
 */
export class LoopLag {
  private expected = performance.now() + BEAT_MS;
  /**
   * Lag at the last beat. It applies until the next one, because events and timers that were due during the lag may be
   * handled after the beat that noticed it: timers as late as one turn of the event loop after it, because Node compares
   * them with a cached time.
   */
  private lastMs = 0;
  private readonly beat: NodeJS.Timeout;

  constructor(onBeat: () => void = () => undefined) {
    this.beat = setInterval(() => {
      const now = performance.now();
      this.lastMs = this.lateness(now);
      this.expected = now + BEAT_MS;
      onBeat();
    }, BEAT_MS);
    this.beat.unref();
  }

  /** Milliseconds by which the current event may be late; 0 if the thread is on time. */
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
