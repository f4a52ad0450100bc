import { isRecent } from '../../domain/data-gap.js';
import { aboveFairShare, fairShare } from '../../domain/fair-share.js';
import {
  advance,
  condensed,
  isSettledAs,
  type LocationState,
  PENDING_STATE,
  type Thresholds,
  verifying,
  withoutWitness,
} from '../../domain/monitor-state.js';
import { nextSlotAfter, phaseMs, retryIntervalMs, slotAtOrBefore } from '../../domain/schedule.js';
import { type CheckKey, type CheckPlan } from '../monitors/schedule/check-plan.types.js';
import { type CheckJob, type CheckResult } from './check-queue.js';
import { DueHeap } from './due-heap.js';

/** A slot or one of its retries. */
interface Attempt {
  slot: number;
  attempt: number;
  /** How often it was sent again because it counted as lost. */
  repeats?: number;
}

/** An attempt that was sent and has no result yet; after `lostAt` it counts as lost, and is sent again. */
interface Outstanding extends Attempt {
  lostAt: number;
}

/** The schedule of one monitor at one location. */
interface Entry {
  plan: CheckPlan;
  location: string;
  phase: number;
  /** The next slot that has not been served. */
  nextSlot: number;
  /** Set by `note` only, which keeps count of them. */
  outstanding: Outstanding | null;
  /** A slot that came due while its predecessor was in progress: it is served as soon as that ends. */
  late: number | null;
  retry: (Attempt & { at: number }) | null;
  /** Condensed, and used only to schedule retries: losing it costs a delay, because the recorder folds stored rows. */
  state: LocationState;
  /** Of a monitor with several locations: the time of the newest result that was not `unknown`; otherwise `null`. */
  seenAt: number | null;
  /** The latest comparison that found the monitor; set at its first location only. */
  comparedIn: number;
}

/** Whether checks of a team at a location must wait. */
export type MustWait = (teamId: string, location: string) => boolean;

const SPARE_DUE = 1_000;
/** Maximum number of waiting checks that start at once, so that the end of an overload causes no burst of checks. */
const RELEASED = 100;

/** The schedule of all monitors, in memory: a pure function of ids, intervals and time. */
export class ScheduleBook {
  /** By monitor, with one entry per location. */
  private readonly entries = new Map<string, readonly Entry[]>();
  private readonly due = new DueHeap<Entry>();
  /** Due entries that had to wait, by location and team, in the order in which they came due. */
  private readonly waiting = new Map<string, Entry[]>();
  /** Number of outstanding checks of each team, by location. */
  private readonly outstanding = new Map<string, Map<string, number>>();
  /** Number of entries of all monitors. */
  private places = 0;
  /** Number of the latest comparison with the database. */
  private comparison = 0;

  /** Number of slots that passed without a check. */
  missedSlots = 0;

  /** Returns how long checks at a location currently wait before they run: for so much longer they are not lost. */
  queueDelayAt: (location: string) => number = () => 0;

  /** Returns whether no checks are made from a location. */
  isDisabled: (location: string) => boolean = () => false;

  /** Returns whether the results of a location count. */
  counts: (location: string) => boolean = () => true;

  /** @param lostAfterMs time after its timeout at which a check in progress counts as lost */
  constructor(private readonly lostAfterMs: number) {}

  get size(): number {
    return this.entries.size;
  }

  /** Number of queued entries, including leftovers of changed plans. */
  get dueSize(): number {
    return this.due.size;
  }

  revisionOf(monitorId: string): number | undefined {
    return this.entries.get(monitorId)?.[0]?.plan.revision;
  }

  /** Returns whether the schedule contains a monitor at a location. */
  has(monitorId: string, location: string): boolean {
    return this.entries.get(monitorId)?.some((entry) => entry.location === location) ?? false;
  }

  /** Begins to compare all monitors with the database, by {@link compare} and then {@link missing}. */
  beginComparison(): void {
    this.comparison += 1;
  }

  /** Returns whether the book has this revision of an existing monitor. */
  compare(monitorId: string, revision: number): boolean {
    const [first] = this.entries.get(monitorId) ?? [];
    if (first) first.comparedIn = this.comparison;
    return first?.plan.revision === revision;
  }

  /** Returns the monitors that were neither compared nor put since the comparison began. */
  missing(): string[] {
    const missing: string[] = [];
    for (const [id, [first]] of this.entries) if (first?.comparedIn !== this.comparison) missing.push(id);
    return missing;
  }

