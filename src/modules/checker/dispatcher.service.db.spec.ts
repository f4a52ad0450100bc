import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TestingModule } from '@nestjs/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { eventually } from '../../../test/support/eventually.js';
import { serviceModule } from '../../../test/support/service-module.js';
import { AppConfig } from '../../config/app-config.js';
import { ExclusionsModule } from '../exclusions/exclusions.module.js';
import { KnownLocationsService } from '../locations/known-locations.service.js';
import { textOfKey } from '../monitors/schedule/check-plan.types.js';
import { ScheduleSourceService } from '../monitors/schedule/schedule-source.service.js';
import { CheckQueue } from './check-queue.js';
import { CheckerModule } from './checker.module.js';
import { DispatcherService } from './dispatcher.service.js';
import { LEASE_TTL_MS, LeaseService } from './lease.service.js';
import { ProcessesService } from './processes.service.js';
import { SlotClockService } from './slot-clock.service.js';

const MONITORS = 3;

/** A clock that tests can set ahead, as if the process had been suspended. */
class SkippingClock extends SlotClockService {
  skippedMs = 0;

  override now(): number {
    return super.now() + this.skippedMs;
  }
}

let database: TestDatabase;
let dataDir: string;
let module: TestingModule;
let source: DataSource;
let clock: SkippingClock;
let dispatcher: DispatcherService;
/** The lease service of another process. */
let other: LeaseService;

const sql = <T>(text: string, parameters: unknown[] = []): Promise<T> => source.query(text, parameters);

