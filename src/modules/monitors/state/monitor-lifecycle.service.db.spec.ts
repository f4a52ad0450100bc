import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../../test/support/database.js';
import { serviceModule } from '../../../../test/support/service-module.js';
import { Transactions } from '../../../database/tx.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/durations.js';
import { type LocationState, PENDING_STATE } from '../../../domain/monitor-state.js';
import { ExclusionsModule } from '../../exclusions/exclusions.module.js';
import { MaintenanceModule } from '../../maintenance/maintenance.module.js';
import { Monitor } from '../definition/monitor.entity.js';
import { MonitorPausesService } from '../history/monitor-pauses.service.js';
import { MonitorsModule } from '../monitors.module.js';
import { MonitorLifecycleService } from './monitor-lifecycle.service.js';

const MONITORS = 600;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let module: TestingModule;
beforeAll(async () => {
  database = await createTestDatabase();
  const modules = [ExclusionsModule, MaintenanceModule, MonitorsModule];
  module = await serviceModule({ DATABASE_URL: database.url }, modules).compile();
});
afterAll(async () => {
  await module?.close();
  await database?.drop();
});

it('shows as unknown what is no longer checked, however many monitors that are', async () => {
  const source = module.get(DataSource);
  const [team, ids] = [uuidv7(), Array.from({ length: MONITORS }, () => uuidv7())];
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [team, 'Team']);
  await source.query(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata, created_at)
     SELECT id, $1, 'M', 'http', '{}', 'example.com', 60, 10000, 2, 1, '{default}', 'majority', '{}', '{}',
       now() - interval '1 day'
     FROM unnest($2::uuid[]) AS t (id)`,
    [team, ids],
  );
  await source.query(
    `INSERT INTO monitor_states (monitor_id, team_id, status, status_since)
     SELECT id, $1, 'up', now() - interval '1 day' FROM unnest($2::uuid[]) AS t (id)`,
    [team, ids],
  );
  const hourAgo = Date.now() - HOUR_MS;
  const last = { checkedAt: hourAgo, scheduledAt: hourAgo, attempt: 0, intervalMs: 60_000 };
  const fold: LocationState = { ...PENDING_STATE, status: 'up', since: hourAgo, last };
  await source.query(
    `INSERT INTO location_states (monitor_id, location, fold, holds_until, missing_from)
     SELECT id, 'default', $2, now() - interval '50 minutes', now() - interval '55 minutes'
     FROM unnest($1::uuid[]) AS t (id)`,
    [ids, JSON.stringify(fold)],
  );
  await module.get(MonitorLifecycleService, { strict: false }).showStale(Date.now());
  const counts: unknown = await source.query('SELECT status, count(*)::int AS monitors FROM monitor_states GROUP BY 1');
  expect(counts).toEqual([{ status: 'unknown', monitors: MONITORS }]);
});

/** Adds a monitor that is down and checked every hour, and returns its id. */
async function addDown(source: DataSource): Promise<string> {
  const [team, id] = [uuidv7(), uuidv7()];
  const checkedAt = Date.now() - 10 * MINUTE_MS;
  const last = { checkedAt, scheduledAt: checkedAt, attempt: 0, intervalMs: HOUR_MS };
  const fold: LocationState = { ...PENDING_STATE, status: 'down', since: checkedAt, last };
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [team, 'Team']);
  await source.query(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata, created_at)
     VALUES ($1, $2, 'M', 'http', '{}', 'example.com', 3600, 10000, 2, 1, '{default}', 'majority', '{}', '{}',
       now() - interval '1 day')`,
    [id, team],
  );
  await source.query(
    `INSERT INTO monitor_states (monitor_id, team_id, status, status_since) VALUES ($1, $2, 'down', now())`,
    [id, team],
  );
  await source.query('INSERT INTO location_states (monitor_id, location, fold) VALUES ($1, $2, $3)', [
    id,
    'default',
    JSON.stringify(fold),
  ]);
  return id;
}

it('checks a monitor after maintenance although a result has shown it as down before that was noticed', async () => {
  const source = module.get(DataSource);
  const id = await addDown(source);
  await source.query(
    `UPDATE monitor_states SET maintenance_from = now() - interval '1 hour', maintenance_until = now()
     WHERE monitor_id = $1`,
    [id],
  );
  await module.get(MonitorLifecycleService, { strict: false }).showMaintenance(Date.now() + SECOND_MS);
  const requests: unknown = await source.query('SELECT location, trigger FROM check_requests WHERE monitor_id = $1', [
    id,
  ]);
  expect(requests).toEqual([{ location: 'default', trigger: 'resumed' }]);
});

it('records the end of a pause that has ended by itself, although the monitor is paused again before that was noticed', async () => {
  const source = module.get(DataSource);
  const id = await addDown(source);
  await source.query(`UPDATE monitors SET paused_at = now() - interval '1 hour', paused_until = now() WHERE id = $1`, [
    id,
  ]);
  const monitor = await source.getRepository(Monitor).findOneByOrFail({ id });
  const pauses = module.get(MonitorPausesService, { strict: false });
  await module.get(Transactions, { strict: false }).run((tx) => pauses.set(tx, monitor, true, Date.now() + SECOND_MS));
  const events: unknown = await source.query('SELECT type FROM events WHERE resource_id = $1 ORDER BY sequence', [id]);
  expect(events).toEqual([{ type: 'monitor.resumed' }, { type: 'monitor.paused' }]);
});
