import { DAY_MS } from './durations.js';

/** Why an address is sent nothing. */
export type QuarantineStatus = 'bounced' | 'complained';

/** What a mail provider reports about an address. */
export interface MailReport {
  kind: QuarantineStatus;
  /** Whether the address does not work at all, rather than for the moment. Complaints are permanent. */
  permanent: boolean;
  /** In words, without addresses; null if it is not given. */
  reason: string | null;
}

/** What is known about an address. */
export interface QuarantineState {
  /** Null if the address may be sent mail. */
  status: QuarantineStatus | null;
  reason: string | null;
  /** Days on which mail to the address bounced temporarily, up to the latest one. */
  transientBounces: number;
  /** When the latest of these was counted. */
  countedAtMs: number | null;
}

/** A mailbox may be full for an afternoon, in which it is sent many updates of one incident. */
const COUNTED_EVERY_MS = DAY_MS;
/** After this long without a bounce, temporary ones are forgotten. */
export const FORGOTTEN_AFTER_MS = 30 * DAY_MS;
/** Temporary bounces that count as a permanent one. */
const MAX_TRANSIENT = 5;

export const NOTHING_KNOWN: QuarantineState = { status: null, reason: null, transientBounces: 0, countedAtMs: null };

/**
 * Returns what is known about an address after a report. A complaint stays; a permanent bounce and the fifth temporary
 * one, of which at most one a day counts, quarantine the address.
 */
export function afterReport(before: QuarantineState, report: MailReport, nowMs: number): QuarantineState {
  const { kind, permanent, reason } = report;
  if (before.status === 'complained') return before;
  if (kind === 'complained') return { ...before, status: kind, reason };
  if (before.status === 'bounced') return before;
  if (permanent) return { ...before, status: kind, reason };
  const sinceMs = before.countedAtMs === null ? Infinity : nowMs - before.countedAtMs;
  if (sinceMs < COUNTED_EVERY_MS) return before;
  const transientBounces = (sinceMs > FORGOTTEN_AFTER_MS ? 0 : before.transientBounces) + 1;
  const counted = { ...before, transientBounces, countedAtMs: nowMs };
  return transientBounces < MAX_TRANSIENT ? counted : { ...counted, status: kind, reason };
}
