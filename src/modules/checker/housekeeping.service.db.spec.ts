import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type TestingModule } from '@nestjs/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { eventually } from '../../../test/support/eventually.js';
import { serviceModule } from '../../../test/support/service-module.js';
import { strayResults } from '../../../test/support/stray-results.js';
import { waitingSessions } from '../../../test/support/waiting-sessions.js';
import { AppConfig } from '../../config/app-config.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { RollupOrderService } from '../uptime/rollup-order.service.js';
import { SLICES, turnOf } from '../uptime/rollup-turn.js';
import { CheckQueue } from './check-queue.js';
import { ExclusionsModule } from '../exclusions/exclusions.module.js';
import { CheckerModule } from './checker.module.js';
import { DispatcherService } from './dispatcher.service.js';
import { HousekeepingService } from './housekeeping.service.js';
import { LeaseService } from './lease.service.js';
import { ProcessesService } from './processes.service.js';
import { ResultIntakeService } from './result-intake.service.js';
import { SweeperLeaseService } from './sweeper-lease.service.js';

/** The start of an hour. */
const NOW = Date.UTC(2026, 10, 7, 5);
const { slice, fromMs } = turnOf(NOW);
/** All in one slice, and more than one batch. */
const MONITORS = 150;
const BATCH = 100;
/** More results than may wait for a database that answers: docs/adr/0015-overload.md. */
const TOO_MANY = 6_000;

let database: TestDatabase;
let dataDir: string;
let module: TestingModule;
let source: DataSource;
let dispatcher: DispatcherService;
let intake: ResultIntakeService;
/** The lease service of another process. */
let other: LeaseService;
let housekeeping: HousekeepingService;
let complaints: unknown[];

const sql = <T>(text: string, parameters: unknown[] = []): Promise<T> => source.query(text, parameters);

beforeAll(async () => {
  [database, dataDir] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'daywatch-tidy-'))]);
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir };
  module = await serviceModule(settings, [CheckerModule, ExclusionsModule])
    .setLogger({ log: () => undefined, warn: () => undefined, error: (text: unknown) => void complaints.push(text) })
    .compile();
  // No timers run here: tests renew the lease and start the hourly work themselves.
  await module.init();
  source = module.get(DataSource);
  dispatcher = module.get(DispatcherService);
  intake = module.get(ResultIntakeService);
  const config = module.get(AppConfig);
  other = new LeaseService(source, config, new ProcessesService(source, config, module.get(CheckQueue)));
  await makeMonitors();
});
afterAll(async () => {
  await module?.close();
  await database?.drop();
  if (dataDir) await rm(dataDir, { recursive: true });
});

beforeEach(async () => {
  complaints = [];
  housekeeping = new HousekeepingService(module.get(RollupOrderService), module.get(SweeperLeaseService), intake);
  await writeDayByDay();
  await regainLease();
});

