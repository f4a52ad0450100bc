import { type CalendarRule, type WeekdayRule } from './calendar-times.js';
import { ExpressionFault, type NumberField, numberOf, range, sorted } from './number-list.js';

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const LONG_WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];
/** The range that `systemd.time(7)` allows ends later, but no schedule reaches that far. */
const YEAR: NumberField = { name: 'year', min: 1970, max: 2199 };
const MONTH: NumberField = { name: 'month', min: 1, max: 12 };
const MONTH_DAY: NumberField = { name: 'day of the month', min: 1, max: 31 };
const HOUR: NumberField = { name: 'hour', min: 0, max: 23 };
const MINUTE: NumberField = { name: 'minute', min: 0, max: 59 };
const SECOND: NumberField = { name: 'second', min: 0, max: 59 };

const SHORTHANDS: Readonly<Record<string, string>> = {
  minutely: '*-*-* *:*:00',
  hourly: '*-*-* *:00:00',
  daily: '*-*-* 00:00:00',
  monthly: '*-*-01 00:00:00',
  weekly: 'Mon *-*-* 00:00:00',
  yearly: '*-01-01 00:00:00',
  annually: '*-01-01 00:00:00',
  quarterly: '*-01,04,07,10-01 00:00:00',
  semiannually: '*-01,07-01 00:00:00',
};

/**
 * Parses a calendar event of a systemd timer, the value of `OnCalendar=` (systemd.time(7)), such as
 * `Mon..Fri *-*-* 02:00`. Fractions of a second and a time zone in the expression are not supported.
 * @throws ExpressionFault
 */
export function parseOnCalendar(text: string): CalendarRule {
  const parts = (SHORTHANDS[text.trim().toLowerCase()] ?? text).trim().split(/\s+/);
  const weekdays = /^[a-z]/i.test(parts[0] ?? '') ? weekdaysOf(parts.shift()!) : null;
  const date = parts[0]?.includes(':') === false ? parts.shift()! : '*-*-*';
  const time = parts.shift() ?? '00:00:00';
  if (parts.length > 0 || text.trim() === '') {
    throw new ExpressionFault('must be a calendar event, such as "Mon..Fri *-*-* 02:00"');
  }
  return { weekdays, ...dateOf(date), ...timeOf(time), matchesEither: false };
}

function dateOf(text: string): Pick<CalendarRule, 'years' | 'months' | 'monthDays'> {
  // `~` in place of the last hyphen counts the days from the end of the month.
  const [, head = '', separator, day = ''] = /^(.*)([-~])([^-~]+)$/.exec(text) ?? [];
  const [year, month, ...more] = head.includes('-') ? head.split('-') : ['*', head];
  if (separator === undefined || more.length > 0) {
    throw new ExpressionFault(`has an invalid date: "${text.slice(0, 20)}"`);
  }
  const days = setOf(day, MONTH_DAY);
  const none: ReadonlySet<number> = new Set();
  return {
    years: setOf(year!, YEAR),
    months: setOf(month!, MONTH),
    monthDays: days && (separator === '~' ? { fromStart: none, fromEnd: days } : { fromStart: days, fromEnd: none }),
  };
}

function timeOf(text: string): Pick<CalendarRule, 'hours' | 'minutes' | 'seconds' | 'isFrequency'> {
  const [hour = '', minute = '', second = '00', ...more] = text.split(':');
  if (more.length > 0 || minute === '') throw new ExpressionFault(`has an invalid time: "${text.slice(0, 20)}"`);
  return {
    hours: listOf(hour, HOUR),
    minutes: listOf(minute, MINUTE),
    seconds: listOf(second, SECOND),
    isFrequency: hour.startsWith('*') || minute.startsWith('*'),
  };
}

function weekdaysOf(text: string): WeekdayRule[] {
  const numberOfDay = (name: string): number => {
    const upper = name.toUpperCase();
    const found = [WEEKDAYS, LONG_WEEKDAYS].map((names) => names.indexOf(upper)).find((at) => at >= 0);
    if (found === undefined) throw new ExpressionFault(`has an invalid day of the week: "${name.slice(0, 20)}"`);
    return found;
  };
  return text.split(',').flatMap((item): WeekdayRule[] => {
    const [first = '', last, ...more] = item.split(/\.\.|-/);
    if (more.length > 0) throw new ExpressionFault(`has an invalid day of the week: "${item.slice(0, 20)}"`);
    const from = numberOfDay(first);
    // The week of systemd begins on Monday, and a range may go on beyond its end.
    const length = last === undefined ? 1 : ((numberOfDay(last) - from + 7) % 7) + 1;
    return range(from, from + length - 1).map((day) => ({ weekday: day % 7, nth: null }));
  });
}

function setOf(text: string, field: NumberField): ReadonlySet<number> | null {
  return text === '*' ? null : new Set(listOf(text, field));
}

function listOf(text: string, field: NumberField): number[] {
  return sorted(text.split(',').flatMap((item) => rangeOf(item, field)));
}

/** Parses `*`, `5`, `1..5`, or one of them with a repetition, such as `0/15`, which goes on to the highest value. */
function rangeOf(item: string, field: NumberField): number[] {
  const [span = '', repeat, ...more] = item.split('/');
  const [first = '', last, ...rest] = span.split('..');
  const by = repeat === undefined ? 1 : /^\d{1,3}$/.test(repeat) ? Number(repeat) : 0;
  const from = span === '*' ? field.min : numberOf(first, field);
  const isOpen = span === '*' || repeat !== undefined;
  const to = last === undefined ? (isOpen ? field.max : from) : numberOf(last, field);
  if (more.length > 0 || rest.length > 0 || by === 0 || to < from) {
    throw new ExpressionFault(`has an invalid ${field.name}: "${item.slice(0, 20)}"`);
  }
  return range(from, to, by);
}
