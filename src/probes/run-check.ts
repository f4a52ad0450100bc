import { NO_TIMINGS, type ProbeOutcome } from '../domain/check-result.js';
import { type ErrorCode } from '../domain/error-codes.js';
import { Deadline } from './deadline.js';
import { CheckerFault, type Evaluate, evaluateAlone, HELD_UP } from './evaluation.js';
import { type Egress } from './net/egress.js';
import { errorCode } from './net/probe-fault.js';
import { PhaseClock } from './phase-clock.js';
import { type ProbeDefinition } from './probe.js';

export interface RunOptions {
  /** Absolute deadline of the whole check, redirects included, in milliseconds. */
  timeoutMs: number;
  egress: Egress;
  /** Milliseconds by which this thread may be late with the event that it is handling; left out: not measured. */
  lagMs?: () => number;
  /** Left out: each evaluation has the same limit. */
  evaluate?: Evaluate;
}

/** The share of its time that a check may lose because this thread takes the next step late, and still have run out of time. */
const TOLERATED_LOSS = 0.2;
const RAN_OUT_OF_TIME: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['timeout', 'connect_timeout', 'dns_failed']);

/**
 * Runs one check under its deadline. Never rejects, and settles even if the probe does not. A throw is a fault of ours
 * (`checker_error`); so is a check that took far longer than its deadline allows, or ran out of time because this thread
 * took its steps too late: what it observed says nothing about the target.
 */
export async function runProbe<F extends object>(
  definition: ProbeDefinition<F>,
  fields: F,
  { timeoutMs, egress, lagMs, evaluate = evaluateAlone }: RunOptions,
): Promise<ProbeOutcome> {
  const startedAt = performance.now();
  const allowanceMs = Math.max(2_000, timeoutMs / 2);
  const deadline = new Deadline();
  const clock = new PhaseClock(lagMs);
  let timer: NodeJS.Timeout;
  const stuck = new Promise<ProbeOutcome>((resolve) => {
    const giveUp = (): void => resolve(ourFault('The probe did not end at its deadline.'));
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, allowanceMs);
      // What arrived in time is read first, however late this thread comes to its deadline.
      setImmediate(() => deadline.end());
    }, timeoutMs);
  });
  try {
    const probing = definition.probe(fields, { deadline, timeoutMs, clock, egress, evaluate });
    const outcome = await Promise.race([probing, stuck]);
    if (performance.now() - startedAt > timeoutMs + allowanceMs) return ourFault(HELD_UP);
    const isLate = outcome.error !== null && RAN_OUT_OF_TIME.has(outcome.error.code);
    return isLate && clock.lostMs > TOLERATED_LOSS * timeoutMs ? ourFault(HELD_UP) : outcome;
  } catch (error) {
    if (error instanceof CheckerFault) return ourFault(error.message);
    const code = errorCode(error);
    return ourFault(`The check could not be run${code ? ` (${code})` : ''}.`);
  } finally {
    clearTimeout(timer!);
  }
}

/** The outcome of a check that we could not make: `unknown`, whatever the target does. */
export function ourFault(message: string): ProbeOutcome {
  return {
    statusCode: null,
    responseTimeMs: null,
    timings: NO_TIMINGS,
    remoteAddress: null,
    error: { code: 'checker_error', message },
    failedAssertions: [],
  };
}
