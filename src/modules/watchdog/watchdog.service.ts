import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SEND_TIMEOUT_MS } from '../../channels/channel.js';
import { type Delivery } from '../../channels/delivery.js';
import { post } from '../../channels/net/post.js';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { Deadline, within } from '../../probes/deadline.js';
import { createAddressPolicy } from '../../probes/net/address-policy.js';
import { Egress } from '../../probes/net/egress.js';
import { DnsResolver } from '../../probes/net/name-resolver.js';
import { CheckQueueStateService } from '../checker/check-queue-state.service.js';
import { FinishedChecksService } from '../checker/finished-checks.service.js';
import { RecorderService } from '../checker/recorder.service.js';
import { ResultIntakeService } from '../checker/result-intake.service.js';
import { RunnerService } from '../checker/runner.service.js';
import { SlotClockService } from '../checker/slot-clock.service.js';
import { SweeperLeaseService } from '../checker/sweeper-lease.service.js';
import { NotificationBacklogService } from '../notifications/notification-backlog.service.js';
import { NotificationWorker } from '../notifications/notification-worker.service.js';
import { standstillOf } from './standstill.js';

const LOOK_MS = 1_000;
const BEAT_MS = 60_000;
/** After a request that failed or was withheld. */
const RETRY_MS = 10_000;

/** What a service that works does all the time, if there is something to do. */
type Work = 'checked' | 'recorded' | 'looked';

/** What becomes of a beat. */
export type BeatOutcome = 'answered' | 'failed' | 'withheld';

/**
 * Requests `WATCHDOG_URL` every minute while the service does its work, so that whoever waits for the requests notices
 * when it does not. Only the process that dispatches checks does so; if several share the work, one of those that
 * dispatch, which also observes what waits for the others.
 */
@Injectable()
export class WatchdogService implements OnModuleDestroy {
  private readonly logger = new Logger(WatchdogService.name);
  private readonly url: string | null;
  /** The operator names the address, so the address rules of monitors and channels do not apply to it. */
  private readonly egress = new Egress(createAddressPolicy(true), new DnsResolver());
  private readonly counts: Record<BeatOutcome, number> = { answered: 0, failed: 0, withheld: 0 };
  private readonly stop = new Deadline();
  private beating: Promise<BeatOutcome> | null = null;
  private nextAt = 0;
  private readonly workedAt: Record<Work, number>;
  private problem: string | null = null;

  constructor(
    config: AppConfig,
    finished: FinishedChecksService,
    recorder: RecorderService,
    private readonly lease: SweeperLeaseService,
    private readonly queue: CheckQueueStateService,
    private readonly runner: RunnerService,
    private readonly intake: ResultIntakeService,
    private readonly worker: NotificationWorker,
    private readonly backlog: NotificationBacklogService,
    private readonly clock: SlotClockService,
  ) {
    this.url = config.get('WATCHDOG_URL');
    const now = clock.now();
    this.workedAt = { checked: now, recorded: now, looked: now };
    if (this.url === null) return;
    finished.onFinished(() => this.note('checked', clock.now()));
    recorder.onRecorded(() => this.note('recorded', clock.now()));
    if (!config.isShared) return;
    // Other processes check and record as well. The dispatcher learns of a result once it is recorded.
    finished.onSettled(() => {
      this.note('checked', clock.now());
      this.note('recorded', clock.now());
    });
  }

  /** Numbers of beats since the start, by outcome. */
  get figures(): Readonly<Record<BeatOutcome, number>> {
    return this.counts;
  }

  async onModuleDestroy(): Promise<void> {
    this.stop.end();
    await this.beating;
  }

  /** Notes whether work progresses, and beats if it is time to. */
  @Interval(LOOK_MS)
  look(nowMs = this.clock.now()): void {
    const { running, waiting } = this.runner.figures;
    if (this.queue.fault === null && running + waiting + this.queued('checks') === 0) this.note('checked', nowMs);
    const results = this.intake.figures;
    if (results.waiting + results.spooled + this.queued('results') === 0) this.note('recorded', nowMs);
    this.note('looked', nowMs - this.worker.lookedAgoMs);
    if (nowMs >= this.nextAt && this.lease.isHeld) void this.beat(nowMs);
  }

  /** Requests the address, unless some work stands still. Never rejects; calls during a beat share it. */
  beat(nowMs = this.clock.now()): Promise<BeatOutcome | null> {
    if (this.url === null || this.stop.isOver) return Promise.resolve(null);
    this.beating ??= this.attempt(this.url, nowMs).finally(() => (this.beating = null));
    return this.beating;
  }

  /** Returns how many batches wait for other processes, as far as this one knows. */
  private queued(kind: 'checks' | 'results'): number {
    const some = this.queue.waiting.filter(({ queue }) => queue === kind);
    return some.reduce((sum, { batches }) => sum + batches, 0);
  }

  private note(work: Work, nowMs: number): void {
    this.workedAt[work] = Math.max(this.workedAt[work], nowMs);
  }

  private async attempt(url: string, nowMs: number): Promise<BeatOutcome> {
    const standstill = await this.standstill(nowMs);
    const delivery = standstill === null ? await this.request(url) : null;
    const outcome = delivery === null ? 'withheld' : delivery.status === 'sent' ? 'answered' : 'failed';
    this.counts[outcome] += 1;
    this.nextAt = nowMs + (outcome === 'answered' ? BEAT_MS : RETRY_MS);
    this.report(standstill ?? (delivery?.status === 'failed' ? delivery.error : null), outcome);
    return outcome;
  }

  private async standstill(nowMs: number): Promise<string | null> {
    try {
      const { unplanned, working } = await this.backlog.read();
      const facts = {
        checkedAt: this.workedAt.checked,
        recordedAt: this.workedAt.recorded,
        lookedAt: this.workedAt.looked,
        oldestEventMs: unplanned.oldestMs,
        oldestNotificationMs: working.oldestMs,
      };
      return standstillOf(facts, nowMs);
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not read the pending notifications', error);
      return 'The database does not respond.';
    }
  }

  private async request(url: string): Promise<Delivery> {
    try {
      return await within(this.stop, SEND_TIMEOUT_MS, (deadline) =>
        post({ method: 'GET', url }, { deadline, egress: this.egress, mail: null }),
      );
    } catch (error) {
      this.logger.error('could not request WATCHDOG_URL because of an internal error', error);
      return { status: 'failed', permanent: false, retryAfterMs: null, statusCode: null, error: 'An internal error.' };
    }
  }

  /** Logs only changes. The address may contain a secret, so it is not logged. */
  private report(problem: string | null, outcome: BeatOutcome): void {
    if (problem === this.problem || this.stop.isOver) return;
    this.problem = problem;
    if (problem === null) this.logger.log('WATCHDOG_URL responds again');
    else if (outcome === 'withheld') this.logger.warn(`requests to WATCHDOG_URL are withheld: ${problem}`);
    else this.logger.warn(`the request to WATCHDOG_URL failed: ${problem}`);
  }
}
