import { NO_TIMINGS, type Timings } from '../domain/check-result.js';

/** Minimum duration of a phase: the precision of reported times. */
const LEAST_MS = 0.1;

/**
 * Measures the phases of a check with the monotonic clock. The times of a repeated phase (redirects) are added up. If
 * this thread noticed the end of a phase late, that delay is not the target's and is subtracted.
 */
export class PhaseClock {
  /** The completed phases in milliseconds with one decimal. */
  readonly timings: Timings = { ...NO_TIMINGS };
  private startedAt = performance.now();
  private phaseStartedAt = this.startedAt;
  private lateMs = 0;

  /** @param lagMs returns by how much this thread may be late in handling the current event */
  constructor(private readonly lagMs: () => number = () => 0) {}

  /** Ends the current phase, records it under this name, and starts the next one. */
  lap(phase: keyof Timings): void {
    const now = performance.now();
    const tookMs = now - this.phaseStartedAt;
    // A lag that began before the phase did not prolong it, and every phase takes some time.
    const lateMs = Math.min(this.lagMs(), Math.max(0, tookMs - LEAST_MS));
    this.lateMs += lateMs;
    this.timings[phase] = inTenths((this.timings[phase] ?? 0) + tookMs - lateMs);
    this.phaseStartedAt = now;
  }

  /** Records a phase that was measured elsewhere, and returns its milliseconds with one decimal. */
  note(phase: keyof Timings, ms: number): number {
    return (this.timings[phase] = inTenths(ms));
  }

  /** Leaves out milliseconds of the current phase that are not the target's. */
  skip(ms: number): void {
    this.startedAt += ms;
    this.phaseStartedAt += ms;
  }

  /**
   * Returns milliseconds since the clock was created, with one decimal, minus the delays of this thread and what was
   * skipped.
   */
  elapsedMs(): number {
    return inTenths(performance.now() - this.startedAt - this.lateMs);
  }

  /** Total milliseconds by which this thread may have noticed the ends of phases late. */
  get lostMs(): number {
    return this.lateMs;
  }
}

function inTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
