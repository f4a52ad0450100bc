import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { type RedisLinks } from '../../redis/redis-links.js';
import { REDIS } from '../../redis/redis.module.js';
import {
  readReport,
  SEEN_WITHIN_MS,
  type WorkerFigures,
  type WorkerReport,
  workersKey,
} from '../../redis/worker-report.js';

interface ProcessRecord {
  id: string;
  version: string;
  started_at: Date;
  seen_at: Date;
  worker: WorkerFigures & { location: string };
}

/**
 * Knows the workers at each location that have reported within ten seconds. Those without a database report to Redis,
 * and are unknown while it is away.
 */
@Injectable()
export class LocationWorkersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
    @Inject(REDIS) private readonly links: RedisLinks | null,
  ) {}

  /** Whether those that report to Redis are known now. */
  get areKnown(): boolean {
    return this.links === null || this.links.isReady;
  }

  /** Returns the workers at these locations, oldest first. Locations without one are omitted. */
  async at(locations: readonly string[]): Promise<Map<string, WorkerReport[]>> {
    const found = [...(await this.fromDatabase(locations)), ...(await this.fromRedis(locations))];
    const byLocation = new Map<string, WorkerReport[]>();
    for (const [location, report] of found.sort(([, a], [, b]) => a.startedAt - b.startedAt)) {
      byLocation.set(location, [...(byLocation.get(location) ?? []), report]);
    }
    return byLocation;
  }

  private async fromDatabase(locations: readonly string[]): Promise<[string, WorkerReport][]> {
    const rows: ProcessRecord[] = await this.dataSource.query(
      `SELECT id, version, started_at, seen_at, worker FROM processes
       WHERE worker ->> 'location' = ANY($1) AND seen_at > now() - $2 * interval '1 ms'`,
      [locations, SEEN_WITHIN_MS],
    );
    return rows.map(({ id, version, started_at: startedAt, seen_at: seenAt, worker: { location, ...figures } }) => {
      return [location, { id, version, startedAt: startedAt.getTime(), lastSeenAt: seenAt.getTime(), ...figures }];
    });
  }

  private async fromRedis(locations: readonly string[]): Promise<[string, WorkerReport][]> {
    const { links } = this;
    if (!links?.isReady) return [];
    const prefix = this.config.get('REDIS_PREFIX');
    try {
      const nowMs = await links.now();
      const stored = await Promise.all(locations.map((one) => storedAt(links, workersKey(prefix, one))));
      return locations.flatMap((location, index) =>
        stored[index]!.map(readReport)
          .filter((report) => report !== null)
          .filter(({ lastSeenAt }) => lastSeenAt > nowMs - SEEN_WITHIN_MS)
          .map((report): [string, WorkerReport] => [location, report]),
      );
    } catch (error) {
      if (links.isReady) throw error;
      return [];
    }
  }
}

/** Returns the values of a hash. A worker can replace that of its location by anything, which hides it alone. */
async function storedAt({ commands }: RedisLinks, key: string): Promise<string[]> {
  try {
    return await commands.hvals(key);
  } catch (error) {
    if ((error as Error).message.startsWith('WRONGTYPE')) return [];
    throw error;
  }
}
