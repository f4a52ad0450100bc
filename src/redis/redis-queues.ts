import { Queue, type QueueOptions } from 'bullmq';
import { type RedisLinks } from './redis-links.js';

/**
 * Queues by name, each made when it is first used. A queue of BullMQ that cannot reach Redis when it is made never does
 * later; so it is forgotten, and the next use makes another one.
 */
export class RedisQueues {
  private readonly made = new Map<string, Queue>();

  constructor(
    private readonly links: RedisLinks,
    private readonly options: Omit<QueueOptions, 'connection'>,
  ) {}

  get(name: string): Queue {
    const known = this.made.get(name);
    if (known) return known;
    const connection = this.links.commands;
    const queue = this.links.quiet(new Queue(name, { ...this.options, connection, skipWaitingForReady: true }));
    this.made.set(name, queue);
    queue.waitUntilReady().catch(() => this.forget(name, queue));
    return queue;
  }

  /** Closes all queues. Never rejects, but may wait for Redis. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.made.values()].map((queue) => queue.close()));
  }

  private forget(name: string, queue: Queue): void {
    if (this.made.get(name) === queue) this.made.delete(name);
    queue.close().catch(() => undefined);
  }
}
