import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { Transactions } from '../../database/tx.js';
import { groupBy } from '../../domain/group-by.js';
import { DEFAULT_LOCATION } from '../../domain/location.js';
import { type Shard, shardOf } from '../../domain/shard.js';
import { JobSecretsService } from '../checks/job-secrets.service.js';
import { KnownLocationsService } from '../locations/known-locations.service.js';
import { CheckRequestsService } from '../monitors/schedule/check-requests.service.js';
import { type ScheduleHint, type ShardFilter } from '../monitors/schedule/check-plan.types.js';
import { ScheduleSourceService } from '../monitors/schedule/schedule-source.service.js';
import { type ShardAbsence, SpansService } from '../monitors/history/spans.service.js';
import { type CheckJob, CheckQueue, type CheckResult, isRequested } from './check-queue.js';
import { LEASE_TTL_MS, type LeaseGrant, LeaseService } from './lease.service.js';
import { BEHIND_ABOVE } from './overload.js';
import { ServedMarksService } from './redis/served-marks.service.js';
import { ResultIntakeService } from './result-intake.service.js';
import { jobOf, type MustWait, ScheduleBook } from './schedule-book.js';
import { SentRequests } from './sent-requests.js';
import { SlotClockService } from './slot-clock.service.js';

const TICK_MS = 50;
const RENEW_MS = 1_000;
const COMPARE_MS = 30_000;
/** A tick this late means that the process was suspended or the clock was set: slots in between were not served. */
const ABSENT_AFTER_MS = LEASE_TTL_MS;
const MAX_REQUESTS = 1_000;
const JOBS_PER_BATCH = 100;
/** If more checks are requested than one batch holds, the next batch follows after this, once results are recorded. */
const SEND_MORE_MS = 200;
/**
 * Time after its timeout at which a check in progress counts as lost, for example with its runner. A queue outside the
 * process may lose checks at any time, so that it is short there; in addition, checks may wait in the queue.
 */
const LOST_AFTER_MS = 60_000;
const LOST_AFTER_SHARED_MS = 10_000;
/** Checks that the queue did not accept are sent again after this, if it is available then. */
const SEND_AGAIN_MS = 1_000;
const WARN_AGAIN_MS = 60_000;
/** Checks that wait in the queue of a location for longer than this show that more are due than can be made or recorded. */
const BEHIND_AFTER_MS = 2_000;
/** Checks that may be in progress at such a location, shared fairly between teams. */
const SENT_WHILE_BEHIND = BEHIND_ABOVE;

/** A schedule that was served until this recently is continued: its slots since then are served late, none is missed. */
const HAND_OVER_MS = 2_000;

/** Finds what is due and sends it to the runners, for the monitors whose lease this process holds. */
@Injectable()
export class DispatcherService {
  private readonly logger = new Logger(DispatcherService.name);
  private readonly book: ScheduleBook;
  /** Requested checks that were sent, and when: kept until the request is fulfilled in the database. */
  private readonly requestsSent = new SentRequests();
  /** The epochs of the leases under which this process dispatches. */
  private readonly epochs = new Map<Shard, number>();
  /** Leases of shards whose monitors are being read: they are renewed, but nothing is sent yet. */
  private readonly starting = new Map<Shard, LeaseGrant>();
  /** Whether the book may contain monitors of shards whose lease is not held any more. */
  private isSuspended = false;
  /** Under which leases this process dispatched when it was last suspended, and until when. */
  private suspended: { epochs: ReadonlyMap<Shard, number>; servedUntil: number } = {
    epochs: new Map(),
    servedUntil: 0,
  };
  private lastTick = 0;
  /** When this process began to dispatch each shard, in epoch milliseconds. */
  private readonly begunAt = new Map<Shard, number>();
  private stopListening: (() => Promise<void>) | null = null;
  private comparing: Promise<void> | null = null;
  private comparisons: Promise<void> = Promise.resolve();
  /** The current sending of requested checks, and the next one, for hints that arrived in the meantime. */
  private sending: Promise<void> | null = null;
  private sendingNext: Promise<void> | null = null;
  private renewing: Promise<void> | null = null;
  private beginning: Promise<void> | null = null;
  private loading: Promise<void> = Promise.resolve();
  private sendingMore: NodeJS.Timeout | null = null;
  private stopped = false;
  private behindWarnedAt = 0;

