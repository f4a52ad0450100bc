import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Crew, WAIT_MS } from './support/crew.js';
import { eventually } from './support/eventually.js';
import { linkTo } from './support/database-link.js';
import { METRICS_TOKEN, scrapeAt } from './support/metrics.js';
import { describeWithRedis } from './support/redis.js';
import { RedisServer } from './support/redis-server.js';
import { REDIS_URL } from './support/redis-space.js';
import { type ServiceProcess } from './support/service.js';

const MONITORS = 40;
/** Enough that a queue with all of them is longer than one with those of a few seconds. */
const MANY = 12_000;

let crew: Crew;
beforeEach(async () => {
  crew = await Crew.open();
});
afterEach(() => crew.close());

/** Starts a process for the API, and one for each of these roles. */
async function startAll(...roles: string[]): Promise<{ api: ServiceProcess; others: ServiceProcess[] }> {
  const api = await crew.start('api,notifier');
  return { api, others: await Promise.all(roles.map((role) => crew.start(role))) };
}

describeWithRedis('processes that share the work', () => {
  it('check, record and answer with one process for each role', async () => {
    const { api } = await startAll('dispatcher', 'worker', 'recorder');
    await crew.createMonitors(api, MONITORS);
    await crew.untilChecked();
    const checks = await api.call<{ data: { id: string }[] }>('GET', '/v1/monitors?limit=1');
    const { id } = checks.body.data[0]!;
    const asked = await api.call<{ status: string }>('POST', `/v1/monitors/${id}/checks?wait=true`);
    expect(asked).toMatchObject({ status: 200, body: { status: 'up' } });
    const definition = { name: 'trial', type: 'http', url: crew.target.url };
    const trial = await api.call('POST', '/v1/monitors/test', definition);
    expect(trial).toMatchObject({ status: 200, body: { status: 'up' } });
    const { hostname: host, port } = new URL(REDIS_URL!);
    const redis = { name: 'redis', type: 'tcp', host, port: Number(port) || 6_379 };
    expect(await api.call('POST', '/v1/monitors/test', redis)).toMatchObject({
      status: 200,
      body: { status: 'down', error: { code: 'address_blocked' } },
    });
    expect(await crew.checksSince(0)).toMatchObject({ down: 0, twice: 0 });
  }, 180_000);

  it('lose and repeat nothing when a worker, a dispatcher or a recorder is killed, or Redis is flushed', async () => {
    const roles = ['dispatcher', 'dispatcher', 'worker', 'worker', 'recorder', 'recorder'];
    const { api, others } = await startAll(...roles);
    await crew.createMonitors(api, MONITORS);
    await crew.untilChecked();
    await eventually(async () => {
      expect(await crew.holders('dispatcher')).toHaveLength(2);
      expect(await crew.holders('recorder')).toHaveLength(2);
    }, WAIT_MS);
    for (const index of [0, 2, 4]) {
      await crew.kill(others[index]!);
      await crew.untilChecked();
      expect({ role: roles[index], ...(await crew.checksSince(0)) }).toMatchObject({ down: 0, twice: 0 });
    }
    await crew.space.flush();
    await crew.untilChecked();
    expect(await crew.checksSince(0)).toMatchObject({ down: 0, twice: 0 });
    const { rows } = await crew.client.query(`SELECT 1 FROM incidents`);
    expect(rows).toEqual([]);
  }, 300_000);

  it('agree on the time of slots and checks, however wrong their system clocks are', async () => {
    const api = await crew.start('api,notifier');
    const wrong = ['dispatcher', 'worker', 'recorder', 'worker'].map((role, index) =>
      crew.start(role, { NODE_OPTIONS: clockAheadBy([-3_600_000, 600_000, 5_000, -600_000][index]!) }),
    );
    await Promise.all(wrong);
    const from = Date.now();
    await crew.createMonitors(api, MONITORS);
    await crew.untilChecked();
    const { rows } = await crew.client.query(
      `SELECT count(*) FILTER (WHERE status <> 'up')::int AS "notUp",
         count(*) FILTER (WHERE checked_at < scheduled_at)::int AS early,
         count(*) FILTER (WHERE checked_at NOT BETWEEN $1 AND clock_timestamp())::int AS elsewhere
       FROM checks WHERE attempt >= 0`,
      [new Date(from)],
    );
    expect(rows).toEqual([{ notUp: 0, early: 0, elsewhere: 0 }]);
  }, 180_000);

  it('record no absence over what was checked while the database was away', async () => {
    const link = await linkTo(crew.database.url);
    try {
      const api = await crew.start('api,notifier');
      await crew.start('worker');
      await crew.start('recorder', { DATABASE_URL: link.url });
      const dispatcher = await crew.start('dispatcher', { DATABASE_URL: link.url });
      await crew.createMonitors(api, MONITORS);
      await crew.untilChecked();
      await link.cut();
      const before = await crew.target.requests();
      await eventually(
        async () => expect(await crew.target.requests()).toBeGreaterThan(before + 6 * MONITORS),
        WAIT_MS,
      );
      await crew.kill(dispatcher);
      await eventually(async () => expect(await crew.holders('dispatcher')).toEqual([]), WAIT_MS);
      await link.restore();
      await crew.start('dispatcher');
      await crew.untilChecked();
    } finally {
      await link.cut();
    }
    // There is no absence at all if the successor starts so soon that it serves the slots in between late.
    expect(await crew.checksInAbsences()).toBe(0);
  }, 180_000);

  it('of two versions with different formats of jobs run side by side', async () => {
    const api = await crew.start('api,notifier');
    const later = { NODE_OPTIONS: laterFormat() };
    await crew.start('recorder', later);
    await crew.start('worker', later);
    const [worker, dispatcher] = [await crew.start('worker'), await crew.start('dispatcher')];
    await crew.createMonitors(api, MONITORS);
    await crew.untilChecked();
    await crew.start('dispatcher', later);
    await crew.untilChecked();
    expect(await dispatcher.end('SIGTERM')).toBe(0);
    // Now the other worker can read no batch.
    await crew.untilChecked();
    expect(await worker.end('SIGTERM')).toBe(0);
    await crew.untilChecked();
    expect(await crew.checksSince(0)).toMatchObject({ down: 0, twice: 0 });
  }, 240_000);

  it('do not fill the queue of a location whose workers are too slow, and check all of its monitors when they are not', async () => {
    const api = await crew.start('api,notifier');
    await crew.start('recorder');
    const more = { intervalSeconds: 10, headers: {} };
    const [id] = await crew.createMonitors(api, 1, more);
    await crew.copyMonitor(id!, MANY - 1);
    await crew.start('dispatcher');
    const waiting = async (): Promise<number> => crew.space.checksWaitingAt('default');
    await eventually(async () => expect(await waiting()).toBeGreaterThan(0.3 * MANY), WAIT_MS);
    // After this time, every monitor has become due.
    await delay(10_000);
    expect(await waiting()).toBeLessThan(0.7 * MANY);

    await crew.start('worker');
    await eventually(async () => expect((await crew.checksSince(0)).least).toBeGreaterThanOrEqual(1), 2 * WAIT_MS);
    expect(await crew.checksSince(0)).toMatchObject({ down: 0, twice: 0 });
  }, 240_000);

  it('serve the API only where they have the role, and report a trial check that no worker runs', async () => {
    const api = await crew.start('api,notifier');
    await crew.createMonitors(api, 1);
    const recorder = await crew.start('recorder');
    expect(await recorder.call('GET', '/v1/monitors')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await recorder.call('GET', '/readyz')).toMatchObject({ status: 200 });
    const setup = expect.stringContaining('Set up the application');
    expect(api.lines).toContainEqual(setup);
    expect(recorder.lines).not.toContainEqual(setup);
    expect(recorder.lines).not.toContainEqual(expect.stringContaining('Nobody is notified'));
    const definition = { name: 'trial', type: 'http', url: crew.target.url, timeoutMs: 1_000 };
    const trial = await api.call('POST', '/v1/monitors/test', definition);
    expect(trial).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  }, 120_000);

  it('export what each of them does, and what waits in the queues when a role is missing', async () => {
    const measured = { METRICS_TOKEN };
    const [api, dispatcher] = [await crew.start('api,notifier'), await crew.start('dispatcher', measured)];
    const recorders = [await crew.start('recorder', measured), await crew.start('recorder', measured)];
    const worker = await crew.start('worker', measured);
    await crew.createMonitors(api, MONITORS);
    await crew.untilChecked();
    const location = 'default';
    await eventually(async () => {
      const [dispatched, ...recorded] = await Promise.all(
        [dispatcher, ...recorders].map((one) => scrapeAt(one.origin)),
      );
      expect(dispatched!.value('daywatch_shards_held', { role: 'dispatcher' })).toBe(16);
      expect(dispatched!.value('daywatch_workers', { location })).toBe(1);
      expect(dispatched!.value('daywatch_location_lag_seconds', { location })).toBeGreaterThanOrEqual(0);
      expect(dispatched!.value('daywatch_queue_check_batches', { location })).toBeGreaterThanOrEqual(0);
      for (const one of recorded) {
        expect(one.value('daywatch_shards_held', { role: 'recorder' })).toBe(8);
        expect(one.samples('daywatch_queue_result_batches')).toHaveLength(8);
        expect(one.samples('daywatch_queue_delay_seconds', { queue: 'checks' })).toEqual([]);
        expect(one.samples('daywatch_workers')).toEqual([]);
      }
      const checks = recorded.map((one) =>
        one.value('daywatch_checks_total', { type: 'http', status: 'up', location }),
      );
      expect(Math.min(...checks)).toBeGreaterThan(0);
    }, WAIT_MS);

    // A worker exports what happens in it. Its results are counted where they are recorded.
    expect((await fetch(`${worker.origin}/metrics`)).status).toBe(401);
    const own = await scrapeAt(worker.origin);
    expect(own.value('daywatch_role_info', { role: 'worker' })).toBe(1);
    expect(own.value('daywatch_network_available')).toBe(1);
    expect(own.value('daywatch_event_loop_delay_seconds_count', { thread: 'probes-0' })).toBeGreaterThan(0);
    expect(own.value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(own.families.has('daywatch_checks_total')).toBe(false);

    await crew.kill(worker);
    await eventually(async () => {
      const seen = await scrapeAt(dispatcher.origin);
      expect(seen.value('daywatch_workers', { location })).toBe(0);
      expect(seen.value('daywatch_queue_check_batches', { location })).toBeGreaterThan(0);
      expect(seen.value('daywatch_queue_delay_seconds', { queue: 'checks', location })).toBeGreaterThan(2);
      expect(seen.value('daywatch_location_lag_seconds', { location })).toBeGreaterThan(2);
    }, WAIT_MS);

    // The dispatcher still sees what waits for a recorder when none is left.
    await Promise.all(recorders.map((one) => crew.kill(one)));
    expect((await fetch(`${(await crew.start('worker')).origin}/metrics`)).status).toBe(404);
    await eventually(async () => {
      const seen = await scrapeAt(dispatcher.origin);
      expect(seen.value('daywatch_queue_result_batches')).toBeGreaterThan(0);
      expect(seen.value('daywatch_queue_delay_seconds', { queue: 'results', location })).toBeGreaterThan(2);
    }, WAIT_MS);
  }, 240_000);

  it('take the shards of one that stops while it still finishes its checks', async () => {
    const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
    try {
      const stopping = await crew.start('api,dispatcher,worker,recorder,notifier');
      await crew.start('dispatcher,recorder');
      await crew.createMonitors(stopping, MONITORS);
      await crew.untilChecked();
      await eventually(async () => expect(await crew.holders('dispatcher')).toHaveLength(2), WAIT_MS);
      const isConnected = once(hanging, 'connection');
      const { port } = hanging.address() as AddressInfo;
      await crew.createMonitors(stopping, 1, {
        url: `http://127.0.0.1:${port}/`,
        intervalSeconds: 60,
        timeoutMs: 60_000,
      });
      await isConnected;
      let isRunning = true;
      const ended = stopping.end('SIGTERM').finally(() => (isRunning = false));
      await eventually(async () => expect(await crew.shardsHeld('dispatcher')).toEqual([16]), WAIT_MS);
      expect(isRunning).toBe(true);
      expect(await ended).toBe(0);
      await eventually(async () => expect(await crew.shardsHeld('recorder')).toEqual([16]), WAIT_MS);
    } finally {
      hanging.close();
    }
  }, 180_000);

  it('do not start with queues elsewhere in Redis than those that run', async () => {
    await crew.start('dispatcher');
    await eventually(async () => expect(await crew.holders('dispatcher')).toHaveLength(1), WAIT_MS);
    const database = new URL(REDIS_URL!);
    database.pathname = '/7';
    const elsewhere: Record<string, string>[] = [{ REDIS_PREFIX: 'another' }, { REDIS_URL: database.href }];
    for (const settings of elsewhere) {
      await expect(crew.start('recorder', settings)).rejects.toThrow('exit code 78');
    }
    await crew.start('recorder');
  }, 120_000);

  it('do not start with another number of shards than the first one', async () => {
    await crew.start('api,notifier');
    await expect(crew.start('recorder', { SHARDS: '8' })).rejects.toThrow('exit code 78');
  }, 120_000);
});

/** Returns Node options of a process whose system clock is ahead by this time; behind, if it is negative. */
function clockAheadBy(ms: number): string {
  return asImport(`const { now } = Date; Date.now = () => now() + ${ms};`);
}

/** Returns Node options of a process of a later version: it has the same code, but a later format of jobs. */
function laterFormat(): string {
  const hooks = `export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (!url.endsWith('/redis/job-format.js')) return loaded;
    const source = String(loaded.source).replace('FORMAT = 1', 'FORMAT = 2');
    if (source === String(loaded.source)) throw new Error('The format has changed.');
    return { ...loaded, source };
  }`;
  return asImport(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`);
}

const asUrl = (script: string): string => `data:text/javascript,${encodeURIComponent(script)}`;
const asImport = (script: string): string => `--import=${asUrl(script)}`;

/** A port on which nothing listens. */
const NOBODY = 'redis://127.0.0.1:1';

describeWithRedis('a process without a Redis that responds', () => {
  it('serves the API, is not ready for checks, and stops', async () => {
    const one = await crew.start('api,dispatcher,worker,recorder,notifier', { REDIS_URL: NOBODY });
    const made = await one.call('POST', '/v1/monitors', { name: 'm', type: 'http', url: crew.target.url });
    expect(made.status).toBe(201);
    expect(await one.call('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { parts: expect.arrayContaining([expect.objectContaining({ name: 'redis', status: 'failing' })]) },
    });
    expect(await one.end('SIGTERM')).toBe(0);
  }, 120_000);

  it('is not ready while Redis accepts no writes, reports the reason once, and checks again afterwards', async () => {
    const server = await RedisServer.make();
    try {
      const settings = { REDIS_URL: server.url, LOG_LEVEL: 'warn' };
      const one = await crew.start('api,dispatcher,worker,recorder,notifier', settings);
      await crew.createMonitors(one, MONITORS);
      await crew.untilChecked();
      await server.run('CONFIG', 'SET', 'maxmemory', '1');
      const part = { name: 'redis', status: 'failing', detail: 'Redis accepts no writes (OOM): see the log.' };
      await eventually(async () => {
        expect(await one.call('GET', '/readyz')).toMatchObject({
          status: 503,
          body: { parts: expect.arrayContaining([part]) },
        });
      });
      await server.run('CONFIG', 'SET', 'maxmemory', '0');
      await crew.untilChecked();
      expect(await crew.checksSince(0)).toMatchObject({ down: 0, twice: 0 });
      expect(one.log.split('\n').filter((line) => line.includes('OOM'))).toHaveLength(1);
      expect(one.log).not.toContain('could not queue');
    } finally {
      await server.remove();
    }
  }, 120_000);

  it('ends with exit code 78 if Redis refuses its login, unless it serves only what needs no Redis', async () => {
    const url = new URL(REDIS_URL!);
    [url.username, url.password] = ['nobody', 'wrong'];
    const settings = { REDIS_URL: url.href };
    const api = await crew.start('api,notifier', settings);
    const worker = await crew.start('worker', settings);
    expect(await worker.ended()).toBe(78);
    await eventually(() => expect(worker.log).toContain('WRONGPASS'));
    // It started before the worker.
    expect(await api.call('GET', '/readyz')).toMatchObject({
      status: 200,
      body: { parts: expect.arrayContaining([expect.objectContaining({ name: 'redis', status: 'warning' })]) },
    });
  }, 180_000);
});
