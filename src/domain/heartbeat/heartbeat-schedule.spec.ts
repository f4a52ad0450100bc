import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  defaultGraceSeconds,
  dueAfterReport,
  type HeartbeatSchedule,
  nextDue,
  scheduleFault,
} from './heartbeat-schedule.js';

const ms = (text: string): number => Date.parse(text);
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const cron = (text: string, timezone = 'UTC'): HeartbeatSchedule => ({ cron: text, timezone });
const onCalendar = (text: string, timezone = 'UTC'): HeartbeatSchedule => ({ onCalendar: text, timezone });

const BERLIN = 'Europe/Berlin';

describe('nextDue', () => {
  it.each<[HeartbeatSchedule, string, string | null]>([
    [{ everySeconds: 60 }, '2026-01-01T00:00:00.500Z', '2026-01-01T00:01:00.500Z'],
    [cron('0 2 * * *'), '2026-01-01T02:00:00.000Z', '2026-01-02T02:00:00.000Z'],
    [cron('0 2 * * *'), '2026-01-01T01:59:59.999Z', '2026-01-01T02:00:00.000Z'],
    [cron('@hourly'), '2026-01-01T00:30:00.000Z', '2026-01-01T01:00:00.000Z'],
    [cron('*/20 * * * *'), '2026-01-01T00:30:00.000Z', '2026-01-01T00:40:00.000Z'],
    [cron('0 9-17/4 * * MON-FRI'), '2026-01-02T17:00:00.000Z', '2026-01-05T09:00:00.000Z'],
    [cron('0 0 L * *'), '2026-02-01T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    [cron('0 0 * * 5#3'), '2026-01-01T00:00:00.000Z', '2026-01-16T00:00:00.000Z'],
    [cron('0 0 * * friL'), '2026-01-01T00:00:00.000Z', '2026-01-30T00:00:00.000Z'],
    // Neither field begins with `*`, so a day must match one of them.
    [cron('0 0 13 * 5'), '2026-01-02T12:00:00.000Z', '2026-01-09T00:00:00.000Z'],
    [cron('0 0 */2 * 5'), '2026-01-02T12:00:00.000Z', '2026-01-09T00:00:00.000Z'],
    [cron('0 0 * * 7'), '2026-01-01T00:00:00.000Z', '2026-01-04T00:00:00.000Z'],
    [cron('0 0 29 2 *'), '2026-01-01T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    [cron('0 0 30 2 *'), '2026-01-01T00:00:00.000Z', null],
    [onCalendar('daily', BERLIN), '2026-01-01T00:00:00.000Z', '2026-01-01T23:00:00.000Z'],
    [onCalendar('Mon..Fri *-*-* 02:00'), '2026-01-02T12:00:00.000Z', '2026-01-05T02:00:00.000Z'],
    [onCalendar('Saturday,Sun 10:00:30'), '2026-01-01T00:00:00.000Z', '2026-01-03T10:00:30.000Z'],
    [onCalendar('*-*~01 03:00'), '2026-02-01T00:00:00.000Z', '2026-02-28T03:00:00.000Z'],
    [onCalendar('*:0/15'), '2026-01-01T00:01:00.000Z', '2026-01-01T00:15:00.000Z'],
    [onCalendar('2027..2028-06-01'), '2026-01-01T00:00:00.000Z', '2027-06-01T00:00:00.000Z'],
    [onCalendar('12-24'), '2026-01-01T00:00:00.000Z', '2026-12-24T00:00:00.000Z'],
    [onCalendar('2020-01-01'), '2026-01-01T00:00:00.000Z', null],
  ])('for %j after %s is %s', (schedule, after, due) => expect(iso(nextDue(schedule, ms(after)))).toBe(due));

  it.each<[string, HeartbeatSchedule, string, string[]]>([
    [
      'moves a skipped time of the day',
      cron('30 2 * * *', BERLIN),
      '2026-03-28T12:00Z',
      ['2026-03-29T01:30', '2026-03-30T00:30'],
    ],
    [
      'runs a repeated time of the day once',
      cron('30 2 * * *', BERLIN),
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'leaves out skipped times of a frequency',
      cron('30 * * * *', BERLIN),
      '2026-03-29T00:00Z',
      ['2026-03-29T00:30', '2026-03-29T01:30'],
    ],
    [
      'repeats times of a frequency',
      cron('30 * * * *', BERLIN),
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30', '2026-10-25T01:30'],
    ],
    // The skipped 02:30 and the regular 03:30 are the same moment.
    ['merges times', cron('30 2,3 * * *', BERLIN), '2026-03-28T12:00Z', ['2026-03-29T01:30', '2026-03-30T00:30']],
    [
      'runs at the moment of a change',
      cron('0 3 * * *', BERLIN),
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T01:00'],
    ],
    [
      'runs at the end of a repeated hour',
      cron('0 3 * * *', BERLIN),
      '2026-10-24T12:00Z',
      ['2026-10-25T02:00', '2026-10-26T02:00'],
    ],
  ])('%s when the clocks change', (_, schedule, after, due) => {
    const first = nextDue(schedule, ms(after))!;
    expect([first, nextDue(schedule, first)!].map((at) => iso(at)!.slice(0, 16))).toEqual(due);
  });
});

describe('dueAfterReport', () => {
  it.each<[HeartbeatSchedule, string, string]>([
    [{ everySeconds: 3_600 }, '2026-01-01T00:10:00.000Z', '2026-01-01T01:10:00.000Z'],
    [cron('0 2 * * *'), '2026-01-01T02:05:00.000Z', '2026-01-02T02:00:00.000Z'],
    // A tenth of a day is 2 h 24 min.
    [cron('0 2 * * *'), '2025-12-31T23:36:00.000Z', '2026-01-02T02:00:00.000Z'],
    [cron('0 2 * * *'), '2025-12-31T23:35:59.999Z', '2026-01-01T02:00:00.000Z'],
    [cron('0 2 * * MON-FRI'), '2026-01-05T01:00:00.000Z', '2026-01-06T02:00:00.000Z'],
    // After short intervals, the last time before a break is expected like the others.
    [cron('0 9-17 * * *'), '2026-01-01T16:00:05.000Z', '2026-01-01T17:00:00.000Z'],
    [cron('0 9-17 * * *'), '2026-01-01T16:53:59.999Z', '2026-01-01T17:00:00.000Z'],
    [cron('0 9-17 * * *'), '2026-01-01T16:54:00.000Z', '2026-01-02T09:00:00.000Z'],
    [cron('0 2,3 * * *'), '2026-01-01T02:05:00.000Z', '2026-01-01T03:00:00.000Z'],
    [cron('*/5 8-18 * * 1-5'), '2026-01-02T18:50:05.000Z', '2026-01-02T18:55:00.000Z'],
    // The same holds for the first time after a break.
    [cron('0 9-17 * * *'), '2026-01-01T08:53:59.999Z', '2026-01-01T09:00:00.000Z'],
    [cron('0 9-17 * * *'), '2026-01-01T08:54:00.000Z', '2026-01-01T10:00:00.000Z'],
  ])('for %j at %s is %s', (schedule, at, due) => expect(iso(dueAfterReport(schedule, ms(at)))).toBe(due));
});

describe('dueAfterReport of an uneven schedule', () => {
  const numbers = (max: number): fc.Arbitrary<string> =>
    fc.uniqueArray(fc.nat(max), { minLength: 1, maxLength: 4 }).map((list) => list.join(','));
  const uneven = fc
    .tuple(numbers(59), numbers(23), fc.constantFrom('*', '1-5', '6'))
    .map(([minutes, hours, weekdays]) => cron(`${minutes} ${hours} * * ${weekdays}`, BERLIN));

  const share = (min: number): fc.Arbitrary<number> => fc.double({ min, max: 1, noNaN: true });
  const anyShare = fc.oneof(share(0), share(0.85));

  /** Returns the due times of some weeks around a change of the clocks. */
  function duesOf(schedule: HeartbeatSchedule): number[] {
    const dues: number[] = [];
    for (let due = nextDue(schedule, ms('2026-03-01T00:00Z'))!; due < ms('2026-04-20T00:00Z');) {
      dues.push(due);
      due = nextDue(schedule, due)!;
    }
    return dues;
  }

  it('follows from the times around the report', () => {
    fc.assert(
      fc.property(uneven, fc.nat(10_000), anyShare, (schedule, place, share) => {
        const dues = duesOf(schedule);
        const from = place % (dues.length - 2);
        const [before, due, after] = dues.slice(from, from + 3) as [number, number, number];
        const reportedAt = Math.floor(before + share * (due - before - 1));
        const isEarly = due - reportedAt <= Math.min(due - before, after - due) / 10;
        expect(dueAfterReport(schedule, reportedAt)).toBe(isEarly ? after : due);
      }),
    );
  });
});

describe('defaultGraceSeconds', () => {
  it.each<[HeartbeatSchedule, number]>([
    [{ everySeconds: 60 }, 300],
    [{ everySeconds: 7_200 }, 720],
    [cron('0 2 * * *'), 3_600],
    [cron('0 * * * *'), 360],
    // The shortest interval counts, whatever the time.
    [cron('0 0,1 * * *'), 360],
    [cron('0 9-17/2 * * MON-FRI', BERLIN), 720],
    [cron('0 2 1,2 * *'), 3_600],
    [cron('* * * * *'), 300],
    [cron('0 0 29 2 *', BERLIN), 3_600],
    [onCalendar('2027-01-01'), 3_600],
    [onCalendar('2020-01-01'), 3_600],
  ])('for %j is %d', (schedule, seconds) => {
    expect(defaultGraceSeconds(schedule)).toBe(seconds);
  });
});

describe('scheduleFault', () => {
  it.each<[HeartbeatSchedule, string]>([
    [cron('* * * *'), 'cron'],
    [cron('60 * * * *'), 'cron'],
    [cron('0 24 * * *'), 'cron'],
    [cron('0 0 0 * *'), 'cron'],
    [cron('0 0 * 13 *'), 'cron'],
    [cron('0 0 * * 8'), 'cron'],
    [cron('0 0 * * MONDAY'), 'cron'],
    [cron('5/10 * * * *'), 'cron'],
    [cron('*/0 * * * *'), 'cron'],
    [cron('9-5 * * * *'), 'cron'],
    [cron('1-2-3 * * * *'), 'cron'],
    [cron('1,,2 * * * *'), 'cron'],
    [cron('0 0 30 2 *'), 'cron'],
    [cron('@reboot'), 'cron'],
    [cron(''), 'cron'],
    [cron('0 0 * * 5#6'), 'cron'],
    [cron('0 2 * * *', 'Mars/Base'), 'timezone'],
    [cron('0 2 * * *', ''), 'timezone'],
    [onCalendar(''), 'onCalendar'],
    [onCalendar('Moon'), 'onCalendar'],
    [onCalendar('*-*-32'), 'onCalendar'],
    [onCalendar('25:00'), 'onCalendar'],
    [onCalendar('02:00:00.5'), 'onCalendar'],
    [onCalendar('02:00 Europe/Berlin'), 'onCalendar'],
    [onCalendar('*-*-*-* 02:00'), 'onCalendar'],
    [onCalendar('0/0:00'), 'onCalendar'],
    [onCalendar('5..2:00'), 'onCalendar'],
    [onCalendar('2020-01-01'), 'onCalendar'],
  ])('rejects %j', (schedule, member) => {
    const found = scheduleFault(schedule, ms('2026-01-01T00:00Z'));
    expect(found).toEqual({ member, fault: expect.stringMatching(/^(must|has)/) });
  });

  it.each<HeartbeatSchedule>([
    { everySeconds: 1 },
    cron('@daily', BERLIN),
    cron(' 0  2 * * * '),
    cron('0-59/15 0,12 1,15 jan-mar *'),
    cron('0 0 ? * ?'),
    onCalendar('Thu,Fri 2027-*-1,5 11:12:13'),
    onCalendar('weekly'),
  ])('accepts %j', (schedule) => expect(scheduleFault(schedule, ms('2026-01-01T00:00Z'))).toBeNull());
});