  constructor(
    private readonly config: AppConfig,
    private readonly transactions: Transactions,
    private readonly queue: CheckQueue,
    private readonly intake: ResultIntakeService,
    private readonly lease: LeaseService,
    private readonly marks: ServedMarksService,
    private readonly clock: SlotClockService,
    private readonly source: ScheduleSourceService,
    private readonly requests: CheckRequestsService,
    private readonly spans: SpansService,
    private readonly secrets: JobSecretsService,
    private readonly locations: KnownLocationsService,
  ) {
    this.book = new ScheduleBook(config.isShared ? LOST_AFTER_SHARED_MS : LOST_AFTER_MS);
    this.book.queueDelayAt = (location) => queue.delayAt(location);
    this.book.isDisabled = (location) => locations.isDisabled(location);
    this.book.counts = (location) => locations.counts(location);
  }

  /** Number of scheduled monitors, slots missed since the start, and shards that this process dispatches. */
  get figures(): { monitors: number; missedSlots: number; dispatching: boolean; shards: number } {
    const { missedSlots, size } = this.book;
    const held = this.epochs.size;
    const shards = this.config.isShared ? held : held * this.config.get('SHARDS');
    return { monitors: size, missedSlots, dispatching: held > 0, shards };
  }

  /**
   * Returns whether this process has the monitor checked on schedule from a location: it dispatches, the monitor is
   * active, and the location enabled.
   */
  schedules(monitorId: string, location: string): boolean {
    if (this.epochOf(monitorId) === undefined || this.locations.isDisabled(location)) return false;
    return this.book.has(monitorId, location);
  }

  /** Renews or takes leases, and resolves once their monitors are dispatched. */
  async start(): Promise<void> {
    await this.renew();
    await this.beginning;
  }

  /** Stops dispatching and releases the leases. The runner and the recorder finish the checks in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.sendingMore) clearTimeout(this.sendingMore);
    await this.renewing;
    await this.beginning;
    await this.comparing;
    await this.stopListening?.();
    await this.lease.resign('dispatcher');
    await this.release([...this.epochs.keys(), ...this.starting.keys()]);
  }

  @Interval(TICK_MS)
  tick(): void {
    if (this.epochs.size === 0 || this.stopped) return;
    const now = this.clock.now();
    if (now - this.lastTick > ABSENT_AFTER_MS) {
      const seconds = ((now - this.lastTick) / 1_000).toFixed(1);
      this.logger.warn(
        `the schedule stood still for ${seconds} s: the process was suspended or too busy, or its clock was set`,
      );
      // Another process may have taken the leases: only a renewal shows whether this one still holds them.
      this.suspend();
      return;
    }
    this.lastTick = now;
    // Slots that pass meanwhile are missed.
    if (!this.queue.isAvailable) return;
    // Before its checks, on the same connection, so that none is sent that the mark does not cover.
    void this.marks.note([...this.epochs.keys()], now);
    this.send(this.book.takeDue(now, (monitorId) => this.epochOf(monitorId), this.mustWait(now)));
  }

  /**
   * Renews or takes leases. While the database is away, dispatching continues: no other process can take them.
   */
  @Interval(RENEW_MS)
  renew(): Promise<void> {
    if (!this.config.has('dispatcher')) return Promise.resolve();
    // Also while the database is away, or without a shard.
    void this.marks.exchange();
    this.renewing ??= this.tryRenew().finally(() => (this.renewing = null));
    return this.renewing;
  }

  /** Finds changes that no hint has reported. */
  @Interval(COMPARE_MS)
  compare(): Promise<void> {
    this.comparing ??= this.tryCompare().finally(() => (this.comparing = null));
    return this.comparing;
  }

  private async tryRenew(): Promise<void> {
    if (this.stopped) return;
    try {
      const held = new Map<Shard, number>();
      for (const shard of this.epochs.keys()) held.set(shard, this.lastTick);
      // Not served yet.
      for (const shard of this.starting.keys()) held.set(shard, 0);
      const { grants, surplus, isShutOut } = await this.lease.renew('dispatcher', held);
      await this.release(surplus, isShutOut);
      const granted = new Set(grants.map(({ shard }) => shard));
      const lost = [...this.epochs.keys(), ...this.starting.keys()].filter((shard) => !granted.has(shard));
      if (lost.length > 0) {
        this.logger.warn(`another process has taken over dispatching${this.inWords(lost)}`);
        this.stepAside(lost);
      }
      for (const grant of grants) {
        const { shard, epoch } = grant;
        if (this.epochs.get(shard) !== epoch && this.starting.get(shard)?.epoch !== epoch) {
          this.epochs.delete(shard);
          this.starting.set(shard, grant);
        }
      }
      if (this.isSuspended) this.forgetOthers();
      // The locations may have changed.
      this.queue.dispatch([...this.epochs.keys()], this.locations.enabledKeys);
      if (grants.length > 0 && this.stopListening === null) await this.listen();
      // It may take longer than a lease lasts.
      if (this.starting.size > 0) this.beginning ??= this.tryBegin().finally(() => (this.beginning = null));
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not renew the lease', error);
    }
  }

