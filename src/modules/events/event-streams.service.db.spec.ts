import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../test/support/database.js';
import { eventually } from '../../../test/support/eventually.js';
import { readConfig } from '../../config/app-config.js';
import { dataSourceOptions } from '../../database/data-source.js';
import { Transactions } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type KeysetLists } from '../../http/lists/keyset-lists.js';
import { type TeamLimits } from '../teams/team-limits.service.js';
import { Team } from '../teams/team.entity.js';
import { EventLog } from './event-log.service.js';
import { EventStreams, type Subscription } from './event-streams.service.js';
import { Event } from './event.entity.js';
import { type EventType } from './event.types.js';
import { type EventReader, EventsService } from './events.service.js';

/** Before all events. */
const START = { era: 0, transactionId: '0', sequence: '0' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let streams: EventStreams;
const teamId = uuidv7() as TeamId;
beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await createTestDatabase();
  source = await new DataSource({ ...dataSourceOptions(database.url, 2), entities: [Team, Event] }).initialize();
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});
beforeEach(() => {
  // Only lists and limits of readers need these.
  const [lists, limits] = [{} as KeysetLists, {} as TeamLimits];
  streams = new EventStreams(new EventsService(source.getRepository(Event), lists), limits, readConfig({}));
});
afterEach(() => streams.onModuleDestroy());

async function record(type: EventType, ...names: string[]): Promise<void> {
  const events = names.map((name) => ({ type, teamId, resource: { type: 'monitor' as const, id: uuidv7(), name } }));
  await new Transactions(source).run((tx) => new EventLog(source).record(tx, events));
}

const readerOf = (team: TeamId): EventReader => ({ teamId: team, scopes: ['admin'] });

/** Opens a stream from the start of the log. Returns the names of the resources that it sends, and whether it ended. */
function open(
  team: TeamId,
  type?: string[],
  verify: Subscription['verify'] = () => Promise.resolve(readerOf(team)),
  isFull: (names: readonly string[]) => boolean = () => false,
): { names: string[]; ended: () => boolean } {
  const names: string[] = [];
  let isEnded = false;
  const write = (text: string): void => {
    const json = /^data: (.*)$/m.exec(text)?.[1];
    if (json) names.push((JSON.parse(json) as { resource: { name: string } }).resource.name);
  };
  streams.open({
    ...{ reader: readerOf(team), filters: { type }, after: START, verify },
    stream: { isFull: () => isFull(names), write, end: () => void (isEnded = true) },
  });
  return { names, ended: () => isEnded };
}

it('ends a stream that cannot be read, and continues the others', async () => {
  const broken = open('no uuid' as TeamId);
  const other = open(teamId, ['monitor.up']);
  await record('monitor.up', 'A');
  await eventually(() => expect(other.names).toEqual(['A']));
  await record('monitor.up', 'B');
  await eventually(() => expect(other.names).toEqual(['A', 'B']));
  expect([broken.ended(), other.ended()]).toEqual([true, false]);
});

it('finds the few events that match among the many that a reader has missed, and what follows', async () => {
  await record('monitor.down', 'first');
  await record('monitor.updated', ...Array.from({ length: 12_000 }, () => 'other'));
  await record('monitor.down', 'second');
  const { names } = open(teamId, ['monitor.down']);
  await eventually(() => expect(names).toEqual(['first', 'second']));
  await record('monitor.down', 'third');
  await eventually(() => expect(names).toEqual(['first', 'second', 'third']));
});

it('sends nothing to a reader that could not be verified, or that is no longer accepted', async () => {
  await record('monitor.created', 'A');
  let verified = 0;
  const unverified = open(teamId, ['monitor.created'], () => {
    verified += 1;
    return verified < 3 ? Promise.reject(new Error('The database is away.')) : Promise.resolve(null);
  });
  await eventually(() => expect(unverified.ended()).toBe(true));
  expect(unverified.names).toEqual([]);

  const revoked: ReturnType<typeof open> = open(teamId, ['monitor.created'], () =>
    Promise.resolve(revoked.names.length === 0 ? readerOf(teamId) : null),
  );
  await eventually(() => expect(revoked.names).toEqual(['A']));
  await record('monitor.created', 'B');
  await eventually(() => expect(revoked.ended()).toBe(true));
  expect(revoked.names).toEqual(['A']);
});

it('sends a stream only as much as it has room for, and continues once it has room again', async () => {
  const all = Array.from({ length: 30 }, (_, index) => `P${index}`);
  await record('monitor.paused', ...all);
  let room = 4;
  const { names } = open(teamId, ['monitor.paused'], undefined, ({ length }) => length >= room);
  const other = open(teamId, ['monitor.paused']);
  await eventually(() => expect(other.names).toEqual(all));
  expect(names).toEqual(all.slice(0, 4));
  for (; room < 30; room += 2) {
    streams.resume();
    await eventually(() => expect(names).toEqual(all.slice(0, room)));
  }
  streams.resume();
  await eventually(() => expect(names).toEqual(all));
});
