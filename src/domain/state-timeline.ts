import { stillHolds, type Hold } from './data-gap.js';
import { statusByCount, type ConfirmedStatus, type Quorum, type QuorumHistory } from './quorum.js';
import { boundaries, coverage, endsOf, risingCover, type ClosedSpan, type Span } from './span.js';

/** A change of the confirmed state at one location. Times are epoch milliseconds. */
export interface ConfirmedChange {
  /** When the state began. */
  at: number;
  /** When a result confirmed it. */
  confirmedAt: number;
  to: ConfirmedStatus;
}

/** The history of a monitor at one location. Times are epoch milliseconds. */
export interface LocationHistory {
  /** Sorted by `at`, starting with the last one before the requested time, if any. Before the first, it is pending. */
  transitions: readonly ConfirmedChange[];
  /** Time without data between two results. */
  gaps: readonly Span[];
  /** Time in which no checks could run at this location. */
  absences: readonly Span[];
  /** Time in which the results of this location did not count; none unless given. */
  noVotes?: readonly Span[];
  /** How long the newest state holds. */
  tail: Hold | null;
}

/** A stretch of the merged state. It lasts until the next one's `from`, and the last one until now. */
export interface StateStretch {
  from: number;
  /** The confirmed state, which continues through time without data. */
  status: ConfirmedStatus;
  /** Whether any location had data. */
  known: boolean;
}

/** A run of confirmed `down`; `to` is `null` while it lasts. */
export type DownRun = Span;

/**
 * Returns the monitor's confirmed state over time, merged over the locations that have data at each moment, by the
 * quorum at that moment. While none has, the locations that last had data continue to count, so that the state survives
 * an outage of the service itself. What a location confirms while its results do not count is ignored until they do.
 * Ignores everything after `nowMs`. Takes O(n log n) for n transitions and spans in a few locations.
 */
export function mergeLocations(
  locations: readonly LocationHistory[],
  quorum: Quorum | QuorumHistory,
  nowMs: number,
): StateStretch[] {
  const tracks = locations.map((location) => track(location, nowMs));
  const quorums = typeof quorum === 'object' ? quorum : [{ from: -Infinity, quorum }];
  const changes = quorums.slice(1).map(({ from }) => from);
  const moments = boundaries(-Infinity, nowMs, changes, ...tracks.map((one) => one.boundaries));
  const stretches: StateStretch[] = [];
  let next = 1;
  for (const at of moments) {
    for (const one of tracks) one.moveTo(at);
    while (next < quorums.length && quorums[next]!.from <= at) next += 1;
    const known = tracks.some((one) => one.hasData);
    const counts = { pending: 0, up: 0, degraded: 0, down: 0 };
    for (const one of tracks) {
      if (known) one.counted = one.hasData;
      if (one.counted) counts[one.status] += 1;
    }
    const status = statusByCount(counts.up, counts.degraded, counts.down, quorums[next - 1]!.quorum);
    const last = stretches.at(-1);
    if (last?.status !== status || last.known !== known) stretches.push({ from: at, status, known });
  }
  return stretches;
}

/** Returns the runs of `down` in a merged timeline, oldest first, regardless of pauses, maintenance and exclusions. */
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

/** The state of one location during the merge. */
interface Track {
  boundaries: number[];
  status: ConfirmedStatus;
  hasData: boolean;
  counted: boolean;
  moveTo(atMs: number): void;
}

function track({ transitions: all, gaps, absences, noVotes = [], tail }: LocationHistory, nowMs: number): Track {
  const transitions = noVotes.length === 0 ? all : countedChanges(all, noVotes);
  const blind: Span[] = [...gaps, ...absences, ...noVotes];
  if (tail && !stillHolds(tail, nowMs)) blind.push({ from: tail.missingFrom, to: null });
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

/**
 * Returns the changes at the times from which they count: one that was confirmed without a vote counts from when the
 * vote is back, unless a later one has replaced it by then.
 */
function countedChanges(changes: readonly ConfirmedChange[], noVotes: readonly Span[]): ConfirmedChange[] {
  const counted: ConfirmedChange[] = [];
  for (const change of [...changes].sort((a, b) => b.confirmedAt - a.confirmedAt)) {
    const lost = noVotes.find(({ from, to }) => from <= change.confirmedAt && change.confirmedAt < (to ?? Infinity));
    const at = lost ? lost.to : change.at;
    const next = counted.at(-1);
    if (at === null || (lost && next && next.at <= at)) continue;
    counted.push({ ...change, at });
  }
  return counted.sort((a, b) => a.at - b.at || a.confirmedAt - b.confirmedAt);
}
