import { Logger } from '@nestjs/common';
import { type Job, QueueEvents, Worker } from 'bullmq';
import { type AppConfig } from '../../config/app-config.js';
import { type ProbeOutcome } from '../../domain/check-result.js';
import { ProblemException } from '../../http/problems/problem.js';
import { type RedisLinks } from '../../redis/redis-links.js';
import { RedisQueues } from '../../redis/redis-queues.js';
import { type JobSecretsService } from './job-secrets.service.js';
import { type Trial, TrialQueue } from './trial-queue.js';

const AT_ONCE = 50;
/** Time that a trial check may wait for a worker, beyond its own timeout. */
const WAIT_MS = 5_000;
const KEEP_SECONDS = 60;

/** Trial checks in Redis, with their secrets sealed for the location that runs them. */
export class RedisTrialQueue extends TrialQueue {
  private readonly logger = new Logger(RedisTrialQueue.name);
  private readonly queues: RedisQueues;
  /** By the name of the queue. */
  private readonly events = new Map<string, QueueEvents>();
  private worker: Worker<Trial, ProbeOutcome> | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly links: RedisLinks,
    private readonly secrets: JobSecretsService,
  ) {
    super();
    this.queues = new RedisQueues(links, { prefix: config.get('REDIS_PREFIX') });
  }

  async run(trial: Trial): Promise<ProbeOutcome> {
    const name = nameAt(trial.location);
    const events = this.eventsOf(name);
    let job: Job | null = null;
    try {
      if (!this.links.isReady) throw new Error('Redis does not respond.');
      await events.waitUntilReady();
      const sealed = { ...trial, fields: this.secrets.seal(trial.type, trial.fields, trial.location) };
      const keep = { age: KEEP_SECONDS, count: 1_000 };
      job = await this.queues.get(name).add('trial', sealed, { removeOnComplete: keep, removeOnFail: keep });
      return (await job.waitUntilFinished(events, trial.timeoutMs + WAIT_MS)) as ProbeOutcome;
    } catch (error) {
      // Nobody waits for it any more.
      await job?.remove().catch(() => undefined);
      this.logger.warn('no worker ran a trial check', error);
      const detail = `No worker at ${trial.location} is available to run the check. Try again in a moment.`;
      throw new ProblemException(503, 'unavailable', detail);
    }
  }

  serve(run: (trial: Trial) => Promise<ProbeOutcome>): void {
    const prefix = this.config.get('REDIS_PREFIX');
    const options = { connection: this.links.consumers, prefix, concurrency: AT_ONCE };
    const processor = ({ data }: { data: Trial }): Promise<ProbeOutcome> =>
      run({ ...data, fields: this.secrets.open({ type: data.type, definition: JSON.stringify(data.fields) }) });
    this.worker ??= this.links.quiet(new Worker(nameAt(this.config.get('LOCATION')), processor, options));
  }

  async close(): Promise<void> {
    const events = [...this.events.values()].map((one) => one.close());
    const closed = Promise.allSettled([this.worker?.close(true), ...events, this.queues.close()]);
    // Without Redis, they would wait for it.
    if (this.links.isReady) await closed;
  }

  private eventsOf(name: string): QueueEvents {
    const known = this.events.get(name);
    if (known) return known;
    const prefix = this.config.get('REDIS_PREFIX');
    const made = this.links.quiet(new QueueEvents(name, { connection: this.links.consumers, prefix }));
    this.events.set(name, made);
    return made;
  }
}

function nameAt(location: string): string {
  return `trials-${location}`;
}
