const BEAT_MS = 10;
/** Without work, nothing can be late: beats only show that the thread responds, and frequent ones cost 1 % of a core. */
const REST_MS = 500;
/** Lags up to this are normal: they cannot be distinguished from the inaccuracy of timers. */
const TOLERATED_MS = 10;

/**
 * Measures how late this thread may be with the event that it is handling, because of other work or for want of a
 * processor. Between `work` and `rest`, it detects every lag of more than 20 ms, and none of less than 10 ms.
 */
export class LoopLag {
  private expected = 0;
  /**
   * Lag at the last beat. It applies until the next one, because events and timers that were due during the lag may be
   * handled after the beat that noticed it: timers as late as one turn of the event loop after it, because Node compares
   * them with a cached time.
   */
  private lastMs = 0;
  private beat: NodeJS.Timeout | undefined;

  /** @param onBeat called with the milliseconds by which the timer of this beat was late */
  constructor(private readonly onBeat: (delayMs: number) => void = () => undefined) {
    this.rest();
  }

  work(): void {
    this.beatEvery(BEAT_MS);
  }

  rest(): void {
    this.beatEvery(REST_MS);
  }

  /** Milliseconds by which the current event may be late; 0 if the thread is on time. */
  get ms(): number {
    return Math.max(this.lastMs, this.lateness(performance.now()));
  }

  stop(): void {
    clearInterval(this.beat);
  }

  private beatEvery(periodMs: number): void {
    clearInterval(this.beat);
    this.lastMs = 0;
    this.expected = performance.now() + periodMs;
    this.beat = setInterval(() => {
      const now = performance.now();
      const delayMs = Math.max(0, now - this.expected);
      this.lastMs = this.lateness(now);
      this.expected = now + periodMs;
      this.onBeat(delayMs);
    }, periodMs);
    this.beat.unref();
  }

  private lateness(now: number): number {
    const late = now - this.expected;
    return late > TOLERATED_MS ? late : 0;
  }
}
