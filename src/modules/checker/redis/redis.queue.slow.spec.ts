import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';
import { eventually } from '../../../../test/support/eventually.js';
import { resultOf } from '../../../../test/support/history.js';
import { describeWithRedis } from '../../../../test/support/redis.js';
import { REDIS_URL, RedisSpace } from '../../../../test/support/redis-space.js';
import { readConfig } from '../../../config/app-config.js';
import { shardOf } from '../../../domain/shard.js';
import { RedisLinks } from '../../../redis/redis-links.js';
import { type CheckResult } from '../check-queue.js';
import { SlotClockService } from '../slot-clock.service.js';
import { RedisQueue } from './redis.queue.js';

const MONITOR = '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55';
const SHARD = shardOf(MONITOR, 16);
const LOCATION = 'west';

describeWithRedis('the queue of checks in Redis', () => {
  it('does not keep a worker ahead after one job that claims a wrong time', async () => {
    Logger.overrideLogger(false);
    const space = new RedisSpace();
    const links = new RedisLinks(REDIS_URL!, 'own');
    const clock = new SlotClockService();
    const settings = { REDIS_URL, REDIS_PREFIX: space.prefix, LOCATION, LOCATION_KEY: 'k'.repeat(43), ROLES: 'worker' };
    const queue = new RedisQueue(readConfig(settings), links, clock);
    const sent = new Queue(`checks-${LOCATION}`, { connection: links.commands, prefix: space.prefix });
    try {
      await eventually(() => expect(links.isReady).toBe(true));
      let batches = 0;
      queue.onJobs(() => (batches += 1));
      for (const aheadOfRedisMs of [120_000, 0]) {
        const received = batches;
        await sent.add('checks', { format: 1, items: [], aheadOfRedisMs }, { removeOnComplete: true });
        await eventually(() => expect(batches).toBe(received + 1));
        expect(Math.abs(clock.now() - Date.now() - aheadOfRedisMs)).toBeLessThan(10_000);
      }
    } finally {
      await queue.close();
      await sent.close();
      links.close();
      await space.close();
    }
  });
});

