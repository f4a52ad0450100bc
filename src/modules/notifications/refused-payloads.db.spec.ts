import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { alertingProcess, alertingSource } from '../../../test/support/alerting-process.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { type Delivery } from '../../channels/delivery.js';
import { type MessageFacts } from '../../channels/message.js';
import { Transactions } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { EventLog } from '../events/event-log.service.js';
import { type EventType } from '../events/event.types.js';

const SENT: Delivery = { status: 'sent', providerId: null, statusCode: 200 };
const BUSY: Delivery = { status: 'failed', permanent: false, retryAfterMs: null, statusCode: 500, error: 'Broken.' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let teamId: TeamId;
let channelId: string;
let sender: ReturnType<typeof alertingProcess>;
/** Epoch milliseconds. */
let now: number;
/** The titles of the incidents about which the receiver accepts nothing. */
let refused: Set<string>;

beforeAll(async () => {
  database = await createTestDatabase();
  source = await alertingSource(database.url, 4);
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});
beforeEach(async () => {
  now = Date.now();
  refused = new Set();
  await source.query('TRUNCATE teams, unplanned_events CASCADE');
  teamId = uuidv7() as TeamId;
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
});

/** Lets the team be notified by a channel of this type. */
function notifyBy(type: string): void {
  channelId = uuidv7();
  const steps = [{ afterSeconds: 0, channelIds: [channelId] }];
  const rule = { id: uuidv7(), enabled: true, activeSince: 0, match: { all: true as const }, steps };
  sender = alertingProcess(source, {
    rules: [{ ...rule, on: ['manual_incident'], repeatEverySeconds: null, quietHours: null }],
    channels: [{ id: channelId, type, enabled: true, failingSince: null }],
  });
}

async function record(type: EventType, id: string, name: string): Promise<void> {
  const event = {
    type,
    teamId,
    data: { kind: 'manual', monitorIds: [] },
    resource: { type: 'incident' as const, id, name },
  };
  await new Transactions(source).run((tx) => new EventLog(source).record(tx, [event], now));
  while ((await sender.planner.planEvents(now)).isMore);
}

/** Reports an incident, and returns its id. */
async function open(name: string): Promise<string> {
  const id = uuidv7();
  await record('incident.opened', id, name);
  return id;
}

/** Sends what is due, on each channel until an attempt fails, and returns what the receiver accepted. */
async function accepted(): Promise<string[]> {
  const { claims, attempts } = sender;
  const lines: string[] = [];
  for (let claimed = await claims.next(now); claimed; claimed = await claims.next(now)) {
    const isOwn = claimed.channelId === channelId;
    for (let isFailed = false; !isFailed;) {
      const started = await attempts.start(claimed, now);
      if (started === null) break;
      if (started === 'again') continue;
      const deliveries = started.messages.map(({ facts }) => (isOwn && refused.has(titleOf(facts)) ? BUSY : SENT));
      if (isOwn)
        lines.push(
          ...started.messages.flatMap(({ facts }, index) => (deliveries[index] === SENT ? lineOf(facts) : [])),
        );
      await attempts.finish(claimed, started, deliveries, now);
      isFailed = deliveries.includes(BUSY);
    }
    await claims.release(claimed);
  }
  return lines;
}
const titleOf = ({ incident }: MessageFacts): string => incident!.title;
const lineOf = (facts: MessageFacts): string => `${facts.kind} ${titleOf(facts)}`;

describe.each(['slack', 'webhook', 'pagerduty'])('a receiver of type %s that never accepts a message', (type) => {
  it('gets those about other alerts at its next attempts', async () => {
    notifyBy(type);
    const early = await open('early');
    expect(await accepted()).toEqual(['trigger early']);
    now += 30_000;
    refused.add('broken');
    await open('broken');
    expect(await accepted()).toEqual([]);
    now += 30_000;
    await record('incident.resolved', early, 'early');
    expect(await accepted()).toEqual([]);
    now += 30_000;
    expect(await accepted()).toEqual(['resolve early']);
    for (const name of ['b', 'c']) {
      now += 60_000;
      const id = await open(name);
      expect(await accepted()).toEqual([`trigger ${name}`]);
      now += 60_000;
      await record('incident.resolved', id, name);
      expect(await accepted()).toEqual([`resolve ${name}`]);
    }
  });

  it('gets its end as soon as it accepts that, and nothing of it before', async () => {
    notifyBy(type);
    refused.add('broken');
    const broken = await open('broken');
    expect(await accepted()).toEqual([]);
    now += 60_000;
    await record('incident.resolved', broken, 'broken');
    expect(await accepted()).toEqual([]);
    refused.clear();
    now += 60_000;
    expect(await accepted()).toEqual(['resolve broken']);
  });

  it('is tried with each message in turn', async () => {
    notifyBy(type);
    for (const name of ['x', 'y', 'z']) refused.add(name);
    await open('x');
    await accepted();
    now += 1_000;
    await open('y');
    now += 1_000;
    await open('z');
    const attempted = async (): Promise<string[]> => {
      const rows: { name: string }[] = await source.query(
        `SELECT t.title AS name FROM notifications n CROSS JOIN LATERAL (
           SELECT resource_name AS title FROM events WHERE resource_id = n.incident_id::text LIMIT 1) AS t
         WHERE channel_id = $1 ORDER BY n.attempts -> -1 ->> 'at' DESC NULLS LAST LIMIT 1`,
        [channelId],
      );
      return rows.map(({ name }) => name);
    };
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      now += 60_000;
      expect(await accepted()).toEqual([]);
      order.push(...(await attempted()));
    }
    // People get what was not tried yet in few messages, so each of these waits until the others were tried again.
    const round = type === 'slack' ? ['z', 'x', 'y'] : ['z', 'y', 'x'];
    expect(order).toEqual([...round, ...round]);
  });
});

describe('an Alertmanager that never accepts an alert', () => {
  it('gets the others again often enough for them not to expire', async () => {
    notifyBy('alertmanager');
    for (const name of ['a', 'b', 'c']) await open(name);
    await accepted();
    refused.add('broken');
    await open('broken');
    const last = new Map(['a', 'b', 'c'].map((name) => [`trigger ${name}`, now]));
    for (let turn = 0; turn < 15; turn += 1) {
      for (const line of await accepted()) last.set(line, now);
      for (const at of last.values()) expect(now - at).toBeLessThanOrEqual(120_000);
      now += 60_000;
    }
  });

  it('gets new alerts if it is the repetition of an open one that it does not accept', async () => {
    notifyBy('alertmanager');
    await open('broken');
    await accepted();
    refused.add('broken');
    now += 60_000;
    expect(await accepted()).toEqual([]);
    for (const name of ['a', 'b']) {
      await open(name);
      now += 60_000;
      expect(await accepted()).toContain(`trigger ${name}`);
    }
  });
});
