import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { connect } from 'node:net';
import { eventually } from '../../test/support/eventually.js';
import { PATIENCE } from '../../test/support/patience.js';
import { REDIS_PROGRAM, RedisServer } from '../../test/support/redis-server.js';
import { type Relay, startRelay } from '../../test/support/relay.js';
import { RedisLinks } from './redis-links.js';

const WAIT_MS = 40_000 * PATIENCE;
const describeWithServer = REDIS_PROGRAM ? describe : describe.skip;

describeWithServer('the connections to Redis (needs redis-server or valkey-server)', () => {
  let server: RedisServer;
  let relay: Relay;
  let links: RedisLinks;
  beforeEach(async () => {
    Logger.overrideLogger(false);
    server = await RedisServer.make();
    relay = await startRelay(() => connect(server.port, '127.0.0.1'));
    links = new RedisLinks(`redis://127.0.0.1:${relay.port}`);
    await eventually(() => expect(links.isReady).toBe(true));
  });
  afterEach(async () => {
    links?.close();
    await relay?.cut();
    await server?.remove();
  });

  it('are replaced if the server is gone without closing them', async () => {
    const heard: string[] = [];
    links.subscriber.on('message', (_, text: string) => heard.push(text));
    await links.subscriber.subscribe('news');
    relay.swallow();
    const lost = links.commands.get('key');
    await expect(lost).rejects.toThrow();
    expect(links.isReady).toBe(false);
    relay.carry();
    await eventually(() => expect(links.isReady).toBe(true), WAIT_MS);
    await links.consumers.set('key', 'value');
    await eventually(async () => {
      await links.commands.publish('news', 'back');
      expect(heard).toContain('back');
    }, WAIT_MS);
  });
});
