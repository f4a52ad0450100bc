import { type PublicDayDto } from '../dto/public-page.dto.js';
import { type Mark } from './page-words.js';

/** From the foot of a bar to its head, the worst first. */
const STACK: readonly Mark[] = ['down', 'degraded', 'maintenance', 'paused', 'excluded', 'unknown', 'up'];
/** A share of a day that is smaller is drawn as large as this: half a minute of outage must not vanish. */
const LEAST_SHARE = 0.08;

/** One kind's part of a day's bar: shares of its height, from the foot. */
export interface BarPart {
  kind: Mark;
  from: number;
  share: number;
}

export function secondsOf(day: PublicDayDto, kind: Mark): number {
  return day[`${kind}Seconds`];
}

/** A day's bar, split in proportion to the time that has elapsed in it. A day of one kind, or without time, is one part. */
export function barParts(day: PublicDayDto): BarPart[] {
  const kinds = STACK.filter((kind) => secondsOf(day, kind) > 0);
  const [first = 'unknown'] = kinds;
  if (kinds.length < 2) return [{ kind: first, from: 0, share: 1 }];
  const elapsed = kinds.reduce((sum, kind) => sum + secondsOf(day, kind), 0);
  const raised = kinds.map((kind) => Math.max(secondsOf(day, kind) / elapsed, LEAST_SHARE));
  const total = raised.reduce((sum, share) => sum + share, 0);
  let from = 0;
  return kinds.map((kind, index) => {
    const share = raised[index]! / total;
    const part = { kind, from, share };
    from += share;
    return part;
  });
}

/** Neighbouring days with the same figures, told once. */
export interface DayRun {
  /** The newest and the oldest day of the run. */
  last: PublicDayDto;
  first: PublicDayDto;
  count: number;
}

/** The days of a history as runs, newest first. */
export function dayRuns(days: readonly PublicDayDto[]): DayRun[] {
  const runs: DayRun[] = [];
  for (const day of days.toReversed()) {
    const run = runs.at(-1);
    if (run && STACK.every((kind) => secondsOf(run.first, kind) === secondsOf(day, kind)) && !day.incidentCount) {
      run.first = day;
      run.count += 1;
    } else runs.push({ last: day, first: day, count: 1 });
  }
  return runs;
}
