import { HOLD_GRACE_MS, type Hold } from './data-gap.js';
import { statusByCount, type ConfirmedStatus, type Quorum } from './quorum.js';
import { boundaries, coverage, endsOf, risingCover, type ClosedSpan, type Span } from './span.js';

/** All that is known of a monitor from one location. Times are epoch milliseconds. */
export interface LocationHistory {
  /** Sorted by `at`, from the last one before the time asked for, if any; before the first the location is pending. */
  transitions: readonly { at: number; to: ConfirmedStatus }[];
  /** Time without data between two results. */
  gaps: readonly Span[];
  /** Time in which no checks could run from here. */
  absences: readonly Span[];
  /** How long the newest state holds. */
  tail: Hold | null;
}

/** A stretch of the merged state; it lasts until the next one's `from`, the last one until now. */
export interface StateStretch {
  from: number;
  /** The confirmed state. It holds through time without data. */
  status: ConfirmedStatus;
  /** Whether any location had data. */
  known: boolean;
}

/** A run of confirmed `down`; `to` is `null` while it lasts. */
export type DownRun = Span;

/**
 * The monitor's confirmed state over time, merged by quorum over the locations that have data at each moment. While
 * none has, the locations that had it last go on counting, so that a state outlives our own blindness. What lies after
 * `nowMs` is ignored. Takes O(n log n) for n transitions and spans in a handful of locations.
 */
export function mergeLocations(locations: readonly LocationHistory[], quorum: Quorum, nowMs: number): StateStretch[] {
  const tracks = locations.map((location) => track(location, nowMs));
  const moments = boundaries(-Infinity, nowMs, ...tracks.map((one) => one.boundaries));
  const stretches: StateStretch[] = [];
  for (const at of moments) {
    for (const one of tracks) one.moveTo(at);
    const known = tracks.some((one) => one.hasData);
    const counts = { pending: 0, up: 0, degraded: 0, down: 0 };
    for (const one of tracks) {
      if (known) one.counted = one.hasData;
      if (one.counted) counts[one.status] += 1;
    }
    const status = statusByCount(counts.up, counts.degraded, counts.down, quorum);
    const last = stretches.at(-1);
    if (last?.status !== status || last.known !== known) stretches.push({ from: at, status, known });
  }
  return stretches;
}

/** The runs of `down` of a merged timeline, oldest first, whatever else lies over them. */
export function downRuns(stretches: readonly StateStretch[]): DownRun[] {
  const runs: DownRun[] = [];
  let open: DownRun | null = null;
  for (const { from, status } of stretches) {
    if (status === 'down' && !open) {
      open = { from, to: null };
      runs.push(open);
    } else if (status !== 'down' && open) {
      open.to = from;
      open = null;
    }
  }
  return runs;
}

/** One location while the merge walks over it. */
interface Track {
  boundaries: number[];
  status: ConfirmedStatus;
  hasData: boolean;
  counted: boolean;
  moveTo(atMs: number): void;
}

function track({ transitions, gaps, absences, tail }: LocationHistory, nowMs: number): Track {
  const blind: Span[] = [...gaps, ...absences];
  if (tail && nowMs > tail.until + HOLD_GRACE_MS) blind.push({ from: tail.missingFrom, to: null });
  const blindSpans: ClosedSpan[] = coverage(blind, -Infinity, Infinity);
  const isBlind = risingCover(blindSpans);
  let next = 0;
  return {
    boundaries: [...transitions.map((transition) => transition.at), ...endsOf(blindSpans)],
    status: 'pending',
    hasData: false,
    counted: false,
    moveTo(atMs) {
      while (next < transitions.length && transitions[next]!.at <= atMs) this.status = transitions[next++]!.to;
      this.hasData = this.status !== 'pending' && !isBlind(atMs);
    },
  };
}
