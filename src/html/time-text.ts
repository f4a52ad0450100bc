import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/durations.js';
import { remembering } from '../domain/memo.js';
import { counted } from './counted.js';

/**
 * Returns a duration in words, in its largest unit: `6 minutes`, `1 hour`, `12 days`. `whole` makes it a whole number, by
 * default by cutting it. Negative counts as 0.
 */
export function duration(ms: number, whole: (count: number) => number = Math.floor): string {
  const [count, unit] =
    ms < MINUTE_MS
      ? [ms / 1_000, 'second']
      : ms < HOUR_MS
        ? [ms / MINUTE_MS, 'minute']
        : ms < DAY_MS
          ? [ms / HOUR_MS, 'hour']
          : [ms / DAY_MS, 'day'];
  const shown = Math.max(0, whole(count));
  return counted(shown, unit);
}

const UNITS = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
] as const;

/** Returns a duration without rounding, in the largest unit of which it is a multiple: `90 minutes`, `2.5 seconds`. */
export function exactDuration(ms: number): string {
  const [unitMs, unit] = UNITS.find(([one]) => ms >= one && ms % one === 0) ?? [1_000, 'second'];
  return counted(ms / unitMs, unit);
}

/**
 * Returns a moment relative to another one: `6 minutes ago`, `in 12 days`. The future is rounded, so that what ends in
 * seven days does not read `in 6 days` a second later.
 */
export function fromNow(ms: number, nowMs: number): string {
  return ms > nowMs ? `in ${duration(ms - nowMs, Math.round)}` : `${duration(nowMs - ms)} ago`;
}

const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns `1 Jan 2026` for `2026-01-01`. Cached, because every component of every page shows the same days. */
export const dayText = remembering((date) => utcDay.format(Date.parse(`${date}T00:00:00Z`)), 1_000);

/** Cached, because creating formats is slow and the number of time zones is limited. */
const formats = new Map<string, Formats>();

interface Formats {
  day: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
  /** In the form `2026-01-01`. */
  date: Intl.DateTimeFormat;
}

function formatsOf(timeZone: string): Formats {
  let found = formats.get(timeZone);
  if (!found) {
    found = {
      day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }),
      time: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone }),
      date: new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }),
    };
    formats.set(timeZone, found);
  }
  return found;
}

/** Formats moments (epoch milliseconds) in a time zone, as seen at `nowMs`. */
export class Clock {
  private readonly formats: Formats;

  constructor(
    timeZone: string,
    private readonly nowMs: number,
  ) {
    this.formats = formatsOf(timeZone);
  }

  /** Returns `14:02 CET` for today, with the date for other days. */
  at(ms: number): string {
    const { day, time } = this.formats;
    const date = day.format(ms);
    return date === day.format(this.nowMs) ? time.format(ms) : `${date}, ${time.format(ms)}`;
  }

  /** Returns `1 Jan 2026, 14:02 CET`, whatever the current day. */
  full(ms: number): string {
    return `${this.formats.day.format(ms)}, ${this.formats.time.format(ms)}`;
  }

  /** Returns the date in the form that `dayText` accepts: `2026-01-01`. */
  date(ms: number): string {
    return this.formats.date.format(ms);
  }
}

/** Returns the exact moment: `2026-01-01 12:00:00 UTC`. */
export function exact(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
