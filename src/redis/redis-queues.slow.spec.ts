import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { REDIS_PROGRAM, RedisServer } from '../../test/support/redis-server.js';
import { RedisLinks } from './redis-links.js';
import { RedisQueues } from './redis-queues.js';

const describeWithServer = REDIS_PROGRAM ? describe : describe.skip;

describeWithServer('a queue (needs redis-server or valkey-server)', () => {
  let server: RedisServer;
  let links: RedisLinks;
  let queues: RedisQueues;
  beforeEach(async () => {
    server = await RedisServer.make();
    links = new RedisLinks(server.url, 'own');
    queues = new RedisQueues(links, { prefix: 'test' });
    await eventually(() => expect(links.isReady).toBe(true));
  });
  afterEach(async () => {
    await queues.close();
    links.close();
    await server.remove();
  });

  it('is the same one whenever it is used', async () => {
    await queues.get('checks').add('one', {});
    await queues.get('checks').add('two', {});
    expect(await queues.get('checks').getWaitingCount()).toBe(2);
    expect(queues.get('checks')).toBe(queues.get('checks'));
  });

  it('works once Redis is back, even if it is first used while Redis is away', async () => {
    await server.kill();
    await expect(queues.get('checks').add('lost', {})).rejects.toThrow();
    await server.start();
    await eventually(() => queues.get('checks').add('kept', {}));
    expect(await queues.get('checks').getWaitingCount()).toBe(1);
  });

  it('works again after Redis was away', async () => {
    await queues.get('checks').add('lost', {});
    await server.kill();
    await server.start();
    await eventually(() => queues.get('checks').add('kept', {}));
  });
});
