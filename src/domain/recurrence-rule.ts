/** A valid recurrence rule (RFC 5545, 3.3.10). Absent parts are `null`. */
export interface RecurrenceRule {
  frequency: Frequency;
  interval: number;
  count: number | null;
  until: RuleEnd | null;
  /** The first day of the week; 0 is Sunday. */
  weekStart: number;
  months: readonly number[] | null;
  /** Here and below, negative numbers count from the end. */
  monthDays: readonly number[] | null;
  yearDays: readonly number[] | null;
  weeks: readonly number[] | null;
  /** `nth` is the position among the same weekdays of the month or year; `null` means each of them. */
  weekdays: readonly { weekday: number; nth: number | null }[] | null;
  /** Ascending and distinct. */
  hours: readonly number[] | null;
  positions: readonly number[] | null;
}

/** When a rule ends: an instant, or a wall-clock time `YYYY-MM-DDTHH:MM:SS` in the zone of the schedule. */
export type RuleEnd = { instantMs: number } | { wallClock: string };

export const MAX_RULE_LENGTH = 500;
/** Larger intervals have no practical use and reach the end of the calendar. */
const MAX_INTERVAL = 1_000;
const MAX_COUNT = 10_000;

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof FREQUENCIES)[number];
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const WEEKDAY = /^(?:SU|MO|TU|WE|TH|FR|SA)$/;
const NTH_WEEKDAY = /^([+-]?\d{1,2})?(?:SU|MO|TU|WE|TH|FR|SA)$/;

/** Validators of the supported parts. BYMINUTE and BYSECOND are not supported: windows need no such short periods. */
const PARTS: Record<string, (value: string, frequency: string) => boolean> = {
  FREQ: (value) => FREQUENCIES.some((one) => one === value),
  INTERVAL: (value) => isNumber(value, 1, MAX_INTERVAL),
  COUNT: (value) => isNumber(value, 1, MAX_COUNT),
  UNTIL: (value) => endOf(value) !== null,
  WKST: (value) => WEEKDAY.test(value),
  BYMONTH: (value) => isList(value, (one) => isNumber(one, 1, 12)),
  BYMONTHDAY: (value, frequency) => frequency !== 'WEEKLY' && isList(value, (one) => isSigned(one, 31)),
  BYYEARDAY: (value, frequency) => frequency === 'YEARLY' && isList(value, (one) => isSigned(one, 366)),
  BYWEEKNO: (value, frequency) => frequency === 'YEARLY' && isList(value, (one) => isSigned(one, 53)),
  BYDAY: (value, frequency) => isList(value, (one) => isWeekday(one, frequency)),
  BYHOUR: (value) => isList(value, (one) => isNumber(one, 0, 23)),
  BYSETPOS: (value) => isList(value, (one) => isSigned(one, 366)),
};

/**
 * Parses the value of an `RRULE`. Returns a text about the problem, as a predicate of "The rule", if the frequency is
 * not `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`; if a part is unknown, repeated, out of range or not allowed with the
 * frequency; if there are other properties (`DTSTART`, `EXDATE`); or if it exceeds 500 characters.
 */
export function parseRule(given: string): RecurrenceRule | string {
  if (given.length > MAX_RULE_LENGTH) return `must have at most ${MAX_RULE_LENGTH} characters`;
  const parts = new Map<string, string>();
  for (const part of given.toUpperCase().split(';')) {
    const [name = '', value = '', ...more] = part.split('=');
    if (!Object.hasOwn(PARTS, name) || more.length > 0)
      return 'must consist of supported parts, such as FREQ=WEEKLY;BYDAY=SU';
    if (parts.has(name)) return `must not contain ${name} twice`;
    parts.set(name, value);
  }
  const frequency = parts.get('FREQ');
  if (frequency === undefined) return 'must contain FREQ';
  const wrong = [...parts].find(([name, value]) => !PARTS[name]!(value, frequency));
  if (wrong)
    return wrong[0] === 'FREQ' ? `must have a FREQ of ${FREQUENCIES.join(', ')}` : `has an invalid ${wrong[0]}`;
  if (parts.has('COUNT') && parts.has('UNTIL')) return 'must not contain both COUNT and UNTIL';
  if (parts.has('BYWEEKNO') && /\d/.test(parts.get('BYDAY') ?? ''))
    return 'must not combine BYWEEKNO with numbered weekdays in BYDAY';
  if (parts.has('BYSETPOS') && ![...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS')) {
    return 'must contain another BY part for BYSETPOS to select from';
  }
  return ruleOf(parts);
}

function ruleOf(parts: ReadonlyMap<string, string>): RecurrenceRule {
  const numbers = (name: string): number[] | null => parts.get(name)?.split(',').map(Number) ?? null;
  const until = parts.get('UNTIL');
  const weekdays = parts
    .get('BYDAY')
    ?.split(',')
    .map((text) => {
      const nth = text.slice(0, -2);
      return { weekday: WEEKDAYS.indexOf(text.slice(-2)), nth: nth === '' ? null : Number(nth) };
    });
  const hours = numbers('BYHOUR');
  return {
    frequency: parts.get('FREQ') as Frequency,
    interval: Number(parts.get('INTERVAL') ?? 1),
    count: parts.has('COUNT') ? Number(parts.get('COUNT')) : null,
    until: until === undefined ? null : endOf(until),
    weekStart: WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO'),
    months: numbers('BYMONTH'),
    monthDays: numbers('BYMONTHDAY'),
    yearDays: numbers('BYYEARDAY'),
    weeks: numbers('BYWEEKNO'),
    weekdays: weekdays ?? null,
    hours: hours && [...new Set(hours)].sort((a, b) => a - b),
    positions: numbers('BYSETPOS'),
  };
}

/**
 * Parses the value of UNTIL, or returns `null`. `20261231T225959Z` is an instant; without the `Z`, it is a wall-clock
 * time; a date includes the whole day.
 */
function endOf(value: string): RuleEnd | null {
  const [, year, month, day, time, isUtc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return null;
  const clock = (time ?? '235959').replace(/(\d\d)(\d\d)(\d\d)/, '$1:$2:$3');
  const wallClock = `${year}-${month}-${day}T${clock}`;
  const instantMs = Date.parse(`${wallClock}Z`);
  // `Date` parses 30 February as a day in March.
  if (Number.isNaN(instantMs) || !new Date(instantMs).toISOString().startsWith(wallClock)) return null;
  return isUtc === 'Z' ? { instantMs } : { wallClock };
}

function isList(value: string, isElement: (one: string) => boolean): boolean {
  return value.split(',').every(isElement);
}

function isNumber(value: string, min: number, max: number): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) >= min && Number(value) <= max;
}

/** Returns whether the value is a position from 1 to `max`, or a negative one, which counts from the end. */
function isSigned(value: string, max: number): boolean {
  return /^[+-]?\d{1,3}$/.test(value) && isNumber(value.replace(/^[+-]/, ''), 1, max);
}

function isWeekday(value: string, frequency: string): boolean {
  const [matched, nth] = NTH_WEEKDAY.exec(value) ?? [];
  if (matched === undefined || nth === undefined) return matched !== undefined;
  return (frequency === 'MONTHLY' && isSigned(nth, 5)) || (frequency === 'YEARLY' && isSigned(nth, 53));
}
