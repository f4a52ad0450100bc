import { CALM_MS, FLAP_OUTAGES, FLAP_WINDOW_MS, type IncidentStretch } from '../../src/domain/incident-timeline.js';
import { show } from './compare-runs.js';
import { type Interval, intersect, subtract, union } from './intervals.js';
import { type Truth } from './oracle.js';
import { type Verdict } from './verdict.js';

/** Maximum incidents of a flapping target in one window: the first ones, and then one after each calm period. */
const MAX_IN_A_WINDOW = FLAP_OUTAGES + FLAP_WINDOW_MS / CALM_MS;

/**
 * Compares the incidents with the truth: time that must be reported as down lies in an incident, each incident has a
 * cause outside maintenance, incidents do not overlap, and no target opens more incidents than documented.
 */
export function compareIncidents(told: readonly IncidentStretch[], truth: Truth, verdict: Verdict): void {
  const { own, mustBeDown, mayBeDown } = truth;
  const open = told.map(({ startedAt, resolvedAt }) => ({ from: startedAt, to: resolvedAt ?? Infinity }));
  verdict.counts.incidents += told.length;
  for (const unheard of subtract(mustBeDown, union(open))) verdict.find('alert', `no incident for ${show(unheard)}`);

  const causes = union(subtract(mayBeDown, own.maintenance), own.dark, own.paused);
  for (const { startedAt } of told) {
    const beginning: Interval = { from: startedAt, to: startedAt + 1 };
    if (intersect([beginning], causes).length === 0) verdict.find('alert', `no cause for ${show(beginning)}`);
  }
  for (const [index, { from }] of open.entries()) {
    const later = open[index + MAX_IN_A_WINDOW];
    if (later && later.from - from <= FLAP_WINDOW_MS) verdict.find('alert', `too many incidents with ${show(later)}`);
    if (index > 0 && from < open[index - 1]!.to)
      verdict.find('alert', `two open incidents at ${show({ from, to: from })}`);
  }
}
