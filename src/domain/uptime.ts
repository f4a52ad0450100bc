import { incidentsOf } from './incident-timeline.js';
import { type Quorum, type QuorumHistory } from './quorum.js';
import { boundaries, coverage, endsOf, risingCover, type ClosedSpan, type Span } from './span.js';
import { downRuns, mergeLocations, type DownRun, type LocationHistory, type StateStretch } from './state-timeline.js';
import { UptimeTally, type TimeKind, type UptimeFigures } from './uptime-figures.js';
import { daysBetween } from './utc-day.js';

export interface DayUptime extends UptimeFigures {
  date: string;
  /** The worst kind of time that the day contains, by {@link TIME_KINDS}; `unknown` if nothing has elapsed. */
  status: TimeKind;
}

/** A stretch that counts as one kind. */
export interface UptimeSegment extends ClosedSpan {
  kind: TimeKind;
}

/** All times are whole epoch milliseconds. The spans of each list may overlap, repeat and be in any order. */
export interface UptimeInput {
  /** The window `[fromMs, toMs)`, both midnight UTC. Time after `nowMs` has not elapsed and does not count. */
  fromMs: number;
  toMs: number;
  nowMs: number;
  createdAtMs: number;
  locations: readonly LocationHistory[];
  quorum: Quorum | QuorumHistory;
  spans: { paused: readonly Span[]; maintenance: readonly Span[]; excluded: readonly Span[] };
}

export interface Uptime {
  /** One entry per UTC day of the window, oldest first. */
  days: DayUptime[];
  /** `longestOutageMs` is the down time, within the window, of the outage with the most of it. */
  totals: UptimeFigures & { longestOutageMs: number };
  /** The elapsed part of the window, without gaps; adjacent segments differ in kind. */
  segments: UptimeSegment[];
  /** Runs of confirmed `down` that overlap the elapsed window, in full length, regardless of the `spans`. */
  outages: DownRun[];
}

/** The incident of time between outages: only `down` time belongs to one. */
const NO_INCIDENT = -1;

/**
 * Computes the uptime of a window. Each moment counts as paused, otherwise maintenance, otherwise excluded, otherwise
 * unknown (before creation, pending, without data), otherwise as the confirmed state; the times are summed per UTC day.
 * All uptime figures come from this function.
 */
export function computeUptime(input: UptimeInput): Uptime {
  const { fromMs, toMs, nowMs } = input;
  const endMs = Math.min(toMs, nowMs);
  const stretches = mergeLocations(input.locations, input.quorum, nowMs);
  const runs = downRuns(stretches);
  const incidentOf = new Map<DownRun, number>();
  for (const [index, { outages }] of incidentsOf(runs, input.spans.maintenance, nowMs).entries()) {
    for (const outage of outages) incidentOf.set(outage, index);
  }
  const outages = runs.filter((run) => run.from < endMs && (run.to ?? Infinity) > fromMs);
  const segments = overlay(input, stretches, endMs);

  const totals = new UptimeTally();
  const days = daysBetween(fromMs, toMs).map((day) => ({ ...day, tally: new UptimeTally() }));
  const downByOutage = outages.map(() => 0);
  let dayIndex = 0;
  let outage = 0;
  for (const segment of segments) {
    while (outage < outages.length && (outages[outage]!.to ?? Infinity) <= segment.from) outage += 1;
    const incident = incidentOf.get(outages[outage]!) ?? NO_INCIDENT;
    for (let from = segment.from; from < segment.to;) {
      while (days[dayIndex]!.toMs <= from) dayIndex += 1;
      const day = days[dayIndex]!;
      const to = Math.min(segment.to, day.toMs);
      day.tally.add(segment.kind, to - from, incident);
      totals.add(segment.kind, to - from, incident);
      if (segment.kind === 'down') downByOutage[outage]! += to - from;
      from = to;
    }
  }
  return {
    days: days.map(({ date, tally }) => ({ date, status: tally.worst(), ...tally.figures() })),
    totals: { ...totals.figures(), longestOutageMs: downByOutage.reduce((most, ms) => Math.max(most, ms), 0) },
    segments,
    outages,
  };
}

function overlay(input: UptimeInput, stretches: readonly StateStretch[], endMs: number): UptimeSegment[] {
  const { fromMs, createdAtMs } = input;
  const paused = coverage(input.spans.paused, fromMs, endMs);
  const maintenance = coverage(input.spans.maintenance, fromMs, endMs);
  const excluded = coverage(input.spans.excluded, fromMs, endMs);
  const isPaused = risingCover(paused);
  const isMaintenance = risingCover(maintenance);
  const isExcluded = risingCover(excluded);
  let state: StateStretch | null = null;
  let next = 0;

  const kindAt = (atMs: number): TimeKind => {
    while (next < stretches.length && stretches[next]!.from <= atMs) state = stretches[next++]!;
    if (isPaused(atMs)) return 'paused';
    if (isMaintenance(atMs)) return 'maintenance';
    if (isExcluded(atMs)) return 'excluded';
    if (atMs < createdAtMs || !state?.known || state.status === 'pending') return 'unknown';
    return state.status;
  };

  const segments: UptimeSegment[] = [];
  const moments = boundaries(
    fromMs,
    endMs,
    [fromMs, createdAtMs, endMs],
    endsOf(paused),
    endsOf(maintenance),
    endsOf(excluded),
    stretches.map((stretch) => stretch.from),
  );
  for (let i = 0; i + 1 < moments.length; i += 1) {
    const from = moments[i]!;
    const to = moments[i + 1]!;
    const kind = kindAt(from);
    const last = segments.at(-1);
    if (last?.kind === kind) last.to = to;
    else segments.push({ from, to, kind });
  }
  return segments;
}
