import { Temporal } from 'temporal-polyfill';

/** What clocks in a time zone (IANA name) show at a moment. */
export function wallClock(atMs: number, timezone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDateTime();
}

/**
 * When clocks in a time zone show this, in epoch milliseconds. A time that a change of clocks leaves out is moved on by
 * the change (02:30 to 03:30); one that comes twice means the first (RFC 5545, 3.3.5).
 */
export function instant(wall: Temporal.PlainDateTime, timezone: string): number {
  return wall.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** `YYYY-MM-DDTHH:MM` by the clocks of a time zone, as fields of browsers have it; what is below a minute is cut. */
export function localText(atMs: number, timezone: string): string {
  return wallClock(atMs, timezone).toString({ smallestUnit: 'minute', roundingMode: 'trunc' });
}

/** The moment of a local time `YYYY-MM-DDTHH:MM[:SS]`, by the rules of `instant`; null for what is none. */
export function momentOfText(text: string, timezone: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)) return null;
  try {
    return instant(Temporal.PlainDateTime.from(text), timezone);
  } catch {
    return null;
  }
}
