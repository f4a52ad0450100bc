import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { threadTimeMs } from '../probes/time-limit.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.js';
import { parseRule } from './recurrence-rule.js';
import { nextStart, occurrences, ruleFault, type Schedule } from './recurrence.js';

const ms = (text: string): number => Date.parse(text);
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().replace('.000', ''));

/** Returns a schedule whose first occurrence begins at a wall-clock time and lasts an hour. */
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
      'daily at 02:30 on a day that skips that hour: an hour later',
      hourly('2026-03-01T02:30', 'FREQ=DAILY'),
      ...(['2026-03-28', '2026-03-31'] as const),
      ['2026-03-28T01:30:00Z', '2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z'],
    ],
    [
      'daily at 02:30 on a day that repeats that hour: the first',
      hourly('2026-03-01T02:30', 'FREQ=DAILY'),
      ...(['2026-10-24', '2026-10-27'] as const),
      ['2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ],
    [
      'a first occurrence in the second of two repeated hours',
      {
        ...hourly('2026-03-01T02:30', 'FREQ=DAILY'),
        startsAtMs: ms('2026-10-25T01:30Z'),
        endsAtMs: ms('2026-10-25T02:30Z'),
      },
      ...(['2026-10-01', '2026-10-27'] as const),
      ['2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z'],
    ],
    [
      'two hours of a day that fall on the same moment, counted once',
      hourly('2026-03-28T02:30', 'FREQ=DAILY;BYHOUR=2,3', 'Europe/Berlin', 30 * MINUTE_MS),
      ...(['2026-03-29', '2026-03-30'] as const),
      ['2026-03-29T01:30:00Z'],
    ],
    [
      'the day that Samoa skipped',
      hourly('2011-12-28T10:00', 'FREQ=DAILY;COUNT=4', 'Pacific/Apia'),
      ...(['2011-12-01', '2012-01-31'] as const),
      ['2011-12-28T20:00:00Z', '2011-12-29T20:00:00Z', '2011-12-30T20:00:00Z'],
    ],
    [
      'the half-hour clock change of Lord Howe',
      hourly('2026-04-04T01:45', 'FREQ=DAILY;COUNT=3', 'Australia/Lord_Howe'),
      ...(['2026-04-01', '2026-05-01'] as const),
      ['2026-04-03T14:45:00Z', '2026-04-04T14:45:00Z', '2026-04-05T15:15:00Z'],
    ],
    [
      'weekly across a clock change',
      hourly('2026-03-22T03:00', 'FREQ=WEEKLY;BYDAY=SU'),
      ...(['2026-03-22', '2026-04-06'] as const),
      ['2026-03-22T02:00:00Z', '2026-03-29T01:00:00Z', '2026-04-05T01:00:00Z'],
    ],
    [
      'every other week with Sunday as its first day, the example of RFC 5545',
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
      'the 31st, only in months that have one',
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
      'a COUNT that includes a first occurrence that the rule does not produce',
      hourly('2026-01-01T02:30', 'FREQ=MONTHLY;BYDAY=-1SU;COUNT=3', 'UTC'),
      ...(['2026-01-01', '2027-01-01'] as const),
      ['2026-01-01T02:30:00Z', '2026-01-25T02:30:00Z', '2026-02-22T02:30:00Z'],
    ],
    [
      'UNTIL as an instant, inclusive',
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
      'UNTIL as a date, including that whole day in the zone',
      hourly('2026-07-01T23:30', 'FREQ=DAILY;UNTIL=20260702', 'America/Los_Angeles'),
      ...(['2026-01-01', '2027-01-01'] as const),
      ['2026-07-02T06:30:00Z', '2026-07-03T06:30:00Z'],
    ],
    [
      'an occurrence that began before the requested time',
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
  ])('include %s', (_, schedule, from, to, expected) => {
    expect(ruleFault(schedule)).toBeNull();
    expect(startsIn(schedule, from, to)).toEqual(expected);
  });

  const rules = fc.constantFrom(
    'FREQ=DAILY',
    'FREQ=DAILY;INTERVAL=3;BYHOUR=1,2,3',
    'FREQ=WEEKLY;BYDAY=MO,SU',
    'FREQ=MONTHLY;BYDAY=-1SU',
    'FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU',
    'FREQ=DAILY;COUNT=40',
    'FREQ=DAILY;UNTIL=20260401',
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

  it('are as long as the first, ascend, and do not depend on the requested time', () => {
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
      propertyRuns(200),
    );
  });

  it('agree with nextStart', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const found = occurrences(schedule, schedule.startsAtMs, schedule.startsAtMs + 100 * DAY_MS);
        for (const [index, { from }] of found.entries()) {
          expect(nextStart(schedule, index === 0 ? 0 : found[index - 1]!.from)).toBe(from);
        }
      }),
      propertyRuns(50),
    );
  });
});

