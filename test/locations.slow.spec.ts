import { execFile } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { promisify } from 'node:util';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { DAY_MS, HOUR_MS } from '../src/domain/durations.js';
import { shardOf } from '../src/domain/shard.js';
import { type LocationDto } from '../src/modules/locations/dto/location.dto.js';
import { Crew } from './support/crew.js';
import { eventually } from './support/eventually.js';
import { resultOf } from './support/history.js';
import { describeWithRedis } from './support/redis.js';
import { REDIS_URL } from './support/redis-space.js';
import { type ServiceProcess } from './support/service.js';

const COMMAND = new URL('../src/commands/location.js', import.meta.url).pathname;
const run = promisify(execFile);

let crew: Crew;
let admin: Redis;
beforeEach(async () => {
  crew = await Crew.open();
  admin = new Redis(REDIS_URL!);
});
afterEach(async () => {
  await admin.call('ACL', 'DELUSER', `${crew.space.prefix}-eu-west`);
  admin.disconnect();
  await crew.close();
});

/** Runs a command on locations as an operator does. */
async function location(...args: string[]): Promise<string> {
  const { PATH, HOME, TMPDIR } = process.env;
  const { stdout } = await run(process.execPath, [COMMAND, ...args], { env: { PATH, HOME, TMPDIR, ...crew.settings } });
  return stdout;
}

/** Creates the location eu-west and its user, as the command says. Returns the settings of its workers. */
async function createLocation(): Promise<Record<string, string>> {
  const printed = await location('create', 'eu-west', '--name', 'Amsterdam', '--country', 'NL');
  const [, acl] = /^(ACL SETUSER .*)$/m.exec(printed)!;
  const [name, ...args] = acl!.split(' ');
  await admin.call(name!, ...args);
  const settings: Record<string, string> = {};
  for (const [, key, value] of printed.matchAll(/^([A-Z_]+)=(.*)$/gm)) settings[key!] = value!;
  const { hostname, port } = new URL(REDIS_URL!);
  const address = settings
    .REDIS_URL!.replace('rediss:', 'redis:')
    .replace('redis:6379', `${hostname}:${port || 6_379}`);
  return { ...settings, REDIS_URL: address };
}

const shown = async (api: ServiceProcess): Promise<LocationDto> =>
  (await api.call<LocationDto>('GET', '/v1/locations/key:eu-west')).body;

/** Sends these as results of a worker at eu-west, and waits until its queue is empty. */
async function send(stolen: Redis, monitorId: string, items: readonly unknown[]): Promise<void> {
  const queue = new Queue(`results-eu-west-${shardOf(monitorId, 16)}`, {
    connection: stolen,
    prefix: crew.space.prefix,
    skipWaitingForReady: true,
    streams: { events: { maxLen: 10 } },
  });
  await queue.add('results', { format: 1, items }, { removeOnComplete: true });
  const none = { wait: 0, active: 0, failed: 0, delayed: 0 };
  await eventually(async () =>
    expect(await queue.getJobCounts('wait', 'active', 'failed', 'delayed')).toMatchObject(none),
  );
}

/** Sends what a stolen worker might: results of a monitor of another location, in its own name and in that of the other. */
async function forge(stolen: Redis, monitorId: string): Promise<void> {
  const at = Date.now();
  const results = ['eu-west', 'default'].map((location) => resultOf(monitorId, at, at, 'down', { location }));
  await send(stolen, monitorId, [...results, null, 'nonsense', {}]);
  const { rows } = await crew.client.query(
    `SELECT location, status FROM checks WHERE monitor_id = $1 AND (location = 'eu-west' OR status <> 'up')`,
    [monitorId],
  );
  expect(rows).toEqual([]);
}

/** Sends failures of a monitor of its own location, at times at which they cannot have been found. */
async function forgeTimes(stolen: Redis, monitorId: string): Promise<void> {
  const slot = Date.now() - 120_000;
  const failure = (scheduledAt: number, checkedAt: number): unknown =>
    resultOf(monitorId, scheduledAt, checkedAt, 'down', { location: 'eu-west' });
  const early = failure(slot, slot - HOUR_MS);
  const late = failure(slot + 500, slot + HOUR_MS);
  const impossible = [300 * DAY_MS, -4_000 * DAY_MS].map((ms) => failure(slot + ms, slot + ms));
  await send(stolen, monitorId, [early, late, ...impossible]);
  const { rows } = await crew.client.query(
    `SELECT scheduled_at AS at, status, error_code AS error FROM checks
     WHERE monitor_id = $1 AND location = 'eu-west' AND status <> 'up' ORDER BY 1`,
    [monitorId],
  );
  const unused = { status: 'unknown', error: 'checker_error' };
  expect(rows).toEqual([
    { at: new Date(slot), ...unused },
    { at: new Date(slot + 500), ...unused },
  ]);
}

