import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { alertingProcess, alertingSource } from '../../../test/support/alerting-process.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { eventually } from '../../../test/support/eventually.js';
import { waitingSessions } from '../../../test/support/waiting-sessions.js';
import { type Delivery } from '../../channels/delivery.js';
import { type MessageFacts } from '../../channels/message.js';
import { readConfig } from '../../config/app-config.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { PartitionsService } from '../checks/partitions.service.js';
import { EventLog } from '../events/event-log.service.js';
import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type Alerting } from '../notification-policies/notification-policies.service.js';
import { type Notification } from './notification.entity.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let log: EventLog;
const SENT: Delivery = { status: 'sent', providerId: null, statusCode: 200 };
const FAILED: Delivery = { status: 'failed', permanent: false, retryAfterMs: null, statusCode: 500, error: 'Refused.' };
const CHANNEL = uuidv7();
const POLICY = uuidv7();
const team: Alerting = {
  rules: [
    {
      id: POLICY,
      enabled: true,
      activeSince: 0,
      match: { all: true },
      on: ['manual_incident'],
      steps: [{ afterSeconds: 0, channelIds: [CHANNEL] }],
      repeatEverySeconds: null,
      quietHours: null,
    },
  ],
  channels: [{ id: CHANNEL, type: 'webhook', enabled: true, failingSince: null }],
};

