import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../../test/support/database.js';
import { dataSource } from '../../../database/data-source.js';
import { KnownLocationsService } from '../../locations/known-locations.service.js';
import { CheckRequestsService } from './check-requests.service.js';

const TEAM = uuidv7();
const MONITOR = uuidv7();
/** All but the last one are locations of the monitor. */
const PLACES = ['default', 'disabled', 'missing', 'offline', 'former'];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let requests: CheckRequestsService;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url).initialize();
  requests = new CheckRequestsService(source, new KnownLocationsService(source));
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [TEAM, 'Team']);
  await source.query(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata)
     VALUES ($1, $2, 'M', 'http', '{}', 'example.com', 60, 10000, 2, 1, $3, 'majority', '{}', '{}')`,
    [MONITOR, TEAM, PLACES.slice(0, -1)],
  );
  await source.query(
    `INSERT INTO locations (id, key, name, enabled, offline_since) VALUES
       (gen_random_uuid(), 'disabled', 'D', false, NULL), (gen_random_uuid(), 'offline', 'O', true, now()),
       (gen_random_uuid(), 'former', 'F', true, NULL)`,
  );
  await source.query(
    `INSERT INTO check_requests (monitor_id, scheduled_at, location, attempt, trigger)
     SELECT $1, now(), location, nextval('check_request_attempts'), 'manual' FROM unnest($2::text[]) AS t (location)`,
    [MONITOR, PLACES],
  );
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

const openAt = async (): Promise<string[]> => (await requests.open(100)).map(({ location }) => location).sort();

it('are open only where checks can be made, until others can be made there, too', async () => {
  expect(await openAt()).toEqual(['default']);
  expect(await requests.waiting(TEAM, 100)).toBe(1);
  await source.query(`UPDATE locations SET enabled = true, offline_since = NULL`);
  expect(await openAt()).toEqual(['default', 'disabled', 'offline']);
  expect(await requests.waiting(TEAM, 100)).toBe(3);
});
