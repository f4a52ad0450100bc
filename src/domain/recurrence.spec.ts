import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { cpuMs } from '../../test/support/cpu-time.js';
import { nextStart, occurrences, ruleFault, type Schedule } from './recurrence.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ms = (text: string): number => Date.parse(text);
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().replace('.000', ''));

/** An hour from a wall-clock time on. */
function hourly(start: string, rrule: string | null, timezone = 'Europe/Berlin', lengthMs = HOUR_MS): Schedule {
  const startsAtMs = Temporal.PlainDateTime.from(start).toZonedDateTime(timezone).epochMilliseconds;
  return { startsAtMs, endsAtMs: startsAtMs + lengthMs, timezone, rrule };
}
const startsIn = (schedule: Schedule, from: string, to: string) =>
  occurrences(schedule, ms(from), ms(to)).map((one) => iso(one.from));

describe('occurrences', () => {
  it.each<[string, Schedule, string, string, string[]]>([
    ['once', hourly('2026-03-27T02:30', null), '2026-01-01', '2027-01-01', ['2026-03-27T01:30:00Z']],
    ['once, before', hourly('2026-03-27T02:30', null), '2026-01-01', '2026-03-27T01:30Z', []],
    ['once, touched', hourly('2026-03-27T02:30', null), '2026-03-27T02:29:59Z', '2026-04-01', ['2026-03-27T01:30:00Z']],
    ['once, over', hourly('2026-03-27T02:30', null), '2026-03-27T02:30Z', '2026-04-01', []],
    [
      'daily at 02:30 where that hour is left out: after the gap',
      hourly('2026-03-01T02:30', 'FREQ=DAILY'),
      ...(['2026-03-28', '2026-03-31'] as const),
      ['2026-03-28T01:30:00Z', '2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z'],
    ],
    [
      'daily at 02:30 where that hour comes twice: the first',
      hourly('2026-03-01T02:30', 'FREQ=DAILY'),
      ...(['2026-10-24', '2026-10-27'] as const),
      ['2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ],
    [
      'the first occurrence in the second of two hours stays there',
      {
        ...hourly('2026-03-01T02:30', 'FREQ=DAILY'),
        startsAtMs: ms('2026-10-25T01:30Z'),
        endsAtMs: ms('2026-10-25T02:30Z'),
      },
      ...(['2026-10-01', '2026-10-27'] as const),
      ['2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z'],
    ],
    [
      'two hours of a day that come to the same moment count once',
      hourly('2026-03-28T02:30', 'FREQ=DAILY;BYHOUR=2,3', 'Europe/Berlin', 30 * MINUTE_MS),
      ...(['2026-03-29', '2026-03-30'] as const),
      ['2026-03-29T01:30:00Z'],
    ],
    [
      'a day that a zone left out, in Samoa',
      hourly('2011-12-28T10:00', 'FREQ=DAILY;COUNT=4', 'Pacific/Apia'),
      ...(['2011-12-01', '2012-01-31'] as const),
      ['2011-12-28T20:00:00Z', '2011-12-29T20:00:00Z', '2011-12-30T20:00:00Z'],
    ],
    [
      'half hours of Lord Howe',
      hourly('2026-04-04T01:45', 'FREQ=DAILY;COUNT=3', 'Australia/Lord_Howe'),
      ...(['2026-04-01', '2026-05-01'] as const),
      ['2026-04-03T14:45:00Z', '2026-04-04T14:45:00Z', '2026-04-05T15:15:00Z'],
    ],
    [
      'weekly over a change of clocks',
      hourly('2026-03-22T03:00', 'FREQ=WEEKLY;BYDAY=SU'),
      ...(['2026-03-22', '2026-04-06'] as const),
      ['2026-03-22T02:00:00Z', '2026-03-29T01:00:00Z', '2026-04-05T01:00:00Z'],
    ],
    [
      'every other week, which begins on Sunday: the example of RFC 5545',
      hourly('1997-08-05T09:00', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', 'America/New_York'),
      ...(['1997-01-01', '1998-01-01'] as const),
      ['1997-08-05T13:00:00Z', '1997-08-17T13:00:00Z', '1997-08-19T13:00:00Z', '1997-08-31T13:00:00Z'],
    ],
    [
      'the last Sunday of the month',
      hourly('2026-01-25T02:30', 'FREQ=MONTHLY;BYDAY=-1SU'),
      ...(['2026-03-01', '2026-05-01'] as const),
      ['2026-03-29T01:30:00Z', '2026-04-26T00:30:00Z'],
    ],
    [
      'the last working day of the month by BYSETPOS',
      hourly('2026-01-30T22:00', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'UTC'),
      ...(['2026-04-01', '2026-06-01'] as const),
      ['2026-04-30T22:00:00Z', '2026-05-29T22:00:00Z'],
    ],
    [
      'the second of two days of the week by BYSETPOS',
      hourly('2024-02-07T10:00', 'FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=2', 'UTC'),
      ...(['2024-02-01', '2024-02-20'] as const),
      ['2024-02-07T10:00:00Z', '2024-02-14T10:00:00Z'],
    ],
    [
      'the 31st, in the months that have it',
      hourly('2026-01-31T09:00', 'FREQ=MONTHLY', 'UTC'),
      ...(['2026-02-01', '2026-06-01'] as const),
      ['2026-03-31T09:00:00Z', '2026-05-31T09:00:00Z'],
    ],
    [
      'the 53rd week',
      hourly('2020-12-28T09:00', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO', 'UTC'),
      ...(['2021-01-01', '2033-01-01'] as const),
      ['2026-12-28T09:00:00Z', '2032-12-27T09:00:00Z'],
    ],
    [
      'COUNT counts the first occurrence, also where the rule would not make it',
      hourly('2026-01-01T02:30', 'FREQ=MONTHLY;BYDAY=-1SU;COUNT=3', 'UTC'),
      ...(['2026-01-01', '2027-01-01'] as const),
      ['2026-01-01T02:30:00Z', '2026-01-25T02:30:00Z', '2026-02-22T02:30:00Z'],
    ],
    [
      'UNTIL as an instant, included',
      hourly('2026-03-27T02:30', 'FREQ=DAILY;UNTIL=20260328T013000Z'),
      ...(['2026-01-01', '2027-01-01'] as const),
      ['2026-03-27T01:30:00Z', '2026-03-28T01:30:00Z'],
    ],
    [
      'UNTIL as an instant, a second earlier',
      hourly('2026-03-27T02:30', 'FREQ=DAILY;UNTIL=20260328T012959Z'),
      ...(['2026-01-01', '2027-01-01'] as const),
      ['2026-03-27T01:30:00Z'],
    ],
    [
      'UNTIL as a wall-clock time',
      hourly('2026-03-27T02:30', 'FREQ=DAILY;UNTIL=20260328T023000'),
      ...(['2026-01-01', '2027-01-01'] as const),
      ['2026-03-27T01:30:00Z', '2026-03-28T01:30:00Z'],
    ],
    [
      'UNTIL as a date: all of that day in the zone',
      hourly('2026-07-01T23:30', 'FREQ=DAILY;UNTIL=20260702', 'America/Los_Angeles'),
      ...(['2026-01-01', '2027-01-01'] as const),
      ['2026-07-02T06:30:00Z', '2026-07-03T06:30:00Z'],
    ],
    [
      'a running one from before the stretch',
      hourly('2026-03-01T00:00', 'FREQ=WEEKLY', 'UTC', 3 * DAY_MS),
      ...(['2026-03-10', '2026-03-11'] as const),
      ['2026-03-08T00:00:00Z'],
    ],
    [
      'milliseconds',
      { ...hourly('2026-03-01T00:00', 'FREQ=DAILY', 'UTC'), startsAtMs: ms('2026-03-01T00:00:00.123Z') },
      ...(['2026-03-02', '2026-03-03'] as const),
      ['2026-03-02T00:00:00.123Z'],
    ],
  ])('%s', (_, schedule, from, to, expected) => {
    expect(ruleFault(schedule)).toBeNull();
    expect(startsIn(schedule, from, to)).toEqual(expected);
  });

  const rules = fc.constantFrom(
    ...['FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3;BYHOUR=1,2,3', 'FREQ=WEEKLY;BYDAY=MO,SU', 'FREQ=MONTHLY;BYDAY=-1SU'],
    ...['FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU', 'FREQ=DAILY;COUNT=40', 'FREQ=DAILY;UNTIL=20260401'],
  );
  const schedules = fc
    .record({
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'),
      startsAtMs: fc.integer({ min: ms('2024-01-01'), max: ms('2026-03-31') }),
      lengthMs: fc.integer({ min: MINUTE_MS, max: 2 * DAY_MS }),
      rrule: rules,
    })
    .map(({ lengthMs, ...one }): Schedule => ({ ...one, endsAtMs: one.startsAtMs + lengthMs }));
  const stretches = fc.tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 1, max: 90 }));

  it('are as long as the first, rise, and do not depend on the stretch that is asked for', () => {
    fc.assert(
      fc.property(schedules, stretches, (schedule, [day, days]) => {
        const from = ms('2024-06-01') + day * DAY_MS;
        const to = from + days * DAY_MS;
        const found = occurrences(schedule, from, to);
        for (const one of found) {
          expect(one.to - one.from).toBe(schedule.endsAtMs - schedule.startsAtMs);
          expect(one.from < to && one.to > from).toBe(true);
        }
        expect(found.every((one, index) => index === 0 || one.from > found[index - 1]!.from)).toBe(true);
        const all = occurrences(schedule, schedule.startsAtMs, ms('2027-01-01'));
        expect(found).toEqual(all.filter((one) => one.from < to && one.to > from));
      }),
      { numRuns: 200 },
    );
  });

  it('begin where the last one said that the next does', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const found = occurrences(schedule, schedule.startsAtMs, schedule.startsAtMs + 100 * DAY_MS);
        for (const [index, { from }] of found.entries()) {
          expect(nextStart(schedule, index === 0 ? 0 : found[index - 1]!.from)).toBe(from);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('nextStart', () => {
  it.each<[string, Schedule, string, string | null]>([
    ['before the first', hourly('2026-03-01T00:00', null, 'UTC'), '1990-01-01', '2026-03-01T00:00:00Z'],
    ['at the first', hourly('2026-03-01T00:00', null, 'UTC'), '2026-03-01', null],
    ['the next day', hourly('2026-03-01T00:00', 'FREQ=DAILY', 'UTC'), '2026-03-01', '2026-03-02T00:00:00Z'],
    ['a leap day', hourly('2024-02-29T00:00', 'FREQ=YEARLY', 'UTC'), '2096-03-01', '2104-02-29T00:00:00Z'],
    ['after the last', hourly('2024-02-29T00:00', 'FREQ=DAILY;COUNT=2', 'UTC'), '2024-03-01', null],
    ['the end of the calendar', hourly('9999-12-31T00:00', 'FREQ=DAILY', 'UTC'), '9999-12-31T00:00Z', null],
  ])('%s', (_, schedule, after, expected) => expect(iso(nextStart(schedule, ms(after)))).toBe(expected));
});

describe('effort', () => {
  const now = ms('2026-11-20');
  const since = (start: string, rrule: string): Schedule => hourly(start, rrule);
  it.each<[string, Schedule, number, string | null]>([
    ['daily for 20 years', since('2006-11-20T02:30', 'FREQ=DAILY'), 3, '2026-11-20T01:30:00Z'],
    ['daily since 1900', since('1900-01-01T02:30', 'FREQ=DAILY'), 3, '2026-11-20T01:30:00Z'],
    ['February 30', since('2026-01-01T02:30', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), 0, null],
    ['February 30, day by day', since('1900-01-01T02:30', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'), 0, null],
    ['five leap days, day by day', since('2000-02-29T02:30', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=5'), 0, null],
    ['a 367th of nothing', since('2026-01-01T02:30', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=366'), 0, null],
    ['each thousandth year', since('2026-01-01T02:30', 'FREQ=YEARLY;INTERVAL=1000'), 0, null],
    ['long over', since('1900-01-01T02:30', 'FREQ=DAILY;UNTIL=19010101'), 0, null],
    ['10,000 days since 1900', since('1900-01-01T02:30', 'FREQ=DAILY;COUNT=10000'), 0, null],
  ])('%s: answered in a moment', (_, schedule, count, next) => {
    // The first use compiles the library.
    occurrences(schedule, schedule.startsAtMs, schedule.startsAtMs + DAY_MS);
    const before = cpuMs();
    expect(ruleFault(schedule)).toBeNull();
    expect(occurrences(schedule, now, now + 3 * DAY_MS)).toHaveLength(count);
    expect(iso(nextStart(schedule, now))).toBe(next);
    expect(cpuMs() - before).toBeLessThan(3_000);
  });
});

describe('ruleFault', () => {
  it.each([
    '',
    'FREQ=HOURLY',
    'FREQ=SECONDLY',
    'INTERVAL=2',
    'RRULE:FREQ=DAILY',
    'FREQ=DAILY;',
    'FREQ=DAILY;FREQ=WEEKLY',
    'FREQ=DAILY\nEXDATE:20260101T000000Z',
    'DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY',
    'FREQ=DAILY;DTSTART=20260101T000000Z',
    'FREQ=DAILY;X=1',
    'FREQ=DAILY;toString=1',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;INTERVAL=-1',
    'FREQ=DAILY;INTERVAL=1001',
    'FREQ=DAILY;INTERVAL=99999999999999999999',
    'FREQ=DAILY;INTERVAL=1e3',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=10001',
    'FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z',
    'FREQ=DAILY;UNTIL=20260230',
    'FREQ=DAILY;UNTIL=20260101T250000Z',
    'FREQ=DAILY;UNTIL=tomorrow',
    'FREQ=DAILY;UNTIL=20250101',
    'FREQ=DAILY;BYHOUR=24',
    'FREQ=DAILY;BYMINUTE=0,1',
    'FREQ=DAILY;BYSECOND=0,1',
    'FREQ=DAILY;BYDAY=1MO',
    'FREQ=DAILY;BYDAY=XX',
    'FREQ=DAILY;BYSETPOS=1',
    'FREQ=MONTHLY;BYDAY=6MO',
    'FREQ=MONTHLY;BYWEEKNO=3',
    'FREQ=MONTHLY;BYMONTHDAY=0',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'FREQ=MONTHLY;BYYEARDAY=1',
    'FREQ=WEEKLY;BYMONTHDAY=1',
    'FREQ=DAILY;BYMONTH=11;BYMONTHDAY=31;COUNT=9',
    'FREQ=YEARLY;BYMONTH=13',
    'FREQ=YEARLY;BYWEEKNO=54',
    'FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO',
    `FREQ=MONTHLY;BYMONTHDAY=${Array(250).fill(1).join()}`,
  ])('%j', (rrule) => expect(ruleFault(hourly('2026-03-01T02:30', rrule))).toEqual(expect.any(String)));

  it.each([
    null,
    'freq=daily;byhour=2',
    'FREQ=YEARLY;BYDAY=20MO',
    'FREQ=YEARLY;BYYEARDAY=-1',
    'FREQ=DAILY;COUNT=10000',
  ])('%j is fine', (rrule) => expect(ruleFault(hourly('2026-03-01T02:30', rrule))).toBeNull());
});
