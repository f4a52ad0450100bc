import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { createTestDatabase } from './support/database.js';
import { eventually } from './support/eventually.js';
import { PATIENCE } from './support/patience.js';
import { ServiceProcess } from './support/service.js';
import { startSteadyTarget, type SteadyTarget } from './support/steady-target.js';

const POLL_MS = 200;
/** The documented limit, extended for busy machines. */
const TAKEN_OVER_WITHIN_MS = 6_000 * PATIENCE;
/** The documented limit of `lastUsedAt`, with a margin for the query. */
const LAST_USE_SHOWN_WITHIN_MS = 30_000 + 10_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let target: SteadyTarget;
let client: Client;
let first: ServiceProcess;
let second: ServiceProcess;
/** A key created on the first process, and used once on the second. */
let used: { id: string; at: number };

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-pair-'));
  target = await startSteadyTarget();
  client = new Client({ connectionString: database.url });
  await client.connect();
  const settings = {
    DATABASE_URL: database.url,
    SECRET_KEY: 'k'.repeat(40),
    DATABASE_POOL: '4',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    MIN_INTERVAL_SECONDS: '1',
  };
  first = await ServiceProcess.start(dataDir, settings);
  second = await ServiceProcess.start(dataDir, settings);
  const made = await first.call<{ id: string; secret: string }>('POST', '/v1/api-keys', {
    name: 'k',
    scopes: ['read'],
  });
  used = { id: made.body.id, at: Date.now() };
  const authorization = `Bearer ${made.body.secret}`;
  expect((await second.call('GET', '/v1/monitors', undefined, { authorization })).status).toBe(200);
}, 90_000);

afterAll(async () => {
  await first?.end('SIGKILL');
  await second?.end('SIGTERM');
  await client?.end();
  await target.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const holder = async (): Promise<{ holder: string; epoch: number }> =>
  (await client.query<{ holder: string; epoch: number }>('SELECT holder, epoch FROM leases')).rows[0]!;

const checksSince = async (time: Date): Promise<number> =>
  (await client.query('SELECT 1 FROM checks WHERE checked_at > $1', [time])).rowCount ?? 0;

async function until(condition: () => Promise<boolean>, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; !(await condition()); await delay(POLL_MS)) {
    if (performance.now() > end) throw new Error(`Condition not met within ${withinMs} ms: ${condition.toString()}`);
  }
}

describe('two processes on one database', () => {
  it('both serve the API; one dispatches, and the other takes over when it dies', async () => {
    const made = await second.call<{ id: string }>('POST', '/v1/monitors', {
      name: 'watched',
      type: 'http',
      url: target.url,
      intervalSeconds: 1,
      timeoutMs: 1_000,
    });
    expect(made.status).toBe(201);
    // Created on the second, checked by the first, visible on both.
    await until(async () => (await checksSince(new Date(0))) >= 3, 30_000);
    const seen = await first.call<{ data: unknown[] }>('GET', `/v1/monitors/${made.body.id}/checks`);
    expect(seen.body.data.length).toBeGreaterThanOrEqual(3);

    const before = await holder();
    await first.end('SIGKILL');
    const killedAt = new Date();
    await until(async () => (await holder()).epoch === before.epoch + 1, TAKEN_OVER_WITHIN_MS);
    expect((await holder()).holder).not.toBe(before.holder);
    const takenOverAt = new Date();
    await until(async () => (await checksSince(takenOverAt)) >= 2, 30_000);

    const absence = await client.query<{ starts_at: Date; ends_at: Date }>(
      `SELECT starts_at, ends_at FROM spans WHERE kind = 'absence'`,
    );
    expect(absence.rows).toHaveLength(1);
    expect(absence.rows[0]!.starts_at.getTime()).toBeLessThanOrEqual(killedAt.getTime());
    expect(absence.rows[0]!.ends_at.getTime()).toBeGreaterThan(killedAt.getTime());
    const uptime = await second.call<{ totals: Record<string, number> }>(
      'GET',
      `/v1/monitors/${made.body.id}/uptime?days=2`,
    );
    expect(uptime.body.totals.downSeconds).toBe(0);
    expect(uptime.body.totals.unknownSeconds).toBeGreaterThan(2);
    const twice = await client.query(
      `SELECT 1 FROM checks WHERE attempt = 0 GROUP BY monitor_id, scheduled_at, location HAVING count(*) > 1`,
    );
    expect(twice.rows).toEqual([]);
  }, 90_000);

  // The last test, so that most of the wait is already over.
  it('report the last use of a key within 30 s, on whichever process it was used', async () => {
    const { lastUsedAt } = await eventually(
      async () => {
        const { body } = await second.call<{ lastUsedAt: string | null }>('GET', `/v1/api-keys/${used.id}`);
        expect(body.lastUsedAt).not.toBeNull();
        return body;
      },
      LAST_USE_SHOWN_WITHIN_MS - (Date.now() - used.at),
    );
    expect(Date.parse(lastUsedAt!)).toBeGreaterThanOrEqual(used.at);
  }, 60_000);
});
