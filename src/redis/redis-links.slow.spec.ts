import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { mkdir, rmdir } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { makeCertificate } from '../../test/support/certificates.js';
import { eventually } from '../../test/support/eventually.js';
import { PATIENCE } from '../../test/support/patience.js';
import { REDIS_PROGRAM, RedisServer } from '../../test/support/redis-server.js';
import { type Relay, startRelay } from '../../test/support/relay.js';
import { RedisLinks } from './redis-links.js';

const WAIT_MS = 40_000 * PATIENCE;
const describeWithServer = REDIS_PROGRAM ? describe : describe.skip;

let server: RedisServer;
let links: RedisLinks;
let logged: string[];
beforeEach(async () => {
  logged = [];
  const take = (message: string): void => void logged.push(message);
  const ignore = (): void => undefined;
  Logger.overrideLogger({ log: take, warn: take, error: take, debug: ignore });
  server = await RedisServer.make();
});
afterEach(async () => {
  links?.close();
  await server?.remove();
});

describeWithServer('the connections to Redis (needs redis-server or valkey-server)', () => {
  let relay: Relay;
  beforeEach(async () => {
    relay = await startRelay(() => connect(server.port, '127.0.0.1'));
    links = new RedisLinks(`redis://127.0.0.1:${relay.port}`, 'own');
    await eventually(() => expect(links.isReady).toBe(true));
  });
  afterEach(() => relay?.cut());

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

describeWithServer('a Redis that answers, but accepts no writes (needs redis-server or valkey-server)', () => {
  const config = (name: string, value: string): Promise<unknown> => server.run('CONFIG', 'SET', name, value);
  const dumpAt = async (): Promise<string> => {
    const [, folder] = (await server.run('CONFIG', 'GET', 'dir')) as string[];
    return join(folder!, 'dump.rdb');
  };

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['OOM', () => config('maxmemory', '1'), () => config('maxmemory', '0')],
    ['READONLY', () => server.run('REPLICAOF', '127.0.0.1', '1'), () => server.run('REPLICAOF', 'NO', 'ONE')],
    ['NOREPLICAS', () => config('min-replicas-to-write', '1'), () => config('min-replicas-to-write', '0')],
    [
      'MISCONF',
      async () => {
        await mkdir(await dumpAt());
        await config('save', '3600 1');
        await server.run('BGSAVE');
        await eventually(async () => {
          expect(await server.run('INFO', 'persistence')).toContain('rdb_last_bgsave_status:err');
        });
      },
      async () => {
        await rmdir(await dumpAt());
        await server.run('SAVE');
      },
    ],
  ])('is unavailable, which is reported once, until it accepts them again: %s', async (kind, begin, end) => {
    links = new RedisLinks(server.url, 'own');
    let isGivenUp = false;
    void links.refused.then(() => (isGivenUp = true));
    await eventually(() => expect(links.isReady).toBe(true));
    await begin();
    await expect(links.commands.set('key', 'value')).rejects.toThrow(kind);
    expect(links.isReady).toBe(false);
    await eventually(async () => expect(await links.commands.get('key')).toBeNull());
    expect(links.fault).toBe(`Redis accepts no writes (${kind}): see the log.`);
    await expect(links.commands.set('key', 'value')).rejects.toThrow();
    await end();
    await eventually(() => expect(links.fault).toBeNull(), WAIT_MS);
    await links.commands.set('key', 'value');
    expect(isGivenUp).toBe(false);
    expect(logged.filter((line) => line.startsWith('cannot use Redis'))).toEqual([
      expect.stringContaining(`cannot use Redis: ${kind} `),
    ]);
    expect(logged.slice(-2)).toEqual([
      'Redis is unavailable: checks are delayed until it is back',
      'Redis is available again',
    ]);
  });

  it('is noticed although nothing is written', async () => {
    links = new RedisLinks(server.url, 'own');
    await eventually(() => expect(links.isReady).toBe(true));
    await config('maxmemory', '1');
    await eventually(() => expect(links.isReady).toBe(false));
    expect(await server.run('EXISTS', 'own')).toBe(0);
  });

  it('is left for the server that has taken its name', async () => {
    const successor = await RedisServer.make();
    let { port } = server;
    const relay = await startRelay(() => connect(port, '127.0.0.1'));
    try {
      links = new RedisLinks(`redis://127.0.0.1:${relay.port}`, 'own');
      await eventually(() => expect(links.isReady).toBe(true));
      await server.run('REPLICAOF', '127.0.0.1', String(successor.port));
      await eventually(() => expect(links.isReady).toBe(false));
      ({ port } = successor);
      await eventually(() => expect(links.isReady).toBe(true), WAIT_MS);
      await eventually(() => links.consumers.set('key', 'value'), WAIT_MS);
      expect(await successor.run('GET', 'key')).toBe('value');
    } finally {
      await relay.cut();
      await successor.remove();
    }
  });
});

