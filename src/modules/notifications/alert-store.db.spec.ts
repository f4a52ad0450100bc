import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

/** Records an event, which gets its time from a clock of the process that records it, and returns its id. */
async function record(type: EventType, minute: number, data = {}, actor = SYSTEM_ACTOR): Promise<string> {
  const [kind] = type.split('.') as ['incident' | 'monitor'];
  const resource = { type: kind, id: kind === 'incident' ? incidentId : monitorId };
  const event = { id: uuidv7(), type, teamId, resource, data, actor };
  await transactions.run((tx) => new EventLog(source).record(tx, [event], BEGAN + minute * MINUTE_MS));
  return event.id;
}

const read = async (subjectId = incidentId): Promise<AlertHistory[]> => {
  const found = await transactions.run((tx) => new AlertStore().alerts(tx, [{ teamId, subjectId }]));
  return found.get(subjectId) ?? [];
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

describe('events that clocks which disagree record', () => {
  beforeEach(() => source.query('TRUNCATE events CASCADE'));

  it.each([
    ['ends it, if it follows the opening in the log', -50, 'after', { at: BEGAN, how: 'paused' }],
    ['does not end it, if it precedes the opening in the log', -50, 'before', null],
  ] as const)('pause a monitor before its outage, which %s', async (_, minute, order, end) => {
    if (order === 'before') await record('monitor.paused', minute);
    await record('monitor.down', 0);
    await record('incident.opened', 0, facts);
    if (order === 'after') await record('monitor.paused', minute);
    expect((await read()).map((alert) => alert.end)).toEqual([end]);
  });

  it('resume a monitor before its outage ends', async () => {
    await record('monitor.down', 0);
    await record('incident.opened', 0, facts);
    await record('monitor.paused', 9);
    await record('monitor.resumed', 10);
    await record('monitor.up', 1);
    await record('incident.resolved', 1, facts);
    // The next outage, by a clock that is behind.
    await record('monitor.paused', -5);
    expect(await read()).toMatchObject([
      { episode: 1, end: { at: BEGAN + 9 * MINUTE_MS, how: 'paused' } },
      { episode: 2, end: { at: BEGAN + 10 * MINUTE_MS, how: 'resolved' } },
    ]);
  });

  it.each([
    ['after', 'monitor.up', { at: BEGAN, how: 'resolved' }],
    ['after', 'monitor.paused', { at: BEGAN, how: 'paused' }],
    ['before', 'monitor.up', null],
  ] as const)('degrade a monitor, %s which a clock that is behind records %s', async (order, type, end) => {
    if (order === 'before') await record(type, -50);
    const id = await record('monitor.degraded', 0);
    if (order === 'after') await record(type, -50);
    expect(await read(id)).toMatchObject([{ end, subject: { resolvedAt: end && new Date(BEGAN).toISOString() } }]);
  });
});
