import { type Assertion, type CheckFacts } from '../domain/assertions.js';
import { type CheckError, type ProbeOutcome } from '../domain/check-result.js';
import { ProbeFault } from './net/probe-fault.js';
import { type PhaseClock } from './phase-clock.js';
import { type ProbeContext } from './probe.js';
import { checkError, judgeAssertions } from './verdict.js';

/** The values that a probe records as it proceeds. They remain valid if a later phase fails. */
export class Observation {
  remoteAddress: string | null = null;
  responseTimeMs: number | null = null;

  constructor(readonly clock: PhaseClock) {}
}

/**
 * Returns the outcome of a check that has no status code. Runs its phases, then evaluates the assertions with the facts
 * that the phases returned and the response time that they recorded. A `ProbeFault` becomes the outcome's error; other
 * errors are rethrown.
 */
export async function observe(
  assertions: readonly Assertion[],
  { clock, evaluate }: Pick<ProbeContext, 'clock' | 'evaluate'>,
  phases: (seen: Observation) => Promise<CheckFacts>,
): Promise<ProbeOutcome> {
  const seen = new Observation(clock);
  let error: CheckError | null;
  let failed: ProbeOutcome['failedAssertions'] = [];
  try {
    const facts = await phases(seen);
    ({ failed, error } = judgeAssertions(assertions, { responseTimeMs: seen.responseTimeMs, ...facts }, evaluate));
  } catch (fault) {
    if (!(fault instanceof ProbeFault)) throw fault;
    error = checkError(fault.code, fault.message);
  }
  const { responseTimeMs, remoteAddress } = seen;
  return { statusCode: null, responseTimeMs, timings: clock.timings, remoteAddress, error, failedAssertions: failed };
}
