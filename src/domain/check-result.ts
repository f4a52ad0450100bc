import { OWN_FAULTS, type ErrorCode } from './error-codes.js';

/** What one check says about its target. */
export const RESULT_STATUSES = ['up', 'degraded', 'down', 'unknown'] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

export const CHECK_TRIGGERS = ['schedule', 'retry', 'manual', 'created', 'resumed', 'heartbeat'] as const;
export type CheckTrigger = (typeof CHECK_TRIGGERS)[number];

/** Phases of one exchange in milliseconds; `null` where the phase was not reached or does not apply. */
export interface Timings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  transferMs: number | null;
}

export const NO_TIMINGS: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null };

export interface CheckError {
  code: ErrorCode;
  /** Plain words, at most 300 characters; never quotes the target's body nor tells an open port from a blocked address. */
  message: string;
}

/** `index` points into the definition's `assertions`; `actual` is `null` where showing it would quote the body. */
export interface FailedAssertion {
  index: number;
  actual: string | number | null;
}

/** What a probe found. Phases reached before a failure keep their timings. */
export interface ProbeOutcome {
  statusCode: number | null;
  /** From the start of the check to its end, redirects included; `null` where no answer came. */
  responseTimeMs: number | null;
  timings: Timings;
  remoteAddress: string | null;
  error: CheckError | null;
  failedAssertions: FailedAssertion[];
}

/** The status of a finished check: our own faults are `unknown`, any other error `down`, a slow answer `degraded`. */
export function judge(outcome: ProbeOutcome, degradedAfterMs: number | null): ResultStatus {
  if (outcome.error) return OWN_FAULTS.has(outcome.error.code) ? 'unknown' : 'down';
  const slow = degradedAfterMs !== null && outcome.responseTimeMs !== null && outcome.responseTimeMs > degradedAfterMs;
  return slow ? 'degraded' : 'up';
}
