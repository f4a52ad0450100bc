import { Injectable, Logger } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { judge, type ProbeOutcome } from '../../domain/check-result.js';
import { type LocationRules } from '../../domain/location.js';
import { asNetworkUnavailable } from '../../domain/network-verdict.js';
import { type DelayMemory } from '../../probes/thread/loop-delay.js';
import { type FinishedProbe } from '../../probes/thread/messages.js';
import { monotonicMs } from '../../probes/thread/monotonic.js';
import { ProbeThread } from '../../probes/thread/probe-thread.js';
import { EgressService } from '../checks/egress.service.js';
import { JobSecretsService } from '../checks/job-secrets.service.js';
import { CanariesService } from './canaries.service.js';
import { type CheckJob, CheckQueue, type CheckResult } from './check-queue.js';
import { SlotClockService } from './slot-clock.service.js';

/** Number of probe threads, next to the thread of the API and the processes of the database. */
const THREADS = Math.min(8, Math.max(1, Math.floor(availableParallelism() / 2)));

type Finished = FinishedProbe<CheckJob>;

/** Runs the probes of jobs in order of arrival, on separate threads, and sends their results. */
@Injectable()
export class RunnerService {
  private readonly logger = new Logger(RunnerService.name);
  private readonly threads: readonly ProbeThread<CheckJob>[];
  /** Number of finished checks that wait for the verdict on our own network. */
  private held = 0;
  private whenIdle: (() => void)[] = [];
  private stopped = false;
  /** The lowest `degradedAfterMs` that makes sense at this location. */
  private degradedAfterMs = 0;
  private load = { checks: 0, slots: 0, lagMs: 0 };

  constructor(
    private readonly queue: CheckQueue,
    egress: EgressService,
    secrets: JobSecretsService,
    clock: SlotClockService,
    private readonly canaries: CanariesService,
  ) {
    const options = {
      settings: egress.settings,
      open: ({ plan }: CheckJob) => secrets.open(plan),
      onFinished: (finished: readonly Finished[]) => this.finish(finished),
      onFault: (error: Error) => this.logger.error(error.message, error),
      slotNow: () => clock.now(),
    };
    this.threads = Array.from({ length: THREADS }, () => new ProbeThread(options));
  }

  get figures(): { running: number; waiting: number; replaced: number } {
    const figures = this.threads.map((thread) => thread.figures);
    const sum = (name: 'running' | 'waiting' | 'replaced'): number =>
      figures.reduce((total, one) => total + one[name], 0);
    return { running: sum('running'), waiting: sum('waiting'), replaced: sum('replaced') };
  }

  /**
   * Returns what the runner has done since the last call: the checks that finished, by how many milliseconds those of
   * slots started late on average, and the share of the time in which its threads worked, from 0 to 1.
   */
  takeLoad(): { checks: number; lagMs: number; busy: number } {
    const { checks, slots, lagMs } = this.load;
    this.load = { checks: 0, slots: 0, lagMs: 0 };
    const busy = this.threads.reduce((sum, thread) => sum + thread.takeUtilization(), 0) / this.threads.length;
    return { checks, lagMs: slots === 0 ? 0 : lagMs / slots, busy };
  }

  /** Event loop delays of each thread. */
  get delays(): readonly DelayMemory[] {
    return this.threads.map(({ delays }) => delays);
  }

  /** Runs jobs under the rules of this location. */
  run(jobs: readonly CheckJob[], rules: LocationRules): void {
    if (this.stopped) return;
    this.degradedAfterMs = rules.degradedAfterMs ?? 0;
    this.canaries.use(rules.canaryTargets);
    this.threads.forEach((thread, index) => {
      // The checks of a monitor always run on the same thread, which caches its definition.
      const own = THREADS === 1 ? jobs : jobs.filter(({ monitorId }) => threadOf(monitorId) === index);
      if (own.length > 0) thread.run(own);
    });
  }

  /**
   * Stops accepting jobs and waits up to `withinMs` for those in progress. The others are abandoned; the log counts them.
   */
  async stop(withinMs: number): Promise<void> {
    this.stopped = true;
    if (!this.isIdle) {
      const idle = new Promise<void>((resolve) => this.whenIdle.push(resolve));
      const patience = new AbortController();
      await Promise.race([idle, delay(withinMs, undefined, { signal: patience.signal })]);
      patience.abort();
      const unfinished = this.held + this.threads.reduce((sum, thread) => sum + thread.open, 0);
      if (unfinished > 0)
        this.logger.warn(`checks that did not finish before shutdown and count as missed: ${unfinished}`);
    }
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  private get isIdle(): boolean {
    return this.held === 0 && this.threads.every((thread) => thread.open === 0);
  }

  private finish(finished: readonly Finished[]): void {
    const sent: CheckResult[] = [];
    for (const one of finished) {
      const { job, startedAt, outcome } = one;
      const began = performance.now() - (monotonicMs() - startedAt);
      const verdict = this.canaries.judge(job.monitorId, began, outcome.error);
      this.load.checks += 1;
      if (job.attempt === 0) {
        this.load.slots += 1;
        this.load.lagMs += one.checkedAt - job.scheduledAt;
      }
      if (verdict === null) sent.push(this.resultOf(one, outcome));
      else void this.hold(one, verdict);
    }
    this.send(sent);
  }

  private async hold(finished: Finished, verdict: Promise<boolean>): Promise<void> {
    const { outcome } = finished;
    this.held += 1;
    const error = (await verdict) ? asNetworkUnavailable(outcome.error!) : outcome.error;
    this.held -= 1;
    this.send([this.resultOf(finished, { ...outcome, error })]);
  }

  private send(results: readonly CheckResult[]): void {
    if (results.length > 0) {
      this.queue
        .sendResults(results)
        .catch((error: unknown) => this.logger.error(`could not send ${results.length} results`, error));
    }
    if (this.isIdle) for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  private resultOf(
    { job, checkedAt, durationMs, certificate, registration }: Finished,
    outcome: ProbeOutcome,
  ): CheckResult {
    const { plan } = job;
    const { failureThreshold, recoveryThreshold } = plan;
    // At thousands of checks a second, listing the properties costs a fraction of spreading a part of the job.
    return {
      monitorId: job.monitorId,
      teamId: plan.teamId,
      scheduledAt: job.scheduledAt,
      location: job.location,
      attempt: job.attempt,
      trigger: job.trigger,
      type: plan.type,
      revision: plan.revision,
      intervalMs: plan.intervalMs,
      thresholds: { failureThreshold, recoveryThreshold },
      epoch: job.epoch,
      // The job proves that its slot has passed, even if the clock of this machine is some milliseconds behind.
      checkedAt: job.attempt < 0 ? checkedAt : Math.max(checkedAt, job.scheduledAt),
      durationMs,
      status: judge(outcome, plan.degradedAfterMs && Math.max(plan.degradedAfterMs, this.degradedAfterMs)),
      outcome,
      certificate,
      registration,
    };
  }
}

function threadOf(monitorId: string): number {
  return Number.parseInt(monitorId.slice(-8), 16) % THREADS;
}
