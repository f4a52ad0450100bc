import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/redis.js';
import { REDIS_URL, RedisSpace } from '../../../../test/support/redis-space.js';
import { readConfig } from '../../../config/app-config.js';
import { RedisLinks } from '../../../redis/redis-links.js';
import { ServedMarksService } from './served-marks.service.js';

describeWithRedis('the marks of how far shards were served', () => {
  let space: RedisSpace;
  let links: RedisLinks;
  beforeEach(async () => {
    space = new RedisSpace();
    links = new RedisLinks(REDIS_URL!, 'own');
    await eventually(() => expect(links.isReady).toBe(true));
  });
  afterEach(async () => {
    links?.close();
    await space?.close();
  });

  const marks = (): ServedMarksService =>
    new ServedMarksService(readConfig({ REDIS_URL, REDIS_PREFIX: space.prefix }), links);

  it('reach the other processes, the latest of each shard', async () => {
    const [first, second] = [marks(), marks()];
    await first.note([0, 3], 2_000);
    await second.note([3, 7], 1_000);
    const expected = new Map([
      [0, 2_000],
      [3, 2_000],
      [7, 1_000],
    ]);
    expect(await first.read()).toEqual(expected);
    expect(await second.read()).toEqual(expected);
  });

  it('outlast a Redis that loses them, as long as one process knows them', async () => {
    const [ended, other] = [marks(), marks()];
    await ended.note([0, 3], 2_000);
    await other.exchange();
    await space.flush();
    expect(await marks().read()).toEqual(new Map());
    expect(await other.read()).toEqual(new Map([[0, 2_000], [3, 2_000]])); // prettier-ignore
    expect(await marks().read()).toEqual(new Map([[0, 2_000], [3, 2_000]])); // prettier-ignore
  });

  it('never go back', async () => {
    const [holder, other] = [marks(), marks()];
    await holder.note([5], 2_000);
    await other.exchange();
    await holder.note([5], 3_000);
    await other.exchange();
    await holder.note([5], 1_000);
    for (const one of [holder, other]) expect(await one.read()).toEqual(new Map([[5, 3_000]]));
  });
});
