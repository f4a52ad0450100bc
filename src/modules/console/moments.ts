import { localText, momentOfText } from '../../domain/wall-clock.js';
import { isTimeZone } from '../../http/body/time-zone.decorator.js';

/** What stands in a field for a date and a time: the moment (RFC 3339) by the clocks of a zone; empty for none. */
export function localField(moment: string | null, timezone: string): string {
  return moment === null ? '' : localText(Date.parse(moment), timezone);
}

/**
 * The moment (RFC 3339) that a field for a date and a time means in a zone; null where it is empty. What was not touched
 * is still the stored moment: the field shows no seconds, and not which of two equal hours it is. What makes no moment
 * comes back as it is, for the service to refuse.
 */
export function momentOf(field: string, timezone: string, stored: string | null = null): string | null {
  if (field === '') return null;
  // An unknown zone is a fault of its own, and none of the time.
  const zone = isTimeZone(timezone) ? timezone : 'UTC';
  if (stored !== null && localField(stored, zone) === field) return stored;
  const atMs = momentOfText(field, zone);
  return atMs === null ? field : new Date(atMs).toISOString();
}