beforeAll(async () => {
  database = await createTestDatabase();
  source = await alertingSource(database.url, 8);
  log = new EventLog(source);
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

let teamId: TeamId;
beforeEach(async () => {
  await source.query('TRUNCATE teams, unplanned_events CASCADE');
  teamId = uuidv7() as TeamId;
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
});

const openProcess = (alerting = team) => alertingProcess(source, alerting);

function eventOf(incidentId: string, type: EventType): NewEvent {
  const resource = { type: 'incident', id: incidentId, name: 'Payments' } as const;
  return { type, teamId, resource, data: { kind: 'manual', monitorIds: [] } };
}

async function record(
  incidentId: string,
  type: EventType,
  { at = Date.now(), ...changes }: Partial<NewEvent> & { at?: number } = {},
): Promise<void> {
  const event = { ...eventOf(incidentId, type), ...changes };
  await new Transactions(source).run((tx) => log.record(tx, [event], at));
}

const count = async (rows: string, parameters: unknown[] = []): Promise<number> => {
  const [row] = await source.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${rows}`, parameters);
  return row!.count;
};

it('plans each event once, whichever of several processes claims it', async () => {
  for (let index = 0; index < 60; index += 1) await record(uuidv7(), 'incident.opened');
  const processes = [openProcess(), openProcess(), openProcess()];
  const work = async ({ planner }: ReturnType<typeof openProcess>): Promise<void> => {
    while ((await planner.planEvents()).isMore);
  };
  await Promise.all(processes.map(work));
  expect(await count('unplanned_events')).toBe(0);
  expect(await count('notifications')).toBe(60);
});

it('sends at once what was recorded by a clock that is ahead', async () => {
  await record(uuidv7(), 'incident.opened', { at: Date.now() + 3_600_000 });
  const { planner, claims, attempts } = openProcess();
  await planner.planEvents();
  const channel = await claims.next();
  expect(channel).toEqual({ channelId: CHANNEL, teamId, isFailing: false });
  expect(await attempts.start(channel!)).toMatchObject({ messages: [{ facts: { kind: 'trigger' } }] });
});

it('does not send a message about an incident that is withdrawn while the attempt starts', async () => {
  const incident = uuidv7();
  await source.query(
    `INSERT INTO incidents (id, team_id, kind, title, impact, started_at)
     VALUES ($1, $2, 'detected', 'Payments', 'down', now())`,
    [incident, teamId],
  );
  await record(incident, 'incident.opened');
  const { planner, claims, attempts } = openProcess();
  await planner.planEvents();
  const channel = (await claims.next())!;
  const withdrawal = source.createQueryRunner();
  await withdrawal.startTransaction();
  await withdrawal.query('SELECT FROM incidents WHERE id = $1 FOR UPDATE', [incident]);
  const starting = attempts.start(channel);
  await eventually(async () => expect(await waitingSessions((sql) => source.query(sql))).toHaveLength(1));
  await withdrawal.query('DELETE FROM incidents WHERE id = $1', [incident]);
  await log.record(withdrawal.manager as unknown as Tx, [eventOf(incident, 'incident.retracted')]);
  await withdrawal.commitTransaction();
  await withdrawal.release();
  expect(await starting).toBe('again');
  expect(await attempts.start(channel)).toBe('again');
  expect(await attempts.start(channel)).toBeNull();
  expect(await source.query('SELECT status, attempts FROM notifications')).toEqual([
    { status: 'suppressed', attempts: [] },
  ]);
});

it('does not send what was suppressed while an attempt to send it failed', async () => {
  const incident = uuidv7();
  const { planner, claims, attempts } = openProcess();
  await record(incident, 'incident.opened');
  await planner.planEvents();
  const channel = (await claims.next())!;
  const start = Date.now();
  const started = await attempts.start(channel, start);
  if (typeof started !== 'object' || !started) throw new Error('nothing is due');
  await record(incident, 'incident.resolved');
  await planner.planEvents();
  await attempts.finish(channel, started, [FAILED], start);
  const sent: MessageFacts[] = [];
  for (let at = start + 61_000; at < start + 300_000; at += 61_000) {
    const attempt = await attempts.start(channel, at);
    if (typeof attempt !== 'object' || !attempt) continue;
    sent.push(...attempt.messages.map(({ facts }) => facts));
    await attempts.finish(channel, attempt, [SENT], at);
  }
  expect(sent).toMatchObject([{ kind: 'resolve' }]);
});

it('tries what was held back for as long as if it had not been due before', async () => {
  const incident = uuidv7();
  const start = Date.now();
  await record(incident, 'incident.opened');
  await openProcess().planner.planEvents(start);
  const days = (count: number) => start + count * 86_400_000;
  const replan = async (alerting: Alerting, nowMs: number) => {
    await source.query('UPDATE notification_timers SET due_at = $1', [new Date(nowMs)]);
    await openProcess(alerting).planner.planTimers(nowMs);
  };
  await replan({ ...team, rules: [{ ...team.rules[0]!, enabled: false }] }, start + 1_000);
  expect(await source.query('SELECT status FROM notifications')).not.toEqual([{ status: 'pending' }]);
  await replan(team, days(3));
  expect(await source.query('SELECT status, give_up_at FROM notifications')).toEqual([
    { status: 'pending', give_up_at: new Date(days(4)) },
  ]);
});

describe('an event that may change any number of alerts', () => {
  const later = () => new Date(Date.now() + 600_000);
  const dueTimers = () => count('notification_timers WHERE due_at <= now()');

  /** Opens an incident, and others that it is the parent of, and plans them. */
  async function openFamily(children: number): Promise<string> {
    const parent = uuidv7();
    const ids = Array.from({ length: children }, () => uuidv7());
    await source.query(
      `INSERT INTO incidents (id, team_id, kind, title, impact, started_at, parent_incident_id)
       SELECT id, $2, 'detected', 'Payments', 'down', now(), nullif($3::uuid, id) FROM unnest($1::uuid[]) AS id`,
      [[parent, ...ids], teamId, parent],
    );
    for (const id of ids) await record(id, 'incident.opened');
    const { planner } = openProcess();
    while ((await planner.planEvents()).isMore);
    await source.query('UPDATE notification_timers SET due_at = $1', [later()]);
    return parent;
  }
  const recordSilence = () =>
    record(uuidv7(), 'silence.created', { resource: { type: 'silence', id: uuidv7(), name: 'Quiet' }, data: {} });

  it.each([
    ['of a parent', (parent: string) => record(parent, 'incident.opened')],
    ['of a silence', recordSilence],
  ])('%s makes their timers due, and plans none of them itself', async (_, recordEvent) => {
    const { planner, planning } = openProcess();
    await recordEvent(await openFamily(150));
    const plan = jest.spyOn(planning, 'plan');
    await planner.planEvents();
    expect(plan.mock.calls.flatMap(([, refs]) => refs).length).toBeLessThan(2);
    expect(await dueTimers()).toBe(150);
    expect(await count('unplanned_events')).toBe(0);
  });

  it('takes effect once, however many events have the same one', async () => {
    await openFamily(1);
    for (let silences = 0; silences < 5; silences += 1) await recordSilence();
    const { planner, store } = openProcess();
    const concerned = jest.spyOn(store, 'concerned');
    await planner.planEvents();
    expect(concerned).toHaveBeenCalledTimes(1);
    expect(await count('unplanned_events')).toBe(0);
  });

  it('takes effect later if the process could not finish', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    await openFamily(1);
    await recordSilence();
    const failing = openProcess();
    failing.store.concerned = () => Promise.reject(new Error('poison'));
    await failing.planner.planEvents();
    expect(await dueTimers()).toBe(0);
    await openProcess().planner.planEvents(Date.now() + 60_000);
    expect(await count('notification_timers WHERE due_at <= $1', [new Date(Date.now() + 60_000)])).toBe(1);
    error.mockRestore();
  });

  it('also concerns an alert that is being planned for the first time', async () => {
    const { planner, planning } = openProcess();
    const plan = planning.plan.bind(planning);
    let enter!: () => void;
    let leave!: () => void;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const left = new Promise<void>((resolve) => (leave = resolve));
    planning.plan = async (...parameters) => {
      enter();
      await left;
      return plan(...parameters);
    };
    await record(uuidv7(), 'incident.opened');
    const first = planner.planEvents();
    await entered;
    await recordSilence();
    const second = openProcess().planner.planEvents();
    await eventually(async () => expect(await waitingSessions((sql) => source.query(sql))).toHaveLength(1));
    leave();
    await Promise.all([first, second]);
    expect(await dueTimers()).toBe(1);
  });
});

it('marks only events from which notifications may follow', async () => {
  const resource = { type: 'monitor', id: uuidv7(), name: 'Shop' } as const;
  await new Transactions(source).run((tx) => log.record(tx, [{ type: 'monitor.created', teamId, resource }]));
  expect(await count('unplanned_events')).toBe(0);
});

/** Returns a planner that cannot plan the alerts of a subject. */
function plannerWithout(poisoned: string, fail: (tx: Tx) => Promise<never>) {
  const { planner, planning } = openProcess();
  const plan = planning.plan.bind(planning);
  planning.plan = (tx, refs, ...rest) =>
    refs.some(({ subjectId }) => subjectId === poisoned) ? fail(tx) : plan(tx, refs, ...rest);
  return planner;
}

/** Runs a statement that takes longer than the server allows. */
async function timeOut(tx: Tx): Promise<never> {
  await managerOf(tx).query(`SET LOCAL statement_timeout = '10ms'`);
  await managerOf(tx).query('SELECT pg_sleep(60)');
  throw new Error('the statement was not cancelled');
}

it('sets an event aside that cannot be planned, and plans the others', async () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  const [poisoned, other] = [uuidv7(), uuidv7()];
  const planner = plannerWithout(poisoned, () => Promise.reject(new Error('poison')));
  await record(poisoned, 'incident.opened');
  await record(other, 'incident.opened');
  for (let round = 0; round < 7; round += 1) await planner.planEvents(Date.now() + round * 60_000);
  expect(await source.query('SELECT incident_id FROM notifications')).toEqual([{ incident_id: other }]);
  expect(await source.query('SELECT failures FROM unplanned_events')).toEqual([{ failures: 5 }]);
  expect(error).toHaveBeenCalledTimes(5);
  error.mockRestore();
});

describe('an alert whose queries take too long', () => {
  let error: jest.SpiedFunction<Logger['error']>;
  beforeEach(() => {
    error = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  });
  afterEach(() => error.mockRestore());

  it('delays no other event, and is tried again for as long as that lasts', async () => {
    const [slow, other] = [uuidv7(), uuidv7()];
    const planner = plannerWithout(slow, timeOut);
    await record(slow, 'incident.opened');
    await record(other, 'incident.opened');
    for (let round = 0; round < 7; round += 1) await planner.planEvents(Date.now() + round * 600_000);
    expect(await source.query('SELECT incident_id FROM notifications')).toEqual([{ incident_id: other }]);
    expect(error).toHaveBeenCalledTimes(7);
    await openProcess().planner.planEvents(Date.now() + 7 * 600_000);
    expect(await count('notifications')).toBe(2);
  });

  it('delays no timer of another team, and is tried again later', async () => {
    const [slow, other, otherTeam] = [uuidv7(), uuidv7(), uuidv7() as TeamId];
    await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [otherTeam, 'Other team']);
    await record(slow, 'incident.opened');
    await record(other, 'incident.opened', { teamId: otherTeam });
    await openProcess().planner.planEvents();
    await source.query(`UPDATE notification_timers SET due_at = now() - interval '1 second'`);
    await plannerWithout(slow, timeOut).planTimers();
    const timers = await source.query<object[]>(
      'SELECT subject_id, due_at > now() AS waits, failures FROM notification_timers ORDER BY failures',
    );
    expect(timers).toEqual([
      { subject_id: other, waits: true, failures: 0 },
      { subject_id: slow, waits: true, failures: 1 },
    ]);
    expect(error).toHaveBeenCalledWith(expect.stringContaining(slow), expect.anything());
  });
});

it('grants a channel to one process at a time, and to another once the claim has expired', async () => {
  await record(uuidv7(), 'incident.opened');
  const [first, second] = [openProcess(), openProcess()];
  await first.planner.planEvents();
  const grants = await Promise.all([first.claims.next(), second.claims.next()]);
  expect(grants.filter((one) => one !== null)).toEqual([{ channelId: CHANNEL, teamId, isFailing: false }]);
  await source.query(`UPDATE notification_channel_claims SET claimed_until = now() - interval '1 second'`);
  expect(await openProcess().claims.next()).toEqual({ channelId: CHANNEL, teamId, isFailing: false });
});

it('repeats an attempt whose outcome was not recorded, with the same id', async () => {
  await record(uuidv7(), 'incident.opened');
  const killed = openProcess();
  await killed.planner.planEvents();
  const channel = (await killed.claims.next())!;
  const lost = await killed.attempts.start(channel);
  await source.query(`UPDATE notification_channel_claims SET claimed_until = now() - interval '1 second'`);

  const next = openProcess();
  expect(await next.claims.next()).toEqual(channel);
  const repeated = await next.attempts.start(channel);
  if (typeof lost !== 'object' || typeof repeated !== 'object' || !lost || !repeated) throw new Error('nothing is due');
  expect(repeated.messages[0]!.facts.id).toBe(lost.messages[0]!.facts.id);
  await next.attempts.finish(channel, repeated, [SENT]);
  expect(await next.attempts.start(channel)).toBeNull();
  const [row] = await source.query<Notification[]>('SELECT status, attempts FROM notifications');
  expect(row).toMatchObject({ status: 'sent', attempts: [{ outcome: 'unknown' }, { outcome: 'sent' }] });
  // The process that was thought dead notices that it has lost the channel.
  expect(await killed.attempts.start(channel)).toBeNull();
});

it('holds an outage that began during maintenance back until a check has failed after it', async () => {
  const endedAt = Date.now() - 10_000;
  await new PartitionsService(source, readConfig({})).ensure([endedAt]);
  const monitorId = uuidv7();
  await source.query(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata)
     VALUES ($1, $2, 'M', 'http', '{}', 'https://example.com', 5, 100, 2, 1, '{default}', 'majority', '{}', '{}')`,
    [monitorId, teamId],
  );
  await source.query(
    `INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at) VALUES ($1, $2, 'maintenance', $3, $4)`,
    [uuidv7(), monitorId, new Date(endedAt - 600_000), new Date(endedAt)],
  );
  const { planner } = openProcess({ ...team, rules: [{ ...team.rules[0]!, on: ['down'] }] });
  // Time in maintenance does not count, so the incident starts at its end.
  const data = { kind: 'detected', monitorIds: [monitorId], startedAt: new Date(endedAt).toISOString() };
  await record(uuidv7(), 'incident.opened', { at: endedAt + 1_000, data });
  await planner.planEvents(endedAt + 2_000);
  expect(await source.query('SELECT status, reason FROM notifications')).toEqual([
    { status: 'held', reason: 'maintenance' },
  ]);
  await source.query(
    `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
       interval_seconds) VALUES ($1, $2, 'default', 0, $2, 'schedule', 'down', 1, 5)`,
    [monitorId, new Date(endedAt + 3_000)],
  );
  await planner.planTimers(endedAt + 8_000);
  expect(await source.query('SELECT status, note FROM notifications')).toEqual([
    { status: 'pending', note: 'still_down_after_maintenance' },
  ]);
});

