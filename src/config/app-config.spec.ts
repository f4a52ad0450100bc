import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { type ConfigError, readConfig } from './app-config.js';
import { SETTINGS } from './settings.js';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

describe('the own servers', () => {
  it('are the database and Redis, if they have a network address', () => {
    const urls = {
      DATABASE_URL: 'postgresql://me@db.internal/daywatch',
      REDIS_URL: 'rediss://:secret@redis.internal:6380/1',
    };
    expect(readConfig(urls).ownServers).toEqual([
      { host: 'db.internal', port: 5_432 },
      { host: 'redis.internal', port: 6_380 },
    ]);
    expect(readConfig({ REDIS_URL: 'redis://127.0.0.1' }).ownServers).toEqual([{ host: '127.0.0.1', port: 6_379 }]);
    expect(readConfig({ DATABASE_URL: 'postgresql://me@/db?host=%2Ftmp' }).ownServers).toEqual([]);
    expect(readConfig({ DATABASE_URL: 'postgresql://%2Ftmp/db' }).ownServers).toEqual([]);
    expect(readConfig({}).withEmbedded('postgresql://me@localhost/db').ownServers).toEqual([]);
  });

  it.each([
    ['postgresql://me:secret@/db?host=10.0.0.5&port=6432', { host: '10.0.0.5', port: 6_432 }],
    ['postgresql://me@ignored:1/db?host=db.internal', { host: 'db.internal', port: 1 }],
    ['postgresql://me@[::1]:6432/db', { host: '[::1]', port: 6_432 }],
  ])('include the database of %s, as the driver reads it', (url, server) => {
    expect(readConfig({ DATABASE_URL: url }).ownServers).toEqual([server]);
    const { host, port } = new Client({ connectionString: url });
    expect({ host: host.replace(/^::1$/, '[::1]'), port }).toEqual(server);
  });

  it.each(['postgresql://me@/db', 'postgresql:///db'])('include the local server that %s means', (url) => {
    expect(readConfig({ DATABASE_URL: url }).ownServers).toEqual([{ host: 'localhost', port: 5_432 }]);
  });
});

describe('the own ports', () => {
  it('are those of the settings until the service listens', () => {
    expect([...readConfig({ PORT: '4000' }).ownPorts]).toEqual([4_000, 0]);
    expect([...readConfig({ PORT: '4000', METRICS_PORT: '4001' }).ownPorts]).toEqual([4_000, 4_001]);
    expect([...readConfig({ PORT: '0', METRICS_PORT: '0' }).with({ LOG_LEVEL: 'silent' }).ownPorts]).toEqual([0, 0]);
  });

  it('are those that the service listens on afterwards, in memory that threads share', () => {
    const config = readConfig({ PORT: '0', METRICS_PORT: '0' });
    const seen = new Uint32Array(structuredClone(config.ownPorts.buffer));
    config.listensOn('http://127.0.0.1:4000');
    config.metricsListenOn('http://[::1]:4001');
    expect([...seen]).toEqual([4_000, 4_001]);
    config.listensOn('http://127.0.0.1');
    expect([...seen]).toEqual([80, 4_001]);
  });
});

