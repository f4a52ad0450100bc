import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { nextSlotAfter, phaseMs } from '../src/domain/schedule.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { createTestDatabase } from './support/database.js';
import { eventually } from './support/eventually.js';
import { ServiceProcess } from './support/service.js';
import { startSteadyTarget, type SteadyTarget } from './support/steady-target.js';

const AWAY_MS = 3_500;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let target: SteadyTarget;
let client: Client;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-fidelity-'));
  target = await startSteadyTarget();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await service?.end('SIGKILL');
  await client?.end();
  await target.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

it('a restarted service reports the slots of its downtime as missed, with the reason', async () => {
  const settings = {
    DATABASE_URL: database.url,
    SECRET_KEY: 'k'.repeat(40),
    DATABASE_POOL: '4',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    MIN_INTERVAL_SECONDS: '1',
  };
  service = await ServiceProcess.start(dataDir, settings);
  const made = await service.call<{ id: string }>('POST', '/v1/monitors', {
    name: 'watched',
    type: 'http',
    url: target.url,
    intervalSeconds: 1,
    timeoutMs: 1_000,
  });
  const { id } = made.body;
  const slots = async (): Promise<number[]> => {
    const { rows } = await client.query<{ scheduled_at: Date }>(
      'SELECT scheduled_at FROM checks WHERE monitor_id = $1 AND attempt = 0',
      [id],
    );
    return rows.map((row) => row.scheduled_at.getTime());
  };
  await eventually(async () => expect((await slots()).length).toBeGreaterThanOrEqual(3));
  const stoppingAt = Date.now();
  await service.end('SIGTERM');
  const stoppedAt = Date.now();
  // The lease was released, so that another process need not wait for its expiry.
  const lease = await client.query('SELECT expires_at < now() AS "isFree" FROM leases');
  expect(lease.rows).toEqual([{ isFree: true }]);
  await eventually(() => expect(Date.now()).toBeGreaterThan(stoppedAt + AWAY_MS), 2 * AWAY_MS);
  service = await ServiceProcess.start(dataDir, settings);

  const read = async () => {
    const { body } = await service!.call<UptimeDto>('GET', `/v1/monitors/${id}/uptime?days=2&fidelity=true`);
    const sum = (name: 'checksExpected' | 'checksExecuted' | 'checksMissed'): number =>
      body.days.reduce((total, day) => total + (day[name] ?? 0), 0);
    return {
      expected: sum('checksExpected'),
      executed: sum('checksExecuted'),
      missed: sum('checksMissed'),
      absences: body.days.flatMap(({ absences = [] }) => absences),
    };
  };
  // Wait until every slot of the absence is due: one second of timeout and five seconds of grace.
  const { absences, ...counts } = await eventually(async () => {
    const found = await read();
    expect(found.missed).toBeGreaterThanOrEqual(3);
    expect(Date.now()).toBeGreaterThan(Date.parse(found.absences.at(-1)!.to) + 7_000);
    return found;
  }, 30_000);
  const [from, to] = [Date.parse(absences[0]!.from), Date.parse(absences.at(-1)!.to)];
  expect(from).toBeLessThanOrEqual(stoppedAt);
  expect(to - from).toBeGreaterThan(AWAY_MS);
  expect(new Set(absences.map(({ reason }) => reason))).toEqual(new Set(['not_running']));

  const seen = new Set(await slots());
  const unseen: number[] = [];
  const phase = phaseMs(id, 1_000);
  for (let slot = nextSlotAfter(phase, 1_000, from); slot <= to; slot += 1_000) if (!seen.has(slot)) unseen.push(slot);
  expect(unseen.length).toBeGreaterThanOrEqual(3);
  // Missed slots outside the absence were due while the service was stopping.
  expect(counts.missed - unseen.length).toBeGreaterThanOrEqual(0);
  expect(counts.missed - unseen.length).toBeLessThanOrEqual(1 + Math.floor((stoppedAt - stoppingAt) / 1_000));
  expect(counts.expected).toBe(counts.executed + counts.missed);
}, 90_000);
