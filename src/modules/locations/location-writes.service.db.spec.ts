import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../../../test/support/database.js';
import { dataSourceOptions } from '../../database/data-source.js';
import { Transactions } from '../../database/tx.js';
import { Location } from './location.entity.js';
import { LocationWritesService } from './location-writes.service.js';

const KEY = 'eu-west';
const DEFINITION = {
  ...{ key: KEY, name: 'West', country: null, latitude: null, longitude: null, enabled: true },
  ...{ canaryTargets: [], degradedAfterMs: null },
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let locations: LocationWritesService;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await new DataSource({ ...dataSourceOptions(database.url, 2), entities: [Location] }).initialize();
  locations = new LocationWritesService(source.getRepository(Location), new Transactions(source));
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

/** Returns the times at which the location was disabled, by whether they are over. */
const disabled = (): Promise<unknown[]> =>
  source.query(`SELECT ends_at IS NOT NULL AS over FROM spans WHERE location = $1 AND reason = 'disabled'`, [KEY]);

it('ends the absence of a disabled location that is removed, so that it does not apply to one that is added later', async () => {
  await locations.create(DEFINITION);
  await locations.update(KEY, { enabled: false });
  expect(await disabled()).toEqual([{ over: false }]);
  await locations.remove(KEY);
  await locations.create(DEFINITION);
  expect(await disabled()).toEqual([{ over: true }]);
});
