import { type CheckError } from './check-result.js';
import { type ErrorCode } from './error-codes.js';

/** A canary that has not answered for longer than this has no vote. */
export const VOTE_LASTS_MS = 600_000;
/** Only checks that finished within this time are evidence. */
export const EVIDENCE_LASTS_MS = 30_000;

/** What is known of one canary. Times are milliseconds of any one clock. */
export interface CanaryReading {
  /** When it answered last; `null`: never. */
  answeredAt: number | null;
  /** Since when it fails; `null` while it answers, or has not been asked. */
  failingSince: number | null;
}

/** The newest finished check of a monitor. */
export interface NetworkEvidence {
  finishedAt: number;
  /** Whether anything came back from the target, good or bad. */
  answered: boolean;
}

export type NetworkVerdict = 'present' | 'gone';

/** What a missing network of ours can look like. Other errors prove that an answer came, or that nothing was sent. */
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
/** They tell neither. */
const NOTHING_SENT: ReadonlySet<ErrorCode> = new Set(['address_blocked', 'heartbeat_missed', 'checker_error']);

/** Whether a check failed as it would without a network, so that only a verdict can say whose fault it was. */
export function mayBeOurNetwork(error: CheckError | null): boolean {
  return error !== null && LOOKS_LIKE_NO_NETWORK.has(error.code);
}

/** Whether a check shows that the network works; `null`: it does not tell. */
export function provesNetwork(error: CheckError | null): boolean | null {
  if (error === null) return true;
  if (NOTHING_SENT.has(error.code)) return null;
  return !LOOKS_LIKE_NO_NETWORK.has(error.code) && error.code !== 'network_unavailable';
}

/** What such an error becomes once the network is known to have been gone: what was seen stays in the text. */
export function asNetworkUnavailable({ code }: CheckError): CheckError {
  return {
    code: 'network_unavailable',
    message: `The network of the machine that checks was gone, which says nothing about the target (seen: ${code}).`,
  };
}

/** What was known before. Times are milliseconds of the clock of the readings. */
export interface NetworkPast {
  /** Since when the network is gone by the last verdict; `null`: it is there. */
  goneSince: number | null;
  /** Whether anything, a canary or a target, has ever answered this process. */
  proven: boolean;
}

/**
 * Those with a vote: they have answered within ten minutes. While the network is gone nobody can answer, so the time is
 * counted up to then. Before anything at all has answered, such as after the start of a machine whose network is slower,
 * every canary has one: nothing shows yet that there is a network.
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

/** Whether any canary has a vote: where none has, the network is taken to be there. */
export function hasVoters(canaries: readonly CanaryReading[], past: NetworkPast, now: number): boolean {
  return votersOf(canaries, past, now).length > 0;
}

/** Since when every canary with a vote fails; `null` where one of them does not, or there is none. */
export function canariesFailSince(canaries: readonly CanaryReading[], past: NetworkPast, now: number): number | null {
  const voters = votersOf(canaries, past, now);
  if (voters.length === 0 || voters.some(({ failingSince }) => failingSince === null)) return null;
  return Math.max(...voters.map(({ failingSince }) => failingSince!));
}

/**
 * Whether the network of this machine is there. It is gone where every canary with a vote fails and, of the monitors
 * whose checks have finished since, and in the last 30 s, fewer than half got an answer. Where no check has finished,
 * it is as it was. `checks`: the newest one of each monitor.
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
  // Silence tells nothing new.
  if (finished === 0) return past.goneSince === null ? 'present' : 'gone';
  return answered * 2 < finished ? 'gone' : 'present';
}