it('reads the same number of notifications however often an outage was repeated', async () => {
  const [repeats, repeatEverySeconds, incidentId] = [2_000, 300, uuidv7()];
  const startedAt = Date.now() - (repeats + 1) * repeatEverySeconds * 1_000;
  const rule = { ...team.rules[0]!, on: ['down' as const], repeatEverySeconds };
  const { planner, claims, attempts } = openProcess({ ...team, rules: [rule] });
  const send = async (nowMs: number) => {
    await source.query('UPDATE notification_timers SET due_at = $1', [new Date(nowMs)]);
    await planner.planTimers(nowMs);
    const channel = (await claims.next(nowMs))!;
    const started = await attempts.start(channel, nowMs);
    if (typeof started !== 'object' || !started) throw new Error('nothing is due');
    await attempts.finish(channel, started, [SENT], nowMs);
    await claims.release(channel);
  };
  const monitorIds = [uuidv7()];
  await record(incidentId, 'incident.opened', { at: startedAt, data: { kind: 'detected', monitorIds } });
  await planner.planEvents(startedAt);
  await send(startedAt);
  await send(startedAt + 300_000);
  await source.query(
    `INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, policy_id, step,
       repeat, channel_id, status, settled, attempts, message_id, due_at, created_at, sent_at)
     SELECT gen_random_uuid(), team_id, replace(key, '/1/1/', '/1/' || n || '/'), alert_key, kind, event_id, incident_id,
       monitor_ids, policy_id, step, n, channel_id, status, settled, attempts, message_id,
       due_at + (n - 1) * interval '300 s', created_at, sent_at
     FROM notifications, generate_series(2, $1) AS n WHERE kind = 'repeat'`,
    [repeats],
  );
  let read = 0;
  source.subscribers.push({ afterLoad: () => void (read += 1) });
  await send(Date.now());
  source.subscribers.pop();
  const [{ latest }] = await source.query<[{ latest: number }]>('SELECT max(repeat) AS latest FROM notifications');
  expect(latest).toBe(repeats + 1);
  expect(read).toBeLessThan(20);
});

