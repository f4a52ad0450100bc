import { DAY_MS } from '../../domain/durations.js';
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

/** What determines how many checks a monitor has in a period. */
interface Checked {
  /** 0 for a monitor that waits for reports. */
  intervalSeconds: number;
  locations: readonly string[];
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

/** Bounds the checks that a request reads. @throws 400 for a period with more than a million checks */
export function expectFewChecks(monitor: Checked, { fromMs, toMs }: Period, location?: string): void {
  const places = location === undefined ? monitor.locations.length : 1;
  if (((toMs - fromMs) / intervalOf(monitor)) * places <= MAX_CHECKS) return;
  const detail = 'The period has more than 1,000,000 checks of this monitor. Select a shorter one, or a location.';
  throw refuse(detail);
}

/** Returns the smallest multiple of the monitor's interval that divides a length into at most `points` steps. */
export function stepOf(lengthMs: number, points: number, monitor: Pick<Checked, 'intervalSeconds'>): number {
  const intervalMs = intervalOf(monitor);
  return Math.ceil(lengthMs / points / intervalMs) * intervalMs;
}

function intervalOf({ intervalSeconds }: Pick<Checked, 'intervalSeconds'>): number {
  return intervalSeconds * 1_000 || REPORTS_INTERVAL_MS;
}