  private async tryBegin(): Promise<void> {
    try {
      await this.begin([...this.starting.values()]);
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not begin to dispatch', error);
    }
  }

  /**
   * Starts to dispatch under new leases. Time that nobody served is recorded as an absence, unless it is short enough
   * for a hand-over.
   */
  private async begin(grants: readonly LeaseGrant[]): Promise<void> {
    this.clock.startAfter(Math.max(...grants.map(({ servedUntil }) => servedUntil ?? 0)));
    await this.compareShards(grants.map(({ shard }) => shard));
    if (this.stopped) return;
    const marks = await this.marks.read();
    const now = this.clock.now();
    const absences: ShardAbsence[] = [];
    const startOf = new Map<LeaseGrant, number>();
    for (const grant of grants.filter((one) => this.isStarting(one))) {
      const { shard, servedUntil: stored } = grant;
      // While the database was away, only the dispatchers and Redis knew how far they served.
      const own = this.suspended.epochs.get(shard) === grant.epoch ? this.suspended.servedUntil : 0;
      const noted = Math.min(Math.max(marks.get(shard) ?? 0, own), now);
      const servedUntil = stored === null ? null : Math.max(stored, noted);
      const isContinued = servedUntil !== null && this.config.isShared && now - servedUntil < HAND_OVER_MS;
      startOf.set(grant, isContinued ? servedUntil : now);
      if (servedUntil === null || servedUntil === 0 || isContinued) continue;
      absences.push({ shard, of: this.config.get('SHARDS'), from: servedUntil, to: now });
    }
    await this.addAbsences(absences);
    // Until now, no check of these shards was sent, because the lease might have been lost again.
    const begun = [...startOf].filter(([grant]) => this.isStarting(grant));
    const starts = new Map(begun.map(([{ shard }, from]) => [shard, from]));
    const begunAt = this.clock.now();
    if (this.epochs.size === 0) this.lastTick = begunAt;
    this.book.restart((monitorId) => starts.get(this.shardOf(monitorId)));
    for (const [{ shard, epoch }] of begun) {
      this.starting.delete(shard);
      this.epochs.set(shard, epoch);
      this.begunAt.set(shard, begunAt);
    }
    this.queue.dispatch([...this.epochs.keys()], this.locations.enabledKeys);
    this.logger.log(`dispatching ${this.book.size} monitors${this.inWords([...this.epochs.keys()])}`);
    await this.sendRequests();
  }

  /** Returns whether the lease is still held, and its shard not dispatched yet. */
  private isStarting(grant: LeaseGrant): boolean {
    return this.starting.get(grant.shard) === grant;
  }

  private async addAbsences(absences: readonly ShardAbsence[]): Promise<void> {
    if (absences.length === 0) return;
    await this.transactions.run(async (tx) => {
      const shards = absences.map(({ shard }) => shard);
      // Another process may have taken a lease in the meantime, and checked.
      const lost = new Set(await this.lease.lostIn(tx, 'dispatcher', shards));
      const own = absences.filter(({ shard }) => !lost.has(shard));
      // Reports of jobs arrive at the default location, even while no checks are made from it.
      const isServed = (key: string): boolean => key === DEFAULT_LOCATION || !this.locations.isDisabled(key);
      const locations = this.locations.keys.filter(isServed);
      await this.spans.addAbsences(tx, locations, own, 'not_running');
    });
  }

  /**
   * Stops dispatching these shards, so that another process can continue with the slots since the last tick; or, if this
   * one could not use the queue while others could, since the queue last accepted something.
   */
  private async release(shards: readonly Shard[], isShutOut = false): Promise<void> {
    if (shards.length === 0) return;
    const served = shards.filter((shard) => this.epochs.has(shard));
    const others = shards.filter((shard) => !this.epochs.has(shard));
    const { lastTick } = this;
    this.stepAside(shards);
    if (isShutOut) {
      for (const shard of served) {
        const sentUntil = Math.max(this.marks.notedUntil, this.begunAt.get(shard)!);
        await this.lease.release('dispatcher', [shard], Math.min(lastTick, sentUntil), true);
      }
    } else if (served.length > 0) await this.lease.release('dispatcher', served, lastTick);
    if (others.length > 0) await this.lease.release('dispatcher', others, 0);
  }

