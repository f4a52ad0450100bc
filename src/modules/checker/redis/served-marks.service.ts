import { Inject, Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { type Shard } from '../../../domain/shard.js';
import { type RedisLinks } from '../../../redis/redis-links.js';
import { REDIS } from '../../../redis/redis.module.js';

/**
 * How far each shard was served, noted in Redis as well as with the lease: if a dispatcher ends while the database is
 * away, its successor knows that the time until then was checked, and records no absence over it. Each dispatcher also
 * remembers the marks of the others, and notes them again, because Redis may lose them.
 */
@Injectable()
export class ServedMarksService {
  private readonly logger = new Logger(ServedMarksService.name);
  /** By shard, in epoch milliseconds. */
  private readonly known = new Map<string, number>();
  private latest = 0;

  constructor(
    private readonly config: AppConfig,
    @Inject(REDIS) private readonly links: RedisLinks | null,
  ) {}

  /** The latest mark of this process that Redis has accepted, in epoch milliseconds; 0 before the first one. */
  get notedUntil(): number {
    return this.latest;
  }

  /** Notes that these shards were served until `untilMs`; a later mark stays. Never rejects. */
  async note(shards: readonly Shard[], untilMs: number): Promise<void> {
    if (!this.links?.isReady || shards.length === 0) return;
    try {
      await this.links.commands.zadd(this.key, 'GT', ...shards.flatMap((shard) => [untilMs, shard]));
      this.latest = Math.max(this.latest, untilMs);
    } catch (error) {
      this.logger.debug('could not note how far shards were served', error);
    }
  }

  /** Learns the marks of all shards, and notes again those that Redis has lost. Never rejects. */
  async exchange(): Promise<void> {
    if (!this.links?.isReady) return;
    try {
      if (this.known.size > 0) {
        await this.links.commands.zadd(this.key, 'GT', ...[...this.known].flatMap(([shard, mark]) => [mark, shard]));
      }
      const marks = await this.links.commands.zrange(this.key, 0, -1, 'WITHSCORES');
      for (let at = 0; at < marks.length; at += 2) this.known.set(marks[at]!, Number(marks[at + 1]));
    } catch (error) {
      this.logger.debug('could not learn how far shards were served', error);
    }
  }

  /** Returns the marks of all shards in epoch milliseconds, as far as this process or Redis has them. */
  async read(): Promise<ReadonlyMap<Shard, number>> {
    await this.exchange();
    return new Map([...this.known].map(([shard, mark]) => [Number(shard), mark]));
  }

  private get key(): string {
    return `${this.config.get('REDIS_PREFIX')}:served`;
  }
}
