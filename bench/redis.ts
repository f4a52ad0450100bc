import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { opened } from './opened.js';

/** A Redis server in a benchmark. Its keys have a prefix of their own, and are deleted at the end. */
export interface BenchRedis {
  /** Settings with which processes share their work through it. */
  settings: Record<string, string>;
  /** Returns the processor time that the server has used, in microseconds. */
  cpuUs(): Promise<number>;
}

export async function openRedis(url: string): Promise<BenchRedis> {
  const prefix = `bench-${randomBytes(6).toString('hex')}`;
  const client = await opened(
    () => Promise.resolve(new Redis(url)),
    (one) => end(one, prefix),
  );
  return {
    settings: { REDIS_URL: url, REDIS_PREFIX: prefix },
    cpuUs: async () => {
      const text = await client.info('cpu');
      const seconds = (name: string): number => Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(text)![1]);
      return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6;
    },
  };
}

async function end(client: Redis, prefix: string): Promise<void> {
  for await (const keys of client.scanStream({ match: `${prefix}:*`, count: 1_000 })) {
    if ((keys as string[]).length > 0) await client.del(keys as string[]);
  }
  client.disconnect();
}