  /** Adds or replaces a plan. Checks that are due or in progress and the state of the monitor are retained. */
  put(plan: CheckPlan, now: number): void {
    const before = this.entries.get(plan.monitorId) ?? [];
    const phase = phaseMs(plan.monitorId, plan.intervalMs);
    for (const old of before) if (!plan.locations.includes(old.location)) this.note(old, null);
    const entries = plan.locations.map((location): Entry => {
      const old = before.find((entry) => entry.location === location);
      // The slots of another interval are different ones.
      const same = old?.plan.intervalMs === plan.intervalMs ? old : null;
      return {
        plan,
        location,
        phase,
        nextSlot: same?.nextSlot ?? nextSlotAfter(phase, plan.intervalMs, now),
        outstanding: old?.outstanding ?? null,
        late: same?.late ?? null,
        retry: old?.retry ?? null,
        state: old?.state ?? PENDING_STATE,
        seenAt: old?.seenAt ?? null,
        comparedIn: this.comparison,
      };
    });
    this.entries.set(plan.monitorId, entries);
    for (const entry of entries) this.schedule(entry);
    this.places += entries.length - before.length;
    if (this.due.size > 3 * this.places + SPARE_DUE) this.rebuild();
  }

  remove(monitorId: string): void {
    const entries = this.entries.get(monitorId) ?? [];
    for (const entry of entries) this.note(entry, null);
    this.places -= entries.length;
    this.entries.delete(monitorId);
  }

  removeAll(which: (monitorId: string) => boolean): void {
    for (const monitorId of [...this.entries.keys()].filter(which)) this.remove(monitorId);
  }

  /**
   * Starts monitors after a time: earlier slots are not served, so that an absence causes no burst of checks.
   *
   * @param startOf returns that time, or `undefined` for a monitor that goes on as it does
   */
  restart(startOf: (monitorId: string) => number | undefined): void {
    for (const [monitorId, entries] of this.entries) {
      const from = startOf(monitorId);
      if (from === undefined) continue;
      for (const entry of entries) {
        this.note(entry, null);
        entry.late = null;
        entry.retry = null;
        entry.nextSlot = nextSlotAfter(entry.phase, entry.plan.intervalMs, from);
      }
    }
    this.rebuild();
  }

  /** Returns the teams that have more than their fair share of `total` outstanding checks at a location. */
  teamsAbove(total: number, location: string): Set<string> {
    return aboveFairShare(this.outstanding.get(location) ?? new Map<string, number>(), total);
  }

  /**
   * Removes and returns every check that is due by `now`, except those of teams that must wait at a location. Those that
   * had to wait follow gradually, and before slots of the same team that come due later. Monitors without an epoch are
   * not checked until they are restarted.
   */
  takeDue(
    now: number,
    epochOf: (monitorId: string) => number | undefined,
    mustWait: MustWait = () => false,
  ): CheckJob[] {
    const jobs: CheckJob[] = [];
    const take = (entry: Entry): void => {
      // Replaced entries remain until they come due.
      if (!this.entries.get(entry.plan.monitorId)?.includes(entry)) return;
      const epoch = epochOf(entry.plan.monitorId);
      if (epoch === undefined) return;
      const job = this.take(entry, now, epoch);
      if (job) jobs.push(job);
    };
    /** Slots that came due behind others that wait: as many more are released, so that the line becomes shorter. */
    const queued = new Map<string, number>();
    for (let entry = this.due.takeDue(now); entry; entry = this.due.takeDue(now)) {
      // What it was due for may have been settled meanwhile, and must not take the place of others in a line.
      if (!isDue(entry, now)) continue;
      const line = lineOf(entry);
      if (mustWait(entry.plan.teamId, entry.location)) this.wait(line, entry);
      else if (this.waiting.size > 0 && entry.nextSlot <= now && this.waiting.has(line)) {
        this.wait(line, entry);
        queued.set(line, (queued.get(line) ?? 0) + 1);
      } else take(entry);
    }
    this.released(mustWait, queued).forEach(take);
    return jobs;
  }

