import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS } from '../durations.js';
import { type QuietHours, WEEKDAYS } from './policy.js';
import { quietUntil } from './quiet-hours.js';

const at = (text: string): number => Date.parse(text);
const nights: QuietHours = { timezone: 'Europe/Berlin', days: WEEKDAYS, from: '22:00', to: '07:00', except: [] };
const fridays: QuietHours = { ...nights, days: ['friday'] };
const weekends: QuietHours = { ...nights, days: ['saturday', 'sunday'], from: '00:00', to: '00:00' };
const lunch: QuietHours = { ...nights, from: '12:00', to: '13:00' };
const summer: QuietHours = { ...nights, from: '02:15', to: '02:45' };

describe('quietUntil', () => {
  // Berlin is at UTC+1 in winter. 27 November 2026 is a Friday.
  it.each<[string, QuietHours, string, string | null]>([
    ['before a night', nights, '2026-11-24T20:59:59Z', null],
    ['at its start', nights, '2026-11-24T21:00:00Z', '2026-11-25T06:00:00Z'],
    ['after midnight', nights, '2026-11-25T02:00:00Z', '2026-11-25T06:00:00Z'],
    ['at its end', nights, '2026-11-25T06:00:00Z', null],
    ['within a day', lunch, '2026-11-24T11:30:00Z', '2026-11-24T12:00:00Z'],
    ['a Friday night', fridays, '2026-11-27T22:00:00Z', '2026-11-28T06:00:00Z'],
    ['the rest of it, on Saturday', fridays, '2026-11-28T03:00:00Z', '2026-11-28T06:00:00Z'],
    ['the early Friday, which belongs to Thursday', fridays, '2026-11-27T03:00:00Z', null],
    ['a whole weekend as one', weekends, '2026-11-27T23:00:00Z', '2026-11-29T23:00:00Z'],
    ['the end of the weekend', weekends, '2026-11-29T23:00:00Z', null],
    ['the night in which summer time begins', nights, '2026-03-29T00:00:00Z', '2026-03-29T05:00:00Z'],
    ['the night in which it ends', nights, '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
    ['a time that the change skips', summer, '2026-03-29T01:20:00Z', '2026-03-29T01:45:00Z'],
    ['the first of two equal times', summer, '2026-10-25T00:30:00Z', '2026-10-25T00:45:00Z'],
    ['the second of them', summer, '2026-10-25T01:30:00Z', null],
  ])('returns the end for %s', (_, hours, moment, end) => {
    expect(quietUntil(hours)(at(moment))).toBe(end === null ? null : at(end));
  });

  it('ends after eight days even if all hours of the week are quiet', () => {
    const always: QuietHours = { ...weekends, days: WEEKDAYS };
    const now = at('2026-11-24T12:00:00Z');
    const end = quietUntil(always)(now)!;
    expect(end).toBeGreaterThan(now);
    expect(end).toBeLessThan(now + 18 * DAY_MS);
  });

  it('agrees with the wall clock in a zone without clock changes', () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    const clock = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(
        fc.subarray([...WEEKDAYS], { minLength: 1, maxLength: 6 }),
        minute,
        minute,
        fc.integer({ min: 0, max: 7 * 1_440 - 1 }),
        (days, from, to, moment) => {
          const start = at('2026-11-23T00:00:00Z');
          const isQuiet = (minutes: number): boolean => {
            const week = 7 * 1_440;
            const inWeek = ((minutes % week) + week) % week;
            const [day, time] = [Math.floor(inWeek / 1_440), inWeek % 1_440];
            const today = days.includes(WEEKDAYS[day]!);
            const yesterday = days.includes(WEEKDAYS[(day + 6) % 7]!);
            return from < to ? today && time >= from && time < to : (today && time >= from) || (yesterday && time < to);
          };
          const end = quietUntil({ timezone: 'UTC', days, from: clock(from), to: clock(to), except: [] })(
            start + moment * 60_000,
          );
          if (!isQuiet(moment)) {
            expect(end).toBeNull();
            return;
          }
          let expected = moment;
          while (isQuiet(expected)) expected += 1;
          expect(end).toBe(start + expected * 60_000);
        },
      ),
    );
  });
});
