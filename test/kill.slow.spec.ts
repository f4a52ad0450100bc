import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { stopOrphan } from '../src/database/embedded/running-server.js';
import { ServiceProcess } from './support/service.js';
import { startSteadyTarget, type SteadyTarget } from './support/steady-target.js';

/** Number of kills. More of them take longer and find more: `KILLS=10`. */
const KILLS = Number(process.env.KILLS ?? 3);
const MONITORS = 100;
/** Random time between two kills, so that kills occur in every phase of the work. */
const LIFE_MS = { least: 1_500, most: 3_500 };
const SETTINGS = { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', MIN_INTERVAL_SECONDS: '1' };

let dataDir: string;
let target: SteadyTarget;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-kill-'));
  // The unprivileged user of the database server must be able to traverse this folder.
  // Otherwise the cluster is created elsewhere and not removed.
  await chmod(dataDir, 0o711);
  target = await startSteadyTarget();
});

afterAll(async () => {
  await service?.end('SIGKILL');
  await stopOrphan(dataDir);
  await target.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

describe('a service killed with SIGKILL while it checks 100 monitors per second', () => {
  it(`loses and duplicates nothing in ${KILLS} kills, and reports the time between as unknown`, async () => {
    const acknowledged = new Map<string, string>();
    const seen = new Map<string, Set<string>>();
    const outages: { from: number; to: number }[] = [];

    service = await ServiceProcess.start(dataDir, SETTINGS);
    const ids: string[] = [];
    for (let number = 0; number < MONITORS; number += 1) {
      const made = await service.call<{ id: string }>('POST', '/v1/monitors', {
        name: `monitor ${number}`,
        type: 'http',
        url: target.url,
        intervalSeconds: 1,
        timeoutMs: 1_000,
      });
      expect(made.status).toBe(201);
      ids.push(made.body.id);
    }

    for (let kill = 0; kill < KILLS; kill += 1) {
      const until = performance.now() + LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least);
      const work = keepWorking(service, ids, acknowledged, seen);
      await delay(until - performance.now());
      const from = Date.now();
      await service.end('SIGKILL');
      await work;
      service = await ServiceProcess.start(dataDir, SETTINGS);
      outages.push({ from, to: Date.now() });
      await expectAllThere(service, acknowledged, seen);
    }

    await service.end('SIGTERM');
    await expectCountedOnce();
    service = await ServiceProcess.start(dataDir, SETTINGS);
    const away = outages.reduce((sum, { from, to }) => sum + (to - from), 0) / 1_000;
    for (const id of ids) {
      const { body } = await service.call<{ totals: Record<string, number>; days: Record<string, number>[] }>(
        ...(['GET', `/v1/monitors/${id}/uptime?days=2`] as const),
      );
      const failed = await service.call<Page<object>>('GET', `/v1/monitors/${id}/checks?status=down&limit=1000`);
      expect(failed.body.data).toEqual([]);
      expect(body.totals.downSeconds).toBe(0);
      expect(body.totals.unknownSeconds).toBeGreaterThanOrEqual(away);
    }
    expect([...seen.values()].reduce((sum, one) => sum + one.size, 0)).toBeGreaterThan(MONITORS);
  }, 300_000);
});

/** Writes and reads until the service is gone, and records every response. */
async function keepWorking(
  running: ServiceProcess,
  ids: readonly string[],
  acknowledged: Map<string, string>,
  seen: Map<string, Set<string>>,
): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const id = ids[turn % ids.length]!;
    const name = `written ${turn} at ${Date.now()}`;
    try {
      const made = await running.call<{ id: string }>('POST', '/v1/monitors', {
        name,
        type: 'http',
        url: target.url,
        paused: true,
      });
      if (made.status === 201) acknowledged.set(made.body.id, name);
      const checks = await running.call<Page<{ id: string }>>('GET', `/v1/monitors/${id}/checks?limit=20`);
      const known = seen.get(id) ?? new Set();
      for (const check of checks.body.data) known.add(check.id);
      seen.set(id, known);
    } catch {
      return;
    }
  }
}

async function expectAllThere(
  running: ServiceProcess,
  acknowledged: ReadonlyMap<string, string>,
  seen: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const names = new Map<string, string>();
  for (let path: string | null = '/v1/monitors?limit=200'; path !== null;) {
    const { body }: { body: Page<{ id: string; name: string }> } = await running.call('GET', path);
    for (const monitor of body.data) names.set(monitor.id, monitor.name);
    path = body.nextCursor && `/v1/monitors?limit=200&cursor=${body.nextCursor}`;
  }
  expect([...acknowledged].filter(([id, name]) => names.get(id) !== name)).toEqual([]);
  for (const [id, known] of seen) {
    const { body } = await running.call<Page<{ id: string }>>('GET', `/v1/monitors/${id}/checks?limit=1000`);
    const there = new Set(body.data.map((check) => check.id));
    expect([...known].filter((check) => !there.has(check))).toEqual([]);
    expect(there.size).toBe(body.data.length);
  }
}

/** Asserts that the daily roll-ups match the rows, and that each slot has only one row. */
async function expectCountedOnce(): Promise<void> {
  const server = await EmbeddedPostgres.start({ dataDir });
  const client = new Client({ ...server.connection });
  try {
    await client.connect();
    const differing = await client.query(
      `SELECT monitor_id FROM
         (SELECT monitor_id, sum(checks_total) AS counted FROM daily_rollups GROUP BY 1) r
       FULL JOIN (SELECT monitor_id, count(*) AS rows FROM checks WHERE attempt = 0 GROUP BY 1) c
         USING (monitor_id) WHERE counted IS DISTINCT FROM rows`,
    );
    expect(differing.rows).toEqual([]);
    const twice = await client.query(
      `SELECT monitor_id FROM checks WHERE attempt = 0
       GROUP BY monitor_id, scheduled_at, location HAVING count(*) > 1`,
    );
    expect(twice.rows).toEqual([]);
  } finally {
    await client.end();
    await server.stop();
  }
}
