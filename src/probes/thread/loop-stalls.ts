const BEAT_MS = 20;
/** So late a beat is on any busy day; more is time in which nothing could be observed. */
const TOLERATED_MS = 10;

/**
 * Measures for how long this thread could not turn to its events: what arrives meanwhile is seen too late, and a check
 * that runs out of time then says nothing about its target.
 */
export class LoopStalls {
  private total = 0;
  private expected = performance.now() + BEAT_MS;
  private readonly beat: NodeJS.Timeout;

  /** `toleratedMs`: up to this, the lateness of one beat does not count. */
  constructor(
    onBeat: () => void = () => undefined,
    private readonly toleratedMs = TOLERATED_MS,
  ) {
    this.beat = setInterval(() => {
      const now = performance.now();
      this.total += this.lateness(now);
      this.expected = now + BEAT_MS;
      onBeat();
    }, BEAT_MS);
    this.beat.unref();
  }

  /** Milliseconds since the start in which this thread was held up, one that still lasts included. */
  get stalledMs(): number {
    return this.total + this.lateness(performance.now());
  }

  stop(): void {
    clearInterval(this.beat);
  }

  private lateness(now: number): number {
    const late = now - this.expected;
    return late > this.toleratedMs ? late : 0;
  }
}