async function makeMonitors(): Promise<void> {
  const team = uuidv7();
  await sql('INSERT INTO teams (id, name) VALUES ($1, $2)', [team, 'Team']);
  const made: unknown[] = await sql(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata)
     SELECT id, $1, 'M', 'http', '{}', 'example.com', 60, 10000, 2, 1, '{default}', 'majority', '{}', '{}'
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 10000)) AS ids
     WHERE (hashtext(id::text) & 65535) % $2 = $3 LIMIT $4 RETURNING id`,
    [team, SLICES, slice, MONITORS],
  );
  expect(made).toHaveLength(MONITORS);
}

/** Writes the roll-ups of the final week as they are recorded, so that those of one monitor are on seven pages. */
async function writeDayByDay(): Promise<void> {
  await sql('TRUNCATE daily_rollups');
  for (let day = 0; day < 7; day += 1) {
    await sql(
      `INSERT INTO daily_rollups
         (monitor_id, day, location, checks_total, checks_failed, response_count, response_sum_ms, histogram)
       SELECT id, $1::timestamptz::date, 'default', 10, 1, 7, 0.1, (SELECT array_agg(k) FROM generate_series(1, 100) AS k)
       FROM monitors ORDER BY id`,
      [new Date(fromMs + day * DAY_MS)],
    );
  }
  expect(await monitorsApart()).toBe(MONITORS);
}

/** Returns the number of monitors whose roll-ups are on more pages than their size requires. */
async function monitorsApart(): Promise<number> {
  const rows: unknown[] = await sql(
    'SELECT 1 FROM daily_rollups GROUP BY monitor_id HAVING count(DISTINCT (ctid::text::point)[0]) > 3',
  );
  return rows.length;
}

const waiting = (): Promise<number[]> => waitingSessions(sql);

/** Runs `act` while the table is locked, then releases the lock. */
async function whileLocked(lock: string, act: () => Promise<void>): Promise<void> {
  const holder = source.createQueryRunner();
  try {
    await holder.startTransaction();
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await holder.query(`LOCK TABLE ${lock}`);
    await act();
  } finally {
    await holder.rollbackTransaction();
    await holder.release();
  }
}

/** Lets another process take the lease, as it does from a process that was suspended. */
async function loseLease(): Promise<void> {
  await sql(`UPDATE leases SET expires_at = now() - interval '1 second'`);
  expect((await other.renew('dispatcher', new Map())).grants).toHaveLength(1);
  await dispatcher.renew();
  expect(dispatcher.figures.dispatching).toBe(false);
}

async function regainLease(): Promise<void> {
  await other.release('dispatcher', ['all'], 0);
  await dispatcher.start();
  expect(dispatcher.figures.dispatching).toBe(true);
}

it('gathers the roll-ups of a final week, once an hour', async () => {
  await housekeeping.tidy(NOW);
  expect(await monitorsApart()).toBe(0);

  await writeDayByDay();
  await housekeeping.tidy(NOW + HOUR_MS - 1);
  // The next hour serves other monitors.
  await housekeeping.tidy(NOW + HOUR_MS);
  expect(await monitorsApart()).toBe(MONITORS);

  await housekeeping.tidy(NOW + DAY_MS);
  expect(await monitorsApart()).toBe(0);
});

it('works only in the process that holds the lease', async () => {
  await loseLease();
  await housekeeping.tidy(NOW);
  expect(await monitorsApart()).toBe(MONITORS);

  await regainLease();
  await housekeeping.tidy(NOW);
  expect(await monitorsApart()).toBe(0);
});

it('stops between batches once another process holds the lease, and resumes when it has the lease again', async () => {
  let turn: Promise<void> | undefined;
  await whileLocked('daily_rollups', async () => {
    turn = housekeeping.tidy(NOW);
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    await loseLease();
  });
  await turn;
  expect(await monitorsApart()).toBe(MONITORS - BATCH);

  await regainLease();
  await housekeeping.tidy(NOW + 1);
  expect(await monitorsApart()).toBe(0);
});

it('runs one turn at a time', async () => {
  let first: Promise<void> | undefined;
  await whileLocked('daily_rollups', async () => {
    first = housekeeping.tidy(NOW);
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    // If it started, it would wait for the lock as well.
    await housekeeping.tidy(NOW);
  });
  await first;
  expect(await monitorsApart()).toBe(0);
});

it('does nothing while results wait for the database', async () => {
  await whileLocked('checks IN SHARE MODE', async () => {
    await module.get(CheckQueue).sendResults(strayResults(TOO_MANY));
    await eventually(() => expect(intake.isBehind).toBe(true));
    await housekeeping.tidy(NOW);
    expect(await monitorsApart()).toBe(MONITORS);
  });
  await eventually(() => expect(intake.isBehind).toBe(false));
  await housekeeping.tidy(NOW);
  expect(await monitorsApart()).toBe(0);
});

it('logs a failure, and retries within the hour', async () => {
  await sql('ALTER TABLE daily_rollups RENAME TO lost');
  await housekeeping.tidy(NOW);
  await sql('ALTER TABLE lost RENAME TO daily_rollups');
  expect(complaints).toEqual(['could not compute roll-ups; will retry']);

  await housekeeping.tidy(NOW + 1);
  expect(await monitorsApart()).toBe(0);
});

it('logs nothing if the database went away, which others log, and retries within the hour', async () => {
  let turn: Promise<void> | undefined;
  await whileLocked('daily_rollups', async () => {
    turn = housekeeping.tidy(NOW);
    const [pid] = await eventually(async () => {
      const pids = await waiting();
      expect(pids).toHaveLength(1);
      return pids;
    });
    await sql('SELECT pg_terminate_backend($1)', [pid]);
    await turn;
  });
  expect(await monitorsApart()).toBe(MONITORS);
  expect(complaints).toEqual([]);

  await housekeeping.tidy(NOW + 1);
  expect(await monitorsApart()).toBe(0);
});
