import { OWN_FAULTS, type ErrorCode } from './error-codes.js';

/** The statuses of a check result. */
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
  /**
   * At most 300 characters, for people. Never quotes the target's body, nor reveals whether a port at a blocked address
   * is open.
   */
  message: string;
}

/**
 * `index` is the position in the monitor's `assertions`; `actual` is `null` where it would quote the body, and contains
 * no secrets.
 */
export interface FailedAssertion {
  index: number;
  actual: string | number | null;
}

/** The certificate of a server. */
export interface ServerCertificate {
  /** SHA-256 of the certificate, in lower-case hexadecimal digits. */
  fingerprint: string;
  /** Whom it names, such as "CN=example.com"; empty if it names only hosts. At most 300 characters. */
  subject: string;
  /** Who issued it. At most 300 characters. */
  issuer: string;
  /** Epoch milliseconds. */
  validFrom: number;
  /** Epoch milliseconds. */
  validUntil: number;
}

/** The registration of a domain. */
export interface DomainFacts {
  /** In lower case, and internationalised names in Punycode. */
  domain: string;
  /** Who registered it; `null` if the registry does not reveal it. At most 300 characters. */
  registrar: string | null;
  /** Epoch milliseconds; `null` if the registry does not reveal it. */
  expiresAt: number | null;
}

/** What a check learned of its target, in addition to its outcome. */
export interface Readings {
  /** The certificate of the target, if it is to be stored: with few of the results. */
  certificate?: ServerCertificate;
  /** The registration of the domain, for monitors of that type. */
  registration?: DomainFacts;
}

/** The outcome of a probe. After a failure, the phases that were reached have timings. */
export interface ProbeOutcome {
  statusCode: number | null;
  /** From the start of the check to its end, including redirects; `null` without a response. */
  responseTimeMs: number | null;
  timings: Timings;
  remoteAddress: string | null;
  error: CheckError | null;
  failedAssertions: FailedAssertion[];
}

/** Returns the outcome of what had no response from a target. `responseTimeMs` is the duration of a run, if it is known. */
export function bareOutcome(error: CheckError | null, responseTimeMs: number | null = null): ProbeOutcome {
  return {
    statusCode: null,
    responseTimeMs,
    timings: NO_TIMINGS,
    remoteAddress: null,
    error,
    failedAssertions: [],
  };
}

/**
 * Returns the status of a finished check: `unknown` for a fault of the service itself, `down` for any other error,
 * `degraded` for a slow response.
 */
export function judge(outcome: ProbeOutcome, degradedAfterMs: number | null): ResultStatus {
  if (outcome.error) return OWN_FAULTS.has(outcome.error.code) ? 'unknown' : 'down';
  const slow = degradedAfterMs !== null && outcome.responseTimeMs !== null && outcome.responseTimeMs > degradedAfterMs;
  return slow ? 'degraded' : 'up';
}
