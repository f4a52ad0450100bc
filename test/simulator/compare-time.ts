import { DAY_MS } from '../../src/domain/durations.js';
import { type UptimeFigures } from '../../src/domain/uptime-figures.js';
import { type Uptime } from '../../src/domain/uptime.js';
import { show } from './compare-runs.js';
import { intersect, type Interval, type Intervals, lengthOf, subtract, union } from './intervals.js';
import { downTimeBound, type Truth } from './oracle.js';
import { type FindingKind, type Verdict } from './verdict.js';

/** Tolerance in milliseconds, because reported edges are whole milliseconds. */
const ROUNDING_MS = 2;
/** Tolerance of percentages, which are truncated to three decimals. */
const CUT = 0.001;

/**
 * Compares the kind of each moment with the truth: the sums of the kinds, where the monitor may and must be down, and
 * the uptime of each day and of the whole window.
 */
export function compareTime(uptime: Uptime, truth: Truth, elapsed: Interval, verdict: Verdict): void {
  addUp(uptime, elapsed, verdict);
  const of = (...kinds: readonly string[]): Interval[] =>
    uptime.segments.filter(({ kind }) => kinds.includes(kind)).map(({ from, to }) => ({ from, to }));
  const down = of('down');
  const monitored = union(of('up', 'degraded', 'down'));
  const { own } = truth;
  report(subtract(down, truth.mayBeDown), 'false_down', 'down', verdict);
  report(subtract(truth.mustBeDown.filter(inside(elapsed)), down), 'not_down', 'not down', verdict);
  report(
    subtract(truth.mustBeDegraded.filter(inside(elapsed)), of('degraded')),
    'not_degraded',
    'not degraded',
    verdict,
  );
  report(subtract(of('degraded'), truth.mayBeDegraded), 'false_degraded', 'degraded', verdict);
  report(
    subtract(of('unknown'), union(truth.mayBeUnknown, own.paused, own.maintenance)),
    'unknown',
    'unknown',
    verdict,
  );

  const laidOver = union(own.paused, own.maintenance);
  report(intersect(monitored, subtract(own.blind, laidOver)), 'known', 'known while blind', verdict);
  const expected = { paused: own.paused, maintenance: subtract(own.maintenance, own.paused) };
  for (const kind of ['paused', 'maintenance'] as const) {
    const told = of(kind);
    const scripted = intersect(expected[kind], [elapsed]);
    report(union(subtract(told, scripted), subtract(scripted, told)), 'overlay', kind, verdict);
  }

  const measured = { down, monitored, truth };
  for (const day of uptime.days) {
    const from = Date.parse(day.date);
    const within = { from, to: Math.min(from + DAY_MS, elapsed.to) };
    const share = compareUptime(within, day, day.date, measured, verdict);
    verdict.measures.worstDay = Math.max(verdict.measures.worstDay, share);
  }
  const share = compareUptime(elapsed, uptime.totals, 'whole window', measured, verdict);
  verdict.measures.worstWindow = Math.max(verdict.measures.worstWindow, share);
}

function inside({ from, to }: Interval): (one: Interval) => boolean {
  return (one) => one.from >= from && one.to <= to;
}

function report(found: Intervals, kind: FindingKind, text: string, verdict: Verdict): void {
  for (const one of found) {
    if (one.to - one.from > ROUNDING_MS) verdict.find(kind, `${text} ${show(one)}`);
  }
}

function sumOf(figures: UptimeFigures): number {
  const { upMs, degradedMs, downMs, maintenanceMs, pausedMs, excludedMs, unknownMs } = figures;
  return upMs + degradedMs + downMs + maintenanceMs + pausedMs + excludedMs + unknownMs;
}

function addUp(uptime: Uptime, elapsed: Interval, verdict: Verdict): void {
  for (const day of uptime.days) {
    const from = Date.parse(day.date);
    const expected = Math.max(0, Math.min(from + DAY_MS, elapsed.to) - from);
    if (sumOf(day) !== expected) verdict.find('adding_up', `${day.date}: ${sumOf(day)} of ${expected} ms`);
  }
  const expected = elapsed.to - elapsed.from;
  if (sumOf(uptime.totals) !== expected) verdict.find('adding_up', `total: ${sumOf(uptime.totals)} of ${expected} ms`);
}

/**
 * Compares the reported uptime of a period with the truth. Returns its error as a share of the bound. Time of random
 * check failures is left out.
 */
function compareUptime(
  within: Interval,
  { uptimePercent, downMs }: UptimeFigures,
  name: string,
  { down, monitored, truth }: { down: Interval[]; monitored: Interval[]; truth: Truth },
  verdict: Verdict,
): number {
  const lossy = truth.lossy.some((one) => one.from < within.to && within.from < one.to);
  const judged = lossy ? subtract([within], truth.lossy) : [within];
  const counted = intersect(monitored, judged);
  const monitoredMs = lengthOf(counted);
  if (monitoredMs === 0) return 0;
  const trueMs = lengthOf(intersect(truth.down, counted));
  const toldMs = lossy ? lengthOf(intersect(down, judged)) : downMs;
  const bound = downTimeBound(truth, within);
  const error = Math.abs(toldMs - trueMs);
  const percentError = lossy ? 0 : Math.abs((uptimePercent ?? NaN) - 100 * (1 - trueMs / monitoredMs));
  if (!(error <= bound + ROUNDING_MS && percentError <= (100 * bound) / monitoredMs + CUT)) {
    const figures = `reported down ${toldMs} ms, actually ${trueMs} ms, uptime ${uptimePercent}%, bound ${bound} ms`;
    verdict.find('uptime', `${name}: ${figures} of ${monitoredMs} ms`);
  }
  return error <= ROUNDING_MS ? 0 : error / bound;
}
