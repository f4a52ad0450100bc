import { type Span } from '../../src/domain/span.js';
import { intersect, type Interval, touches, union } from './intervals.js';
import { type Truth } from './oracle.js';
import { type Verdict } from './verdict.js';

/**
 * Compares the reported outages with the true ones: each outage that must be found overlaps a reported one, and none is
 * reported where nothing can have failed.
 */
export function compareRuns(told: readonly Span[], truth: Truth, verdict: Verdict): void {
  const runs = told.map(({ from, to }) => ({ from, to: to ?? Infinity }));
  const { own, down, mustBeDown } = truth;
  const hidden = union(own.paused, own.maintenance);
  for (const outage of down) {
    const mustBeFound = intersect([outage], mustBeDown).length > 0;
    const found = overlapsAny(outage, runs);
    verdict.counts.outages += 1;
    if (mustBeFound) verdict.counts.certain += 1;
    if (found) verdict.counts.detected += 1;
    else if (mustBeFound) verdict.find('missed', `outage ${show(outage)}`);
  }
  const explained = union(truth.mayBeDown, own.dark, hidden);
  for (const run of runs) {
    if (!overlapsAny(run, explained)) verdict.find('false_down', `run ${show(run)}`);
  }
}

function overlapsAny(one: Interval, others: readonly Interval[]): boolean {
  return others.some((other) => touches(one, other) && one.from < other.to && other.from < one.to);
}

export function show({ from, to }: Interval): string {
  const text = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString() : String(at));
  return `${text(from)} to ${text(to)}`;
}
