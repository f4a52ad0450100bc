import { withoutVote } from '../../../src/domain/location-votes.js';
import { compareResults, fold, type Hold, PENDING_STATE, type StatePolicy } from '../../../src/domain/monitor-state.js';
import { shardOf } from '../../../src/domain/shard.js';
import { type LocationHistory } from '../../../src/domain/state-timeline.js';
import { computeUptime } from '../../../src/domain/uptime.js';
import { secondsByKind } from '../../../src/modules/uptime/uptime.mapper.js';
import { type UptimeDto } from '../../../src/modules/uptime/dto/uptime.dto.js';
import { subtract, union } from '../../simulator/intervals.js';
import { type Judged } from './judge-checks.js';
import { type StoredCheck, type StoredSpan, type StoredTransition } from './records.js';
import { time, type Verdict } from './verdict.js';
import { SHARDS } from './wire.js';

const THRESHOLDS = { failureThreshold: 2, recoveryThreshold: 1 };

/** What the service has stored about a monitor, and what it reports. */
export interface Observed {
  checks: readonly StoredCheck[];
  transitions: readonly StoredTransition[];
  gaps: readonly { location: string; from: number; to: number }[];
  tails: ReadonlyMap<string, Hold | null>;
  uptime: UptimeDto;
}

/**
 * Computes the states and the uptime of a monitor from its stored checks alone, with the rules that the simulator
 * judges, and expects what the service has stored and reports to be the same.
 */
export function judgeStates(judged: Judged, observed: Observed, shared: readonly StoredSpan[], verdict: Verdict): void {
  const { id, locations, quorum, createdAt } = judged;
  const { uptime } = observed;
  const histories = locations.map((location) => historyAt(judged, location, observed, shared, verdict));
  const computed = computeUptime({
    ...{ fromMs: Date.parse(uptime.from), toMs: Date.parse(uptime.to), nowMs: Date.parse(uptime.computedAt) },
    ...{ createdAtMs: createdAt, locations: histories, quorum, spans: { paused: [], maintenance: [], excluded: [] } },
  });
  for (const [index, day] of computed.days.entries()) {
    const reported = uptime.days[index]!;
    const wrong = Object.entries(secondsByKind(day)).filter(
      ([kind, seconds]) => reported[kind as 'upSeconds'] !== seconds,
    );
    const text = wrong.map(([kind, seconds]) => `${kind} ${reported[kind as 'upSeconds']} instead of ${seconds}`);
    if (wrong.length > 0) verdict.find('wrong_uptime', `${id} on ${day.date}: ${text.join(', ')}`);
  }
}

function historyAt(
  { id, intervalMs }: Judged,
  location: string,
  { checks, transitions, gaps, tails }: Observed,
  shared: readonly StoredSpan[],
  verdict: Verdict,
): LocationHistory {
  const here = shared.filter(
    (span) => span.location === location && (span.shard === null || span.shard === shardOf(id, SHARDS)),
  );
  const absences = here.filter(({ kind }) => kind === 'absence');
  const policy: StatePolicy = { monitorId: id, ...THRESHOLDS, excused: absences };
  const own = checks.filter((one) => one.location === location).sort(compareResults);
  const found = fold(PENDING_STATE, own, policy);
  const [expected, actual] = [found.transitions, transitions.filter((one) => one.location === location)].map((list) =>
    list.map(shown),
  );
  if (expected!.join() !== actual!.join()) {
    const missing = expected!.filter((one) => !actual!.includes(one));
    const surplus = actual!.filter((one) => !expected!.includes(one));
    verdict.find('wrong_state', `${id} at ${location}: missing ${missing.join()}; surplus ${surplus.join()}`);
  }
  // Which part of a time without data is an absence and which a gap depends on which was recorded first.
  const closed = absences.map(({ from, to }) => ({ from, to: to ?? Infinity }));
  const stored = gaps.filter((one) => one.location === location);
  const [mustBeBlind, isBlind] = [union(found.gaps, closed), union(stored, closed)];
  for (const [what, spans] of [
    ['counts as observed', subtract(mustBeBlind, isBlind)],
    ['counts as not observed', subtract(isBlind, mustBeBlind)],
  ] as const) {
    for (const { from, to } of spans)
      verdict.find('wrong_gap', `${id} at ${location}: ${time(from)} to ${time(to)} ${what}`);
  }
  const changes = [...found.transitions].sort((a, b) => a.at - b.at || a.confirmedAt - b.confirmedAt);
  const lastCheckAt = own.at(-1)?.checkedAt ?? null;
  return {
    transitions: changes,
    gaps: stored,
    absences,
    noVotes: here
      .filter(({ kind }) => kind === 'no_vote')
      .map((span) => withoutVote(span, { intervalMs, lastCheckAt, changes })),
    tail: tails.get(location) ?? null,
  };
}

function shown({ at, confirmedAt, to }: { at: number; confirmedAt: number; to: string }): string {
  return `${to} ${time(at)}-${time(confirmedAt)}`;
}

/** Returns the times in which each location had confirmed that a monitor is down. */
export function downRuns(
  transitions: readonly StoredTransition[],
): { location: string; from: number; to: number; confirmedAt: number }[] {
  const runs: ReturnType<typeof downRuns> = [];
  const open = new Map<string, (typeof runs)[number]>();
  for (const { location, at, confirmedAt, to } of transitions) {
    const run = open.get(location);
    if (run) run.to = at;
    open.delete(location);
    if (to !== 'down') continue;
    const begun = { location, from: at, to: Infinity, confirmedAt };
    runs.push(begun);
    open.set(location, begun);
  }
  return runs;
}