  /**
   * Returns the test whether checks must wait. Under overload, those of the teams that cause it do: each of their monitors
   * is checked later and less often, and recorded results stay recent.
   */
  private mustWait(now: number): MustWait {
    if (this.intake.isBehind) this.warnBehind(now, 'the database is too slow for the number of checks');
    const waits = this.intake.mustWait;
    if (!this.config.isShared) return waits;
    const waitingAt = new Map<string, ReadonlySet<string>>();
    for (const location of this.locations.keys) {
      if (this.queue.delayAt(location) <= BEHIND_AFTER_MS) continue;
      const teams = this.book.teamsAbove(SENT_WHILE_BEHIND, location);
      if (teams.size === 0) continue;
      waitingAt.set(location, teams);
      this.warnBehind(now, `the workers at ${location}, or the recorders, are too few or too slow`);
    }
    return (teamId, location) => waits(teamId) || (waitingAt.get(location)?.has(teamId) ?? false);
  }

  private warnBehind(now: number, cause: string): void {
    if (now - this.behindWarnedAt < WARN_AGAIN_MS) return;
    this.behindWarnedAt = now;
    this.logger.warn(`checks start late: ${cause}`);
  }

  private stepAside(shards: readonly Shard[]): void {
    for (const shard of shards) {
      this.epochs.delete(shard);
      this.starting.delete(shard);
    }
    this.forgetOthers();
    this.queue.dispatch([...this.epochs.keys()], this.locations.enabledKeys);
    this.requestsSent.forgetMonitors((monitorId) => this.epochOf(monitorId) === undefined);
  }

  /** Stops dispatching, but keeps the monitors: if the leases are still held, there are few changes to read. */
  private suspend(): void {
    this.suspended = { epochs: new Map(this.epochs), servedUntil: this.lastTick };
    this.epochs.clear();
    this.isSuspended = true;
    this.queue.dispatch([], this.locations.enabledKeys);
    this.requestsSent.forgetMonitors(() => true);
  }

  /** Removes the monitors of shards whose lease is not held from the book. */
  private forgetOthers(): void {
    this.book.removeAll((monitorId) => !this.isHeld(monitorId));
    this.isSuspended = false;
  }

  /** Returns whether this process dispatches a monitor, or is about to. */
  private isHeld(monitorId: string): boolean {
    const shard = this.shardOf(monitorId);
    return this.epochs.has(shard) || this.starting.has(shard);
  }

  private shardOf(monitorId: string): Shard {
    return this.config.isShared ? shardOf(monitorId, this.config.get('SHARDS')) : 'all';
  }

  /** Returns the epoch of the lease under which this process dispatches a monitor. */
  private epochOf(monitorId: string): number | undefined {
    return this.epochs.get(this.shardOf(monitorId));
  }

  /** Names shards in a log message; nothing for all monitors. */
  private inWords(shards: readonly Shard[]): string {
    return this.config.isShared ? ` of shards ${shards.join(', ')}` : '';
  }

  private async listen(): Promise<void> {
    this.stopListening = await this.source.listen(
      (hint) => void this.follow(hint),
      () => (this.stopListening = null),
    );
    // Finds what was written before listening began.
    void this.compare();
  }

  private async follow(hint: ScheduleHint): Promise<void> {
    try {
      if (hint.monitorId && this.isHeld(hint.monitorId)) await this.load([hint.monitorId]);
      if (hint.requests) await this.sendRequests();
    } catch (error) {
      this.logger.debug('could not process a schedule change; the next comparison with the database applies it', error);
    }
  }

  private async tryCompare(): Promise<void> {
    if (this.epochs.size === 0 || this.stopped) return;
    try {
      await this.compareShards([...this.epochs.keys()]);
      await this.sendRequests();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not compare the schedule with the database', error);
    }
  }

  /** Updates the monitors of these shards in the book from the database. One comparison runs after the other. */
  private compareShards(shards: readonly Shard[]): Promise<void> {
    const turn = this.comparisons.then(() => this.compareNow(shards));
    this.comparisons = turn.catch(() => undefined);
    return turn;
  }

