import { shardOf } from '../../../src/domain/shard.js';
import { type Intrusion, type LeaseChange } from './audit.js';
import { FAR, type Happened, NEAR } from './fleet.js';
import { type Judged } from './judge-checks.js';
import { type StoredCheck, type StoredSpan } from './records.js';
import { quantile, time, type Verdict } from './verdict.js';
import { type Dispatch, SHARDS } from './wire.js';

/** How long a dispatcher may serve a shard after the last time that it stored how far: the time of a lease. */
const LEASE_MS = 4_500;
const GRACE_MS = 500;
/** Time that nobody served for longer than a hand-over takes is an absence. */
const HAND_OVER_MS = 5_000;
/** A process notices within this time, on a busy machine, that its lease is lost. */
const NOTICED_WITHIN_MS = 10_000;
/** A new holder records an absence within this time. */
const BEGUN_WITHIN_MS = 15_000;
/** The target is 6 s on a quiet machine, which `interruptions handovers` measures. */
const TAKEN_OVER_WITHIN_MS = 20_000;

/** What a run knows of leases, and of the faults that explain delays. */
export interface LeaseRecords {
  changes: readonly LeaseChange[];
  happened: readonly Happened[];
  endedAt: number;
}

/** Expects every change of holder to increase the epoch, and a killed holder to be replaced soon. */
export function judgeTakeovers({ changes, happened, endedAt }: LeaseRecords, verdict: Verdict): void {
  for (const { name, at, epoch, formerEpoch } of changes) {
    if (formerEpoch !== null && epoch !== formerEpoch + 1)
      verdict.find('epoch', `${name}: ${formerEpoch} was followed by ${epoch} at ${time(at)}`);
  }
  const seconds: number[] = [];
  for (const { kind, member, to: killedAt, isApplied } of happened) {
    if (kind !== 'kill' || !isApplied || !/^(dispatcher|recorder)/.test(member!)) continue;
    const isClear = !happened.some(
      (other) =>
        other.to !== killedAt &&
        (other.kind.startsWith('postgres') || roleOf(other.member) === roleOf(member)) &&
        other.from < killedAt + TAKEN_OVER_WITHIN_MS + GRACE_MS &&
        killedAt - LEASE_MS < other.to,
    );
    for (const name of heldBy(changes, member!, killedAt)) {
      const next = changes.find((one) => one.name === name && one.at > killedAt);
      if (next) seconds.push((next.at - killedAt) / 1_000);
      const isLate = (next?.at ?? endedAt) - killedAt > TAKEN_OVER_WITHIN_MS;
      if (isClear && isLate) verdict.find('late_takeover', `${name} after the kill of ${member} at ${time(killedAt)}`);
    }
  }
  verdict.note('take-overs of shards of killed processes', seconds.length);
  if (seconds.length > 0)
    verdict.note(
      '… seconds, median and maximum',
      `${quantile(seconds, 0.5).toFixed(1)}, ${quantile(seconds, 1).toFixed(1)}`,
    );
}

/** Expects nothing to be written, and nothing to be sent for long, by a process that has lost the lease for it. */
export function judgeFencing(
  { changes, happened }: LeaseRecords,
  intruded: readonly Intrusion[],
  dispatches: readonly Dispatch[],
  spooled: (application: string, at: number) => boolean,
  verdict: Verdict,
): void {
  const real = intruded.filter(({ what, application, at }) => what !== 'recorder' || !spooled(application, at));
  verdict.note('results recorded from a disk under the lease of another process', intruded.length - real.length);
  for (const { what, shard, application, at } of real)
    verdict.find('intrusion', `${application} wrote for ${what}-${shard} at ${time(at)} without its lease`);
  const byShard = new Map<number, LeaseChange[]>();
  for (const change of changes) {
    const [, shard] = /^dispatcher-(\d+)$/.exec(change.name) ?? [];
    if (shard !== undefined) byShard.set(Number(shard), [...(byShard.get(Number(shard)) ?? []), change]);
  }
  let late = 0;
  for (const { shard, epoch, at } of dispatches) {
    const successor = byShard.get(shard)?.find((one) => epoch !== undefined && one.epoch > epoch && one.at < at);
    if (!successor) continue;
    late += 1;
    const noticed = Math.max(
      successor.at,
      ...happened
        .filter(
          (one) => (one.member === successor.formerApplication || one.kind.startsWith('postgres')) && one.from < at,
        )
        .map((one) => Math.min(one.to, at)),
    );
    if (at - noticed > NOTICED_WITHIN_MS)
      verdict.find(
        'stale_dispatch',
        `shard ${shard} with epoch ${epoch} at ${time(at)}, lost at ${time(successor.at)}`,
      );
  }
  const without = dispatches.filter(({ epoch }) => epoch === undefined).length;
  if (without > 0) verdict.find('stale_dispatch', `${without} checks were sent before their shard was begun`);
  verdict.note('checks sent before a lost lease was noticed', `${late} of ${dispatches.length}`);
}

