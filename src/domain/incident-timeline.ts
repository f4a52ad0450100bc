import { coverage, type Span } from './span.js';
import { type DownRun } from './state-timeline.js';

/** This many outages that began within {@link FLAP_WINDOW_MS} make a monitor flap. */
export const FLAP_OUTAGES = 3;
export const FLAP_WINDOW_MS = 3_600_000;

/** A flapping monitor must have been well for this long before its incident counts as over. */
export const CALM_MS = 15 * 60_000;

/** One incident of a monitor as its history tells it. Times are epoch milliseconds. */
export interface IncidentStretch {
  /** The first moment that counts: where an outage began in maintenance, the end of that. */
  startedAt: number;
  /** The end of its last outage; `null` while that lasts, or while a flapping monitor has not been well for long enough. */
  resolvedAt: number | null;
  /** When it is over if nothing more happens; `null` unless time alone ends it. */
  settlesAt: number | null;
  /** Its outages, oldest first; more than one where the monitor flaps. */
  outages: DownRun[];
}

/**
 * The incidents that follow from a monitor's outages, oldest first. Each outage is one, but for two rules. One that lies
 * wholly in maintenance is none. And from the third outage within an hour on the monitor flaps: what follows within
 * {@link CALM_MS} of its recovery still belongs to the same incident, so that a flapping target is told once, while each of
 * its outages stays in the history and in the figures.
 *
 * @param runs sorted by `from`, disjoint; to tell incidents that began at or after a moment, all of {@link FLAP_WINDOW_MS}
 *   before it are needed.
 */
export function incidentsOf(runs: readonly DownRun[], maintenance: readonly Span[], nowMs: number): IncidentStretch[] {
  const covered = coverage(maintenance, -Infinity, Infinity);
  let next = 0;
  const starts: number[] = [];
  const incidents: IncidentStretch[] = [];
  let flapping = false;
  for (const outage of runs) {
    while (next < covered.length && covered[next]!.to <= outage.from) next += 1;
    const over = covered[next];
    const startedAt = over && over.from <= outage.from ? over.to : outage.from;
    // The present moment counts, so that an outage is told in the very millisecond in which it is known.
    if (startedAt >= Math.min(outage.to ?? Infinity, Math.max(nowMs, outage.from) + 1)) continue;
    starts.push(startedAt);
    const last = incidents.at(-1);
    const wellSince = last?.outages.at(-1)?.to ?? null;
    const goesOn = flapping && wellSince !== null && startedAt - wellSince < CALM_MS;
    flapping = (starts.at(-FLAP_OUTAGES) ?? -Infinity) > startedAt - FLAP_WINDOW_MS;
    const settlesAt = flapping && outage.to !== null && nowMs < outage.to + CALM_MS ? outage.to + CALM_MS : null;
    const end = { resolvedAt: settlesAt === null ? outage.to : null, settlesAt };
    if (goesOn) Object.assign(last!, end).outages.push(outage);
    else incidents.push({ startedAt, ...end, outages: [outage] });
  }
  return incidents;
}
