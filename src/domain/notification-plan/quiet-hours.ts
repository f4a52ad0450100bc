import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from '../durations.js';
import { type ClosedSpan, coverage } from '../span.js';
import { instant, wallClock } from '../wall-clock.js';
import { type QuietHours, WEEKDAYS } from './policy.js';

/** Adjacent quiet hours are joined up to this many; then they end, so that nothing is held back for ever. */
const MAX_JOINED = 8;

/**
 * Returns a function that returns when the quiet hours that cover a moment end, or `null` if none covers it. A night
 * belongs to the day on which it starts. Times follow the wall clock: a start or end that a clock change skips moves
 * forward by the change, and one that occurs twice means the first. Adjacent quiet hours count as one.
 */
export function quietUntil(hours: QuietHours): (atMs: number) => number | null {
  // The walk over the repeats of a long incident asks for thousands of moments, and time zones are slow.
  const known = new Map<number, ClosedSpan[]>();
  const around = (atMs: number): ClosedSpan[] => {
    const day = Math.floor(atMs / DAY_MS);
    const spans = known.get(day) ?? spansOf(hours, day * DAY_MS);
    known.set(day, spans);
    return spans;
  };
  return (atMs) => {
    let end: number | null = null;
    for (let joined = 0; joined < MAX_JOINED; joined += 1) {
      const at: number = end ?? atMs;
      const span = around(at).find(({ from, to }) => from <= at && at < to);
      if (!span) break;
      end = span.to;
    }
    return end;
  };
}

/** Returns the quiet hours that can cover a moment of the 24 hours from `fromMs` on. */
function spansOf({ timezone, days, from, to }: QuietHours, fromMs: number): ClosedSpan[] {
  const first = wallClock(fromMs, timezone).toPlainDate();
  const [start, end] = [Temporal.PlainTime.from(from), Temporal.PlainTime.from(to)];
  const lastsOvernight = Temporal.PlainTime.compare(start, end) >= 0;
  const spans = [-1, 0, 1].flatMap((offset): ClosedSpan[] => {
    const day = first.add({ days: offset });
    if (!days.includes(WEEKDAYS[day.dayOfWeek - 1]!)) return [];
    const last = lastsOvernight ? day.add({ days: 1 }) : day;
    return [{ from: instant(day.toPlainDateTime(start), timezone), to: instant(last.toPlainDateTime(end), timezone) }];
  });
  return coverage(spans, -Infinity, Infinity);
}