it('adds nothing to a message to people that its receiver may have', async () => {
  const people = { ...team, channels: [{ ...team.channels[0]!, type: 'slack' }] };
  const { planner, claims, attempts } = openProcess(people);
  const attempt = async (nowMs: number, delivery: Delivery) => {
    const channel = (await claims.next(nowMs))!;
    const started = await attempts.start(channel, nowMs);
    if (typeof started !== 'object' || !started) throw new Error('nothing is due');
    await attempts.finish(channel, started, [delivery], nowMs);
    await claims.release(channel);
    return started.messages.map(({ ids, facts }) => ({ ids, id: facts.id }));
  };
  await record(uuidv7(), 'incident.opened');
  await planner.planEvents();
  const start = Date.now();
  const [first] = await attempt(start, FAILED);
  await record(uuidv7(), 'incident.opened');
  await planner.planEvents();
  const [second] = await attempt(start + 60_000, SENT);
  expect(second).toEqual({ ids: [second!.id], id: expect.not.stringMatching(first!.id) });
  expect(await attempt(start + 90_000, SENT)).toEqual([first]);
});

it.each([
  { outcome: FAILED, sentMeanwhile: true, expected: { status: 'sent', settled: true, next: false } },
  { outcome: FAILED, sentMeanwhile: false, expected: { status: 'pending', settled: false, next: true } },
  { outcome: SENT, sentMeanwhile: false, expected: { status: 'sent', settled: true, next: false } },
])(
  'stores only what was sent of an attempt that ends after another process has claimed the channel ($outcome.status, $sentMeanwhile)',
  async ({ outcome, sentMeanwhile, expected }) => {
    await record(uuidv7(), 'incident.opened');
    const [suspended, other] = [openProcess(), openProcess()];
    await suspended.planner.planEvents();
    const channel = (await suspended.claims.next())!;
    const late = await suspended.attempts.start(channel);
    await source.query(`UPDATE notification_channel_claims SET claimed_until = now() - interval '1 second'`);
    await other.claims.next();
    const repeated = await other.attempts.start(channel);
    if (typeof late !== 'object' || typeof repeated !== 'object' || !late || !repeated)
      throw new Error('nothing is due');
    if (sentMeanwhile) await other.attempts.finish(channel, repeated, [SENT]);
    await suspended.attempts.finish(channel, late, [outcome]);
    const [row] = await source.query<object[]>(
      'SELECT status, settled, next_attempt_at IS NOT NULL AS next FROM notifications',
    );
    expect(row).toEqual(expected);
    // The other process decides how long the channel waits.
    const [claim] = await source.query<object[]>('SELECT blocked_until FROM notification_channel_claims');
    expect(claim).toEqual({ blocked_until: null });
  },
);

