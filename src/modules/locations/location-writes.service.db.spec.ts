import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../test/support/database.js';
import { dataSourceOptions } from '../../database/data-source.js';
import { Transactions } from '../../database/tx.js';
import { DISAGREES, NO_WORKER } from '../../domain/unobserved.js';
import { EventLog } from '../events/event-log.service.js';
import { LocationLossesService } from '../monitors/history/location-losses.service.js';
import { Location } from './location.entity.js';
import { LocationWritesService } from './location-writes.service.js';

const KEY = 'eu-west';
const DEFINITION = {
  ...{ key: KEY, name: 'West', country: null, latitude: null, longitude: null, enabled: true },
  ...{ canaryTargets: [], degradedAfterMs: null },
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let transactions: Transactions;
let locations: LocationWritesService;
let losses: LocationLossesService;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await new DataSource({ ...dataSourceOptions(database.url, 2), entities: [Location] }).initialize();
  transactions = new Transactions(source);
  losses = new LocationLossesService(new EventLog(source));
  locations = new LocationWritesService(source.getRepository(Location), transactions, losses);
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

it('ends the losses of a location that is removed, so that the alerts about it end', async () => {
  await source.query('DELETE FROM locations WHERE key = $1', [KEY]);
  const teamId = uuidv7();
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
  await locations.create(DEFINITION);
  await source.query('UPDATE locations SET offline_since = now(), voteless_since = now() WHERE key = $1', [KEY]);
  await transactions.run(async (tx) => {
    for (const errorCode of [NO_WORKER, DISAGREES]) {
      const loss = { location: KEY, since: Date.now(), error: { errorCode, message: 'Lost.' } };
      await losses.begin(tx, [teamId], loss, Date.now());
    }
    await losses.beginNoVote(tx, KEY, Date.now());
  });
  await locations.remove(KEY);
  expect(
    await source.query(
      `SELECT data ->> 'reason' AS reason FROM events WHERE team_id = $1 AND type = 'checking.resumed' ORDER BY 1`,
      [teamId],
    ),
  ).toEqual([{ reason: DISAGREES }, { reason: NO_WORKER }]);
  expect(
    await source.query(`SELECT ends_at IS NOT NULL AS over FROM spans WHERE location = $1 AND kind = 'no_vote'`, [KEY]),
  ).toEqual([{ over: true }]);
});
