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
  private periodMs = REST_MS;
  private expected = performance.now() + REST_MS;
  /**
   * Lag at the last beat. It applies until the next one, because events and timers that were due during the lag may be
   * handled after the beat that noticed it: timers as late as one turn of the event loop after it, because Node compares
   * them with a cached time.
   */
  private lastMs = 0;
  private timer = this.startTimer();

  /** @param onBeat called with the milliseconds by which this beat was late */
  constructor(private readonly onBeat: (delayMs: number) => void = () => undefined) {}

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
    clearInterval(this.timer);
  }

  /**
   * Beats at once as well: what blocked the thread may have ended the last check, and short checks may come so often
   * that no beat is ever due.
   */
  private beatEvery(periodMs: number): void {
    clearInterval(this.timer);
    this.periodMs = periodMs;
    this.timer = this.startTimer();
    this.beat();
  }

  private startTimer(): NodeJS.Timeout {
    return setInterval(() => this.beat(), this.periodMs).unref();
  }

  private beat(): void {
    const now = performance.now();
    const delayMs = Math.max(0, now - this.expected);
    this.lastMs = this.lateness(now);
    this.expected = now + this.periodMs;
    this.onBeat(delayMs);
  }

  private lateness(now: number): number {
    const late = now - this.expected;
    return late > TOLERATED_MS ? late : 0;
  }
}