describeWithRedis('the queue of results in Redis', () => {
  let space: RedisSpace;
  let links: RedisLinks;
  let queue: RedisQueue;
  let sent: Queue;
  let received: (readonly CheckResult[])[];
  beforeEach(async () => {
    Logger.overrideLogger(false);
    space = new RedisSpace();
    links = new RedisLinks(REDIS_URL!, 'own');
    const config = readConfig({ REDIS_URL, REDIS_PREFIX: space.prefix });
    queue = new RedisQueue(config, links, new SlotClockService());
    sent = new Queue(`results-${LOCATION}-${SHARD}`, { connection: links.commands, prefix: space.prefix });
    received = [];
    queue.onResults((results) => void received.push(results));
    await eventually(() => expect(links.isReady).toBe(true));
    await queue.record([SHARD], [LOCATION]);
  });
  afterEach(async () => {
    await queue?.close();
    await sent?.close();
    links?.close();
    await space?.close();
  });

  const own = (slot: number): CheckResult => resultOf(MONITOR, slot, slot, 'up', { location: LOCATION });
  const send = (data: unknown) =>
    sent.add('results', data, { attempts: 1_000_000, removeOnComplete: true, removeOnFail: true });

  it.each([
    ['nothing', null],
    ['no results', { format: 1 }],
    ['a text', { format: 1, items: 'x' }],
    ['more results than any worker has', { format: 1, items: Array(50_001).fill(0) }],
  ])('drops a batch that consists of %s, and delivers the next one', async (_, data) => {
    await send(data);
    await send({ format: 1, items: [own(1)] });
    await eventually(async () => expect(await sent.getJobCounts('wait', 'active')).toEqual({ wait: 0, active: 0 }));
    expect(received).toEqual([[own(1)]]);
  });

  it('drops results that claim to be reports of jobs', async () => {
    const ping = { kind: 'success', runId: null, exitStatus: null, method: 'GET', body: null, durationMs: null };
    await send({ format: 1, items: [{ ...own(1), ping }, { ...own(2), ping: null }, own(3)] });
    await eventually(() => expect(received).toEqual([[own(3)]]));
  });

  it('returns verdicts again once Redis permits their channels', async () => {
    const [admin, name] = [links.commands, `${space.prefix}-me`];
    await admin.call('ACL', 'SETUSER', name, 'reset', 'on', '>secret', '~*', '+@all');
    const url = new URL(REDIS_URL!);
    [url.username, url.password] = [name, 'secret'];
    const limited = new RedisLinks(url.href, 'own');
    const others = new RedisQueue(
      readConfig({ REDIS_PREFIX: space.prefix, REDIS_URL }),
      limited,
      new SlotClockService(),
    );
    try {
      const verdicts: CheckResult[] = [];
      others.onVerdicts((results) => void verdicts.push(...results));
      await eventually(() => expect(limited.isReady).toBe(true));
      others.dispatch([SHARD], [LOCATION]);
      await expect(limited.subscriber.subscribe('another')).rejects.toThrow('NOPERM');
      await admin.call('ACL', 'SETUSER', name, '&*');
      await eventually(async () => {
        others.dispatch([SHARD], [LOCATION]);
        const batch = JSON.stringify({ format: 1, items: [own(1)] });
        await admin.publish(`${space.prefix}:verdicts-${SHARD}`, batch);
        expect(verdicts).toContainEqual(own(1));
      });
    } finally {
      await others.close();
      limited.close();
      await admin.call('ACL', 'DELUSER', name);
    }
  });

  it('gives a shard away without Redis only once what was delivered of it is stored', async () => {
    let store!: () => void;
    const isStored = new Promise<void>((resolve) => (store = resolve));
    queue.onResults(() => isStored);
    await send({ format: 1, items: [own(1)] });
    await eventually(() => expect(received).toEqual([[own(1)]]));
    links.commands.disconnect();
    await eventually(() => expect(links.isReady).toBe(false));
    let isGiven = false;
    const given = queue.record([], [LOCATION]).then(() => (isGiven = true));
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(isGiven).toBe(false);
    store();
    await given;
    await links.commands.connect();
  });

  it('holds up verdicts while results wait for the database, but not while it is away', async () => {
    const HOUR = 3_600_000;
    let store!: () => void;
    const isStored = new Promise<void>((resolve) => (store = resolve));
    queue.onResults(([one]) => (one!.scheduledAt === 1 ? isStored : undefined));
    queue.dispatch([SHARD], [LOCATION]);
    await sent.add('results', { format: 1, items: [own(1)] }, { removeOnComplete: true, timestamp: Date.now() - HOUR });
    const isHeldUp = () => eventually(() => expect(queue.delayAt(LOCATION)).toBeGreaterThanOrEqual(HOUR));
    const isNotHeldUp = () => eventually(() => expect(queue.delayAt(LOCATION)).toBeLessThan(HOUR / 2));
    await isHeldUp();
    queue.noteRecording(false);
    await isNotHeldUp();
    expect(queue.waiting).toContainEqual(expect.objectContaining({ queue: 'results', batches: 1 }));
    queue.noteRecording(true);
    await send({ format: 1, items: [own(2)] });
    await isHeldUp();
    store();
    await isNotHeldUp();
  });

  it('is observed at every location, and that of checks only where checks are sent', async () => {
    await queue.record([SHARD], [LOCATION, 'disabled']);
    queue.dispatch([SHARD], [LOCATION]);
    await eventually(() => {
      const seen = queue.waiting.map((one) => `${one.queue} ${one.location}`);
      expect(seen.sort()).toEqual([`checks ${LOCATION}`, 'results disabled', `results ${LOCATION}`]);
    });
  });
});
