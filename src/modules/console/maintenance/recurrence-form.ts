import { listed } from '../../../domain/listed.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type Choice } from '../html/fields.js';

/** Days of the week with their codes in rules, Monday first. */
export const WEEKDAYS = [
  { code: 'MO', word: 'Monday' },
  { code: 'TU', word: 'Tuesday' },
  { code: 'WE', word: 'Wednesday' },
  { code: 'TH', word: 'Thursday' },
  { code: 'FR', word: 'Friday' },
  { code: 'SA', word: 'Saturday' },
  { code: 'SU', word: 'Sunday' },
] as const;

export const RECURRENCE_CHOICES: readonly Choice[] = [
  { value: 'none', label: 'Does not repeat' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month on the same date' },
  { value: 'weekday', label: 'Every month on the same weekday, such as the first Sunday' },
  { value: 'rule', label: 'Custom (RRULE)' },
];

/** The form fields that define a recurrence. */
export type RecurrenceFields = Readonly<Record<string, string>>;

const PLACES: Readonly<Record<string, string>> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', '-1': 'last' };

/** Returns the fields for the rule of a window that starts at a local time `YYYY-MM-DDTHH:MM`. */
export function recurrenceFields(rrule: string | null, startsAt: string): RecurrenceFields {
  if (rrule === null) return { recurs: 'none' };
  if (rrule === 'FREQ=DAILY') return { recurs: 'daily' };
  if (rrule === 'FREQ=MONTHLY') return { recurs: 'monthly' };
  const days = daysOf(rrule);
  if (days) return { recurs: 'weekly', ...Object.fromEntries(days.map((day) => [`on${day}`, 'on'])) };
  if (rrule === monthlyWeekday(startsAt)) return { recurs: 'weekday' };
  return { recurs: 'rule', rrule };
}

/**
 * Returns the rule (the value of an `RRULE`) that the fields define; null for no recurrence and for an unknown choice.
 */
export function recurrenceRule(form: Pick<FormFields, 'text' | 'has'>): string | null {
  switch (form.text('recurs')) {
    case 'daily':
      return 'FREQ=DAILY';
    case 'weekly': {
      const days = WEEKDAYS.filter(({ code }) => form.has(`on${code}`)).map(({ code }) => code);
      return days.length === 0 ? 'FREQ=WEEKLY' : `FREQ=WEEKLY;BYDAY=${days.join()}`;
    }
    case 'monthly':
      return 'FREQ=MONTHLY';
    case 'weekday':
      return monthlyWeekday(form.text('startsAt'));
    case 'rule':
      return form
        .text('rrule')
        .trim()
        .replace(/^RRULE:/i, '');
    default:
      return null;
  }
}

/** Returns a recurrence in words. */
export function recurrenceWords(rrule: string | null): string {
  if (rrule === null) return 'once';
  if (rrule === 'FREQ=DAILY') return 'every day';
  if (rrule === 'FREQ=MONTHLY') return 'every month on the same date';
  const days = daysOf(rrule);
  if (days) return days.length === 0 ? 'every week' : `every week on ${listed(days.map(dayWord))}`;
  const [, place = '', day = ''] = /^FREQ=MONTHLY;BYDAY=(-1|[1-4])(MO|TU|WE|TH|FR|SA|SU)$/.exec(rrule) ?? [];
  return place === '' ? `custom rule ${rrule}` : `every month on the ${PLACES[place]} ${dayWord(day)}`;
}

/**
 * Returns a monthly rule for the weekday of a local time, by its position in the month, such as
 * `FREQ=MONTHLY;BYDAY=1SU`. The fifth one counts as the last.
 */
function monthlyWeekday(local: string): string {
  const date = new Date(`${local.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return 'FREQ=MONTHLY';
  const place = Math.ceil(date.getUTCDate() / 7);
  const { code } = WEEKDAYS[(date.getUTCDay() + 6) % 7]!;
  return `FREQ=MONTHLY;BYDAY=${place === 5 ? -1 : place}${code}`;
}

/** Returns the days of a weekly rule that the fields can show; null for any other rule. */
function daysOf(rrule: string): string[] | null {
  if (rrule === 'FREQ=WEEKLY') return [];
  const [, list] = /^FREQ=WEEKLY;BYDAY=((?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:MO|TU|WE|TH|FR|SA|SU))*)$/.exec(rrule) ?? [];
  return list?.split(',') ?? null;
}

function dayWord(code: string): string {
  return WEEKDAYS.find((day) => day.code === code)?.word ?? code;
}
