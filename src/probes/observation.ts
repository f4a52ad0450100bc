import { type TLSSocket } from 'node:tls';
import { type Assertion, type AssertionSource, type CheckFacts } from '../domain/assertions.js';
import { type CheckError, type ProbeOutcome } from '../domain/check-result.js';
import { ProbeFault } from './net/probe-fault.js';
import { certificateDaysLeft, certificateFingerprint } from './net/tls.js';
import { type PhaseClock } from './phase-clock.js';
import { type ProbeContext } from './probe.js';
import { checkError, judgeAssertions } from './verdict.js';

/** The values that a probe records as it proceeds. They remain valid if a later phase fails. */
export class Observation {
  remoteAddress: string | null = null;
  statusCode: number | null = null;
  responseTimeMs: number | null = null;

  /** What the assertions need of the connection. */
  readonly facts: Pick<CheckFacts, 'tlsDaysLeft' | 'tlsProtocol' | 'certificateFingerprint'> = {};

  constructor(
    readonly clock: PhaseClock,
    private readonly assertions: readonly Assertion[],
  ) {}

  /** Returns whether an assertion needs a source, which may take time to determine. */
  asks(...sources: readonly AssertionSource[]): boolean {
    return this.assertions.some(({ source }) => sources.includes(source));
  }

  /** Records what the assertions need of a completed TLS handshake. */
  noteTls(secured: TLSSocket): void {
    if (this.asks('tlsDaysLeft')) this.facts.tlsDaysLeft = certificateDaysLeft(secured);
    if (this.asks('tlsProtocol')) this.facts.tlsProtocol = secured.getProtocol();
    if (this.asks('certificateFingerprint')) this.facts.certificateFingerprint = certificateFingerprint(secured);
  }
}

/**
 * Returns the outcome of a check. Runs its phases, then evaluates the assertions with the facts
 * that the phases returned and the response time that they recorded. A `ProbeFault` becomes the outcome's error; other
 * errors are rethrown.
 */
export async function observe(
  assertions: readonly Assertion[],
  { clock, evaluate }: Pick<ProbeContext, 'clock' | 'evaluate'>,
  phases: (seen: Observation) => Promise<CheckFacts>,
): Promise<ProbeOutcome> {
  const seen = new Observation(clock, assertions);
  let error: CheckError | null;
  let failed: ProbeOutcome['failedAssertions'] = [];
  try {
    const facts = await phases(seen);
    ({ failed, error } = judgeAssertions(
      assertions,
      { responseTimeMs: seen.responseTimeMs, ...seen.facts, ...facts },
      evaluate,
    ));
  } catch (fault) {
    if (!(fault instanceof ProbeFault)) throw fault;
    error = checkError(fault.code, fault.message);
  }
  const { statusCode, responseTimeMs, remoteAddress } = seen;
  return { statusCode, responseTimeMs, timings: clock.timings, remoteAddress, error, failedAssertions: failed };
}
