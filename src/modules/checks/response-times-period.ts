import { DAY_MS } from '../../domain/durations.js';
import { type Schedule } from '../../domain/schedule-fidelity.js';
import { invalidQuery } from '../../http/body/validation.js';
import { type ResponseTimesQuery } from './dto/response-times.dto.js';

/** Reports of jobs arrive at no interval that could divide a period. */
const REPORTS_INTERVAL_MS = 60_000;
/** Takes the database about 1.5 s if all of them are in memory. */
const MAX_CHECKS = 1_000_000;

/** A period `[fromMs, toMs)`, in epoch milliseconds. */
export interface Period {
  fromMs: number;
  toMs: number;
}

const refuse = (detail: string): Error => invalidQuery([{ parameter: 'from', code: 'out_of_range', detail }]);

/** Returns the period of a query, which defaults to the past 24 hours. @throws 400, also if it exceeds `maxDays` */
export function periodOf(
  { from, to }: Pick<ResponseTimesQuery, 'from' | 'to'>,
  nowMs: number,
  maxDays: number,
): Period {
  const toMs = to === undefined ? nowMs : Date.parse(to);
  const fromMs = from === undefined ? toMs - DAY_MS : Date.parse(from);
  if (fromMs >= toMs) throw refuse('from must be before to, by default the current time.');
  if (toMs - fromMs > maxDays * DAY_MS) {
    throw refuse(`A period has at most ${maxDays} days, for which results of checks are kept.`);
  }
  return { fromMs, toMs };
}

/**
 * Bounds the checks that a request reads.
 * @param schedules oldest first; the first one also applies to the time before it
 * @throws 400 for a period with more than a million checks
 */
export function expectFewChecks(schedules: readonly Schedule[], { fromMs, toMs }: Period): void {
  let checks = 0;
  for (const [index, { from, intervalMs, locations }] of schedules.entries()) {
    const startMs = index === 0 ? fromMs : Math.max(from, fromMs);
    const endMs = Math.min(schedules[index + 1]?.from ?? Infinity, toMs);
    checks += (Math.max(0, endMs - startMs) / (intervalMs || REPORTS_INTERVAL_MS)) * locations;
  }
  if (checks <= MAX_CHECKS) return;
  const detail = 'The period has more than 1,000,000 checks of this monitor. Select a shorter one, or a location.';
  throw refuse(detail);
}

/**
 * Returns the smallest multiple of the monitor's interval that divides a length into at most `points` steps. The interval
 * of a monitor that waits for reports is 0.
 */
export function stepOf(lengthMs: number, points: number, { intervalSeconds }: { intervalSeconds: number }): number {
  const intervalMs = intervalSeconds * 1_000 || REPORTS_INTERVAL_MS;
  return Math.ceil(lengthMs / points / intervalMs) * intervalMs;
}
