import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { locationKey } from '../src/modules/checks/job-secrets.service.js';
import { createTestDatabase } from './support/database.js';
import { eventually } from './support/eventually.js';
import { PATIENCE } from './support/patience.js';
import { describeWithRedis, REDIS_URL, RedisSpace } from './support/redis.js';
import { ServiceProcess } from './support/service.js';
import { startSteadyTarget, type SteadyTarget } from './support/steady-target.js';

const SECRET_KEY = 'k'.repeat(40);
const MONITORS = 40;
const WAIT_MS = 60_000;

interface Crew {
  api: ServiceProcess;
  others: Record<string, ServiceProcess>;
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let space: RedisSpace;
let dataDir: string;
let target: SteadyTarget;
let client: Client;
let running: ServiceProcess[] = [];

beforeEach(async () => {
  space = new RedisSpace();
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-roles-'));
  target = await startSteadyTarget();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await Promise.all(running.map((one) => one.end('SIGTERM')));
  running = [];
  await client?.end();
  await target.close();
  await database?.drop();
  await space.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(roles: string, settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const shared = {
    ROLES: roles,
    REDIS_URL: REDIS_URL!,
    REDIS_PREFIX: space.prefix,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  };
  const own: Record<string, string> =
    roles === 'worker'
      ? { LOCATION_KEY: locationKey(SECRET_KEY, 'default') }
      : { DATABASE_URL: database.url, SECRET_KEY, DATABASE_POOL: '4', MIN_INTERVAL_SECONDS: '1' };
  const one = await ServiceProcess.start(dataDir, { ...shared, ...own, ...settings });
  running.push(one);
  return one;
}

async function startAll(...roles: string[]): Promise<Crew> {
  const api = await start('api,notifier');
  const others = await Promise.all(roles.map(async (role, index) => [`${role} ${index}`, await start(role)] as const));
  return { api, others: Object.fromEntries(others) };
}

async function makeMonitors({ api }: Crew): Promise<void> {
  for (let number = 0; number < MONITORS; number += 1) {
    const made = await api.call('POST', '/v1/monitors', {
      name: `m${number}`,
      type: 'http',
      url: target.url,
      intervalSeconds: 1,
      timeoutMs: 1_000,
      // Secrets travel to the worker.
      headers: { Authorization: 'Bearer secret' },
    });
    expect(made.status).toBe(201);
  }
}

/** Numbers of scheduled checks since a time: of the monitor with the fewest, and those with this status. */
async function checksSince(since: number): Promise<{ least: number; down: number; twice: number }> {
  const { rows } = await client.query<{ least: number; down: number; twice: number }>(
    `SELECT coalesce(min(n), 0)::int AS least, coalesce(sum(down), 0)::int AS down, coalesce(sum(twice), 0)::int AS twice FROM (
       SELECT count(c.*) AS n, count(*) FILTER (WHERE c.status = 'down') AS down,
         count(c.*) - count(DISTINCT c.scheduled_at) AS twice
       FROM monitors m LEFT JOIN checks c ON c.monitor_id = m.id AND c.attempt = 0 AND c.checked_at > $1 GROUP BY m.id
     ) AS counts`,
    [new Date(since)],
  );
  const { least, down, twice } = rows[0]!;
  return { least, down, twice };
}

/** Waits until every monitor has been checked a few times from now on. */
async function untilChecked(withinMs = WAIT_MS): Promise<number> {
  const from = Date.now();
  await eventually(async () => expect((await checksSince(from)).least).toBeGreaterThanOrEqual(2), withinMs * PATIENCE);
  return Date.now() - from;
}

const leases = async (kind: string): Promise<string[]> =>
  (
    await client.query<{ holder: string }>(
      `SELECT DISTINCT holder FROM leases WHERE name LIKE $1 || '-%' AND expires_at > now() ORDER BY holder`,
      [kind],
    )
  ).rows.map(({ holder }) => holder);

describeWithRedis('processes that share the work', () => {
  it('check, record and answer with one process for each role', async () => {
    const crew = await startAll('dispatcher', 'worker', 'recorder');
    await makeMonitors(crew);
    await untilChecked();
    const checks = await crew.api.call<{ data: { id: string }[] }>('GET', '/v1/monitors?limit=1');
    const { id } = checks.body.data[0]!;
    const asked = await crew.api.call<{ status: string }>('POST', `/v1/monitors/${id}/checks?wait=true`);
    expect(asked).toMatchObject({ status: 200, body: { status: 'up' } });
    const definition = { name: 'trial', type: 'http', url: target.url };
    const trial = await crew.api.call('POST', '/v1/monitors/test', definition);
    expect(trial).toMatchObject({ status: 200, body: { status: 'up' } });
    const { hostname: host, port } = new URL(REDIS_URL!);
    const redis = { name: 'redis', type: 'tcp', host, port: Number(port) || 6_379 };
    expect(await crew.api.call('POST', '/v1/monitors/test', redis)).toMatchObject({
      status: 200,
      body: { status: 'down', error: { code: 'address_blocked' } },
    });
    expect(await checksSince(0)).toMatchObject({ down: 0, twice: 0 });
  }, 180_000);

  it('lose and repeat nothing when a worker, a dispatcher or a recorder is killed, or Redis is flushed', async () => {
    const crew = await startAll('dispatcher', 'dispatcher', 'worker', 'worker', 'recorder', 'recorder');
    await makeMonitors(crew);
    await untilChecked();
    await eventually(async () => {
      expect(await leases('dispatcher')).toHaveLength(2);
      expect(await leases('recorder')).toHaveLength(2);
    }, WAIT_MS);
    for (const [name, one] of Object.entries(crew.others).filter((_, index) => index % 2 === 0)) {
      await one.end('SIGKILL');
      await untilChecked();
      running = running.filter((other) => other !== one);
      expect({ name, ...(await checksSince(0)) }).toMatchObject({ down: 0, twice: 0 });
    }
    await space.flush();
    await untilChecked();
    expect(await checksSince(0)).toMatchObject({ down: 0, twice: 0 });
    const { rows } = await client.query(`SELECT 1 FROM incidents`);
    expect(rows).toEqual([]);
  }, 300_000);

  it('serve the API only where they have the role, and report a trial check that no worker runs', async () => {
    const [api, recorder] = [await start('api,notifier'), await start('recorder')];
    expect(await recorder.call('GET', '/v1/monitors')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await recorder.call('GET', '/readyz')).toMatchObject({ status: 200 });
    const definition = { name: 'trial', type: 'http', url: target.url, timeoutMs: 1_000 };
    const trial = await api.call('POST', '/v1/monitors/test', definition);
    expect(trial).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  }, 120_000);

  it('do not start with another number of shards than the first one', async () => {
    await start('api,notifier');
    await expect(start('recorder', { SHARDS: '8' })).rejects.toThrow('exit code 78');
  }, 120_000);
});

/** A port on which nothing listens. */
const NOBODY = 'redis://127.0.0.1:1';

describeWithRedis('a process without a Redis that responds', () => {
  it('serves the API, is not ready for checks, and stops', async () => {
    const one = await start('api,dispatcher,worker,recorder,notifier', { REDIS_URL: NOBODY });
    const made = await one.call('POST', '/v1/monitors', { name: 'm', type: 'http', url: target.url });
    expect(made.status).toBe(201);
    expect(await one.call('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { parts: expect.arrayContaining([expect.objectContaining({ name: 'redis', status: 'failing' })]) },
    });
    expect(await one.end('SIGTERM')).toBe(0);
  }, 120_000);
});