describeWithRedis('a location', () => {
  it('is served by a worker that has only its settings, and whose Redis user sees only its queues', async () => {
    const api = await crew.start('api,notifier,dispatcher,recorder');
    await crew.start('worker');
    const settings = await createLocation();
    expect(settings).toMatchObject({ ROLES: 'worker', LOCATION: 'eu-west' });
    const [own] = await eventually(() => crew.createMonitors(api, 1, { locations: ['default', 'eu-west'] }));
    // The worker may be started before its user.
    await admin.call('ACL', 'SETUSER', `${crew.space.prefix}-eu-west`, 'off');
    const worker = await crew.start('worker', { ...settings, LOG_LEVEL: 'warn' });
    await eventually(() => expect(worker.log).toContain('WRONGPASS'));
    await admin.call('ACL', 'SETUSER', `${crew.space.prefix}-eu-west`, 'on');
    await crew.untilChecked('eu-west');
    // A worker that starts faster than its connection to Redis reports two seconds later.
    await eventually(async () =>
      expect(await shown(api)).toMatchObject({ status: 'ok', workers: [{ version: expect.any(String) }] }),
    );
    const definition = { name: 'trial', type: 'http', url: crew.target.url, locations: ['eu-west'] };
    const trial = await api.call('POST', '/v1/monitors/test', definition);
    expect(trial).toMatchObject({ status: 200, body: { status: 'up', location: 'eu-west' } });

    const stolen = new Redis(settings.REDIS_URL!);
    const { prefix } = crew.space;
    try {
      for (const key of [
        `${prefix}:checks-default:wait`,
        `${prefix}:results-default-0:wait`,
        `${prefix}:workers-default`,
      ]) {
        await expect(stolen.type(key)).rejects.toThrow(/NOPERM/);
      }
      for (const command of [
        ['KEYS', '*'],
        ['SCAN', '0'],
        ['FLUSHALL'],
        ['CONFIG', 'GET', '*'],
        ['ACL', 'LIST'],
        ['MONITOR'],
      ]) {
        await expect(stolen.call(command[0]!, ...command.slice(1))).rejects.toThrow(/NOPERM/);
      }
      await expect(stolen.subscribe(`${prefix}:verdicts-0`)).rejects.toThrow(/NOPERM/);
      expect(await stolen.exists(`${prefix}:workers-eu-west`)).toBe(1);
      const [elsewhere] = await crew.createMonitors(api, 1);
      await forge(stolen, elsewhere!);
      await forgeTimes(stolen, own!);
    } finally {
      stolen.disconnect();
    }
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(worker.log).not.toContain('NOPERM');
    await eventually(async () => expect(await shown(api)).toMatchObject({ status: 'offline', workers: [] }));
  }, 180_000);

  it('is drained while it is disabled, and removed once no monitor uses it', async () => {
    const api = await crew.start('api,notifier,dispatcher,recorder');
    await crew.start('worker');
    await crew.start('worker', await createLocation());
    const [id] = await eventually(() => crew.createMonitors(api, 1, { locations: ['default', 'eu-west'] }));
    await crew.untilChecked('eu-west');
    await expect(location('remove', 'eu-west')).rejects.toThrow('in use by 1 monitors');
    await location('update', 'eu-west', '--enabled', 'false');
    await eventually(async () => {
      const from = Date.now();
      await crew.untilChecked('default');
      expect(await crew.checksSince(from, 'eu-west')).toMatchObject({ least: 0 });
    });
    expect(await api.call('GET', `/v1/monitors/${id}`)).toMatchObject({ body: { status: 'up' } });
    await location('update', 'eu-west', '--enabled', 'true');
    await crew.untilChecked('eu-west');
    expect((await crew.client.query('SELECT 1 FROM incidents')).rows).toEqual([]);
    await api.call('PATCH', `/v1/monitors/${id}`, { locations: ['default'] });
    await location('remove', 'eu-west');
    expect(await location('list')).toBe('default  Default\n');
  }, 180_000);
});
