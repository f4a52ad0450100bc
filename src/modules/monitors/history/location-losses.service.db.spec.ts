import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../../test/support/database.js';
import { dataSourceOptions } from '../../../database/data-source.js';
import { Transactions } from '../../../database/tx.js';
import { DISAGREES, NO_WORKER } from '../../../domain/unobserved.js';
import { EventLog } from '../../events/event-log.service.js';
import { LocationLossesService } from './location-losses.service.js';

const LOCATION = 'eu-west';
const BEGAN = Date.UTC(2026, 4, 1);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let transactions: Transactions;
let losses: LocationLossesService;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  transactions = new Transactions(source);
  losses = new LocationLossesService(new EventLog(source));
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

async function begin(teamId: string, location: string, errorCode: string): Promise<void> {
  const loss = { location, since: BEGAN, error: { errorCode, message: 'Lost.' } };
  await transactions.run((tx) => losses.begin(tx, [teamId], loss, BEGAN));
}
async function end(errorCode: string): Promise<void> {
  await transactions.run((tx) => losses.end(tx, { location: LOCATION, since: BEGAN, errorCode }, BEGAN + 60_000));
}

it.each([
  ['is reported to a team without monitors there that heard of it', [[LOCATION, NO_WORKER]], [NO_WORKER]],
  ['is not reported to a team that did not hear of it', [], []],
  ['is not reported to a team that heard of another loss there', [[LOCATION, DISAGREES]], []],
  ['is not reported to a team that heard of one at another location', [['us-east', NO_WORKER]], []],
  [
    'is reported once while another loss lasts',
    [
      [LOCATION, NO_WORKER],
      [LOCATION, DISAGREES],
    ],
    [NO_WORKER],
  ],
] as const)('the end of a loss %s', async (_, begun, ended) => {
  const teamId = uuidv7();
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
  for (const [location, errorCode] of begun) await begin(teamId, location, errorCode);
  await end(NO_WORKER);
  await end(NO_WORKER);
  const reported: { reason: string }[] = await source.query(
    `SELECT data ->> 'reason' AS reason FROM events WHERE team_id = $1 AND type = 'checking.resumed'`,
    [teamId],
  );
  expect(reported.map(({ reason }) => reason)).toEqual(ended);
});