  /** Takes in a result, and schedules the next retry while a change is unconfirmed. */
  settle(result: CheckResult, now: number): void {
    const entries = this.entries.get(result.monitorId) ?? [];
    const entry = entries.find(({ location }) => location === result.location);
    if (!entry) return;
    const { plan } = entry;
    if (isOutstanding(entry, result)) this.note(entry, null);
    if (entries.length > 1 && result.status !== 'unknown') {
      // A checker whose clock is slightly behind reports a time before the slot.
      entry.seenAt = Math.max(entry.seenAt ?? 0, result.scheduledAt, result.checkedAt);
    }
    if (!isSettledAs(entry.state, result.status)) {
      const thresholds = result.thresholds ?? plan;
      const isAlone = entries.length > 1 && !this.hasWitness(entry, entries, now);
      entry.state = stateAfter(entry.state, result, isAlone ? withoutWitness(thresholds) : thresholds);
    }
    entry.retry = null;
    if (entry.outstanding) return;
    const at = entry.late === null ? Math.max(now, result.checkedAt + retryIntervalMs(plan)) : now;
    if (entry.late !== null) this.due.add(at, entry);
    else if (verifying(entry.state) !== null && at < entry.nextSlot) {
      // Off-schedule checks are retried as well: their retries are stored under their own time.
      entry.retry = { slot: result.scheduledAt, attempt: Math.max(0, result.attempt) + 1, at };
      this.due.add(at, entry);
    }
  }

  /** Takes back checks that could not be sent: they are due again at `at`, unless their next slot is due before. */
  putBack(keys: readonly CheckKey[], at: number): void {
    for (const key of keys) {
      const entry = this.entries.get(key.monitorId)?.find(({ location }) => location === key.location);
      if (!entry || !isOutstanding(entry, key)) continue;
      this.repeat(entry, at);
      this.addBeforeSlot(at, entry);
    }
  }

  /** Returns whether another location of a monitor has a recent result that counts, by the rule of the recorder. */
  private hasWitness(entry: Entry, entries: readonly Entry[], now: number): boolean {
    return entries.some(({ location, seenAt, plan }) => {
      if (location === entry.location || seenAt === null || !this.counts(location)) return false;
      return isRecent({ checkedAt: seenAt, scheduledAt: seenAt, intervalMs: plan.intervalMs }, plan, now);
    });
  }

  /** Sets and counts the outstanding check of an entry. */
  private note(entry: Entry, outstanding: Outstanding | null): void {
    const more = Number(outstanding !== null) - Number(entry.outstanding !== null);
    entry.outstanding = outstanding;
    if (more === 0) return;
    const { location, plan } = entry;
    const counts = this.outstanding.get(location) ?? new Map<string, number>();
    this.outstanding.set(location, counts);
    const count = (counts.get(plan.teamId) ?? 0) + more;
    if (count > 0) counts.set(plan.teamId, count);
    else counts.delete(plan.teamId);
  }

  /** Removes and returns the oldest waiting entries of those that need not wait any more, in fair shares. */
  private released(mustWait: MustWait, queued: ReadonlyMap<string, number>): Entry[] {
    const free = [...this.waiting].filter(([, [first]]) => first && !mustWait(first.plan.teamId, first.location));
    const share = Math.ceil(
      fairShare(
        free.map(([, entries]) => entries.length),
        RELEASED,
      ),
    );
    return free.flatMap(([line, entries]) => {
      const released = entries.splice(0, share + (queued.get(line) ?? 0));
      if (entries.length === 0) this.waiting.delete(line);
      return released;
    });
  }

  private wait(line: string, entry: Entry): void {
    const others = this.waiting.get(line);
    if (others) others.push(entry);
    else this.waiting.set(line, [entry]);
  }

  /** Drops replaced entries from the heap. */
  private rebuild(): void {
    this.due.clear();
    this.waiting.clear();
    for (const entry of [...this.entries.values()].flat()) this.schedule(entry);
  }

  private schedule(entry: Entry): void {
    this.due.add(entry.nextSlot, entry);
    if (entry.retry) this.due.add(entry.retry.at, entry);
    if (entry.late !== null) this.due.add(entry.late, entry);
    if (entry.outstanding) this.addBeforeSlot(entry.outstanding.lostAt, entry);
  }

  /** What is due at the next slot or later gives way to the slot. */
  private addBeforeSlot(at: number, entry: Entry): void {
    if (at < entry.nextSlot) this.due.add(at, entry);
  }

  private take(entry: Entry, now: number, epoch: number): CheckJob | null {
    if (entry.nextSlot <= now) return this.takeSlot(entry, now, epoch);
    if (this.awaitsResult(entry, now)) return null;
    if (entry.outstanding) this.repeat(entry, now, (entry.outstanding.repeats ?? 0) + 1);
    if (entry.late !== null) return this.serve(entry, entry.late, now, epoch);
    return this.takeRetry(entry, now, epoch);
  }

