import { Temporal } from 'temporal-polyfill';

/** Returns the wall-clock time in a time zone (IANA name) at a moment. */
export function wallClock(atMs: number, timezone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDateTime();
}

/**
 * Returns the moment of a wall-clock time in a time zone, in epoch milliseconds. A time that a clock change skips is
 * moved forward by the change (02:30 to 03:30); one that occurs twice means the first (RFC 5545, 3.3.5).
 */
export function instant(wall: Temporal.PlainDateTime, timezone: string): number {
  return wall.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** Returns `YYYY-MM-DDTHH:MM` in a time zone, the format of browsers' date-time fields, truncated to the minute. */
export function localText(atMs: number, timezone: string): string {
  return wallClock(atMs, timezone).toString({ smallestUnit: 'minute', roundingMode: 'trunc' });
}

/** Returns the moment of a local time `YYYY-MM-DDTHH:MM[:SS]`, by the rules of `instant`; `null` if it is invalid. */
export function momentOfText(text: string, timezone: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)) return null;
  try {
    return instant(Temporal.PlainDateTime.from(text), timezone);
  } catch {
    return null;
  }
}
