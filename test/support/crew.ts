import { expect } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { locationKey } from '../../src/modules/checks/job-secrets.service.js';
import { createTestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { PATIENCE } from './patience.js';
import { REDIS_URL, RedisSpace } from './redis-space.js';
import { ServiceProcess } from './service.js';
import { startSteadyTarget, type SteadyTarget } from './steady-target.js';

export const SECRET_KEY = 'k'.repeat(40);
export const WAIT_MS = 60_000;

/** Counts of scheduled checks: of the monitor with the fewest, failed ones, and those recorded twice. */
export interface CheckCounts {
  least: number;
  down: number;
  twice: number;
}

/** Processes of the service that share a database and a Redis, and a target that always responds. */
export class Crew {
  private running: ServiceProcess[] = [];

  private constructor(
    readonly space: RedisSpace,
    readonly database: Awaited<ReturnType<typeof createTestDatabase>>,
    readonly dataDir: string,
    readonly target: SteadyTarget,
    readonly client: Client,
  ) {}

  static async open(): Promise<Crew> {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-roles-'));
    return new Crew(new RedisSpace(), database, dataDir, await startSteadyTarget(), client);
  }

  /** Ends all processes, and removes what they stored. */
  async close(): Promise<void> {
    await Promise.all(this.running.map((one) => one.end('SIGTERM')));
    await this.client.end();
    await this.target.close();
    await this.database.drop();
    await this.space.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Settings with which a command or a process uses the database. */
  get settings(): Record<string, string> {
    return {
      ...{ DATABASE_URL: this.database.url, SECRET_KEY, DATABASE_POOL: '4', MIN_INTERVAL_SECONDS: '1' },
      ...{ DATA_DIR: this.dataDir, REDIS_PREFIX: this.space.prefix, REDIS_URL: REDIS_URL! },
    };
  }

  /** Starts a process with these roles. A worker gets neither the database nor `SECRET_KEY`. */
  async start(roles: string, settings: Record<string, string> = {}): Promise<ServiceProcess> {
    const { REDIS_PREFIX, ...others } = this.settings;
    const shared = {
      ROLES: roles,
      REDIS_URL: REDIS_URL!,
      REDIS_PREFIX: REDIS_PREFIX!,
      ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    };
    const own: Record<string, string> =
      roles === 'worker' ? { LOCATION_KEY: locationKey(SECRET_KEY, settings.LOCATION ?? 'default') } : others;
    const one = await ServiceProcess.start(this.dataDir, { ...own, ...shared, ...settings });
    this.running.push(one);
    return one;
  }

  /** Kills a process. */
  async kill(one: ServiceProcess): Promise<void> {
    await one.end('SIGKILL');
    this.running = this.running.filter((other) => other !== one);
  }

  /** Creates monitors of the target that are checked every second. Their secrets travel to the workers. */
  async createMonitors(api: ServiceProcess, count: number, more: Record<string, unknown> = {}): Promise<string[]> {
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const definition = {
        ...{ name: `m${number}`, type: 'http', url: this.target.url, intervalSeconds: 1, timeoutMs: 1_000 },
        ...{ headers: { Authorization: 'Bearer secret' }, ...more },
      };
      const made = await api.call<{ id: string }>('POST', '/v1/monitors', definition);
      if (made.status !== 201) throw new Error(`could not create a monitor: ${JSON.stringify(made.body)}`);
      ids.push(made.body.id);
    }
    return ids;
  }

  /** Copies a monitor in the database, because as many requests would take too long. */
  async copyMonitor(id: string, copies: number): Promise<void> {
    await this.client.query(
      `INSERT INTO monitors SELECT r.* FROM monitors m CROSS JOIN unnest($2::uuid[]) AS copy (id)
       CROSS JOIN LATERAL jsonb_populate_record(m, jsonb_build_object('id', copy.id)) AS r WHERE m.id = $1`,
      [id, Array.from({ length: copies }, () => uuidv7())],
    );
    for (const table of ['monitor_states', 'monitor_schedules']) {
      await this.client.query(
        `INSERT INTO ${table} SELECT r.* FROM ${table} t CROSS JOIN monitors m
         CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('monitor_id', m.id)) AS r
         WHERE t.monitor_id = $1 AND NOT EXISTS (SELECT FROM ${table} o WHERE o.monitor_id = m.id)`,
        [id],
      );
    }
  }

  async checksSince(since: number, location = 'default'): Promise<CheckCounts> {
    const { rows } = await this.client.query<CheckCounts>(
      `SELECT coalesce(min(n), 0)::int AS least, coalesce(sum(down), 0)::int AS down, coalesce(sum(twice), 0)::int AS twice FROM (
         SELECT count(c.*) AS n, count(*) FILTER (WHERE c.status = 'down') AS down,
           count(c.*) - count(DISTINCT c.scheduled_at) AS twice
         FROM monitors m LEFT JOIN checks c
           ON c.monitor_id = m.id AND c.attempt = 0 AND c.checked_at > $1 AND c.location = $2
         WHERE $2 = ANY(m.locations) GROUP BY m.id
       ) AS counts`,
      [new Date(since), location],
    );
    return rows[0]!;
  }

  /** Returns how many checks were made at times of which absences say that nobody made any. */
  async checksInAbsences(): Promise<number> {
    const { rows } = await this.client.query<{ checked: number }>(
      `SELECT count(*)::int AS checked FROM spans s JOIN checks c
         ON c.attempt = 0 AND shard_of(c.monitor_id, s.shards) = s.shard
           AND c.scheduled_at > s.starts_at AND c.scheduled_at < s.ends_at
       WHERE s.kind = 'absence'`,
    );
    return rows[0]!.checked;
  }

  /** Waits until every monitor of a location has been checked there a few times from now on. */
  async untilChecked(location = 'default'): Promise<void> {
    const from = Date.now();
    await eventually(
      async () => expect((await this.checksSince(from, location)).least).toBeGreaterThanOrEqual(2),
      WAIT_MS * PATIENCE,
    );
  }

  /** Returns who holds leases of this kind. */
  async holders(kind: string): Promise<string[]> {
    const { rows } = await this.client.query<{ holder: string }>(
      `SELECT DISTINCT holder FROM leases WHERE name LIKE $1 || '-%' AND expires_at > now() ORDER BY holder`,
      [kind],
    );
    return rows.map(({ holder }) => holder);
  }

  /** Returns how many leases of this kind each of their holders has. */
  async shardsHeld(kind: string): Promise<number[]> {
    const { rows } = await this.client.query<{ held: number }>(
      `SELECT count(*)::int AS held FROM leases WHERE name LIKE $1 || '-%' AND expires_at > now() GROUP BY holder`,
      [kind],
    );
    return rows.map(({ held }) => held);
  }
}