it('sends a resolve where the outcome of the trigger is unknown', async () => {
  const incidentId = uuidv7();
  await record(incidentId, 'incident.opened');
  const { planner, claims, attempts } = openProcess();
  await planner.planEvents();
  const channel = (await claims.next())!;
  await attempts.start(channel);
  await record(incidentId, 'incident.resolved');
  await planner.planEvents();
  const attempt = await attempts.start(channel);
  expect(attempt).toMatchObject({ messages: [{ facts: { kind: 'resolve' } }] });
});

it('waits a minute after a failure, and gives up after a day', async () => {
  await record(uuidv7(), 'incident.opened');
  const { planner, claims, attempts } = openProcess();
  await planner.planEvents();
  const failure = { status: 'failed', permanent: false, retryAfterMs: null, statusCode: 503, error: 'No.' } as const;
  const fail = async (nowMs: number): Promise<boolean> => {
    const channel = await claims.next(nowMs);
    if (!channel) return false;
    const attempt = await attempts.start(channel, nowMs);
    if (attempt && attempt !== 'again') await attempts.finish(channel, attempt, [failure], nowMs);
    await claims.release(channel);
    return attempt !== null;
  };
  const start = Date.now();
  expect(await fail(start)).toBe(true);
  expect(await fail(start + 59_000)).toBe(false);
  expect(await fail(start + 61_000)).toBe(true);
  expect(await fail(start + 90_000_000)).toBe(false);
  expect(await source.query('SELECT status, next_attempt_at FROM notifications')).toEqual([
    { status: 'failed', next_attempt_at: null },
  ]);
});