describe('readConfig', () => {
  it('has a default for every setting', () => {
    const config = readConfig({});
    expect(config.get('PORT')).toBe(3000);
    expect(config.get('DATA_DIR')).toBe(resolve('data'));
    expect(config.get('DATABASE_URL')).toBeNull();
    expect(config.get('ALLOW_PRIVATE_TARGETS')).toEqual([]);
    expect(config.get('ALLOW_PRIVATE_CHANNELS')).toEqual([]);
    expect(config.origin).toBe('http://127.0.0.1:3000');
  });

  it.each([
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://localhost:3000'],
    ['::1', 'http://[::1]:3000'],
    ['daywatch.internal', 'http://daywatch.internal:3000'],
  ])('has links to this machine while it does not listen on %s yet', (host, origin) => {
    expect(readConfig({ HOST: host }).origin).toBe(origin);
  });

  it.each<[string, string, unknown]>([
    ['PORT', '0', 0],
    ['ALLOW_PRIVATE_TARGETS', 'true', true],
    ['ALLOW_PRIVATE_TARGETS', '127.0.0.0/8, ::1/128', ['127.0.0.0/8', '::1/128']],
    ['ALLOW_PRIVATE_CHANNELS', '10.0.0.0/8', ['10.0.0.0/8']],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', 'loopback', 'loopback'],
    ['DATABASE_URL', 'postgresql://me@/db?host=%2Ftmp', 'postgresql://me@/db?host=%2Ftmp'],
    ['PUBLIC_URL', 'https://status.example.com/', 'https://status.example.com'],
    ['PUBLIC_URL', 'HTTPS://Status.Example.com:443', 'https://status.example.com'],
    ['METRICS_TOKEN', ' ', null],
    ['METRICS_PORT', '', null],
    ['METRICS_PORT', '0', 0],
    ['METRICS_PER_MONITOR', 'true', true],
    ['METRICS_PER_MONITOR', 'false', false],
    ['WATCHDOG_URL', 'https://hc-ping.com/0f3e', 'https://hc-ping.com/0f3e'],
    ['CANARY_TARGETS', '', []],
    [
      'CANARY_TARGETS',
      '192.0.2.1:443, One.example:53 ,[2001:DB8::1]:65535',
      [
        { host: '192.0.2.1', port: 443 },
        { host: 'one.example', port: 53 },
        { host: '2001:db8::1', port: 65_535 },
      ],
    ],
  ])('reads %s=%s', (name, text, value) => {
    expect(readConfig({ [name]: text }).get(name as keyof typeof SETTINGS)).toEqual(value);
  });

  it.each([
    ['ADMIN_EMAIL', 'nobody'],
    ['ADMIN_EMAIL', 'jo@example.com'],
    ['ADMIN_PASSWORD', 'alone and long enough'],
    ['PORT', '65536'],
    ['PORT', '1.5'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'https://example.com/?a=b'],
    ['PUBLIC_URL', 'https://example.com/#a'],
    ['PUBLIC_URL', 'https://jo:secret@example.com'],
    ['DATABASE_URL', 'mysql://localhost/db'],
    ['DATABASE_URL', 'postgresql://me:50%off@localhost/db'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'http://user:secret@localhost:6379'],
    ['REDIS_URL', 'redis://localhost/first'],
    ['REDIS_URL', 'redis://:50%off@localhost'],
    ['REDIS_PREFIX', 'a b'],
    ['ROLES', 'api,boss'],
    ['ROLES', 'api,api'],
    ['ROLES', 'api,dispatcher'],
    ['ROLES', 'worker,recorder'],
    ['LOCATION_KEY', 'short'],
    ['SHARDS', '0'],
    ['SECRET_KEY', 'short'],
    ['DATABASE_URL', 'postgresql://localhost:99999/db'],
    ['ALLOW_PRIVATE_TARGETS', 'yes'],
    ['ALLOW_PRIVATE_TARGETS', '10.0.0.0/99'],
    ['ALLOW_PRIVATE_CHANNELS', 'lan'],
    ['TRUST_PROXY', 'junk'],
    ['TRUST_PROXY', '10.0.0.0/8, 0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['WATCHDOG_URL', 'hc-ping.com/0f3e'],
    ['WATCHDOG_URL', 'ftp://hc-ping.com/0f3e'],
    ['WATCHDOG_URL', 'https://jo:secret@hc-ping.com/0f3e'],
    ['MIN_INTERVAL_SECONDS', '0'],
    ['RETENTION_DAYS', '1'],
    ['SPOOL_MAX_MB', '0'],
    ['SPOOL_MAX_MB', '1.5'],
    ['SPOOL_MAX_MB', '-1'],
    ['SPOOL_MAX_MB', '2000000'],
    ['METRICS_PORT', '65536'],
    ['METRICS_PORT', 'no'],
    ['METRICS_PORT', '3000'],
    ['METRICS_PER_MONITOR', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['CANARY_TARGETS', 'one.example'],
    ['CANARY_TARGETS', 'one.example:0'],
    ['CANARY_TARGETS', 'one.example:65536'],
    ['CANARY_TARGETS', 'https://one.example:443'],
    ['CANARY_TARGETS', '2001:db8::1:53'],
    ['CANARY_TARGETS', '[192.0.2.1]:53'],
    ['CANARY_TARGETS', 'one.example:53,'],
    ['CANARY_TARGETS', 'one.example:53,one.example:53'],
    ['CANARY_TARGETS', Array.from({ length: 11 }, (_, index) => `192.0.2.${index}:53`).join()],
  ])('rejects %s=%s without quoting secrets', (name, text) => {
    const faults = faultsOf({ [name]: text });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} `));
    if (name.includes('KEY') || name.includes('URL')) expect(faults[0]).not.toContain(text);
  });

  it.each([
    [{ ROLES: 'worker' }, /^ROLES .* without REDIS_URL$/],
    [{ ROLES: 'api,notifier' }, /^ROLES .* without DATABASE_URL$/],
    [{ ROLES: 'recorder', REDIS_URL: 'redis://localhost' }, /^ROLES .* without DATABASE_URL$/],
    [{ ROLES: 'worker', REDIS_URL: 'redis://localhost' }, /^LOCATION_KEY is required for a worker/],
    [{ ROLES: 'notifier', DATABASE_URL: 'postgresql://localhost/db' }, /^PUBLIC_URL is required for a notifier/],
  ])('rejects %j', (settings, message) => {
    expect(faultsOf(settings)).toEqual([expect.stringMatching(message)]);
  });

  it.each<Record<string, string>>([
    {},
    { ROLES: 'api', DATABASE_URL: 'postgresql://me:50%25off@localhost/db' },
    { ROLES: 'notifier', DATABASE_URL: 'postgresql://localhost/db', PUBLIC_URL: 'https://daywatch.example.com' },
    { ROLES: 'dispatcher, worker, recorder', DATABASE_URL: 'postgresql://localhost/db' },
    { ROLES: 'recorder', DATABASE_URL: 'postgresql://localhost/db', REDIS_URL: 'redis://localhost' },
    { ROLES: 'api,dispatcher,recorder,notifier', REDIS_URL: 'rediss://me:secret@localhost:6380/1' },
    { ROLES: 'worker', REDIS_URL: 'redis://localhost', LOCATION_KEY: 'k'.repeat(32) },
  ])('accepts %j', (settings) => {
    expect(faultsOf(settings)).toEqual([]);
  });

  it('names every wrong setting at once', () => {
    expect(faultsOf({ PORT: 'x', LOG_LEVEL: 'x', SECRET_KEY: 'x' })).toHaveLength(3);
  });

  it('names every invalid canary at once', () => {
    const [fault] = faultsOf({ CANARY_TARGETS: 'first, 192.0.2.1:443, second:' });
    expect(fault).toMatch(/invalid or repeated: "first", "second:"$/);
  });

  it('matches the settings table of the documentation', () => {
    const page = readFileSync('docs/configuration.md', 'utf8').replaceAll(/ +/g, ' ');
    for (const [name, setting] of Object.entries(SETTINGS)) {
      const value = setting.default === '' ? '' : `\`${setting.default}\``;
      expect(page).toContain(`| \`${name}\` | ${value} | ${setting.doc} |`.replaceAll(/ +/g, ' '));
    }
  });
});
