import { type CivilDay, civilOf, dayOf, monthLength, weekdayOf } from './civil-day.js';
import { DAY_MS, HOUR_MS } from './durations.js';
import { type RecurrenceRule } from './recurrence-rule.js';

/** Days after which the calendar repeats: a rule without an occurrence by then has none at all. */
const CYCLE_DAYS = 146_097;
/**
 * Maximum number of days tested plus times generated per walk, about 50 ns each. The sparsest valid rule needs fewer.
 */
const MAX_STEPS = 500_000;
/** The last day that RFC 3339 can represent. */
const LAST_DAY = dayOf(9_999, 12, 31);

/**
 * Yields the wall-clock times of a rule's occurrences from `fromMs` on, in ascending order: the first occurrence, even
 * if the rule does not produce it, and those that RFC 5545 (3.3.10) defines. All times are epoch milliseconds of clocks
 * that show UTC, where every time exists once. The caller must apply `UNTIL`. The walk ends 400 years after its start,
 * or after {@link MAX_STEPS}.
 */
export function* walkRecurrence(rule: RecurrenceRule, firstMs: number, fromMs: number): Generator<number> {
  if (firstMs >= fromMs) yield firstMs;
  const first = Math.floor(firstMs / DAY_MS);
  const timeMs = firstMs - first * DAY_MS;
  const times = rule.hours?.map((hour) => hour * HOUR_MS + (timeMs % HOUR_MS)) ?? [timeMs];
  const takesPlace = dayTest(rule, first);
  // COUNT counts from the first occurrence, so such a walk cannot start later.
  const begin = rule.count === null ? Math.max(first, Math.floor(fromMs / DAY_MS)) : first;
  let left = (rule.count ?? Infinity) - 1;
  let steps = 0;
  for (const [start, end] of periods(rule, first, begin)) {
    const made: number[] = [];
    for (let day = start; day <= end; day += 1) {
      steps += 1;
      if (takesPlace(day)) for (const time of times) made.push(day * DAY_MS + time);
    }
    steps += made.length;
    for (const at of rule.positions ? selected(made, rule.positions) : made) {
      if (at <= firstMs) continue;
      if (left === 0) return;
      left -= 1;
      if (at >= fromMs) yield at;
    }
    if (left === 0 || steps > MAX_STEPS) return;
  }
}

function selected(made: readonly number[], positions: readonly number[]): number[] {
  const found = positions.map((position) => made[position > 0 ? position - 1 : made.length + position]);
  return [...new Set(found)].filter((at) => at !== undefined).sort((a, b) => a - b);
}

/** Yields the days, weeks, months or years of a rule, each as its first and last day, from the one with `begin` on. */
function* periods(rule: RecurrenceRule, first: number, begin: number): Generator<Period> {
  const { nth, passed } = PERIODS[rule.frequency](rule, first, begin);
  const last = Math.min(begin + CYCLE_DAYS, LAST_DAY);
  for (let n = passed - (passed % rule.interval); ; n += rule.interval) {
    const period = nth(n);
    if (period[0] > last) return;
    yield period;
  }
}

type Period = readonly [start: number, end: number];

interface Periods {
  /** Returns the n-th period; number 0 contains the first day. */
  nth: (n: number) => Period;
  /** Number of periods that end before `begin`; may be too low, never too high. */
  passed: number;
}

