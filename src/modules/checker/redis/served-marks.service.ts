import { Inject, Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { type Shard } from '../../../domain/shard.js';
import { type RedisLinks } from '../../../redis/redis-links.js';
import { REDIS } from '../../../redis/redis.module.js';

/**
 * How far each shard was served, noted in Redis as well as with the lease: if a dispatcher ends while the database is
 * away, its successor knows that the time until then was checked, and records no absence over it.
 */
@Injectable()
export class ServedMarksService {
  private readonly logger = new Logger(ServedMarksService.name);

  constructor(
    private readonly config: AppConfig,
    @Inject(REDIS) private readonly links: RedisLinks | null,
  ) {}

  /** Notes that these shards were served until `untilMs`; a later mark stays. Never rejects. */
  async note(shards: readonly Shard[], untilMs: number): Promise<void> {
    if (!this.links?.isReady || shards.length === 0) return;
    await this.links.commands
      .zadd(this.key, 'GT', ...shards.flatMap((shard) => [untilMs, shard]))
      .catch((error: unknown) => this.logger.debug('could not note how far shards were served', error));
  }

  /** Returns the marks of these shards in epoch milliseconds, as far as Redis has them. */
  async read(shards: readonly Shard[]): Promise<ReadonlyMap<Shard, number>> {
    if (!this.links?.isReady || shards.length === 0) return new Map();
    const marks = await this.links.commands.zmscore(this.key, ...shards).catch(() => []);
    return new Map(shards.flatMap((shard, index) => (marks[index] ? [[shard, Number(marks[index])] as const] : [])));
  }

  private get key(): string {
    return `${this.config.get('REDIS_PREFIX')}:served`;
  }
}
