import { Logger } from '@nestjs/common';
import { type Job, Queue, QueueEvents, Worker } from 'bullmq';
import { type AppConfig } from '../../config/app-config.js';
import { type ProbeOutcome } from '../../domain/check-result.js';
import { DEFAULT_LOCATION } from '../../domain/location.js';
import { ProblemException } from '../../http/problems/problem.js';
import { type RedisLinks } from '../../redis/redis-links.js';
import { type JobSecretsService } from './job-secrets.service.js';
import { type Trial, TrialQueue } from './trial-queue.js';

const NAME = `trials-${DEFAULT_LOCATION}`;
const AT_ONCE = 50;
/** Time that a trial check may wait for a worker, beyond its own timeout. */
const WAIT_MS = 5_000;
const KEEP_SECONDS = 60;

/** Trial checks in Redis, with their secrets sealed. */
export class RedisTrialQueue extends TrialQueue {
  private readonly logger = new Logger(RedisTrialQueue.name);
  private queue: Queue<Trial, ProbeOutcome> | null = null;
  private events: QueueEvents | null = null;
  private worker: Worker<Trial, ProbeOutcome> | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly links: RedisLinks,
    private readonly secrets: JobSecretsService,
  ) {
    super();
  }

  async run(trial: Trial): Promise<ProbeOutcome> {
    const prefix = this.config.get('REDIS_PREFIX');
    this.queue ??= this.links.quiet(
      new Queue(NAME, { connection: this.links.commands, prefix, skipWaitingForReady: true }),
    );
    this.events ??= this.links.quiet(new QueueEvents(NAME, { connection: this.links.consumers, prefix }));
    let job: Job | null = null;
    try {
      if (!this.links.isReady) throw new Error('Redis does not respond.');
      await this.events.waitUntilReady();
      const sealed = { ...trial, fields: this.secrets.seal(trial.type, trial.fields) };
      const keep = { age: KEEP_SECONDS, count: 1_000 };
      job = await this.queue.add('trial', sealed, { removeOnComplete: keep, removeOnFail: keep });
      return (await job.waitUntilFinished(this.events, trial.timeoutMs + WAIT_MS)) as ProbeOutcome;
    } catch (error) {
      // Nobody waits for it any more.
      await job?.remove().catch(() => undefined);
      this.logger.warn('no worker ran a trial check', error);
      throw new ProblemException(503, 'unavailable', 'No worker is available to run the check. Try again in a moment.');
    }
  }

  serve(run: (trial: Trial) => Promise<ProbeOutcome>): void {
    const prefix = this.config.get('REDIS_PREFIX');
    const options = { connection: this.links.consumers, prefix, concurrency: AT_ONCE };
    const processor = ({ data }: { data: Trial }): Promise<ProbeOutcome> =>
      run({ ...data, fields: this.secrets.open({ type: data.type, definition: JSON.stringify(data.fields) }) });
    this.worker ??= this.links.quiet(new Worker(NAME, processor, options));
  }

  async close(): Promise<void> {
    const closed = Promise.allSettled([this.worker?.close(true), this.events?.close(), this.queue?.close()]);
    // Without Redis, they would wait for it.
    if (this.links.isReady) await closed;
  }
}