describeWithServer('a Redis that refuses this process (needs redis-server or valkey-server)', () => {
  /** More than are necessary to give up. Each of the three connections makes them. */
  const MANY_LOGINS = 3 * 40;
  const open = (user: string): void => {
    links = new RedisLinks(server.url.replace('//', `//${user}:secret@`), 'own');
  };
  const setUser = (...rules: string[]): Promise<unknown> => server.run('ACL', 'SETUSER', 'me', 'reset', 'on', ...rules);
  const refusals = (kind: string): string[] => logged.filter((line) => line.startsWith(`cannot use Redis: ${kind}`));
  /** Returns how many logins the server has refused. */
  const refusedLogins = async (): Promise<number> => {
    const entries = (await server.run('ACL', 'LOG')) as unknown[][];
    const counts = entries.map((entry) => Number(entry[entry.indexOf('count') + 1]));
    return counts.reduce((sum, count) => sum + count, 0);
  };

  it('is reported once with the reason, and given up after many attempts', async () => {
    open('nobody');
    expect(await links.refused).toMatch(/^WRONGPASS /);
    expect(links.isReady).toBe(false);
    expect(refusals('WRONGPASS')).toHaveLength(1);
    expect(logged.filter((line) => line.startsWith('Redis is unavailable'))).toHaveLength(1);
  });

  it('is not given up if it has accepted this process before, and is used again once it accepts it', async () => {
    await setUser('>secret', '~own', '+@all');
    open('me');
    let isGivenUp = false;
    void links.refused.then(() => (isGivenUp = true));
    await eventually(() => expect(links.isReady).toBe(true));
    await eventually(() => links.commands.get('own'));
    // A new password closes no connections.
    await setUser('>other', '~own', '+@all');
    await server.run('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await eventually(async () => expect(await refusedLogins()).toBeGreaterThan(MANY_LOGINS), WAIT_MS);
    expect({ isReady: links.isReady, isGivenUp }).toEqual({ isReady: false, isGivenUp: false });
    expect(refusals('WRONGPASS')).toHaveLength(1);
    await setUser('>secret', '~own', '+@all');
    await eventually(() => expect(links.isReady).toBe(true));
    expect(logged).toContain('Redis is available again');
  });

  it('is noticed even if only the keys of this process are refused, until its user may use them', async () => {
    await setUser('>secret', '~other', '+@all');
    open('me');
    await eventually(() => expect(refusals('NOPERM')).toHaveLength(1));
    expect(links.isReady).toBe(false);
    await setUser('>secret', '~own', '+@all');
    await eventually(() => expect(links.isReady).toBe(true));
    expect(refusals('NOPERM')).toHaveLength(1);
  });

  it('is noticed if its certificate is not trusted', async () => {
    const now = Date.now();
    const secured = createServer(makeCertificate('redis.example', now - 60_000, now + 3_600_000));
    secured.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(secured, 'listening');
    try {
      links = new RedisLinks(`rediss://127.0.0.1:${(secured.address() as AddressInfo).port}`, 'own');
      await eventually(() => expect(refusals('self-signed certificate')).toHaveLength(1));
    } finally {
      secured.close();
    }
  });
});
