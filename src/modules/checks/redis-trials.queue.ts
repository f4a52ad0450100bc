import { Logger } from '@nestjs/common';
import { type Job, Queue, QueueEvents, Worker } from 'bullmq';
import { type AppConfig } from '../../config/app-config.js';
import { type ProbeOutcome } from '../../domain/check-result.js';
import { ProblemException } from '../../http/problems/problem.js';
import { type RedisLinks } from '../../redis/redis-links.js';
import { type JobSecretsService } from './job-secrets.service.js';
import { type Trial, TrialQueue } from './trial-queue.js';

const AT_ONCE = 50;
/** Time that a trial check may wait for a worker, beyond its own timeout. */
const WAIT_MS = 5_000;
const KEEP_SECONDS = 60;

/** The way to a location and back. */
interface Way {
  queue: Queue<Trial, ProbeOutcome>;
  events: QueueEvents;
}

/** Trial checks in Redis, with their secrets sealed for the location that runs them. */
export class RedisTrialQueue extends TrialQueue {
  private readonly logger = new Logger(RedisTrialQueue.name);
  private readonly ways = new Map<string, Way>();
  private worker: Worker<Trial, ProbeOutcome> | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly links: RedisLinks,
    private readonly secrets: JobSecretsService,
  ) {
    super();
  }

  async run(trial: Trial): Promise<ProbeOutcome> {
    const { queue, events } = this.to(trial.location);
    let job: Job | null = null;
    try {
      if (!this.links.isReady) throw new Error('Redis does not respond.');
      await events.waitUntilReady();
      const sealed = { ...trial, fields: this.secrets.seal(trial.type, trial.fields, trial.location) };
      const keep = { age: KEEP_SECONDS, count: 1_000 };
      job = await queue.add('trial', sealed, { removeOnComplete: keep, removeOnFail: keep });
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
    const ways = [...this.ways.values()].flatMap(({ queue, events }) => [events.close(), queue.close()]);
    const closed = Promise.allSettled([this.worker?.close(true), ...ways]);
    // Without Redis, they would wait for it.
    if (this.links.isReady) await closed;
  }

  private to(location: string): Way {
    const known = this.ways.get(location);
    if (known) return known;
    const prefix = this.config.get('REDIS_PREFIX');
    const name = nameAt(location);
    const way = {
      queue: this.links.quiet(
        new Queue<Trial, ProbeOutcome>(name, { connection: this.links.commands, prefix, skipWaitingForReady: true }),
      ),
      events: this.links.quiet(new QueueEvents(name, { connection: this.links.consumers, prefix })),
    };
    this.ways.set(location, way);
    return way;
  }
}

function nameAt(location: string): string {
  return `trials-${location}`;
}
