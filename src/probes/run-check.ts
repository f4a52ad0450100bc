import { NO_TIMINGS, type ProbeOutcome } from '../domain/check-result.js';
import { type Egress } from './net/egress.js';
import { errorCode } from './net/probe-fault.js';
import { type ProbeDefinition } from './probe.js';

export interface RunOptions {
  /** Absolute deadline of the whole check, redirects included, in milliseconds. */
  timeoutMs: number;
  egress: Egress;
}

/**
 * Runs one check under its deadline. Never rejects, and settles even if the probe does not. A throw is a fault of ours
 * (`checker_error`); so is a check that took far longer than its deadline allows: then this process was suspended or
 * starved, and what it observed says nothing about the target.
 */
export async function runProbe<F extends object>(
  definition: ProbeDefinition<F>,
  fields: F,
  { timeoutMs, egress }: RunOptions,
): Promise<ProbeOutcome> {
  const startedAt = performance.now();
  const allowanceMs = Math.max(2_000, timeoutMs / 2);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  let backstop: NodeJS.Timeout | undefined;
  const stuck = new Promise<ProbeOutcome>((resolve) => {
    backstop = setTimeout(() => resolve(ourFault('The probe did not end at its deadline.')), timeoutMs + allowanceMs);
  });
  try {
    const probing = definition.probe(fields, { signal: deadline.signal, timeoutMs, egress });
    const outcome = await Promise.race([probing, stuck]);
    const overrun = performance.now() - startedAt > timeoutMs + allowanceMs;
    return overrun ? ourFault('The check ran far past its deadline: the checking process was held up.') : outcome;
  } catch (error) {
    const code = errorCode(error);
    return ourFault(`The check could not be run${code ? ` (${code})` : ''}.`);
  } finally {
    clearTimeout(timer);
    clearTimeout(backstop);
    deadline.abort(); // A probe that is still running must not outlive its result.
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
