import { type CalendarRule, type WeekdayRule } from './calendar-times.js';
import { ExpressionFault, type NumberField, numberOf, range, sorted } from './number-list.js';

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const MINUTE: NumberField = { name: 'minute', min: 0, max: 59 };
const HOUR: NumberField = { name: 'hour', min: 0, max: 23 };
const MONTH_DAY: NumberField = { name: 'day of the month', min: 1, max: 31 };
const MONTH: NumberField = { name: 'month', min: 1, max: 12, names: MONTHS, firstName: 1 };
/** 7 is Sunday as well. */
const WEEKDAY: NumberField = { name: 'day of the week', min: 0, max: 7, names: WEEKDAYS };

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/**
 * Parses a cron expression as Debian's cron does (crontab(5)): five fields with lists, ranges, steps and names, or a
 * nickname such as `@daily`. Also accepts `L`, the last day of the month, as a day of the month, and `5L` and `5#2`, the
 * last and the second Friday, as days of the week. If neither day field starts with `*`, a day must match only one.
 * @throws ExpressionFault
 */
export function parseCron(text: string): CalendarRule {
  const fields = (MACROS[text.trim().toLowerCase()] ?? text).trim().split(/\s+/);
  if (fields.length !== 5) throw new ExpressionFault('must have five fields, such as "0 2 * * *"');
  const [minute, hour, monthDay, month, weekday] = fields as [string, string, string, string, string];
  const monthDays = monthDay.startsWith('*') && !monthDay.includes('/') ? null : monthDaysOf(monthDay);
  const weekdays = weekday === '*' || weekday === '?' ? null : weekdaysOf(weekday);
  return {
    years: null,
    months: month === '*' ? null : new Set(listOf(month, MONTH)),
    monthDays,
    weekdays,
    matchesEither: monthDays !== null && weekdays !== null && !monthDay.startsWith('*') && !weekday.startsWith('*'),
    hours: listOf(hour, HOUR),
    minutes: listOf(minute, MINUTE),
    seconds: [0],
    isFrequency: minute.startsWith('*') || hour.startsWith('*'),
  };
}

function monthDaysOf(text: string): CalendarRule['monthDays'] {
  if (text === '?') return null;
  const items = text.split(',');
  const isLast = (item: string): boolean => item.toUpperCase() === 'L';
  const fromStart = new Set(items.filter((item) => !isLast(item)).flatMap((item) => rangeOf(item, MONTH_DAY)));
  return { fromStart, fromEnd: new Set(items.some(isLast) ? [1] : []) };
}

function weekdaysOf(text: string): WeekdayRule[] {
  return text.split(',').flatMap((item): WeekdayRule[] => {
    const [, named, nth] = /^(\w+?)(L|#[1-5])$/i.exec(item) ?? [];
    if (named !== undefined && nth !== undefined && named !== '') {
      return [{ weekday: numberOf(named, WEEKDAY) % 7, nth: nth.startsWith('#') ? Number(nth.slice(1)) : -1 }];
    }
    return rangeOf(item, WEEKDAY).map((weekday) => ({ weekday: weekday % 7, nth: null }));
  });
}

function listOf(text: string, field: NumberField): number[] {
  return sorted(text.split(',').flatMap((item) => rangeOf(item, field)));
}

/** Parses `*`, `5`, `1-5`, or one of them with a step, such as `1-30/5`. */
function rangeOf(item: string, field: NumberField): number[] {
  const [span = '', step, ...more] = item.split('/');
  const [first = '', last, ...rest] = span.split('-');
  if (more.length > 0 || rest.length > 0) throw invalid(item, field);
  const [from, to] =
    span === '*'
      ? [field.min, field.name === WEEKDAY.name ? 6 : field.max]
      : [numberOf(first, field), last === undefined ? null : numberOf(last, field)];
  if (step === undefined) {
    if (to !== null && to < from) throw invalid(item, field);
    return to === null ? [from] : range(from, to);
  }
  const by = /^\d{1,2}$/.test(step) ? Number(step) : 0;
  // A step after a single number has no meaning in crontab(5), and other implementations disagree about it.
  if (by === 0 || to === null || to < from) throw invalid(item, field);
  return range(from, to, by);
}

function invalid(item: string, { name }: NumberField): ExpressionFault {
  return new ExpressionFault(`has an invalid ${name}: "${item.slice(0, 20)}"`);
}
