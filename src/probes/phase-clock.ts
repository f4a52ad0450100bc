import { NO_TIMINGS, type Timings } from '../domain/check-result.js';

/** Measures the phases of a check on the monotonic clock. A phase that is passed more than once (redirects) adds up. */
export class PhaseClock {
  /** Phases that were completed, in milliseconds with one decimal. */
  readonly timings: Timings = { ...NO_TIMINGS };
  private readonly startedAt = performance.now();
  private phaseStartedAt = this.startedAt;

  /** Ends the running phase under this name; the next one starts. */
  lap(phase: keyof Timings): void {
    const now = performance.now();
    this.timings[phase] = inTenths((this.timings[phase] ?? 0) + now - this.phaseStartedAt);
    this.phaseStartedAt = now;
  }

  /** Enters a phase that was measured elsewhere; gives its milliseconds with one decimal. */
  note(phase: keyof Timings, ms: number): number {
    return (this.timings[phase] = inTenths(ms));
  }

  /** Milliseconds since the clock was made, with one decimal. */
  elapsedMs(): number {
    return inTenths(performance.now() - this.startedAt);
  }
}

function inTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
