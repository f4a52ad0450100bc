import { type CheckError } from './check-result.js';
import { type ErrorCode } from './error-codes.js';

/** A canary whose last answer is older than this has no vote. */
export const VOTE_LASTS_MS = 600_000;
/** Only checks that finished within this time are evidence. */
export const EVIDENCE_LASTS_MS = 30_000;

/** The state of one canary. Times are milliseconds, all of the same clock. */
export interface CanaryReading {
  /** When it last answered; `null` if never. */
  answeredAt: number | null;
  /** Since when it has been failing; `null` while it answers, or before it is first probed. */
  failingSince: number | null;
}

/** The newest finished check of a monitor. */
export interface NetworkEvidence {
  finishedAt: number;
  /** Whether the target sent any response, even a failing one. */
  answered: boolean;
}

export type NetworkVerdict = 'present' | 'gone';

/** Errors that a lost network of our own can cause. All others prove that a response came or that nothing was sent. */
const LOOKS_LIKE_NO_NETWORK: ReadonlySet<ErrorCode> = new Set([
  'dns_not_found',
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'tls_failed',
  'timeout',
  'connection_reset',
]);
/** Errors of checks that sent nothing, so they prove nothing about the network. */
const NOTHING_SENT: ReadonlySet<ErrorCode> = new Set([
  'address_blocked',
  'heartbeat_missed',
  'run_failed',
  'run_too_long',
  'checker_error',
]);

/** Returns whether our own network may have caused the error, so that the cause depends on the network verdict. */
export function mayBeOurNetwork(error: CheckError | null): boolean {
  return error !== null && LOOKS_LIKE_NO_NETWORK.has(error.code);
}

/** Returns whether a check proves that the network works; `null` if it proves neither. */
export function provesNetwork(error: CheckError | null): boolean | null {
  if (error === null) return true;
  if (NOTHING_SENT.has(error.code)) return null;
  return !LOOKS_LIKE_NO_NETWORK.has(error.code) && error.code !== 'network_unavailable';
}

/** Returns the error that replaces such an error once the network is known to have been gone; it names the original. */
export function asNetworkUnavailable({ code }: CheckError): CheckError {
  return {
    code: 'network_unavailable',
    message: `The machine that ran the check had no network connection, so the check is inconclusive (observed: ${code}).`,
  };
}

/** The network state before this verdict. Times are milliseconds of the same clock as the readings. */
export interface NetworkPast {
  /** Since when the network has been gone according to the last verdict; `null` if it is present. */
  goneSince: number | null;
  /** Whether any canary or target has ever answered this process. */
  proven: boolean;
}

/**
 * Returns the canaries with a vote: those that have answered within ten minutes. While the network is gone no canary
 * can answer, so the ten minutes end when it was lost. Until anything has answered, for example when a machine starts
 * faster than its network, every canary has a vote, because nothing proves yet that there is a network.
 */
function votersOf(
  canaries: readonly CanaryReading[],
  { goneSince, proven }: NetworkPast,
  now: number,
): CanaryReading[] {
  if (!proven) return [...canaries];
  const oldest = (goneSince ?? now) - VOTE_LASTS_MS;
  return canaries.filter(({ answeredAt }) => answeredAt !== null && answeredAt >= oldest);
}

/** Returns whether any canary has a vote; if none has, the network is assumed to be present. */
export function hasVoters(canaries: readonly CanaryReading[], past: NetworkPast, now: number): boolean {
  return votersOf(canaries, past, now).length > 0;
}

/** Returns since when every canary with a vote has been failing; `null` if one is not failing, or none has a vote. */
export function canariesFailSince(canaries: readonly CanaryReading[], past: NetworkPast, now: number): number | null {
  const voters = votersOf(canaries, past, now);
  if (voters.length === 0 || voters.some(({ failingSince }) => failingSince === null)) return null;
  return Math.max(...voters.map(({ failingSince }) => failingSince!));
}

/**
 * Returns whether the network of this machine is present. It is gone if every canary with a vote fails and fewer than
 * half of the monitors whose checks have finished since then, and within the last 30 s, got an answer. If no check has
 * finished, the previous verdict stands. `checks` contains the newest check of each monitor.
 */
export function networkVerdict(
  canaries: readonly CanaryReading[],
  checks: Iterable<NetworkEvidence>,
  past: NetworkPast,
  now: number,
): NetworkVerdict {
  const failSince = canariesFailSince(canaries, past, now);
  if (failSince === null) return 'present';
  const from = Math.max(failSince, now - EVIDENCE_LASTS_MS);
  let finished = 0;
  let answered = 0;
  for (const check of checks) {
    if (check.finishedAt < from) continue;
    finished += 1;
    if (check.answered) answered += 1;
  }
  if (finished === 0) return past.goneSince === null ? 'present' : 'gone';
  return answered * 2 < finished ? 'gone' : 'present';
}