  private async compareNow(shards: readonly Shard[]): Promise<void> {
    const changed: string[] = [];
    this.book.beginComparison();
    for await (const some of this.source.active(this.inSql(shards))) {
      if (this.stopped) return;
      for (const { id, revision } of some) if (!this.book.compare(id, revision)) changed.push(id);
    }
    const compared = new Set(shards);
    changed.push(...this.book.missing().filter((monitorId) => compared.has(this.shardOf(monitorId))));
    for (let from = 0; from < changed.length && !this.stopped; from += 5_000) {
      await this.load(changed.slice(from, from + 5_000));
    }
  }

  private inSql(shards: readonly Shard[]): ShardFilter | null {
    return this.config.isShared ? { shards: shards as readonly number[], of: this.config.get('SHARDS') } : null;
  }

  /**
   * Updates these monitors in the book from the database. Reads run one after the other, so that none overtakes
   * another.
   */
  private load(ids: readonly string[]): Promise<void> {
    const turn = this.loading.then(() => this.loadNow(ids));
    this.loading = turn.catch(() => undefined);
    return turn;
  }

  private async loadNow(ids: readonly string[]): Promise<void> {
    const plans = await this.source.activePlans(ids);
    const found = new Set(plans.map((plan) => plan.monitorId));
    for (const id of ids) if (!found.has(id)) this.book.remove(id);
    const now = this.clock.now();
    for (const plan of plans) if (this.book.revisionOf(plan.monitorId) !== plan.revision) this.book.put(plan, now);
  }

  /** Sends the requested checks. All calls during a run share one further run. */
  private sendRequests(): Promise<void> {
    if (!this.sending) {
      this.sending = this.sendRequestsNow().finally(() => (this.sending = null));
      return this.sending;
    }
    this.sendingNext ??= this.sending
      .catch(() => undefined)
      .then(() => {
        this.sendingNext = null;
        return this.sendRequests();
      });
    return this.sendingNext;
  }

  private async sendRequestsNow(): Promise<void> {
    if (this.epochs.size === 0 || this.stopped || !this.queue.isAvailable) return;
    const open = await this.requests.open(MAX_REQUESTS, this.inSql([...this.epochs.keys()]));
    const now = this.clock.now();
    const unsent = this.requestsSent.due(open, now, (location) => this.queue.delayAt(location));
    if (unsent.length === 0) return;
    const ids = [...new Set(unsent.map((one) => one.monitorId))];
    // Their results schedule retries, so the book must contain the monitors first.
    await this.load(ids);
    const planOf = new Map((await this.source.plans(ids)).map((plan) => [plan.monitorId, plan]));
    this.requestsSent.note(unsent, now);
    this.send(
      unsent.flatMap((one) => {
        const plan = planOf.get(one.monitorId);
        const epoch = this.epochOf(one.monitorId);
        const key = { slot: one.scheduledAt, attempt: one.attempt };
        return plan && epoch !== undefined ? [jobOf(plan, one.location, key, one.trigger, epoch)] : [];
      }),
    );
  }

  private async sendMore(): Promise<void> {
    this.sendingMore = null;
    await this.follow({ requests: true });
  }

  private send(jobs: readonly CheckJob[]): void {
    for (const [location, some] of groupBy(jobs, (job) => job.location)) {
      const rules = this.locations.rulesOf(location);
      for (let from = 0; from < some.length; from += JOBS_PER_BATCH) {
        const batch = some.slice(from, from + JOBS_PER_BATCH);
        void this.queue.sendJobs(this.toSend(batch, location), rules).catch((error: unknown) => {
          this.requestsSent.forget(batch);
          this.book.putBack(batch, this.clock.now() + SEND_AGAIN_MS);
          // Otherwise, the log has the reason.
          if (this.queue.isAvailable) this.logger.error('could not queue a batch of checks', error);
        });
      }
    }
  }

  private toSend(jobs: readonly CheckJob[], location: string): readonly CheckJob[] {
    if (!this.config.isShared) return jobs;
    return jobs.map((job) => {
      const plan = this.secrets.toSend(job.plan, location);
      return plan === job.plan ? job : { ...job, plan };
    });
  }

  /** Takes in results, which determine the next retries. */
  settle(results: readonly CheckResult[]): void {
    const now = this.clock.now();
    for (const result of results) this.book.settle(result, now);
    const freed = this.requestsSent.size >= MAX_REQUESTS && results.some(isRequested);
    if (freed) this.sendingMore ??= setTimeout(() => void this.sendMore(), SEND_MORE_MS);
  }
}
