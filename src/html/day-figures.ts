import { type Mark } from './marks.js';

type SecondsName = `${Mark}Seconds`;

/** A UTC day as displayed. Its seconds by kind add up to the elapsed part of the day. */
export interface ShownDay extends Record<SecondsName, number> {
  /** In the form `2026-01-01`. */
  date: string;
  /** The worst kind with time in the day. */
  status: Mark;
  uptimePercent: number | null;
  incidentCount: number;
}

/** The kinds from the bottom of a bar to its top, worst first. */
const STACK: readonly { kind: Mark; seconds: SecondsName }[] = (
  ['down', 'degraded', 'maintenance', 'paused', 'excluded', 'unknown', 'up'] as const
).map((kind) => ({ kind, seconds: `${kind}Seconds` }));
/**
 * Smaller shares of a day are raised to this value before all shares are scaled to fit the bar. Half a minute of outage
 * must not vanish, and an hour of it must catch the eye among ninety days.
 */
const LEAST_SHARE = 0.12;
const LEAST_SHARE_OF_TROUBLE = 0.25;

/** The part of a kind in the bar of a day, as shares of its height, measured from the bottom. */
export interface BarPart {
  kind: Mark;
  from: number;
  share: number;
}

/** Returns the kinds with time in a day, worst first, and their seconds. */
export function kindsOf(day: ShownDay): { kind: Mark; seconds: number }[] {
  const found: { kind: Mark; seconds: number }[] = [];
  for (const { kind, seconds } of STACK) if (day[seconds] > 0) found.push({ kind, seconds: day[seconds] });
  return found;
}

/**
 * Returns the parts of a day's bar, in proportion to the elapsed time. A day of one kind, or without time, has one
 * part. `leastOfTrouble` is the smallest share of trouble, for bars so small that it must be larger to be visible.
 */
export function barParts(day: ShownDay, leastOfTrouble = LEAST_SHARE_OF_TROUBLE): BarPart[] {
  const kinds = kindsOf(day);
  if (kinds.length < 2) return [{ kind: kinds[0]?.kind ?? 'unknown', from: 0, share: 1 }];
  const elapsed = kinds.reduce((sum, { seconds }) => sum + seconds, 0);
  const raised = kinds.map(({ kind, seconds }) =>
    Math.max(seconds / elapsed, isTrouble(kind) ? leastOfTrouble : LEAST_SHARE),
  );
  const total = raised.reduce((sum, share) => sum + share, 0);
  let from = 0;
  return kinds.map(({ kind }, index) => {
    const share = raised[index]! / total;
    const part = { kind, from, share };
    from += share;
    return part;
  });
}

/** Returns the elapsed time of a history. The last day may not be over yet. */
export function elapsedSeconds(days: readonly ShownDay[]): number {
  let sum = 0;
  for (const day of days) for (const { seconds } of STACK) sum += day[seconds];
  return sum;
}

/**
 * Returns the number of days before the first result, which are drawn as empty slots: a new monitor has no gap in its
 * history. All days if there is no result yet.
 */
export function daysBeforeData(days: readonly ShownDay[]): number {
  const first = days.findIndex((day) => kindsOf(day).some(({ kind }) => kind !== 'unknown'));
  return first === -1 ? days.length : first;
}

function isTrouble(kind: Mark): boolean {
  return kind === 'down' || kind === 'degraded';
}

/** Adjacent days with the same figures, shown as one. */
export interface DayRun {
  /** The newest and the oldest day of the run. */
  last: ShownDay;
  first: ShownDay;
  count: number;
}

/** Returns the days of a history as runs, newest first. */
export function dayRuns(days: readonly ShownDay[]): DayRun[] {
  const runs: DayRun[] = [];
  for (const day of days.toReversed()) {
    const run = runs.at(-1);
    if (run && haveSameFigures(run.last, day)) {
      run.first = day;
      run.count += 1;
    } else runs.push({ last: day, first: day, count: 1 });
  }
  return runs;
}

function haveSameFigures(one: ShownDay, other: ShownDay): boolean {
  return one.incidentCount === other.incidentCount && STACK.every(({ seconds }) => one[seconds] === other[seconds]);
}
