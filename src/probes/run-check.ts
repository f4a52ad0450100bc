import { type X509Certificate } from 'node:crypto';
import { bareOutcome, type DomainFacts, type ProbeOutcome } from '../domain/check-result.js';
import { type ErrorCode } from '../domain/error-codes.js';
import { Deadline } from './deadline.js';
import { CheckerFault, type Evaluate, evaluateAlone, HELD_UP } from './evaluation.js';
import { type Egress } from './net/egress.js';
import { errorCode } from './net/probe-fault.js';
import { PhaseClock } from './phase-clock.js';
import { type ProbeDefinition } from './probe.js';
import { withoutSecrets } from './secret-texts.js';

export interface RunOptions {
  /** Absolute deadline of the whole check, including redirects, in milliseconds. */
  timeoutMs: number;
  egress: Egress;
  /** Returns milliseconds by which this thread may be late in handling the current event; not measured by default. */
  lagMs?: () => number;
  /** By default, each evaluation has the same limit. */
  evaluate?: Evaluate;
  /** Receives each certificate that the target presents. */
  onCertificate?: (certificate: X509Certificate) => void;
  /** Receives the registration of the domain that the check reads. */
  onRegistration?: (registration: DomainFacts) => void;
}

/** A check that lost more than this share of its time to delays of this thread does not count as a timeout. */
const TOLERATED_LOSS = 0.2;
const ignore = (): void => undefined;
const RAN_OUT_OF_TIME: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['timeout', 'connect_timeout', 'dns_failed']);

/**
 * Runs one check with a deadline. Never rejects, and settles even if the probe does not. An error that the probe throws
 * is a fault of the service (`checker_error`). So is a check that took far longer than its deadline allows, or that ran
 * out of time because this thread was late: its observations prove nothing about the target. The outcome contains no
 * secrets of the definition that the target returned.
 */
export async function runProbe<F extends object>(
  definition: ProbeDefinition<F>,
  fields: F,
  { timeoutMs, egress, lagMs, evaluate = evaluateAlone, onCertificate = ignore, onRegistration = ignore }: RunOptions,
): Promise<ProbeOutcome> {
  if (!definition.probe) return ourFault('Monitors of this type wait for reports and are not checked.');
  const startedAt = performance.now();
  const allowanceMs = Math.max(2_000, timeoutMs / 2);
  const deadline = new Deadline();
  const clock = new PhaseClock(lagMs);
  let timer: NodeJS.Timeout;
  const stuck = new Promise<ProbeOutcome>((resolve) => {
    const giveUp = (): void => resolve(ourFault('The check did not finish within its time limit.'));
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, allowanceMs);
      // Data that arrived in time is read first, even if this thread is late in handling the deadline.
      setImmediate(() => deadline.end());
    }, timeoutMs);
  });
  try {
    const seen = { onCertificate, onRegistration };
    const probing = definition.probe(fields, { deadline, timeoutMs, clock, egress, evaluate, ...seen });
    const outcome = await Promise.race([probing, stuck]);
    if (performance.now() - startedAt > timeoutMs + allowanceMs) return ourFault(HELD_UP);
    const isLate = outcome.error !== null && RAN_OUT_OF_TIME.has(outcome.error.code);
    return isLate && clock.lostMs > TOLERATED_LOSS * timeoutMs
      ? ourFault(HELD_UP)
      : withoutSecrets(definition, fields, outcome);
  } catch (error) {
    if (error instanceof CheckerFault) return ourFault(error.message);
    const code = errorCode(error);
    return ourFault(`The check could not be run${code ? ` (${code})` : ''}.`);
  } finally {
    clearTimeout(timer!);
  }
}

/** Returns the outcome of a check that the service could not run: `unknown`, regardless of the target. */
export function ourFault(message: string): ProbeOutcome {
  return bareOutcome({ code: 'checker_error', message });
}
