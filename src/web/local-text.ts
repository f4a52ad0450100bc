/**
 * Returns a moment as text in a time zone, by default that of the reader: only the time if it is today, otherwise with
 * the date.
 */
export function localText(at: Date, now: Date, locale?: string, timeZone?: string): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const time: Intl.DateTimeFormatOptions = {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  };
  const date: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };
  const isToday = day.format(at) === day.format(now);
  return new Intl.DateTimeFormat(locale, isToday ? time : { ...date, ...time }).format(at);
}
