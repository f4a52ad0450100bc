import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { isDatabaseAway } from '../../database/database-fault.js';
import { CheckRequestsService } from '../monitors/schedule/check-requests.service.js';
import { type CheckKey, type ScheduleHint } from '../monitors/schedule/check-plan.types.js';
import { ScheduleSourceService } from '../monitors/schedule/schedule-source.service.js';
import { SpansService } from '../monitors/history/spans.service.js';
import { type CheckJob, CheckQueue, type CheckResult } from './check-queue.js';
import { LEASE_TTL_MS, LeaseService } from './lease.service.js';
import { ResultIntakeService } from './result-intake.service.js';
import { jobOf, ScheduleBook } from './schedule-book.js';
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
/** A requested check that is still open after this long was lost, and is sent again. */
const RESEND_AFTER_MS = 180_000;
const TELL_AGAIN_MS = 60_000;

/** Finds what is due and sends it to the runners, while this process holds the lease. */
@Injectable()
export class DispatcherService {
  private readonly logger = new Logger(DispatcherService.name);
  private readonly book = new ScheduleBook();
  /** Requested checks that were sent, and when: kept until the request is fulfilled in the database. */
  private readonly requestsSent = new Map<string, number>();
  private epoch: number | null = null;
  private lastTick = 0;
  private stopListening: (() => Promise<void>) | null = null;
  private comparing: Promise<void> | null = null;
  /** The current sending of requested checks, and the next one, for hints that arrived in the meantime. */
  private sending: Promise<void> | null = null;
  private sendingNext: Promise<void> | null = null;
  private renewing: Promise<void> | null = null;
  private loading: Promise<void> = Promise.resolve();
  private sendingMore: NodeJS.Timeout | null = null;
  private stopped = false;
  private behindToldAt = 0;

  constructor(
    private readonly queue: CheckQueue,
    private readonly intake: ResultIntakeService,
    private readonly lease: LeaseService,
    private readonly clock: SlotClockService,
    private readonly source: ScheduleSourceService,
    private readonly requests: CheckRequestsService,
    private readonly spans: SpansService,
  ) {}

  /** Number of scheduled monitors, number of slots missed since the start, and whether this process dispatches. */
  get figures(): { monitors: number; missedSlots: number; dispatching: boolean } {
    return { monitors: this.book.size, missedSlots: this.book.missedSlots, dispatching: this.epoch !== null };
  }

  /** Returns whether this process checks the monitor on schedule: it dispatches, and the monitor is active. */
  schedules(monitorId: string): boolean {
    return this.epoch !== null && this.book.revisionOf(monitorId) !== undefined;
  }

  async start(): Promise<void> {
    await this.renew();
  }

