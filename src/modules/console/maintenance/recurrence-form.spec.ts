import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../../http/body/form-fields.js';
import { recurrenceFields, recurrenceRule, recurrenceWords } from './recurrence-form.js';

// 2026-01-04 is a Sunday.
const SUNDAY = '2026-01-04T02:30';

const CASES: [string, Record<string, string>, string | null, string][] = [
  ['once', { recurs: 'none' }, null, 'once'],
  ['every day', { recurs: 'daily' }, 'FREQ=DAILY', 'every day'],
  ['every week', { recurs: 'weekly' }, 'FREQ=WEEKLY', 'every week'],
  ['every week on a day', { recurs: 'weekly', onSU: 'on' }, 'FREQ=WEEKLY;BYDAY=SU', 'every week on Sunday'],
  [
    'every week on several days',
    { recurs: 'weekly', onMO: 'on', onWE: 'on', onSU: 'on' },
    'FREQ=WEEKLY;BYDAY=MO,WE,SU',
    'every week on Monday, Wednesday and Sunday',
  ],
  ['every month', { recurs: 'monthly' }, 'FREQ=MONTHLY', 'every month on the same date'],
  ['every month on a weekday', { recurs: 'weekday' }, 'FREQ=MONTHLY;BYDAY=1SU', 'every month on the first Sunday'],
  ['by a rule', { recurs: 'rule', rrule: 'FREQ=YEARLY' }, 'FREQ=YEARLY', 'custom rule FREQ=YEARLY'],
];

describe('the recurrence of a window', () => {
  it.each(CASES)('converts to a rule and back: %s', (_name, fields, rrule, words) => {
    const form = new FormFields(new URLSearchParams({ ...fields, startsAt: SUNDAY }));
    expect(recurrenceRule(form)).toBe(rrule);
    expect(recurrenceFields(rrule, SUNDAY)).toEqual(fields);
    expect(recurrenceWords(rrule)).toBe(words);
  });

  it.each([
    ['2026-01-07T00:00', '1WE'],
    ['2026-01-08T00:00', '2TH'],
    ['2026-01-28T23:59', '4WE'],
    ['2026-01-29T00:00', '-1TH'],
    ['2026-01-31T00:00', '-1SA'],
  ])('derives for %s the weekday %s', (startsAt, day) => {
    const form = new FormFields(new URLSearchParams({ recurs: 'weekday', startsAt }));
    expect(recurrenceRule(form)).toBe(`FREQ=MONTHLY;BYDAY=${day}`);
  });

  it.each([
    [
      'another weekday than that of its start',
      'FREQ=MONTHLY;BYDAY=2SU',
      { recurs: 'rule', rrule: 'FREQ=MONTHLY;BYDAY=2SU' },
    ],
    ['an interval', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', { recurs: 'rule', rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO' }],
    ['an end', 'FREQ=DAILY;COUNT=3', { recurs: 'rule', rrule: 'FREQ=DAILY;COUNT=3' }],
  ])('shows a rule with %s as a rule', (_name, rrule, fields) => {
    expect(recurrenceFields(rrule, SUNDAY)).toEqual(fields);
  });

  it('accepts a rule that is preceded by its property name', () => {
    const form = new FormFields(new URLSearchParams({ recurs: 'rule', rrule: ' RRULE:FREQ=DAILY ' }));
    expect(recurrenceRule(form)).toBe('FREQ=DAILY');
  });
});
