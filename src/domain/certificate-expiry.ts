import { DAY_MS } from './utc-day.js';

/** Days before the expiry of a certificate at which its team is notified. */
export const EXPIRY_THRESHOLDS_DAYS = [30, 14, 7, 3, 1] as const;

/** The validity of a certificate, in epoch milliseconds. */
export interface Validity {
  validFrom: number;
  validUntil: number;
}

/**
 * Returns the thresholds that apply to a certificate, in days, the longest first. Those above a third of its lifetime do
 * not: certificates that live for 90 days are usually renewed 30 days before they expire.
 */
export function thresholdsOf({ validFrom, validUntil }: Validity): number[] {
  const longestMs = (validUntil - validFrom) / 3;
  return EXPIRY_THRESHOLDS_DAYS.filter((days) => days * DAY_MS <= longestMs);
}

/**
 * Returns the threshold to notify of, in days: the shortest one that is reached. `null` if none is, if that one or a
 * shorter one was `raised` before, or if the certificate has expired, which is no longer a warning.
 */
export function dueThreshold(certificate: Validity, raised: number | null, now: number): number | null {
  const leftMs = certificate.validUntil - now;
  if (leftMs <= 0) return null;
  const reached = thresholdsOf(certificate).findLast((days) => leftMs <= days * DAY_MS);
  return reached === undefined || (raised !== null && raised <= reached) ? null : reached;
}

/** Returns when the next threshold is reached, in epoch milliseconds: now, if one is due; `null` if none is left. */
export function nextExpiryNotice(certificate: Validity, raised: number | null, now: number): number | null {
  if (dueThreshold(certificate, raised, now) !== null) return now;
  const moments = thresholdsOf(certificate).map((days) => certificate.validUntil - days * DAY_MS);
  return moments.find((at) => at > now) ?? null;
}
