import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../../test/support/database.js';
import { serviceModule } from '../../../../test/support/service-module.js';
import { DAY_MS } from '../../../domain/durations.js';
import { PENDING_STATE } from '../../../domain/monitor-state.js';
import { ExclusionsModule } from '../../exclusions/exclusions.module.js';
import { MaintenanceModule } from '../../maintenance/maintenance.module.js';
import { MonitorsModule } from '../monitors.module.js';
import { UnobservedMonitorsService } from './unobserved-monitors.service.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let module: TestingModule;
let source: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  const modules = [ExclusionsModule, MaintenanceModule, MonitorsModule];
  module = await serviceModule({ DATABASE_URL: database.url }, modules).compile();
  source = module.get(DataSource);
});
afterAll(async () => {
  await module?.close();
  await database?.drop();
});

let team: string;
beforeEach(async () => {
  team = uuidv7();
  await source.query('TRUNCATE teams, locations CASCADE');
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [team, 'Team']);
});

const addLocation = (key: string, enabled: boolean) =>
  source.query('INSERT INTO locations (id, key, name, enabled) VALUES (gen_random_uuid(), $1, $1, $2)', [key, enabled]);

/** Adds a monitor that is checked every minute from these locations, and has had no result for a quarter of an hour. */
async function addLost(name: string, locations: string[]): Promise<string> {
  const id = uuidv7();
  await source.query(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata)
     VALUES ($1, $2, $3, 'http', '{}', 'example.com', 60, 10000, 2, 1, $4, 'majority', '{}', '{}')`,
    [id, team, name, locations],
  );
  await source.query(
    `INSERT INTO monitor_states (monitor_id, team_id, status, status_since)
     VALUES ($1, $2, 'unknown', now() - interval '15 minutes')`,
    [id, team],
  );
  return id;
}

/** Returns the names of the monitors that have been reported so far, after another sweep. */
async function swept(): Promise<string[]> {
  await module.get(UnobservedMonitorsService, { strict: false }).sweep(Date.now(), Date.now() - DAY_MS);
  const rows = await source.query<{ name: string }[]>(
    `SELECT resource_name AS name FROM events WHERE type = 'monitor.unknown' AND team_id = $1 ORDER BY resource_name`,
    [team],
  );
  return rows.map(({ name }) => name);
}

it('does not report monitors whose locations are all disabled, nor until five minutes after they are enabled', async () => {
  await addLocation('east', true);
  await addLocation('west', false);
  await addLocation('former', true);
  await source.query(
    `INSERT INTO spans (id, location, kind, starts_at, ends_at, reason) VALUES
       (gen_random_uuid(), 'west', 'absence', now() - interval '15 minutes', NULL, 'disabled'),
       (gen_random_uuid(), 'former', 'absence', now() - interval '1 day', now() - interval '1 hour', 'disabled')`,
  );
  await addLost('Drained', ['west']);
  await addLost('Former', ['former', 'west']);
  await addLost('Shared', ['east', 'west']);
  expect(await swept()).toEqual(['Former', 'Shared']);
  const enable = (minutesAgo: number) =>
    source.query(
      `UPDATE spans SET ends_at = now() - $1 * interval '1 minute' WHERE location = 'west' AND reason = 'disabled'`,
      [minutesAgo],
    );
  await source.query(`UPDATE locations SET enabled = true WHERE key = 'west'`);
  await enable(4.5);
  expect(await swept()).toEqual(['Former', 'Shared']);
  await enable(6.5);
  expect(await swept()).toEqual(['Drained', 'Former', 'Shared']);
});

it('names the loss of the vote of a location as the cause', async () => {
  await addLocation('east', true);
  await source.query('UPDATE locations SET voteless_since = now()');
  const id = await addLost('Shop', ['east']);
  await source.query('INSERT INTO location_states (monitor_id, location, fold) VALUES ($1, $2, $3)', [
    id,
    'east',
    JSON.stringify(PENDING_STATE),
  ]);
  expect(await swept()).toEqual(['Shop']);
  expect(
    await source.query(`SELECT data #>> '{cause,errorCode}' AS code FROM events WHERE team_id = $1`, [team]),
  ).toEqual([{ code: 'disagrees' }]);
});