  private takeSlot(entry: Entry, now: number, epoch: number): CheckJob | null {
    const { phase, plan } = entry;
    const slot = slotAtOrBefore(phase, plan.intervalMs, now);
    if (this.isDisabled(entry.location)) return this.skip(entry, slot);
    this.missedSlots += (slot - entry.nextSlot) / plan.intervalMs;
    entry.nextSlot = slot + plan.intervalMs;
    this.due.add(entry.nextSlot, entry);
    if (entry.late !== null) this.missedSlots += 1;
    entry.late = null;
    if (this.awaitsResult(entry, now)) {
      entry.late = slot;
      return null;
    }
    return this.serve(entry, slot, now, epoch);
  }

  /** Passes over the slots of a disabled location, which do not count as missed. */
  private skip(entry: Entry, slot: number): null {
    entry.late = entry.retry = null;
    this.note(entry, null);
    entry.nextSlot = slot + entry.plan.intervalMs;
    this.due.add(entry.nextSlot, entry);
    return null;
  }

  private serve(entry: Entry, slot: number, now: number, epoch: number): CheckJob {
    entry.late = null;
    // The check of this slot takes the place of a pending retry.
    entry.retry = null;
    return this.jobOf(entry, { slot, attempt: 0 }, now, epoch);
  }

  private takeRetry(entry: Entry, now: number, epoch: number): CheckJob | null {
    const { retry } = entry;
    if (!retry || retry.at > now || this.isDisabled(entry.location)) return null;
    entry.retry = null;
    return this.jobOf(entry, retry, now, epoch);
  }

  private jobOf(entry: Entry, { slot, attempt, repeats = 0 }: Attempt, now: number, epoch: number): CheckJob {
    const { plan, location } = entry;
    const lostAt = this.lostAtIfSent(entry, now, repeats);
    this.note(entry, repeats === 0 ? { slot, attempt, lostAt } : { slot, attempt, lostAt, repeats });
    this.addBeforeSlot(lostAt, entry);
    return jobOf(plan, location, { slot, attempt }, attempt === 0 ? 'schedule' : 'retry', epoch);
  }

  /** Returns whether an entry has a check in progress; if so, the entry is due again when that counts as lost. */
  private awaitsResult(entry: Entry, now: number): boolean {
    const { outstanding, location } = entry;
    if (!outstanding) return false;
    const lostAt = outstanding.lostAt + this.queueDelayAt(location);
    if (now >= lostAt) return false;
    // The queue may become shorter.
    this.addBeforeSlot(Math.min(lostAt, this.lostAtIfSent(entry, now, outstanding.repeats ?? 0)), entry);
    return true;
  }

  /**
   * Returns when a check counts as lost that is sent now to an empty queue. The time doubles with each repetition, so that
   * checks which are only late are not sent again and again to those who cannot keep up.
   */
  private lostAtIfSent({ plan }: Entry, now: number, repeats: number): number {
    return now + plan.timeoutMs + this.lostAfterMs * 2 ** repeats;
  }

  /** Replaces the outstanding check by one under the same key, so that it counts once even if both have a result. */
  private repeat(entry: Entry, at: number, repeats?: number): void {
    const { slot, attempt } = entry.outstanding!;
    this.note(entry, null);
    // A slot that came due meanwhile is served instead.
    if (entry.late === null) entry.retry = { slot, attempt, at, repeats };
  }
}

/** Returns whether an entry has a slot or retry to serve, or a check that may be lost. */
function isDue({ nextSlot, outstanding, late, retry }: Entry, now: number): boolean {
  if (nextSlot <= now) return true;
  if (outstanding) return outstanding.lostAt <= now;
  return late !== null || (retry !== null && retry.at <= now);
}

function isOutstanding({ outstanding }: Entry, { scheduledAt, attempt }: CheckKey): boolean {
  return outstanding?.slot === scheduledAt && outstanding.attempt === attempt;
}

/** Returns the key of the line in which an entry waits. */
function lineOf({ location, plan }: Entry): string {
  return `${location} ${plan.teamId}`;
}

function stateAfter(before: LocationState, result: CheckResult, thresholds: Thresholds): LocationState {
  const policy = { monitorId: result.monitorId, ...thresholds, excused: [] };
  return condensed(advance(before, { ...result, thresholds, error: result.outcome.error }, policy).state);
}

/** Returns the job for one check of a plan. */
export function jobOf(
  plan: CheckPlan,
  location: string,
  { slot, attempt }: Attempt,
  trigger: CheckJob['trigger'],
  epoch: number,
): CheckJob {
  return { monitorId: plan.monitorId, scheduledAt: slot, location, attempt, trigger, plan, epoch };
}