/** Lets an attempt at the channel of the policy fail, and plans what follows. Returns the incidents it was about. */
async function failAt(nowMs: number, { planner, claims, attempts }: ReturnType<typeof openProcess>): Promise<string[]> {
  await source.query('UPDATE notification_channel_claims SET claimed_until = NULL, claimed_by = NULL');
  const started = await attempts.start((await claims.next(nowMs))!, nowMs);
  if (typeof started !== 'object' || !started) throw new Error('nothing is due');
  const deliveries = started.messages.map(() => FAILED);
  await attempts.finish({ channelId: CHANNEL, teamId }, started, deliveries, nowMs);
  await planner.planTimers(nowMs);
  return started.messages.flatMap(({ subjectIds }) => subjectIds);
}
const reachedOwners = async (): Promise<string[]> => {
  const rows = await source.query<{ incident_id: string }[]>(
    'SELECT incident_id FROM notifications WHERE channel_id = $1 ORDER BY incident_id',
    [teamId],
  );
  return rows.map((row) => row.incident_id);
};

it('notifies the owners of each alert once its channel has failed three times, with whichever alerts', async () => {
  const sender = openProcess();
  const incidents = Array.from({ length: 10 }, () => uuidv7());
  for (const id of incidents) await record(id, 'incident.opened');
  await sender.planner.planEvents();
  const start = Date.now();
  const attempted = new Set(await failAt(start, sender));
  for (const id of await failAt(start + 60_000, sender)) attempted.add(id);
  expect(await reachedOwners()).toEqual([]);
  const late = uuidv7();
  await record(late, 'incident.opened', { at: start + 90_000 });
  await sender.planner.planEvents(start + 90_000);
  expect(await failAt(start + 120_000, sender)).toEqual([late]);
  expect(attempted.size).toBeLessThan(incidents.length);
  expect(await reachedOwners()).toEqual(incidents.sort());
});

it('notifies the owners of an alert that is given up', async () => {
  const sender = openProcess();
  await record(uuidv7(), 'incident.opened');
  await sender.planner.planEvents();
  const start = Date.now();
  await failAt(start, sender);
  expect(await reachedOwners()).toEqual([]);
  expect(await sender.attempts.start({ channelId: CHANNEL, teamId }, start + 90_000_000)).toBeNull();
  await sender.planner.planTimers(start + 90_000_000);
  expect(await reachedOwners()).toHaveLength(1);
});

it('counts the failures of a channel since it last worked', async () => {
  const sender = openProcess();
  await record(uuidv7(), 'incident.opened');
  await record(uuidv7(), 'incident.opened');
  await sender.planner.planEvents();
  const start = Date.now();
  await failAt(start, sender);
  await failAt(start + 60_000, sender);
  await new Transactions(source).run((tx) => sender.claims.succeeded(tx, { channelId: CHANNEL, teamId }));
  await failAt(start + 120_000, sender);
  expect(await source.query('SELECT DISTINCT channel_failed_at FROM notifications')).toEqual([
    { channel_failed_at: null },
  ]);
});

it('does not wait for a process that is writing to the claim of a channel', async () => {
  await record(uuidv7(), 'incident.opened');
  const { planner } = openProcess();
  await planner.planEvents();
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query('UPDATE notification_channel_claims SET blocked_until = now()');
    await record(uuidv7(), 'incident.opened');
    // With the wait, two processes could wait for each other.
    await planner.planEvents();
    expect(await count('notifications')).toBe(2);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}, 10_000);
