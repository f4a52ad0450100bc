import { localText, momentOfText } from '../../domain/wall-clock.js';
import { isTimeZone } from '../../domain/time-zone.js';

/** Returns the content of a date and time field: a moment (RFC 3339) as local time in a zone; empty for null. */
export function localField(moment: string | null, timezone: string): string {
  return moment === null ? '' : localText(Date.parse(moment), timezone);
}

/**
 * Returns the moment (RFC 3339) that a date and time field denotes in a zone; null if the field is empty. For an
 * unchanged field it returns the stored moment, because the field shows neither seconds nor which of two equal local
 * times is meant. Invalid text is returned unchanged, so that the service refuses it.
 */
export function momentOf(field: string, timezone: string, stored: string | null = null): string | null {
  if (field === '') return null;
  // An unknown zone is reported as a fault of its own field, not of the time.
  const zone = isTimeZone(timezone) ? timezone : 'UTC';
  if (stored !== null && localField(stored, zone) === field) return stored;
  const atMs = momentOfText(field, zone);
  return atMs === null ? field : new Date(atMs).toISOString();
}
