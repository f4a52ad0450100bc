import { DAY_MS } from './durations.js';

/** Days before the expiry of a certificate or a domain at which its team is notified. */
export const EXPIRY_THRESHOLDS_DAYS = [30, 14, 7, 3, 1] as const;

/** The validity of a certificate or a registration, in epoch milliseconds. */
export interface Validity {
  /** `-Infinity` if it is unknown. */
  validFrom: number;
  validUntil: number;
}

/** Returns the validity of something of which only the end is known: all thresholds apply to it. */
export function validUntil(at: number): Validity {
  return { validFrom: Number.NEGATIVE_INFINITY, validUntil: at };
}

/**
 * Returns the thresholds that apply, in days, the longest first. Those above a third of the lifetime do not: certificates
 * that live for 90 days are usually renewed 30 days before they expire.
 */
export function thresholdsOf({ validFrom, validUntil }: Validity): number[] {
  const longestMs = (validUntil - validFrom) / 3;
  return EXPIRY_THRESHOLDS_DAYS.filter((days) => days * DAY_MS <= longestMs);
}

/**
 * Returns the threshold to notify of, in days: the shortest one that is reached. `null` if none is, if that one or a
 * shorter one was `raised` before, or if the validity has ended, which is no longer a warning.
 */
export function dueThreshold(validity: Validity, raised: number | null, now: number): number | null {
  const leftMs = validity.validUntil - now;
  if (leftMs <= 0) return null;
  const reached = thresholdsOf(validity).findLast((days) => leftMs <= days * DAY_MS);
  return reached === undefined || (raised !== null && raised <= reached) ? null : reached;
}

/** Returns when the next threshold is reached, in epoch milliseconds: now, if one is due; `null` if none is left. */
export function nextExpiryNotice(validity: Validity, raised: number | null, now: number): number | null {
  if (dueThreshold(validity, raised, now) !== null) return now;
  const moments = thresholdsOf(validity).map((days) => validity.validUntil - days * DAY_MS);
  return moments.find((at) => at > now) ?? null;
}

/** When to look again at what only paused monitors see, or monitors that have not been checked since a pause. */
const LATER_MS = 3_600_000;

/** What to do about something that may expire soon. */
export interface ExpiryVerdict {
  /** The threshold to notify of, in days; `null` for none. */
  notifyDays: number | null;
  /** The shortest threshold of which an event has been recorded, this one included. */
  raisedDays: number | null;
  /** When to judge again, in epoch milliseconds; `null` for never. */
  dueAtMs: number | null;
}

/**
 * Judges what at least one monitor sees. As long as none of those is `watched`, because they are paused or have not been
 * checked since, nobody is notified.
 */
export function judgeExpiry(
  validity: Validity,
  raised: number | null,
  isWatched: boolean,
  nowMs: number,
): ExpiryVerdict {
  if (!isWatched) {
    const dueAtMs = validity.validUntil > nowMs ? nowMs + LATER_MS : null;
    return { notifyDays: null, raisedDays: raised, dueAtMs };
  }
  const notifyDays = dueThreshold(validity, raised, nowMs);
  const raisedDays = notifyDays ?? raised;
  return { notifyDays, raisedDays, dueAtMs: nextExpiryNotice(validity, raisedDays, nowMs) };
}
