import { MINUTE_MS } from '../../../domain/durations.js';
import { counted } from '../../../html/counted.js';
import { nextStart, occurrences, type Schedule } from '../../../domain/recurrence.js';
import { type ClosedSpan } from '../../../domain/span.js';
import { type Mark } from '../../../html/marks.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';

type Scheduled = Pick<MaintenanceWindowDto, 'startsAt' | 'endsAt' | 'timezone' | 'rrule'>;

/** Returns at most `count` occurrences that start after a moment. */
export function nextOccurrences(window: Scheduled, afterMs: number, count: number): ClosedSpan[] {
  const schedule = scheduleOf(window);
  const found: ClosedSpan[] = [];
  let atMs = afterMs;
  while (schedule && found.length < count) {
    const from = nextStart(schedule, atMs);
    if (from === null) break;
    found.push({ from, to: from + (schedule.endsAtMs - schedule.startsAtMs) });
    atMs = from;
  }
  return found;
}

/** Returns the scheduled end of the occurrence that is active at a moment; null if there is none. */
export function presentEnd(window: Scheduled, atMs: number): number | null {
  const schedule = scheduleOf(window);
  const present = schedule ? occurrences(schedule, atMs, atMs + 1) : [];
  return present.length === 0 ? null : Math.max(...present.map(({ to }) => to));
}

function scheduleOf({ startsAt, endsAt, timezone, rrule }: Scheduled): Schedule | null {
  if (startsAt === null || endsAt === null) return null;
  return { startsAtMs: Date.parse(startsAt), endsAtMs: Date.parse(endsAt), timezone, rrule };
}

/**
 * Returns a span in local time, such as `Sun, 4 Jan 2026, 02:30 to 04:30 CET`. The end has its own date if that
 * differs.
 */
export function spanWords({ from, to }: ClosedSpan, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  });
  const clock = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  const start = new Intl.DateTimeFormat('en-GB', clock).format(from);
  const end = new Intl.DateTimeFormat('en-GB', { ...clock, timeZoneName: 'short' }).format(to);
  const [first, last] = [day.format(from), day.format(to)];
  return first === last ? `${first}, ${start} to ${end}` : `${first}, ${start} to ${last}, ${end}`;
}

/** Returns a moment in local time, such as `Sun, 4 Jan 2026, 04:30 CET`. */
export function momentWords(ms: number, timeZone: string): string {
  return spanWords({ from: ms, to: ms }, timeZone).replace(/\d\d:\d\d to /, '');
}

/** Returns the state of a window as a mark and a word. */
export function windowMark({ active, nextStartsAt, startsAt }: MaintenanceWindowDto): { mark: Mark; word: string } {
  if (active) return { mark: 'maintenance', word: 'Active' };
  if (nextStartsAt !== null) return { mark: 'unknown', word: 'Upcoming' };
  return { mark: 'paused', word: startsAt === null ? 'Inactive' : 'Past' };
}

/** Returns the duration of an occurrence; empty without a schedule. */
export function lengthWords({ startsAt, endsAt }: Scheduled): string {
  if (startsAt === null || endsAt === null) return '';
  return minutesWords(Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / MINUTE_MS));
}

/** Returns a duration of minutes in words, with all units: `1 hour 30 minutes`. */
export function minutesWords(minutes: number): string {
  const parts: [number, string][] = [
    [Math.floor(minutes / 1_440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ];
  return parts.flatMap(([count, unit]) => (count > 0 ? [counted(count, unit)] : [])).join(' ');
}
