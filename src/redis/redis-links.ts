import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { isDemoted, isReadOnly, isRefusal, kindOfFault } from './redis-faults.js';

/** Longest time between two attempts to connect. */
const RETRY_MS = 1_000;
/** Shortest time between two attempts to find another server in place of one that has become a replica. */
const RECONNECT_MS = 5_000;
const PING_MS = 1_000;
/** A connection on which nothing is answered for so many pings is replaced: a machine that is gone does not close it. */
const MOST_UNANSWERED = 10;
/** Attempts, about one per second, after which a refusal is final. An operator may create the user a little later. */
const MOST_REFUSALS = 30;

interface FailingClient {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * The connections of this process to Redis. A loss is logged once, with each reason; commands of `commands` then fail at
 * once, so that callers decide what becomes of their data.
 */
export class RedisLinks {
  private readonly logger = new Logger('Redis');
  private isLost = false;
  /** Whether Redis has let this process use its keys since the start. */
  private wasAccepted = false;
  /** Attempts that Redis has refused since it last accepted one. */
  private refusals = 0;
  /** How Redis last refused a write that it would accept from nobody; `null` once it has accepted one again. */
  private readOnly: string | null = null;
  /** The kinds of errors that were logged since Redis was last available. */
  private readonly logged = new Set<string>();
  private giveUp!: (reason: string) => void;
  private readonly timers: NodeJS.Timeout[] = [];
  /** For commands that are answered at once. */
  readonly commands: Redis;
  /** For consumers of queues, which wait for the server to come back. */
  readonly consumers: Redis;
  /** For subscriptions. */
  readonly subscriber: Redis;
  /**
   * Resolves with the reason once it is certain that the settings are wrong: Redis has refused every attempt since the
   * start. Never resolves after Redis has accepted one, nor for a Redis that is only away.
   */
  readonly refused = new Promise<string>((resolve) => (this.giveUp = resolve));

  /**
   * @param ownKey a key that this process must be able to write, which shows whether its user suits its settings, and
   *   that nothing is stored under
   */
  constructor(
    url: string,
    private readonly ownKey: string,
  ) {
    const retryStrategy = (times: number): number => Math.min(RETRY_MS, times * 50);
    const isWorthReconnecting = reconnecting();
    this.commands = new Redis(url, {
      ...{ retryStrategy, enableOfflineQueue: false, maxRetriesPerRequest: 0 },
      reconnectOnError: (error) => {
        if (isReadOnly(error)) this.judge(error);
        return isWorthReconnecting(error);
      },
    });
    const reconnectOnError = reconnecting();
    this.consumers = new Redis(url, { retryStrategy, maxRetriesPerRequest: null, reconnectOnError });
    this.subscriber = new Redis(url, { retryStrategy, maxRetriesPerRequest: null });
    this.commands.on('ready', () => {
      this.note();
      void this.tryAccess();
    });
    this.commands.on('close', () => this.note());
    this.commands.on('error', (error) => this.judge(error));
    this.watch(this.commands, () => this.tryAccess());
    for (const one of [this.consumers, this.subscriber]) this.watch(this.quiet(one), () => one.ping());
  }

  get isReady(): boolean {
    return this.fault === null;
  }

  /** Why Redis cannot be used now; `null` while it can. */
  get fault(): string | null {
    if (this.commands.status !== 'ready' || this.refusals > 0) {
      return 'Redis does not respond, or refuses this process: see the log.';
    }
    return this.readOnly && `Redis accepts no writes (${this.readOnly}): see the log.`;
  }

  /** Returns the time of the server in epoch milliseconds and fractions of them, which is the same for all processes. */
  async now(): Promise<number> {
    const [seconds, microseconds] = await this.commands.time();
    return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  }

  /** Keeps errors of a client, which repeat for as long as Redis is away, from ending the process or filling the log. */
  quiet<T extends FailingClient>(client: T): T {
    client.on('error', (error) => this.hear(error));
    return client;
  }

  /** Logs the first error of each kind until Redis is available again, if it is about the connection or a refusal. */
  hear(error: Error): void {
    this.logger.debug?.(error.message);
    const kind = kindOfFault(error);
    if (kind === null || this.logged.has(kind)) return;
    this.logged.add(kind);
    this.logger.warn(`cannot use Redis: ${error.message || kind}`);
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.commands.removeAllListeners('close');
    for (const one of [this.commands, this.consumers, this.subscriber]) one.disconnect();
  }

  /** Counts pings instead of measuring time, so that a process that was suspended itself does not blame the server. */
  private watch(client: Redis, request: () => Promise<unknown>): void {
    let unanswered = 0;
    const answered = (): void => void (unanswered = 0);
    const ping = (): void => {
      if (client.status === 'ready') request().then(answered, answered);
      // A server may accept a connection and then not respond. In every other state, the client has its own deadline.
      else if (client.status !== 'connect') answered();
      unanswered += 1;
      if (unanswered <= MOST_UNANSWERED) return;
      answered();
      client.disconnect(true);
    };
    this.timers.push(setInterval(ping, PING_MS).unref());
  }

  /** Finds out whether Redis lets this process write its keys, which a login does not show. Never rejects. */
  private async tryAccess(): Promise<void> {
    try {
      // Counts as a write, but changes nothing.
      await this.commands.setrange(this.ownKey, 0, '');
      this.wasAccepted = true;
      this.refusals = 0;
      this.readOnly = null;
      this.note();
    } catch (error) {
      this.judge(error as Error);
    }
  }

  private judge(error: Error): void {
    this.hear(error);
    if (isReadOnly(error)) {
      this.readOnly = kindOfFault(error);
      this.note();
    }
    if (!isRefusal(error)) return;
    this.refusals += 1;
    this.note();
    if (!this.wasAccepted && this.refusals === MOST_REFUSALS) this.giveUp(error.message);
  }

  private note(): void {
    const { isReady } = this;
    if (isReady !== this.isLost) return;
    this.isLost = !isReady;
    if (isReady) {
      this.logged.clear();
      this.logger.log('Redis is available again');
    } else this.logger.warn('Redis is unavailable: checks are delayed until it is back');
  }
}

/** Returns the test whether an error is a reason to connect again: to a replica, but not again and again. */
function reconnecting(): (error: Error) => boolean {
  let reconnectedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!isDemoted(error) || performance.now() - reconnectedAt < RECONNECT_MS) return false;
    reconnectedAt = performance.now();
    return true;
  };
}
