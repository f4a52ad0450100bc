import { DAY_MS } from '../../domain/durations.js';

/** A longer wait is not believed: nobody would hear of an outage in the meantime. */
const MAX_WAIT_MS = DAY_MS;

/** Returns how long a `Retry-After` header (RFC 9110, 10.2.3) asks to wait: a number of seconds, or a date. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return secondsToWait(Number(text));
  // Only the formats of HTTP dates begin with a weekday; the parser of dates would accept far more.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : bounded(at - nowMs);
}

/** Returns a number of seconds from an answer as a wait in milliseconds; null if it is none. */
export function secondsToWait(seconds: unknown): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? bounded(seconds * 1_000) : null;
}

function bounded(ms: number): number {
  return Math.min(MAX_WAIT_MS, Math.max(0, Math.ceil(ms)));
}
