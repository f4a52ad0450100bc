/** A day of the Gregorian calendar; `month` counts from 1. */
export interface CivilDay {
  year: number;
  month: number;
  dayOfMonth: number;
}

const ERA_DAYS = 146_097;
/** Days from 1 March of the year 0 to 1 January 1970. */
const EPOCH_DAYS = 719_468;

/**
 * Returns the number of a day, counted from 1 January 1970. Calculates with years that begin in March, so that the leap
 * day is their last day (after Howard Hinnant, "chrono-compatible low-level date algorithms").
 */
export function dayOf(year: number, month: number, dayOfMonth: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * ERA_DAYS + dayOfEra - EPOCH_DAYS;
}

/** Returns the date of a day number; the inverse of {@link dayOf}. */
export function civilOf(day: number): CivilDay {
  const shifted = day + EPOCH_DAYS;
  const era = Math.floor(shifted / ERA_DAYS);
  const dayOfEra = shifted - era * ERA_DAYS;
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const dayOfMonth = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  return { year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfMonth };
}

/** Returns the day of the week; 0 is Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function monthLength(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