const PERIODS: Record<RecurrenceRule['frequency'], (rule: RecurrenceRule, first: number, begin: number) => Periods> = {
  DAILY: (_, first, begin) => ({ nth: (n) => [first + n, first + n], passed: begin - first }),
  WEEKLY: ({ weekStart }, first, begin) => {
    const start = weekOf(first, weekStart);
    return { nth: (n) => [start + 7 * n, start + 7 * n + 6], passed: Math.floor((begin - start) / 7) };
  },
  MONTHLY: (_, first, begin) => {
    const indexOf = ({ year, month }: CivilDay): number => year * 12 + month - 1;
    const startOf = (index: number): number => dayOf(Math.floor(index / 12), (index % 12) + 1, 1);
    const index = indexOf(civilOf(first));
    return {
      nth: (n) => [startOf(index + n), startOf(index + n + 1) - 1],
      passed: indexOf(civilOf(begin)) - index,
    };
  },
  YEARLY: ({ weeks, weekStart }, first, begin) => {
    const { year } = civilOf(first);
    // With BYWEEKNO, a year begins with the first week that has at least four days in it, so it may end in January.
    const startOf = (of: number): number => (weeks ? weekOf(dayOf(of, 1, 4), weekStart) : dayOf(of, 1, 1));
    const passed = civilOf(begin).year - year - (weeks ? 1 : 0);
    return { nth: (n) => [startOf(year + n), startOf(year + n + 1) - 1], passed: Math.max(0, passed) };
  },
};

/** Returns the first day of the week that contains a day. */
function weekOf(day: number, weekStart: number): number {
  return day - ((weekdayOf(day) - weekStart + 7) % 7);
}

/**
 * Returns a test for the days that the `BY` parts of a rule select, optimized for days in ascending order. Parts that
 * the rule omits are derived from its first day.
 */
function dayTest(rule: RecurrenceRule, first: number): (day: number) => boolean {
  const { frequency, months, weekStart, monthDays, yearDays, weeks, weekdays } = withFirstDay(rule, first);
  const withinMonth = frequency === 'MONTHLY' || (frequency === 'YEARLY' && months !== null);
  let at = monthOf(first);
  return (day) => {
    if (day < at.start || day >= at.start + at.length) at = monthOf(day);
    if (months && !months.includes(at.month)) return false;
    if (monthDays && !isAmong(monthDays, day - at.start + 1, at.length)) return false;
    if (weekdays) {
      const here = weekdays.filter(({ weekday }) => weekday === weekdayOf(day));
      if (here.length === 0) return false;
      const { start, length } = withinMonth ? at : at.inYear;
      const nth = Math.floor((day - start) / 7) + 1;
      const all = nth + Math.floor((start + length - 1 - day) / 7);
      if (!here.some((one) => one.nth === null || isAmong([one.nth], nth, all))) return false;
    }
    if (yearDays && !isAmong(yearDays, day - at.inYear.start + 1, at.inYear.length)) return false;
    if (weeks) {
      // A week belongs to the year that contains most of its days.
      const middle = weekOf(day, weekStart) + 3;
      const { start, length } = yearOf(civilOf(middle).year);
      const week = Math.floor((middle - start) / 7) + 1;
      if (!isAmong(weeks, week, week + Math.floor((start + length - 1 - middle) / 7))) return false;
    }
    return true;
  };
}

function withFirstDay(rule: RecurrenceRule, first: number): RecurrenceRule {
  const { frequency, months, monthDays, yearDays, weeks, weekdays } = rule;
  const sameWeekday = [{ weekday: weekdayOf(first), nth: null }];
  if (weekdays || monthDays || yearDays || frequency === 'DAILY') return rule;
  if (weeks || frequency === 'WEEKLY') return { ...rule, weekdays: sameWeekday };
  const { month, dayOfMonth } = civilOf(first);
  return { ...rule, monthDays: [dayOfMonth], months: months ?? (frequency === 'YEARLY' ? [month] : null) };
}

/** Returns whether the list contains the `nth` of `all`, counted from the beginning or, if negative, from the end. */
function isAmong(list: readonly number[], nth: number, all: number): boolean {
  return list.includes(nth) || list.includes(nth - all - 1);
}

/** Consecutive days: the first one and their number. */
interface Days {
  start: number;
  length: number;
}

function yearOf(year: number): Days {
  const start = dayOf(year, 1, 1);
  return { start, length: dayOf(year + 1, 1, 1) - start };
}

function monthOf(day: number): Days & { month: number; inYear: Days } {
  const { year, month, dayOfMonth } = civilOf(day);
  return { month, start: day - dayOfMonth + 1, length: monthLength(year, month), inYear: yearOf(year) };
}
