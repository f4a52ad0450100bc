import { type ProbeOutcome, type ResultStatus, NO_TIMINGS } from '../../src/domain/check-result.js';
import { type ErrorCode } from '../../src/domain/error-codes.js';
import { type Dice } from '../fuzz/dice.js';
import { type Phase } from './script.types.js';

/** The outcome of a check and its duration. */
export interface Answer {
  status: ResultStatus;
  outcome: ProbeOutcome;
  durationMs: number;
}

const outcome = (code: ErrorCode | null): ProbeOutcome => ({
  statusCode: null,
  responseTimeMs: null,
  timings: NO_TIMINGS,
  remoteAddress: null,
  error: code && { code, message: code },
  failedAssertions: [],
});
const PASSED = outcome(null);
const REFUSED = outcome('connect_refused');
const TIMED_OUT = outcome('timeout');
export const NETWORK_GONE = outcome('network_unavailable');
export const HELD_UP = outcome('checker_error');

/** A scripted target as seen from one location. */
export class Target {
  private next = 0;

  constructor(
    private readonly phases: readonly Phase[],
    private readonly limits: { timeoutMs: number; degradedAfterMs: number | null },
    private readonly dice: Dice,
  ) {}

  /** Answers a check that starts at `at`, in order of start. It fails if the target is down at its start or end. */
  answer(at: number): Answer {
    while (this.next < this.phases.length && this.phases[this.next]!.to <= at) this.next += 1;
    const phase = this.phases[this.next];
    const now = phase && phase.from <= at ? phase : undefined;
    if (now?.kind === 'down' || (now?.kind === 'lossy' && this.dice.chance(now.loss))) return this.failure(now);
    const { timeoutMs, degradedAfterMs } = this.limits;
    const slowMs = timeoutMs / 2 + this.dice.below(timeoutMs / 3);
    const durationMs = Math.floor(now?.kind === 'slow' ? slowMs : 5 + this.dice.below(timeoutMs / 8));
    const overtaken = this.downAt(at + durationMs);
    if (overtaken) return this.failure(overtaken);
    const degraded = degradedAfterMs !== null && durationMs > degradedAfterMs;
    return { status: degraded ? 'degraded' : 'up', outcome: PASSED, durationMs };
  }

  private failure({ failsAtDeadline }: Phase): Answer {
    if (failsAtDeadline) return { status: 'down', outcome: TIMED_OUT, durationMs: this.limits.timeoutMs };
    return { status: 'down', outcome: REFUSED, durationMs: 1 + this.dice.below(50) };
  }

  private downAt(at: number): Phase | undefined {
    for (let i = this.next; i < this.phases.length && this.phases[i]!.from <= at; i += 1) {
      const phase = this.phases[i]!;
      if (phase.kind === 'down' && at < phase.to) return phase;
    }
    return undefined;
  }
}