beforeAll(async () => {
  [database, dataDir] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'daywatch-dispatcher-'))]);
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir };
  clock = new SkippingClock();
  module = await serviceModule(settings, [CheckerModule, ExclusionsModule])
    .overrideProvider(SlotClockService)
    .useValue(clock)
    .setLogger({ log: () => undefined, warn: () => undefined, error: () => undefined })
    .compile();
  // No timers run here: tests renew the lease and let the schedule tick themselves.
  await module.init();
  source = module.get(DataSource);
  dispatcher = module.get(DispatcherService);
  const config = module.get(AppConfig);
  other = new LeaseService(source, config, new ProcessesService(source, config, module.get(CheckQueue)));
  const team = uuidv7();
  await sql('INSERT INTO teams (id, name) VALUES ($1, $2)', [team, 'Team']);
  await sql(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata)
     SELECT id, $1, 'M', 'http', '{}', 'example.com', 60, 10000, 2, 1, '{default}', 'majority', '{}', '{}'
     FROM unnest($2::uuid[]) AS t (id)`,
    [team, Array.from({ length: MONITORS }, () => uuidv7())],
  );
});
afterAll(async () => {
  await module?.close();
  await database?.drop();
  if (dataDir) await rm(dataDir, { recursive: true });
});

async function loseLease(): Promise<void> {
  // Not at once, if the other process has not asked for the lease for some time.
  await eventually(async () => {
    await sql(`UPDATE leases SET expires_at = now() - interval '1 second'`);
    expect((await other.renew('dispatcher', new Map())).grants).toHaveLength(1);
  });
}

async function isLeaseFree(): Promise<boolean> {
  const [row] = await sql<{ free: boolean }[]>('SELECT expires_at < now() AS free FROM leases');
  return row!.free;
}

/** Runs `act` while the dispatcher has taken the lease anew, and waits for its monitors. */
async function whileItReads(act: () => Promise<void>): Promise<void> {
  await loseLease();
  await dispatcher.start();
  expect(dispatcher.figures).toMatchObject({ dispatching: false, monitors: 0 });
  await other.release('dispatcher', ['all'], 0);
  const holder = source.createQueryRunner();
  try {
    await holder.startTransaction();
    await holder.query('LOCK TABLE monitors');
    const starting = dispatcher.start();
    await dispatcher.renew();
    await act();
    await holder.commitTransaction();
    await starting;
  } finally {
    await holder.release();
  }
}

describe('the dispatcher', () => {
  beforeEach(async () => {
    await dispatcher.start();
    await dispatcher.compare();
    dispatcher.tick();
    expect(dispatcher.figures).toMatchObject({ dispatching: true, monitors: MONITORS });
  });

  it('keeps its lease while it reads its monitors, however long that takes', async () => {
    await whileItReads(async () => {
      for (let round = 0; round < 2; round += 1) {
        await sql(`UPDATE leases SET expires_at = now() - interval '1 second'`);
        await dispatcher.renew();
        expect(await isLeaseFree()).toBe(false);
        expect(dispatcher.figures.dispatching).toBe(false);
      }
    });
    expect(dispatcher.figures).toMatchObject({ dispatching: true, monitors: MONITORS });
  });

  it('does not begin if another process took the lease while it read its monitors', async () => {
    await whileItReads(async () => {
      await loseLease();
      await dispatcher.renew();
    });
    expect(dispatcher.figures.dispatching).toBe(false);
    await other.release('dispatcher', ['all'], 0);
  });

  it('goes on after it was suspended, and reads only what has changed', async () => {
    const plans = jest.spyOn(module.get(ScheduleSourceService), 'activePlans');
    clock.skippedMs += LEASE_TTL_MS + 1;
    dispatcher.tick();
    expect(dispatcher.figures).toMatchObject({ dispatching: false, monitors: MONITORS });
    const [changed] = await sql<{ id: string }[]>(
      'UPDATE monitors SET revision = revision + 1 WHERE id = (SELECT min(id::text)::uuid FROM monitors) RETURNING id',
    ).then(([rows]) => rows as unknown as { id: string }[]);
    await dispatcher.start();
    expect(dispatcher.figures).toMatchObject({ dispatching: true, monitors: MONITORS });
    expect(plans.mock.calls.filter(([ids]) => ids.length > 0)).toEqual([[[changed!.id]]]);
    plans.mockRestore();
  });

  it('records no absence over what it served before it was suspended, although the database was away', async () => {
    const servedUntil = clock.now();
    await sql(`UPDATE leases SET served_until = served_until - interval '30 minutes'`);
    clock.skippedMs += LEASE_TTL_MS + 1;
    dispatcher.tick();
    await dispatcher.start();
    const [absence] = await sql<{ starts_at: Date }[]>(
      `SELECT starts_at FROM spans WHERE kind = 'absence' ORDER BY ends_at DESC LIMIT 1`,
    );
    expect(absence!.starts_at.getTime()).toBeGreaterThan(servedUntil - LEASE_TTL_MS);
    expect(absence!.starts_at.getTime()).toBeLessThanOrEqual(servedUntil);
  });

  it('records its absence at the default location even if that is disabled, because reports arrive there', async () => {
    const setEnabled = async (enabled: boolean): Promise<void> => {
      await sql(`UPDATE locations SET enabled = $1 WHERE key = 'default'`, [enabled]);
      await module.get(KnownLocationsService).refresh();
    };
    const absences = (): Promise<unknown[]> => sql(`SELECT id FROM spans WHERE kind = 'absence' ORDER BY id`);
    const before = await absences();
    await setEnabled(false);
    clock.skippedMs += LEASE_TTL_MS + 1;
    dispatcher.tick();
    await dispatcher.start();
    await setEnabled(true);
    expect(await absences()).toHaveLength(before.length + 1);
  });

  it('sends checks again after a second that the queue did not accept', async () => {
    const [refused, sent]: [string[], string[]] = [[], []];
    const sending = jest.spyOn(module.get(CheckQueue), 'sendJobs').mockImplementation((jobs) => {
      const keys = jobs.map(textOfKey);
      if (refused.length > 0) return Promise.resolve(void sent.push(...keys));
      refused.push(...keys);
      return Promise.reject(new Error('The queue accepts nothing.'));
    });
    const skip = async (ms: number): Promise<void> => {
      clock.skippedMs += ms;
      dispatcher.tick();
      await setImmediate();
    };
    for (let seconds = 0; seconds <= 60 && refused.length === 0; seconds += 1) await skip(1_000);
    await skip(1_001);
    sending.mockRestore();
    expect(refused).not.toEqual([]);
    expect(sent).toEqual(expect.arrayContaining(refused));
  });

  it('forgets the monitors if another process took the lease while it was suspended', async () => {
    clock.skippedMs += LEASE_TTL_MS + 1;
    dispatcher.tick();
    await loseLease();
    await dispatcher.start();
    expect(dispatcher.figures).toMatchObject({ dispatching: false, monitors: 0 });
    await other.release('dispatcher', ['all'], 0);
  });

  it('leaves the slots since its last tick to the next process when it stops', async () => {
    const servedUntil = clock.now();
    clock.skippedMs += LEASE_TTL_MS / 2;
    await dispatcher.stop();
    const [lease] = await sql<{ served_until: Date }[]>('SELECT served_until FROM leases');
    expect(lease!.served_until.getTime()).toBeLessThanOrEqual(servedUntil);
  });
});
