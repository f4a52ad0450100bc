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
import { type EventType } from '../events/event.types.js';
import { type Alerting } from '../notification-policies/notification-policies.service.js';

const CHANNEL = uuidv7();
const channel = { id: CHANNEL, type: 'alertmanager', enabled: true, failingSince: null };
const steps = [{ afterSeconds: 0, channelIds: [CHANNEL] }];
const rule = { id: uuidv7(), enabled: true, activeSince: 0, match: { all: true as const }, steps };
const team: Alerting = {
  rules: [{ ...rule, on: ['manual_incident'], repeatEverySeconds: null, quietHours: null }],
  channels: [channel],
};
const SENT: Delivery = { status: 'sent', providerId: null, statusCode: 200 };
const REFUSED: Delivery = { status: 'failed', permanent: true, retryAfterMs: null, statusCode: 400, error: 'No.' };

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
  ({ planner, attempts, claims } = alertingProcess(source, team));
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

/** Records an event of each incident, and plans it. */
async function record(type: EventType, ...incidentIds: string[]): Promise<void> {
  const events = incidentIds.map((id) => ({
    ...{ type, teamId, data: { kind: 'manual', monitorIds: [] } },
    resource: { type: 'incident' as const, id, name: 'Payments' },
  }));
  await new Transactions(source).run((tx) => new EventLog(source).record(tx, events, now));
  while ((await planner.planEvents(now)).isMore);
}

/** Sends all that is due, and returns what the channel got; the owners, who get what it refuses, are always reached. */
async function sendAll(delivery: Delivery = SENT): Promise<MessageFacts[]> {
  const sent: MessageFacts[] = [];
  for (let claimed = await claims.next(now); claimed; claimed = await claims.next(now)) {
    for (;;) {
      const attempt = await attempts.start(claimed, now);
      if (attempt === null) break;
      if (attempt === 'again') continue;
      const isOwn = claimed.channelId === CHANNEL;
      if (isOwn) sent.push(...attempt.messages.map(({ facts }) => facts));
      await attempts.finish(
        claimed,
        attempt,
        attempt.messages.map(() => (isOwn ? delivery : SENT)),
        now,
      );
    }
    await claims.release(claimed);
  }
  return sent;
}
const shown = (messages: readonly MessageFacts[]): string[] =>
  messages.map(({ kind, alertKey, isStorm }) => `${kind} ${isStorm ? alertKey.replace(/\/.*/, '') : 'alone'}`);
const many = (count: number): string[] => Array.from({ length: count }, () => uuidv7());
const ALONE = Array.from({ length: MAX_ALERTS }, () => 'trigger alone');

describe('an alert whose receiver forgets what is not repeated', () => {
  it('is sent again each minute while it is open', async () => {
    const [incident] = many(1);
    await record('incident.opened', incident!);
    const [trigger] = await sendAll();
    now += 59_000;
    expect(await sendAll()).toEqual([]);
    for (let turn = 0; turn < 3; turn += 1) {
      now += turn === 0 ? 1_000 : 60_000;
      expect(await sendAll()).toMatchObject([{ kind: 'trigger', alertKey: trigger!.alertKey, id: trigger!.id }]);
    }
    await record('incident.resolved', incident!);
    const [resolve] = await sendAll();
    expect(resolve).toMatchObject({ kind: 'resolve', alertKey: trigger!.alertKey });
    // An instance that missed it would show the alert for five minutes after its last repetition.
    for (let turn = 0; turn < 4; turn += 1) {
      now += 60_000;
      const { id, alertKey, resolvedAt } = resolve!;
      expect(await sendAll()).toMatchObject([{ kind: 'resolve', id, alertKey, resolvedAt }]);
    }
    for (let turn = 0; turn < 3; turn += 1) {
      now += 60_000;
      expect(await sendAll()).toEqual([]);
    }
    // A repetition is no notification of its own.
    expect(
      await source.query('SELECT kind, jsonb_array_length(attempts) AS attempts FROM notifications ORDER BY 1'),
    ).toEqual(
      [{ kind: 'resolve', attempts: 1 }, { kind: 'trigger', attempts: 1 }], // prettier-ignore
    );
  });
});

describe('more than twenty alerts within a minute', () => {
  it('are twenty and one that stands for the rest, which is repeated and ends with the last of them', async () => {
    const incidents = many(MAX_ALERTS + 5);
    await record('incident.opened', ...incidents);
    const opened = await sendAll();
    expect(shown(opened)).toEqual([...ALONE, 'trigger storm']);
    expect(opened.at(-1)!.note).toMatch(/covers all further ones/);
    // One more joins without a message.
    const [late] = many(1);
    await record('incident.opened', late!);
    expect(await sendAll()).toEqual([]);
    const key = opened.at(-1)!.alertKey;
    const members = await source.query<{ incident_id: string; status: string }[]>(
      `SELECT incident_id, status FROM notifications WHERE storm_key = $1 AND kind = 'trigger'`,
      [key],
    );
    expect(members).toHaveLength(6);
    expect(new Set(members.map(({ status }) => status))).toEqual(new Set(['sent']));

    const inStorm = members.map((one) => one.incident_id);
    const [last, ...others] = inStorm;
    await record('incident.resolved', ...incidents.filter((id) => !inStorm.includes(id)), ...others);
    expect(shown(await sendAll())).toEqual(ALONE.map(() => 'resolve alone'));
    now += 60_000;
    const repeated = await sendAll();
    expect(repeated.filter(({ kind }) => kind === 'trigger')).toMatchObject([{ alertKey: key }]);
    expect(shown(repeated.filter(({ kind }) => kind !== 'trigger'))).toEqual(ALONE.map(() => 'resolve alone'));
    await record('incident.resolved', last!);
    const end = { kind: 'resolve', alertKey: key, isStorm: true };
    expect(await sendAll()).toMatchObject([end]);
    now += 60_000;
    expect((await sendAll()).filter(({ isStorm }) => isStorm)).toMatchObject([end]);
    now += 300_000;
    expect(await sendAll()).toEqual([]);
  });

  it('are alerts of their own again a minute later', async () => {
    await record('incident.opened', ...many(MAX_ALERTS + 1));
    await sendAll();
    now += 60_000;
    await record('incident.opened', ...many(1));
    expect(shown(await sendAll()).filter((one) => one === 'trigger alone')).toHaveLength(MAX_ALERTS + 1);
  });

  it('are not lost if the storm alert is refused: the next ones open another', async () => {
    await record('incident.opened', ...many(MAX_ALERTS));
    await sendAll();
    await record('incident.opened', ...many(2));
    expect(shown(await sendAll(REFUSED))).toEqual(['trigger storm']);
    now += 59_000;
    await record('incident.opened', ...many(1));
    await source.query('UPDATE notification_channel_claims SET blocked_until = NULL');
    expect(shown(await sendAll())).toEqual(['trigger storm']);
  });
});
