import { type Mark } from './marks.js';

type SecondsName = `${Mark}Seconds`;

/** One UTC day as it is shown: its seconds by kind add up to what has elapsed of it. */
export interface ShownDay extends Record<SecondsName, number> {
  /** As `2026-01-01`. */
  date: string;
  /** The worst kind with time in the day. */
  status: Mark;
  uptimePercent: number | null;
  incidentCount: number;
}

/** From the foot of a bar to its head, the worst first. */
const STACK: readonly { kind: Mark; seconds: SecondsName }[] = (
  ['down', 'degraded', 'maintenance', 'paused', 'excluded', 'unknown', 'up'] as const
).map((kind) => ({ kind, seconds: `${kind}Seconds` }));
/**
 * A share of a day that is smaller is drawn as large as this, before all are fitted into the bar: half a minute of
 * outage must not vanish, and an hour of it must be seen by who runs an eye over ninety days.
 */
const LEAST_SHARE = 0.12;
const LEAST_SHARE_OF_TROUBLE = 0.25;

/** One kind's part of a day's bar: shares of its height, from the foot. */
export interface BarPart {
  kind: Mark;
  from: number;
  share: number;
}

/** The kinds with time in a day, the worst first, and their seconds. */
export function kindsOf(day: ShownDay): { kind: Mark; seconds: number }[] {
  const found: { kind: Mark; seconds: number }[] = [];
  for (const { kind, seconds } of STACK) if (day[seconds] > 0) found.push({ kind, seconds: day[seconds] });
  return found;
}

/**
 * A day's bar, split in proportion to the time that has elapsed in it. A day of one kind, or without time, is one part.
 * `leastOfTrouble`: where bars are so small that trouble wants a larger part to be seen.
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

function isTrouble(kind: Mark): boolean {
  return kind === 'down' || kind === 'degraded';
}

/** Neighbouring days with the same figures, told once. */
export interface DayRun {
  /** The newest and the oldest day of the run. */
  last: ShownDay;
  first: ShownDay;
  count: number;
}

/** The days of a history as runs, newest first. */
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
