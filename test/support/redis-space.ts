import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

/** The Redis of these tests, if a variable names one. They use keys with prefixes of their own. */
export const REDIS_URL = process.env.REDIS_URL;

/** Whether services under test use the queue of several processes, so that it can be tried with the tests of one. */
export const ON_REDIS = process.env.TEST_QUEUE === 'redis';

/** Keys in Redis with a prefix of their own. */
export class RedisSpace {
  readonly prefix = `test-${randomBytes(6).toString('hex')}`;
  private readonly client = new Redis(REDIS_URL!);

  /** Deletes all keys, as a flush of the server would. */
  async flush(): Promise<void> {
    for await (const keys of this.client.scanStream({ match: `${this.prefix}:*`, count: 1_000 })) {
      if ((keys as string[]).length > 0) await this.client.del(keys as string[]);
    }
  }

  /** Runs a command on a key, whose prefix is added. */
  run(command: string, key: string, ...args: readonly string[]): Promise<unknown> {
    return this.client.call(command, `${this.prefix}:${key}`, ...args);
  }

  /** Returns how many checks wait for workers at a location. */
  async checksWaitingAt(location: string): Promise<number> {
    const queue = `${this.prefix}:checks-${location}`;
    const ids = await this.client.lrange(`${queue}:wait`, 0, -1);
    const batches = await Promise.all(ids.map((id) => this.client.hget(`${queue}:${id}`, 'data')));
    return batches.reduce((sum, data) => sum + (JSON.parse(data ?? '{"items":[]}') as { items: [] }).items.length, 0);
  }

  async close(): Promise<void> {
    await this.flush();
    this.client.disconnect();
  }
}
