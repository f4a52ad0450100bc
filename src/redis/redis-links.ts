import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';

/** Longest time between two attempts to connect. */
const RETRY_MS = 1_000;
const PING_MS = 1_000;
/** A connection on which nothing is answered for so many pings is replaced: a machine that is gone does not close it. */
const MOST_UNANSWERED = 10;

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
  private readonly timers: NodeJS.Timeout[] = [];
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
    for (const one of [this.commands, this.consumers, this.subscriber]) this.watch(this.quiet(one));
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
    for (const timer of this.timers) clearInterval(timer);
    this.commands.removeAllListeners('close');
    for (const one of [this.commands, this.consumers, this.subscriber]) one.disconnect();
  }

  /** Counts pings instead of measuring time, so that a process that was suspended itself does not blame the server. */
  private watch(client: Redis): void {
    let unanswered = 0;
    const answered = (): void => void (unanswered = 0);
    const ping = (): void => {
      if (client.status === 'ready') client.ping().then(answered, answered);
      // A server may accept a connection and then not respond. In every other state, the client has its own deadline.
      else if (client.status !== 'connect') answered();
      unanswered += 1;
      if (unanswered <= MOST_UNANSWERED) return;
      answered();
      client.disconnect(true);
    };
    this.timers.push(setInterval(ping, PING_MS).unref());
  }

  private note(isReady: boolean): void {
    if (isReady !== this.isLost) return;
    this.isLost = !isReady;
    if (isReady) this.logger.log('Redis is available again');
    else this.logger.warn('Redis is unavailable: checks are delayed until it is back');
  }
}
