import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { shardOf } from '../../../src/domain/shard.js';
import { FAR, NEAR } from './fleet.js';
import { SHARDS } from './wire.js';

const EVERY_MS = 5_000;
export const FORGED = 'forged by a stolen worker';

/** A worker that was stolen: with the user of its location, it sends results of monitors that only another one checks. */
export class Forger {
  private readonly connection: Redis;
  private readonly timer: NodeJS.Timeout;
  private forging: Promise<void> | null = null;
  forged = 0;

  constructor(
    redisUrl: string,
    private readonly prefix: string,
    private readonly monitorIds: readonly string[],
  ) {
    this.connection = new Redis(redisUrl, { maxRetriesPerRequest: 0, retryStrategy: () => 500 });
    this.connection.on('error', () => undefined);
    this.timer = setInterval(() => {
      this.forging ??= this.forge().finally(() => (this.forging = null));
    }, EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.race([this.forging, delay(EVERY_MS, undefined, { ref: false })]);
    this.connection.disconnect();
  }

  private async forge(): Promise<void> {
    const monitorId = this.monitorIds[this.forged % this.monitorIds.length]!;
    const queue = new Queue(`results-${FAR}-${shardOf(monitorId, SHARDS)}`, {
      ...{ connection: this.connection, prefix: this.prefix, skipWaitingForReady: true },
      streams: { events: { maxLen: 10 } },
    });
    queue.on('error', () => undefined);
    const items = [NEAR, FAR].map((location) => result(monitorId, location));
    try {
      await queue.add('results', { format: 1, items }, { removeOnComplete: true, removeOnFail: true });
      this.forged += 1;
    } catch {
      // The location is cut off, or Redis is away.
    }
  }
}

/** A failure at a moment at which no slot is. */
function result(monitorId: string, location: string): object {
  const now = Date.now();
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null };
  const error = { code: 'timeout', message: FORGED };
  return {
    ...{ monitorId, location, scheduledAt: now, checkedAt: now, attempt: 0, trigger: 'schedule', status: 'down' },
    ...{ revision: 1, intervalMs: 2_000, epoch: 1, type: 'http', durationMs: 1 },
    outcome: { statusCode: null, responseTimeMs: null, timings, remoteAddress: null, error, failedAssertions: [] },
  };
}