describe('nextStart', () => {
  it.each<[string, Schedule, string, string | null]>([
    ['a time before the first start', hourly('2026-03-01T00:00', null, 'UTC'), '1990-01-01', '2026-03-01T00:00:00Z'],
    ['the time of the only start', hourly('2026-03-01T00:00', null, 'UTC'), '2026-03-01', null],
    ['the next day', hourly('2026-03-01T00:00', 'FREQ=DAILY', 'UTC'), '2026-03-01', '2026-03-02T00:00:00Z'],
    ['a leap day', hourly('2024-02-29T00:00', 'FREQ=YEARLY', 'UTC'), '2096-03-01', '2104-02-29T00:00:00Z'],
    ['a time after the last start', hourly('2024-02-29T00:00', 'FREQ=DAILY;COUNT=2', 'UTC'), '2024-03-01', null],
    ['the end of the calendar', hourly('9999-12-31T00:00', 'FREQ=DAILY', 'UTC'), '9999-12-31T00:00Z', null],
  ])('returns the next start for %s', (_, schedule, after, expected) =>
    expect(iso(nextStart(schedule, ms(after)))).toBe(expected),
  );
});

describe('the cost', () => {
  const now = ms('2026-11-20');
  const since = (start: string, rrule: string): Schedule => hourly(start, rrule);
  const everyHour = `BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join()}`;
  it.each<[string, Schedule, number, string | null]>([
    ['daily for 20 years', since('2006-11-20T02:30', 'FREQ=DAILY'), 3, '2026-11-20T01:30:00Z'],
    ['daily since 1900', since('1900-01-01T02:30', 'FREQ=DAILY'), 3, '2026-11-20T01:30:00Z'],
    [
      'leap days as a daily rule',
      since('2000-02-29T02:30', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29'),
      0,
      '2028-02-29T01:30:00Z',
    ],
    ['five leap days', since('2000-02-29T02:30', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=5'), 0, null],
    [
      '10,000 leap days',
      since('2000-02-29T02:30', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=10000'),
      0,
      '2028-02-29T01:30:00Z',
    ],
    [
      '10,000 days of January',
      since('1750-01-01T02:30', 'FREQ=DAILY;COUNT=10000;BYMONTH=1'),
      0,
      '2027-01-01T01:30:00Z',
    ],
    ['the 366th day', since('2024-01-01T02:30', 'FREQ=YEARLY;BYYEARDAY=366'), 0, '2028-12-31T01:30:00Z'],
    [
      'Mondays on 29 February',
      since('2024-01-01T02:30', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO'),
      0,
      '2044-02-29T01:30:00Z',
    ],
    [
      'every hour by BYSETPOS',
      since('2026-01-01T02:30', `FREQ=MONTHLY;BYDAY=MO;${everyHour};BYSETPOS=-1`),
      0,
      '2026-11-30T22:30:00Z',
    ],
    ['a rule that ended long ago', since('1900-01-01T02:30', 'FREQ=DAILY;UNTIL=19010101'), 0, null],
    ['10,000 days since 1900', since('1900-01-01T02:30', 'FREQ=DAILY;COUNT=10000'), 0, null],
  ])('of %s is low', (_, schedule, count, next) => {
    const before = threadTimeMs();
    expect(ruleFault(schedule)).toBeNull();
    expect(occurrences(schedule, now, now + 3 * DAY_MS)).toHaveLength(count);
    expect(iso(nextStart(schedule, now))).toBe(next);
    expect(threadTimeMs() - before).toBeLessThan(250);
  });

  it.each([
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;COUNT=10000;BYMONTH=11;BYMONTHDAY=31',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=366',
    `FREQ=DAILY;${everyHour};BYSETPOS=366`,
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
    'FREQ=YEARLY;BYYEARDAY=1;BYMONTHDAY=2',
    'FREQ=YEARLY;INTERVAL=1000',
  ])('of finding that %s has no further occurrence is low', (rrule) => {
    const before = threadTimeMs();
    expect(ruleFault(since('2026-01-01T02:30', rrule))).toBe('has no occurrence after the first within 400 years');
    expect(threadTimeMs() - before).toBeLessThan(250);
  });
});

describe('compared with the library rrule-temporal', () => {
  const listed = <T>(from: readonly T[], most = 3) =>
    fc.uniqueArray(fc.constantFrom(...from), { minLength: 1, maxLength: most });
  const numbers = (min: number, max: number) =>
    listed(Array.from({ length: max - min + 1 }, (_, n) => n + min).filter(Boolean));
  const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
  /** Either each weekday or the nth of a period: if a yearly rule has both, the library drops the first. */
  const someWeekdays = fc.oneof(
    listed(weekdays),
    listed(weekdays.flatMap((day) => [1, 2, 4, -1, -2].map((nth) => `${nth}${day}`))),
  );
  const by = (parts: Record<string, fc.Arbitrary<(string | number)[]>>) =>
    fc.record(parts, { requiredKeys: [] }).map((given) =>
      Object.entries(given)
        .map(([name, values]) => `;${name}=${values!.join()}`)
        .join(''),
    );
  const hours = numbers(1, 23);
  const months = numbers(1, 12);
  const monthDays = numbers(-31, 31);
  const rules = fc
    .tuple(
      fc.oneof(
        by({ BYMONTH: months, BYMONTHDAY: monthDays, BYDAY: listed(weekdays), BYHOUR: hours }).map(
          (text) => `FREQ=DAILY${text}`,
        ),
        by({ BYMONTH: months, BYDAY: listed(weekdays), BYHOUR: hours }).map((text) => `FREQ=WEEKLY${text}`),
        by({ BYMONTH: months, BYMONTHDAY: monthDays, BYDAY: someWeekdays, BYHOUR: hours }).map(
          (text) => `FREQ=MONTHLY${text}`,
        ),
        by({ BYMONTH: months, BYMONTHDAY: monthDays, BYHOUR: hours }).map((text) => `FREQ=YEARLY${text}`),
        by({ BYMONTH: months, BYDAY: someWeekdays }).map((text) => `FREQ=YEARLY${text}`),
        by({ BYYEARDAY: numbers(-366, 366), BYHOUR: hours }).map((text) => `FREQ=YEARLY${text}`),
        by({ BYWEEKNO: numbers(1, 53), BYDAY: listed(weekdays) }).map((text) => `FREQ=YEARLY${text}`),
      ),
      fc.constantFrom('', '', ';INTERVAL=2', ';INTERVAL=5'),
      fc.constantFrom('', '', ';WKST=SU', ';WKST=WE'),
      fc.constantFrom('', '', ';BYSETPOS=1', ';BYSETPOS=-1,2'),
    )
    .map((parts) => parts.join(''))
    .filter((text) => typeof parseRule(text) !== 'string');

  it('rules have the same occurrences', () => {
    fc.assert(
      fc.property(rules, fc.integer({ min: 0, max: 3_000 }), (rrule, day) => {
        const startsAtMs = ms('2020-01-01T02:30Z') + day * DAY_MS;
        const untilMs = startsAtMs + 4 * 366 * DAY_MS;
        const theirs = new RRuleTemporal({
          rruleString: `RRULE:${rrule}`,
          dtstart: Temporal.Instant.fromEpochMilliseconds(startsAtMs).toZonedDateTimeISO('UTC'),
          maxIterations: 20_000,
        });
        const expected = theirs.between(new Date(startsAtMs + 1), new Date(untilMs - 1), true);
        const schedule = { startsAtMs, endsAtMs: startsAtMs + HOUR_MS, timezone: 'UTC', rrule };
        const [first, ...later] = occurrences(schedule, startsAtMs, untilMs).map(({ from }) => from);
        expect(first).toBe(startsAtMs);
        expect(later).toEqual(expected.map((at) => at.epochMilliseconds));
        const counted = { ...schedule, rrule: `${rrule};COUNT=7` };
        expect(occurrences(counted, startsAtMs, untilMs).map(({ from }) => from)).toEqual(
          [first, ...later].slice(0, 7),
        );
      }),
      propertyRuns(1_000),
    );
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
  ])('rejects %j', (rrule) => expect(ruleFault(hourly('2026-03-01T02:30', rrule))).toEqual(expect.any(String)));

  it.each([
    null,
    'freq=daily;byhour=2',
    'FREQ=YEARLY;BYDAY=20MO',
    'FREQ=YEARLY;BYYEARDAY=-1',
    'FREQ=DAILY;COUNT=10000',
  ])('accepts %j', (rrule) => expect(ruleFault(hourly('2026-03-01T02:30', rrule))).toBeNull());
});
