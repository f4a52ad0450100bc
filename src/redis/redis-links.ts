import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';

/** Longest time between two attempts to connect. */
const RETRY_MS = 1_000;

interface FailingClient {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * The connections of this process to Redis. A loss is logged once; commands of `commands` then fail at once, so that
 * callers decide what becomes of their data.
 */
export class RedisLinks {
  private readonly logger = new Logger('Redis');
  private isLost = false;
  /** For commands that are answered at once. */
  readonly commands: Redis;
  /** For consumers of queues, which wait for the server to come back. */
  readonly consumers: Redis;
  /** For subscriptions. */
  readonly subscriber: Redis;

  constructor(url: string) {
    const retryStrategy = (times: number): number => Math.min(RETRY_MS, times * 50);
    this.commands = new Redis(url, { retryStrategy, enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    this.consumers = new Redis(url, { retryStrategy, maxRetriesPerRequest: null });
    this.subscriber = new Redis(url, { retryStrategy, maxRetriesPerRequest: null });
    this.commands.on('ready', () => this.note(true));
    this.commands.on('close', () => this.note(false));
    for (const one of [this.commands, this.consumers, this.subscriber]) this.quiet(one);
  }

  get isReady(): boolean {
    return this.commands.status === 'ready';
  }

  /** Returns the time of the server in epoch milliseconds and fractions of them, which is the same for all processes. */
  async now(): Promise<number> {
    const [seconds, microseconds] = await this.commands.time();
    return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  }

  /** Keeps errors of a client, which repeat for as long as Redis is away, from ending the process or filling the log. */
  quiet<T extends FailingClient>(client: T): T {
    client.on('error', (error) => this.logger.debug?.(error.message));
    return client;
  }

  close(): void {
    this.commands.removeAllListeners('close');
    for (const one of [this.commands, this.consumers, this.subscriber]) one.disconnect();
  }

  private note(isReady: boolean): void {
    if (isReady !== this.isLost) return;
    this.isLost = !isReady;
    if (isReady) this.logger.log('Redis is available again');
    else this.logger.warn('Redis is unavailable: checks are delayed until it is back');
  }
}
