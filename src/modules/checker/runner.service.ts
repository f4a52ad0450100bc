import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { judge, type ProbeOutcome } from '../../domain/check-result.js';
import { probeOf } from '../../probes/index.js';
import { ourFault, runProbe } from '../../probes/run-check.js';
import { DefinitionSecretsService } from '../monitors/definition-secrets.service.js';
import { type CheckJob, CheckQueue, type CheckResult } from './check-queue.js';
import { EgressService } from '../checks/egress.service.js';
import { SlotClockService } from './slot-clock.service.js';

/** Checks under way at once: each holds a socket. */
const MAX_CONCURRENT = 2_000;
/** Results wait this long for company: one batch is one transaction. */
const FLUSH_MS = 20;

/** Runs the probes of jobs, first come first served, and sends their results. */
@Injectable()
export class RunnerService implements OnApplicationBootstrap {
  private readonly logger = new Logger(RunnerService.name);
  private waiting: CheckJob[] = [];
  private next = 0;
  private running = 0;
  private finished: CheckResult[] = [];
  private flushing: NodeJS.Timeout | null = null;
  private whenIdle: (() => void)[] = [];
  private stopped = false;

  constructor(
    private readonly queue: CheckQueue,
    private readonly egress: EgressService,
    private readonly secrets: DefinitionSecretsService,
    private readonly clock: SlotClockService,
  ) {}

  get figures(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.waiting.length - this.next };
  }

  onApplicationBootstrap(): void {
    this.queue.onJobs((jobs) => this.take(jobs));
  }

  /** Takes no more jobs, and waits for those under way; what is not done by `withinMs` is left. */
  async stop(withinMs: number): Promise<void> {
    this.stopped = true;
    if (this.running > 0) {
      const idle = new Promise<void>((resolve) => this.whenIdle.push(resolve));
      const patience = new AbortController();
      await Promise.race([idle, delay(withinMs, undefined, { signal: patience.signal })]);
      patience.abort();
    }
    await this.flush();
  }

  private take(jobs: readonly CheckJob[]): void {
    if (this.stopped) return;
    this.waiting.push(...jobs);
    this.startWaiting();
  }

  private startWaiting(): void {
    while (!this.stopped && this.running < MAX_CONCURRENT && this.next < this.waiting.length) {
      this.running += 1;
      void this.run(this.waiting[this.next++]!);
    }
    if (this.next === this.waiting.length) {
      this.waiting = [];
      this.next = 0;
    }
  }

  private async run(job: CheckJob): Promise<void> {
    const checkedAt = this.clock.now();
    const outcome = await this.probe(job);
    const { monitorId, scheduledAt, location, attempt, trigger, revision, intervalMs, epoch } = job;
    this.finished.push({
      ...{ monitorId, scheduledAt, location, attempt, trigger, revision, intervalMs, epoch },
      checkedAt,
      status: judge(outcome, job.degradedAfterMs),
      outcome,
    });
    this.flushing ??= setTimeout(() => void this.flush(), FLUSH_MS);
    this.running -= 1;
    this.startWaiting();
    if (this.running === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  private async probe(job: CheckJob): Promise<ProbeOutcome> {
    try {
      const definition = probeOf(job.type);
      if (!definition) throw new Error(`no probe for type ${job.type}`);
      const fields = this.secrets.open(job.type, job.definition);
      return await runProbe(definition, fields, { timeoutMs: job.timeoutMs, egress: this.egress.egress });
    } catch (error) {
      this.logger.error(`a check of monitor ${job.monitorId} could not be run`, error);
      return ourFault('The check could not be run; this says nothing about the target.');
    }
  }

  private async flush(): Promise<void> {
    if (this.flushing) clearTimeout(this.flushing);
    this.flushing = null;
    const results = this.finished.splice(0);
    if (results.length === 0) return;
    try {
      await this.queue.sendResults(results);
    } catch (error) {
      this.logger.error(`${results.length} results could not be sent`, error);
    }
  }
}
