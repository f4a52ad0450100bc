import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { createTestDatabase } from '../../../../test/support/database.js';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/redis.js';
import { REDIS_URL, RedisSpace } from '../../../../test/support/redis-space.js';
import { readConfig } from '../../../config/app-config.js';
import { dataSource } from '../../../database/data-source.js';
import { RedisLinks } from '../../../redis/redis-links.js';
import { LocationWorkersService } from '../../locations/location-workers.service.js';
import { RedisPresence } from './redis-presence.js';

const FIGURES = { busyPercent: 1, checksPerSecond: 2, lagMs: 3 };
const PLACES = ['east', 'west'];

describeWithRedis('the presence of workers in Redis', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let source: DataSource;
  let space: RedisSpace;
  let links: RedisLinks;
  let workers: LocationWorkersService;
  beforeAll(async () => {
    database = await createTestDatabase();
    source = await dataSource(database.url).initialize();
    space = new RedisSpace();
    links = new RedisLinks(REDIS_URL!, 'own');
    workers = new LocationWorkersService(source, configAt('east'), links);
    await eventually(() => expect(links.isReady).toBe(true));
  });
  afterAll(async () => {
    links?.close();
    await space?.close();
    await source?.destroy();
    await database?.drop();
  });

  const configAt = (location: string) =>
    readConfig({
      REDIS_URL,
      REDIS_PREFIX: space.prefix,
      LOCATION: location,
      ROLES: 'worker',
      LOCATION_KEY: 'k'.repeat(43),
    });
  const report = (location: string): Promise<void> => new RedisPresence(configAt(location), links).report(FIGURES);
  const counts = async (): Promise<number[]> => {
    const found = await workers.at(PLACES);
    return PLACES.map((location) => found.get(location)?.length ?? 0);
  };

  it('ignores what is no report, which the next report of a worker there removes', async () => {
    await Promise.all(PLACES.map(report));
    const broken = ['x', 'null', '{"startedAt":"x","lastSeenAt":1e15}'];
    for (const [index, text] of broken.entries()) await space.run('HSET', 'workers-west', `broken-${index}`, text);
    expect(await counts()).toEqual([1, 1]);
    await report('west');
    expect(await space.run('HLEN', 'workers-west')).toBe(2);
    expect(await counts()).toEqual([1, 2]);
  });

  it('knows the workers elsewhere if those of a location are replaced by something else', async () => {
    await report('east');
    await space.run('SET', 'workers-west', 'x');
    const [east, west] = await counts();
    expect(east).toBeGreaterThan(0);
    expect(west).toBe(0);
  });
});
