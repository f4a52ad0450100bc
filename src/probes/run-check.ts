import { NO_TIMINGS, type ProbeOutcome } from '../domain/check-result.js';
import { type ErrorCode } from '../domain/error-codes.js';
import { Deadline } from './deadline.js';
import { CheckerFault, type Evaluate, evaluateAlone, HELD_UP } from './evaluation.js';
import { type Egress } from './net/egress.js';
import { errorCode } from './net/probe-fault.js';
import { type ProbeDefinition } from './probe.js';

export interface RunOptions {
  /** Absolute deadline of the whole check, redirects included, in milliseconds. */
  timeoutMs: number;
  egress: Egress;
  /** Milliseconds in which this thread was held up so far; left out: not measured. */
  stalledMs?: () => number;
  /** Left out: each evaluation has the same limit. */
  evaluate?: Evaluate;
}

/** Of its time, how much a check may lose to a thread that is held up, and still be one that ran out of time. */
const TOLERATED_STALL = 0.2;
const RAN_OUT_OF_TIME: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['timeout', 'connect_timeout', 'dns_failed']);

/**
 * Runs one check under its deadline. Never rejects, and settles even if the probe does not. A throw is a fault of ours
 * (`checker_error`); so is a check that took far longer than its deadline allows, or ran out of time while this thread
 * was held up: what it observed says nothing about the target.
 */
export async function runProbe<F extends object>(
  definition: ProbeDefinition<F>,
  fields: F,
  { timeoutMs, egress, stalledMs = () => 0, evaluate = evaluateAlone }: RunOptions,
): Promise<ProbeOutcome> {
  const startedAt = performance.now();
  const stalledBefore = stalledMs();
  const allowanceMs = Math.max(2_000, timeoutMs / 2);
  const deadline = new Deadline();
  let timer: NodeJS.Timeout;
  const stuck = new Promise<ProbeOutcome>((resolve) => {
    const giveUp = (): void => resolve(ourFault('The probe did not end at its deadline.'));
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, allowanceMs);
      deadline.end();
    }, timeoutMs);
  });
  try {
    const probing = definition.probe(fields, { deadline, timeoutMs, egress, evaluate });
    const outcome = await Promise.race([probing, stuck]);
    if (performance.now() - startedAt > timeoutMs + allowanceMs) return ourFault(HELD_UP);
    const isLate = outcome.error !== null && RAN_OUT_OF_TIME.has(outcome.error.code);
    return isLate && stalledMs() - stalledBefore > TOLERATED_STALL * timeoutMs ? ourFault(HELD_UP) : outcome;
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