  /** Stops dispatching and releases the lease. The runner and the recorder finish the checks in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.sendingMore) clearTimeout(this.sendingMore);
    await this.renewing;
    await this.comparing;
    await this.stopListening?.();
    if (this.epoch !== null) await this.lease.release(this.clock.now());
    this.epoch = null;
  }

  @Interval(TICK_MS)
  tick(): void {
    if (this.epoch === null || this.stopped) return;
    const now = this.clock.now();
    if (now - this.lastTick > ABSENT_AFTER_MS) {
      // Another process may have taken the lease: only a renewal shows whether this one still holds it.
      this.stepAside();
      return;
    }
    this.lastTick = now;
    // Under overload, due checks of the teams that cause it wait: each of their monitors is checked later and less
    // often, and recorded results stay recent.
    if (this.intake.isBehind) this.tellBehind(now);
    this.send(this.book.takeDue(now, this.epoch, this.intake.mustWait));
  }

  /**
   * Renews or takes the lease. While the database is away, dispatching continues: no other process can take the lease.
   */
  @Interval(RENEW_MS)
  renew(): Promise<void> {
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
      const servedUntil = this.epoch === null ? 0 : this.lastTick;
      const grant = await this.lease.acquire(servedUntil);
      if (!grant) {
        if (this.epoch !== null) this.logger.warn('another process has taken over dispatching');
        this.stepAside();
      } else if (this.epoch === null || grant.epoch !== this.epoch) {
        await this.begin(grant.epoch, grant.servedUntil);
      }
      if (this.epoch !== null && this.stopListening === null) await this.listen();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not renew the lease', error);
    }
  }

  /** Starts to dispatch: the time since `servedUntil` is recorded as an absence, and the schedule starts now. */
  private async begin(epoch: number, servedUntil: number | null): Promise<void> {
    if (servedUntil !== null) this.clock.startAfter(servedUntil);
    await this.compareAll();
    const now = this.clock.now();
    if (servedUntil !== null && servedUntil > 0) {
      await this.spans.addAbsence('default', servedUntil, now, 'not_running');
    }
    this.book.restart(now);
    this.lastTick = now;
    this.epoch = epoch;
    this.logger.log(`dispatching ${this.book.size} monitors`);
    await this.sendRequests();
  }

  private tellBehind(now: number): void {
    if (now - this.behindToldAt < TELL_AGAIN_MS) return;
    this.behindToldAt = now;
    this.logger.warn('the database is too slow for the number of checks; checks start late');
  }

  private stepAside(): void {
    this.epoch = null;
    this.requestsSent.clear();
  }

  private async listen(): Promise<void> {
    this.stopListening = await this.source.listen(
      (hint) => void this.follow(hint),
      () => (this.stopListening = null),
    );
    // Finds what was written before listening began.
    await this.compare();
  }

  private async follow(hint: ScheduleHint): Promise<void> {
    try {
      if (hint.monitorId) await this.load([hint.monitorId]);
      if (hint.requests) await this.sendRequests();
    } catch (error) {
      this.logger.debug('could not process a schedule change; the next comparison with the database applies it', error);
    }
  }

  private async tryCompare(): Promise<void> {
    if (this.epoch === null || this.stopped) return;
    try {
      await this.compareAll();
      await this.sendRequests();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not compare the schedule with the database', error);
    }
  }

  private async compareAll(): Promise<void> {
    const changed: string[] = [];
    const gone = new Set(this.book.monitorIds());
    for await (const some of this.source.active()) {
      for (const { id, revision } of some) {
        gone.delete(id);
        if (this.book.revisionOf(id) !== revision) changed.push(id);
      }
    }
    changed.push(...gone);
    for (let from = 0; from < changed.length; from += 5_000) await this.load(changed.slice(from, from + 5_000));
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
    if (this.epoch === null || this.stopped) return;
    const open = await this.requests.open(MAX_REQUESTS);
    const stillOpen = new Set(open.map(requestKey));
    for (const key of this.requestsSent.keys()) if (!stillOpen.has(key)) this.requestsSent.delete(key);
    const now = this.clock.now();
    const unsent = open.filter((one) => now - (this.requestsSent.get(requestKey(one)) ?? 0) > RESEND_AFTER_MS);
    if (unsent.length === 0) return;
    for (const one of unsent) this.requestsSent.set(requestKey(one), now);
    // Their results schedule retries, so the book must contain the monitors first.
    await this.load([...new Set(unsent.map((one) => one.monitorId))]);
    const plans = await this.source.plans([...new Set(unsent.map((one) => one.monitorId))]);
    const planOf = new Map(plans.map((plan) => [plan.monitorId, plan]));
    const epoch = this.epoch;
    if (epoch === null) return;
    this.send(
      unsent.flatMap((one) => {
        const plan = planOf.get(one.monitorId);
        const key = { slot: one.scheduledAt, attempt: one.attempt };
        return plan ? [jobOf(plan, one.location, key, one.trigger, epoch)] : [];
      }),
    );
  }

  private async sendMore(): Promise<void> {
    this.sendingMore = null;
    await this.follow({ requests: true });
  }

  private send(jobs: readonly CheckJob[]): void {
    for (let from = 0; from < jobs.length; from += JOBS_PER_BATCH) {
      void this.queue
        .sendJobs(jobs.slice(from, from + JOBS_PER_BATCH))
        .catch((error: unknown) => this.logger.error('could not queue a batch of checks', error));
    }
  }

  /** Takes in results, which determine the next retries. */
  settle(results: readonly CheckResult[]): void {
    const now = this.clock.now();
    for (const result of results) this.book.settle(result, now);
    const freed = this.requestsSent.size >= MAX_REQUESTS && results.some((result) => result.attempt < 0);
    if (freed) this.sendingMore ??= setTimeout(() => void this.sendMore(), SEND_MORE_MS);
  }
}

function requestKey({ monitorId, scheduledAt, location, attempt }: CheckKey): string {
  return `${monitorId}/${scheduledAt}/${location}/${attempt}`;
}