/** Expects absences to cover time that nobody served, and no slot that was checked. */
export function judgeAbsences(
  { changes, happened }: LeaseRecords,
  spans: readonly StoredSpan[],
  judged: readonly (Judged & { checks: readonly StoredCheck[] })[],
  verdict: Verdict,
): void {
  const absences = spans.filter(({ kind, shard }) => kind === 'absence' && shard !== null);
  verdict.note('absences of shards and locations', absences.length);
  let edge = 0;
  for (const { shard, location, from, to } of absences) {
    for (const { id, checks } of judged.filter((one) => shardOf(one.id, SHARDS) === shard)) {
      const inside = checks.filter(
        (one) => one.location === location && one.attempt === 0 && from < one.scheduledAt && one.scheduledAt < to!,
      );
      const late = inside.filter((one) => one.scheduledAt > from + LEASE_MS + GRACE_MS);
      edge += inside.length - late.length;
      for (const one of late.slice(0, 1)) {
        const text = `${late.length} slots of ${id} at ${location}, the first at ${time(one.scheduledAt)}`;
        verdict.find('checked_absence', `${text}, in the absence from ${time(from)} to ${time(to!)}`);
      }
    }
  }
  verdict.note('checked slots in the first seconds of absences', edge);
  for (const [index, change] of changes.entries()) {
    const [, shard] = /^dispatcher-(\d+)$/.exec(change.name) ?? [];
    const { formerServed: served, at, application } = change;
    if (shard === undefined || !served || at - served < HAND_OVER_MS) continue;
    const isDisturbed =
      changes.slice(index + 1).some((one) => one.name === change.name && one.at < at + BEGUN_WITHIN_MS) ||
      happened.some(
        (one) =>
          (one.member === application || one.kind.startsWith('postgres')) &&
          one.from < at + BEGUN_WITHIN_MS &&
          at - GRACE_MS < one.to,
      );
    if (isDisturbed) continue;
    for (const location of [NEAR, FAR]) {
      const own = absences.filter((one) => one.location === location && one.shard === Number(shard));
      if (own.some(({ from }) => served - 1 <= from && from <= servedAtMost(served, happened))) continue;
      verdict.find(
        'unrecorded_absence',
        `shard ${shard} at ${location} was not served from ${time(served)} to ${time(at)}`,
      );
    }
  }
}

/**
 * Returns until when a holder may have served that stored `served` last: the mark in Redis is newer. While the database
 * is away, nobody can take its lease, and it continues.
 */
function servedAtMost(served: number, happened: readonly Happened[]): number {
  const outages = happened.filter(({ kind, to }) => kind.startsWith('postgres') && served < to);
  return outages
    .sort((a, b) => a.from - b.from)
    .reduce((until, { from, to }) => (from <= until ? Math.max(until, to + LEASE_MS) : until), served + LEASE_MS);
}

function heldBy(changes: readonly LeaseChange[], application: string, at: number): string[] {
  const holders = new Map<string, string>();
  for (const change of changes) if (change.at <= at) holders.set(change.name, change.application);
  return [...holders].filter(([, holder]) => holder === application).map(([name]) => name);
}

function roleOf(member: string | null): string | null {
  return member?.replace(/-\d$/, '') ?? null;
}
