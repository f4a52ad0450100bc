import { NO_TIMINGS, type Timings } from '../domain/check-result.js';

/** What a phase takes at the least, in the precision in which it is shown. */
const LEAST_MS = 0.1;

/**
 * Measures the phases of a check on the monotonic clock. A phase that is passed more than once (redirects) adds up.
 * Time by which this thread was late to see the end of a phase is not the target's, and left out.
 */
export class PhaseClock {
  /** Phases that were completed, in milliseconds with one decimal. */
  readonly timings: Timings = { ...NO_TIMINGS };
  private readonly startedAt = performance.now();
  private phaseStartedAt = this.startedAt;
  private lateMs = 0;

  /** @param lagMs by how much this thread may be late with the event that it is handling */
  constructor(private readonly lagMs: () => number = () => 0) {}

  /** Ends the running phase under this name; the next one starts. */
  lap(phase: keyof Timings): void {
    const now = performance.now();
    const tookMs = now - this.phaseStartedAt;
    // A lag from before the phase has not made it longer, and none took no time.
    const lateMs = Math.min(this.lagMs(), Math.max(0, tookMs - LEAST_MS));
    this.lateMs += lateMs;
    this.timings[phase] = inTenths((this.timings[phase] ?? 0) + tookMs - lateMs);
    this.phaseStartedAt = now;
  }

  /** Enters a phase that was measured elsewhere; gives its milliseconds with one decimal. */
  note(phase: keyof Timings, ms: number): number {
    return (this.timings[phase] = inTenths(ms));
  }

  /** Milliseconds since the clock was made, with one decimal, without those in which this thread was late. */
  elapsedMs(): number {
    return inTenths(performance.now() - this.startedAt - this.lateMs);
  }

  /** Milliseconds by which this thread may have seen the ends of the phases too late, in all. */
  get lostMs(): number {
    return this.lateMs;
  }
}

function inTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
