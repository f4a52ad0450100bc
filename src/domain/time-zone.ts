/** Returns whether a value names a time zone of the platform's IANA database, aliases included, but not offsets. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** The message for any other value, to be preceded by the name of the member. */
export const TIME_ZONE_RULE = 'must be the name of an IANA time zone, such as Europe/Berlin';
