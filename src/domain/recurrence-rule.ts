/** A recurrence rule (RFC 5545, 3.3.10) that was found valid. What it does not say is `null`. */
export interface RecurrenceRule {
  frequency: Frequency;
  interval: number;
  count: number | null;
  until: RuleEnd | null;
  /** The day on which weeks begin; 0 is Sunday. */
  weekStart: number;
  months: readonly number[] | null;
  /** Here and below, numbers under 0 count from the end. */
  monthDays: readonly number[] | null;
  yearDays: readonly number[] | null;
  weeks: readonly number[] | null;
  /** `nth`: of its month or year; null: each. */
  weekdays: readonly { weekday: number; nth: number | null }[] | null;
  /** Rising, each once. */
  hours: readonly number[] | null;
  positions: readonly number[] | null;
}

/** When a rule ends: an instant, or a wall-clock time `YYYY-MM-DDTHH:MM:SS` in the zone of the schedule. */
export type RuleEnd = { instantMs: number } | { wallClock: string };

export const MAX_RULE_LENGTH = 500;
/** Beyond it nobody plans, and the calendar ends. */
const MAX_INTERVAL = 1_000;
const MAX_COUNT = 10_000;

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof FREQUENCIES)[number];
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const WEEKDAY = /^(?:SU|MO|TU|WE|TH|FR|SA)$/;
const NTH_WEEKDAY = /^([+-]?\d{1,2})?(?:SU|MO|TU|WE|TH|FR|SA)$/;

/** What each part may say; shorter units would make occurrences that no window can tell apart. */
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
 * Takes the value of an `RRULE` apart. A text as its result says what is wrong with it: another frequency than `DAILY`,
 * `WEEKLY`, `MONTHLY` and `YEARLY`, a part that is unknown, repeated, out of its range or not allowed with the
 * frequency, other properties (`DTSTART`, `EXDATE`), more than 500 characters.
 */
export function parseRule(given: string): RecurrenceRule | string {
  if (given.length > MAX_RULE_LENGTH) return `has at most ${MAX_RULE_LENGTH} characters`;
  const parts = new Map<string, string>();
  for (const part of given.toUpperCase().split(';')) {
    const [name = '', value = '', ...more] = part.split('=');
    if (!Object.hasOwn(PARTS, name) || more.length > 0)
      return 'wants parts such as FREQ=WEEKLY;BYDAY=SU, and no others';
    if (parts.has(name)) return `has ${name} twice`;
    parts.set(name, value);
  }
  const frequency = parts.get('FREQ');
  if (frequency === undefined) return 'wants a FREQ';
  const wrong = [...parts].find(([name, value]) => !PARTS[name]!(value, frequency));
  if (wrong)
    return wrong[0] === 'FREQ' ? `wants a FREQ of ${FREQUENCIES.join(', ')}` : `has a ${wrong[0]} that does not fit`;
  if (parts.has('COUNT') && parts.has('UNTIL')) return 'has COUNT or UNTIL, not both';
  if (parts.has('BYWEEKNO') && /\d/.test(parts.get('BYDAY') ?? '')) return 'has a BYDAY that does not fit BYWEEKNO';
  if (parts.has('BYSETPOS') && ![...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS')) {
    return 'has a BYSETPOS that selects from no other BY part';
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

/** `20261231T225959Z` is an instant, without the `Z` a wall-clock time; a date alone is the whole of that day. */
function endOf(value: string): RuleEnd | null {
  const [, year, month, day, time, isUtc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return null;
  const clock = (time ?? '235959').replace(/(\d\d)(\d\d)(\d\d)/, '$1:$2:$3');
  const wallClock = `${year}-${month}-${day}T${clock}`;
  const instantMs = Date.parse(`${wallClock}Z`);
  // `Date` takes February 30 for a day of March.
  if (Number.isNaN(instantMs) || !new Date(instantMs).toISOString().startsWith(wallClock)) return null;
  return isUtc === 'Z' ? { instantMs } : { wallClock };
}

function isList(value: string, isElement: (one: string) => boolean): boolean {
  return value.split(',').every(isElement);
}

function isNumber(value: string, min: number, max: number): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) >= min && Number(value) <= max;
}

/** From the beginning, or negative from the end. */
function isSigned(value: string, max: number): boolean {
  return /^[+-]?\d{1,3}$/.test(value) && isNumber(value.replace(/^[+-]/, ''), 1, max);
}

function isWeekday(value: string, frequency: string): boolean {
  const [matched, nth] = NTH_WEEKDAY.exec(value) ?? [];
  if (matched === undefined || nth === undefined) return matched !== undefined;
  return (frequency === 'MONTHLY' && isSigned(nth, 5)) || (frequency === 'YEARLY' && isSigned(nth, 53));
}
