import { isTimeZone, TIME_ZONE_RULE } from '../../domain/time-zone.js';
import { localText, momentOfText } from '../../domain/wall-clock.js';
import { type FormFields } from '../../http/body/form-fields.js';
import { validationFailed } from '../../http/problems/problem.js';

/**
 * Returns the time zone of the times in a form, for an API that has no member for it. @throws 422 for an unknown one
 */
export function timeZoneIn(form: FormFields): string {
  const timezone = form.text('timezone').trim();
  if (!isTimeZone(timezone)) {
    throw validationFailed([{ pointer: '/timezone', code: 'invalid_value', detail: `timezone ${TIME_ZONE_RULE}` }]);
  }
  return timezone;
}

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
