import { coverage, type Span } from './span.js';
import { type DownRun } from './state-timeline.js';

/** A monitor is flapping once this many outages have begun within {@link FLAP_WINDOW_MS}. */
export const FLAP_OUTAGES = 3;
export const FLAP_WINDOW_MS = 3_600_000;

/** A flapping monitor must not be down for this long before its incident is resolved. */
export const CALM_MS = 15 * 60_000;

/** An incident computed from a monitor's history. Times are epoch milliseconds. */
export interface IncidentStretch {
  /** Start of the first outage, or the end of the maintenance in which that outage began. */
  startedAt: number;
  /** End of its last outage; `null` while that lasts and, for a flapping monitor, for {@link CALM_MS} after it. */
  resolvedAt: number | null;
  /** When it resolves without a further outage; `null` unless it is only waiting for time to pass. */
  settlesAt: number | null;
  /** Its outages, oldest first; more than one if the monitor is flapping. */
  outages: DownRun[];
}

/**
 * Returns the incidents that follow from a monitor's outages, oldest first. Each outage is an incident, with two
 * exceptions. An outage entirely within maintenance is not an incident. From the third outage within an hour on, the
 * monitor is flapping: an outage within {@link CALM_MS} of the previous recovery belongs to the same incident. A
 * flapping target is thus reported once, while each of its outages remains in the history and in the figures.
 *
 * @param runs sorted by `from`, disjoint; to find the incidents that began at or after a moment, all runs of the
 *   {@link FLAP_WINDOW_MS} before it are required
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
    // Includes the present millisecond, so that an outage is reported in the millisecond in which it is confirmed.
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
