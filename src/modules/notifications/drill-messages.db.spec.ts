import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { alertingProcess, alertingSource } from '../../../test/support/alerting-process.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { type Delivery } from '../../channels/delivery.js';
import { type MessageFacts } from '../../channels/message.js';
import { Transactions } from '../../database/tx.js';
import { MAX_ALERTS } from '../../domain/notification-plan/storm-alert.js';
import { type TeamId } from '../../http/auth/principal.js';
import { EventLog } from '../events/event-log.service.js';
import { type Alerting } from '../notification-policies/notification-policies.service.js';

const [PEOPLE, MACHINE, PROGRAM] = [uuidv7(), uuidv7(), uuidv7()];
const channelOf = (id: string, type: string) => ({ id, type, enabled: true, failingSince: null });
const channels = [channelOf(PEOPLE, 'slack'), channelOf(MACHINE, 'pagerduty'), channelOf(PROGRAM, 'webhook')];
const steps = [{ afterSeconds: 0, channelIds: channels.map(({ id }) => id) }];
const rule = { id: uuidv7(), enabled: true, activeSince: 0, match: { all: true as const }, steps };
const alerting: Alerting = { rules: [{ ...rule, on: ['down'], repeatEverySeconds: null, quietHours: null }], channels };
const SENT: Delivery = { status: 'sent', providerId: null, statusCode: 200 };
const BUSY: Delivery = { status: 'failed', permanent: false, retryAfterMs: null, statusCode: 503, error: 'Busy.' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let teamId: TeamId;
let planner: ReturnType<typeof alertingProcess>['planner'];
let attempts: ReturnType<typeof alertingProcess>['attempts'];
let claims: ReturnType<typeof alertingProcess>['claims'];
/** Epoch milliseconds. */
let now: number;

beforeAll(async () => {
  database = await createTestDatabase();
  source = await alertingSource(database.url, 4);
  ({ planner, attempts, claims } = alertingProcess(source, alerting));
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});
beforeEach(async () => {
  now = Date.now();
  await source.query('TRUNCATE teams, unplanned_events CASCADE');
  teamId = uuidv7() as TeamId;
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
});

/** Creates a monitor of the team, and returns its id. */
async function monitor(name: string): Promise<string> {
  const id = uuidv7();
  await source.query(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata)
     VALUES ($1, $2, $3, 'http', '{}', 'https://example.com', 60, 100, 2, 1, '{default}', 'majority', '{}', '{}')`,
    [id, teamId, name],
  );
  return id;
}

/** Opens an incident of a monitor of this name, and plans it. Returns its id. */
async function open(kind: 'detected' | 'drill', name: string): Promise<string> {
  const id = uuidv7();
  await record('incident.opened', id, { kind, impact: 'down', monitorIds: [await monitor(name)] });
  return id;
}

async function record(type: 'incident.opened' | 'incident.resolved', id: string, data: object): Promise<void> {
  const resource = { type: 'incident' as const, id, name: 'An incident' };
  const event = { type, teamId, resource, data: { ...data } };
  await new Transactions(source).run((tx) => new EventLog(source).record(tx, [event], now));
  while ((await planner.planEvents(now)).isMore);
}

/** Sends all that is due, and returns what a channel got: one line for each message. */
async function sentTo(channelId: string, delivery: Delivery = SENT): Promise<string[]> {
  const sent: MessageFacts[] = [];
  for (let claimed = await claims.next(now); claimed; claimed = await claims.next(now)) {
    const given = claimed.channelId === channelId ? delivery : SENT;
    for (;;) {
      const attempt = await attempts.start(claimed, now);
      if (attempt === null) break;
      if (attempt === 'again') continue;
      if (claimed.channelId === channelId) sent.push(...attempt.messages.map(({ facts }) => facts));
      const deliveries = attempt.messages.map(() => given);
      await attempts.finish(claimed, attempt, deliveries, now);
      if (given.status === 'failed') break;
    }
    await claims.release(claimed);
  }
  return sent.map(lineOf);
}

function lineOf({ kind, isDrill, isStorm, isWidespread, monitors, moreMonitors }: MessageFacts): string {
  const marks = [isDrill ? 'drill' : 'real', ...(isStorm ? ['storm'] : []), ...(isWidespread ? ['widespread'] : [])];
  return `${marks.join(' ')} ${kind}: ${[...monitors.map(({ name }) => name), ...(moreMonitors ? [moreMonitors] : [])].join()}`;
}

describe('a channel that people read', () => {
  it('gets a real alert right after a drill, without waiting', async () => {
    await open('drill', 'a');
    expect(await sentTo(PEOPLE)).toEqual(['drill trigger: a']);
    now += 1_000;
    await open('detected', 'b');
    expect(await sentTo(PEOPLE)).toEqual(['real trigger: b']);
  });

  it('gets real alerts first and in one message, and each drill in one of its own', async () => {
    await open('drill', 'a');
    await open('detected', 'b');
    await open('drill', 'c');
    await open('detected', 'd');
    expect(await sentTo(PEOPLE)).toEqual(['real trigger: b,d', 'drill trigger: a', 'drill trigger: c']);
  });

  it('still collects real alerts after a drill that follows one', async () => {
    await open('detected', 'a');
    await open('drill', 'b');
    expect(await sentTo(PEOPLE)).toEqual(['real trigger: a', 'drill trigger: b']);
    now += 1_000;
    await open('detected', 'c');
    await open('detected', 'd');
    expect(await sentTo(PEOPLE)).toEqual([]);
    now += 29_000;
    expect(await sentTo(PEOPLE)).toEqual(['real trigger: c,d']);
  });

  it('gets what is due of one drill in one message, also when it is repeated', async () => {
    const drill = await open('drill', 'a');
    expect(await sentTo(PEOPLE, BUSY)).toEqual(['drill trigger: a']);
    await record('incident.resolved', drill, { kind: 'drill', impact: 'down', monitorIds: [] });
    now += 60_000;
    expect(await sentTo(PEOPLE)).toEqual(['drill resolve: a']);
  });

  it('is not blocked for real alerts by a drill that waits for another attempt', async () => {
    await open('drill', 'a');
    expect(await sentTo(PEOPLE, BUSY)).toEqual(['drill trigger: a']);
    await open('detected', 'b');
    now += 60_000;
    expect(await sentTo(PEOPLE)).toEqual(['real trigger: b', 'drill trigger: a']);
  });
});

describe('a channel for machines', () => {
  it('does not count drills towards its limit', async () => {
    for (let index = 0; index < MAX_ALERTS; index += 1) await open('drill', `drill ${index}`);
    expect(await sentTo(MACHINE)).toHaveLength(MAX_ALERTS);
    await open('detected', 'real');
    expect(await sentTo(MACHINE)).toEqual(['real trigger: real']);
  });

  it('does not let a storm alert stand for a drill', async () => {
    for (let index = 0; index < MAX_ALERTS + 1; index += 1) await open('detected', `m${index}`);
    expect((await sentTo(MACHINE)).at(-1)).toMatch(/^real storm/);
    const drill = await open('drill', 'a');
    expect(await sentTo(MACHINE)).toEqual(['drill trigger: a']);
    await record('incident.resolved', drill, { kind: 'drill', impact: 'down', monitorIds: [] });
    expect(await sentTo(MACHINE)).toEqual(['drill resolve: a']);
  });
});

describe('a channel for programs', () => {
  it('gets a message for each drill', async () => {
    await open('drill', 'a');
    await open('detected', 'b');
    await open('drill', 'c');
    expect(await sentTo(PROGRAM)).toEqual(['real trigger: b', 'drill trigger: a', 'drill trigger: c']);
  });
});

describe('many drills at the same time', () => {
  it('are no sign of a common cause, unlike as many outages', async () => {
    for (let index = 0; index < 10; index += 1) await open('drill', `drill ${index}`);
    const drills = await sentTo(PROGRAM);
    expect(drills.every((line) => line.startsWith('drill trigger'))).toBe(true);
    await open('detected', 'real');
    expect(await sentTo(PROGRAM)).toEqual(['real trigger: real']);
    now += 5_000;
    for (let index = 0; index < 10; index += 1) await open('detected', `m${index}`);
    expect((await sentTo(PROGRAM))[0]).toMatch(/^real widespread trigger/);
  });
});
