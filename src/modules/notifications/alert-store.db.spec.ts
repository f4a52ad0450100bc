import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { alertingSource } from '../../../test/support/alerting-process.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { Transactions } from '../../database/tx.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { type Actor, SYSTEM_ACTOR } from '../../http/auth/actor.js';
import { type TeamId } from '../../http/auth/principal.js';
import { EventLog } from '../events/event-log.service.js';
import { type EventType } from '../events/event.types.js';
import { type AlertHistory } from './alert-history.js';
import { MAX_TURNS } from './alert-events.js';
import { AlertStore } from './alert-store.service.js';

const BEGAN = Date.UTC(2026, 4, 1);
const PERSON: Actor = { type: 'person', id: uuidv7(), name: 'Ada', requestId: null };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let transactions: Transactions;
const [teamId, incidentId, monitorId] = [uuidv7() as TeamId, uuidv7(), uuidv7()];
const facts = { kind: 'detected', impact: 'down', monitorIds: [monitorId] };

beforeAll(async () => {
  database = await createTestDatabase();
  source = await alertingSource(database.url, 2);
  transactions = new Transactions(source);
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

async function record(type: EventType, minute: number, data = {}, actor = SYSTEM_ACTOR): Promise<void> {
  const [kind] = type.split('.') as ['incident' | 'monitor'];
  const resource = { type: kind, id: kind === 'incident' ? incidentId : monitorId };
  const event = { type, teamId, resource, data, actor };
  await transactions.run((tx) => new EventLog(source).record(tx, [event], BEGAN + minute * MINUTE_MS));
}

const read = async (): Promise<AlertHistory[]> => {
  const found = await transactions.run((tx) => new AlertStore().alerts(tx, [{ teamId, subjectId: incidentId }]));
  return found.get(incidentId) ?? [];
};

it('reads a bounded part of what a flapping monitor leaves, without losing what people did', async () => {
  const acknowledgedUntil = new Date(BEGAN + 900 * MINUTE_MS).toISOString();
  await record('monitor.down', 0);
  await record('incident.opened', 0, facts);
  await record('monitor.paused', 1);
  await record('monitor.resumed', 2);
  await record(
    'incident.acknowledged',
    3,
    { acknowledgedUntil: new Date(BEGAN + 60 * MINUTE_MS).toISOString() },
    PERSON,
  );
  await record('incident.updated', 4, { ...facts, acknowledgedUntil }, PERSON);
  const outages = MAX_TURNS;
  for (let outage = 1; outage <= outages; outage += 1) {
    await record('monitor.up', 10 * outage);
    await record('monitor.down', 10 * outage + 5);
    await record('incident.updated', 10 * outage + 5, {
      ...facts,
      cause: { errorCode: 'timeout', message: `${outage}` },
    });
  }

  const [first, second, ...others] = await read();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ episode: 1, end: { at: BEGAN + MINUTE_MS, how: 'paused' }, acknowledgements: [] });
  expect(second).toMatchObject({
    episode: 2,
    recordedAt: BEGAN + 2 * MINUTE_MS,
    acknowledgements: [{ at: BEGAN + 3 * MINUTE_MS, until: Date.parse(acknowledgedUntil) }],
    subject: { cause: { message: String(outages) } },
  });
  // The monitor counts as up from the resumption to the first outage that was read.
  const firstRead = outages - MAX_TURNS / 2 + 1;
  expect(second!.upSpans).toHaveLength(MAX_TURNS / 2);
  expect(second!.upSpans[0]).toEqual({ from: BEGAN + 2 * MINUTE_MS, to: BEGAN + (10 * firstRead + 5) * MINUTE_MS });
  const last = { from: BEGAN + 10 * outages * MINUTE_MS, to: BEGAN + (10 * outages + 5) * MINUTE_MS };
  expect(second!.upSpans.at(-1)).toEqual(last);
});

it('reads all turns of a monitor that does not flap for long', async () => {
  await source.query('TRUNCATE events CASCADE');
  await record('incident.opened', 0, facts);
  await record('monitor.up', 10);
  await record('monitor.down', 15);
  await record('monitor.up', 20);
  const [alert] = await read();
  expect(alert!.upSpans).toEqual([
    { from: BEGAN + 10 * MINUTE_MS, to: BEGAN + 15 * MINUTE_MS },
    { from: BEGAN + 20 * MINUTE_MS, to: null },
  ]);
});
