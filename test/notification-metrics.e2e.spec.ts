import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { deleteTeams, startApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { useReceiver } from './support/receiver.js';

const COUNT = 'daywatch_notifications_total';
const PENDING = 'daywatch_notifications_pending';
const OLDEST = 'daywatch_notifications_oldest_pending_seconds';
const FAILING = 'daywatch_notification_channels_failing';

const receiver = useReceiver();
let app: TestApp;
let team: TestTeam;
let api: Client;
beforeAll(async () => {
  app = await startApp({ METRICS_TOKEN, METRICS_PORT: '0', ALLOW_PRIVATE_CHANNELS: '127.0.0.0/8' });
});
afterAll(() => app.close());
beforeEach(async () => {
  await deleteTeams(app);
  team = await app.backstage.makeTeam('Measured');
  api = app.api(team.write);
});

/** Creates a channel that a policy uses for manual incidents. Returns its id. */
async function notified(changes: { channel?: object; policy?: object } = {}): Promise<string> {
  const settings = { url: `${receiver.origin}/hook` };
  const { id } = await putChannel(api, 'hook', { settings, ...changes.channel });
  const steps = [{ afterSeconds: 0, channelIds: [id] }];
  const policy = { name: 'Manual', match: { all: true }, on: ['manual_incident'], steps, ...changes.policy };
  expect(await api.put('/v1/notification-policies/key:manual', policy)).toMatchObject({ status: expect.any(Number) });
  return id;
}

/** Reports an incident of a paused monitor. */
async function report(): Promise<void> {
  const { id } = await createMonitor(api, httpMonitor('https://payments.example/', { paused: true }));
  await reportIncident(api, [id]);
}

/** Returns by how much a counter rises. The wait for `expected` is part of the assertion. */
async function rises(name: string, labels: Record<string, string>, by: number, act: () => Promise<void>) {
  const before = (await scrape(app)).value(name, labels);
  await act();
  await eventually(async () => expect((await scrape(app)).value(name, labels) - before).toBe(by));
}

describe('metrics of notifications', () => {
  it('count what is sent, with the time from the event to the delivery', async () => {
    await notified();
    const before = await scrape(app);
    const startMs = performance.now();
    await rises(COUNT, { type: 'webhook', status: 'sent' }, 2, async () => {
      await report();
      await report();
    });
    const after = await scrape(app);
    const name = 'daywatch_notification_delivery_seconds';
    const rise = (part: string) =>
      after.value(name + part, { type: 'webhook' }) - before.value(name + part, { type: 'webhook' });
    expect(rise('_count')).toBe(2);
    expect(rise('_sum')).toBeGreaterThan(0);
    expect(rise('_sum')).toBeLessThan((2 * (performance.now() - startMs)) / 1_000);
    expect(after.value(PENDING)).toBe(0);
    expect(after.value(OLDEST)).toBe(0);
  });

  it('count what is refused, and show the channel as failing until it works', async () => {
    const id = await notified();
    receiver.answer({ status: 410 });
    await rises(COUNT, { type: 'webhook', status: 'failed' }, 1, report);
    await eventually(async () => expect((await scrape(app)).value(FAILING, { type: 'webhook' })).toBe(1));
    receiver.answer({});
    expect(await api.post(`/v1/notification-channels/${id}/test`)).toMatchObject({ status: 200 });
    expect((await scrape(app)).value(FAILING)).toBe(0);
  });

  it('do not count a failing channel that is disabled', async () => {
    const id = await notified();
    receiver.answer({ status: 410 });
    await rises(COUNT, { type: 'webhook', status: 'failed' }, 1, report);
    await api.patch(`/v1/notification-channels/${id}`, { enabled: false });
    expect((await scrape(app)).value(FAILING)).toBe(0);
  });

  it('count what a silence holds back, once', async () => {
    await notified();
    const silence = { match: { all: true }, durationSeconds: 600, reason: 'A known problem' };
    expect(await api.post('/v1/silences', silence)).toMatchObject({ status: 201 });
    const labels = { type: 'webhook', status: 'held' };
    await rises(COUNT, labels, 1, report);
    const before = (await scrape(app)).value(COUNT, labels);
    await app.query('UPDATE notification_timers SET due_at = now()');
    await eventually(async () => {
      const rows = await app.query('SELECT 1 FROM notification_timers WHERE due_at <= now()');
      expect(rows).toEqual([]);
    });
    expect((await scrape(app)).value(COUNT, labels)).toBe(before);
  });

  it('count what is not sent because the policy is disabled', async () => {
    await notified({ policy: { enabled: false } });
    await rises(COUNT, { type: 'webhook', status: 'suppressed' }, 1, report);
  });

  it('show what waits for a retry as pending at a failing channel, with its age', async () => {
    await notified();
    receiver.answer({ status: 503, headers: { 'Retry-After': '3600' } });
    await report();
    await eventually(async () => {
      const figures = await scrape(app);
      expect(figures.value(PENDING, { channels: 'failing' })).toBe(1);
      expect(figures.value(PENDING, { channels: 'working' })).toBe(0);
    });
    await app.query(`UPDATE notifications SET due_at = due_at - interval '10 minutes'`);
    const figures = await scrape(app);
    expect(figures.value(OLDEST, { channels: 'failing' })).toBeGreaterThan(600);
    expect(figures.value(OLDEST, { channels: 'working' })).toBe(0);
  });

  it('show what waits at a working channel that no process serves', async () => {
    const id = await notified();
    await rises(COUNT, { type: 'webhook', status: 'sent' }, 1, report);
    await app.query(
      `UPDATE notification_channel_claims SET claimed_by = gen_random_uuid(), claimed_until = now() + interval '1 hour'
       WHERE channel_id = $1`,
      [id],
    );
    await report();
    await eventually(async () => expect((await scrape(app)).value(PENDING, { channels: 'working' })).toBe(1));
  });

  it('show events that are not planned, apart from those that are set aside', async () => {
    const event = 'daywatch_unplanned_events';
    const later = new Date(Date.now() + 600_000);
    const [waiting] = await app.query<{ id: string }>(
      `INSERT INTO events (id, team_id, era, transaction_id, type, occurred_at, recorded_at, actor_type, resource_type,
         resource_id, data)
       VALUES ($1::uuid, $2, 1, 1, 'incident.opened', now(), now() - interval '90 seconds', 'system', 'incident', $1::text, '{}')
       RETURNING id`,
      [uuidv7(), team.id],
    );
    await app.query(
      `INSERT INTO unplanned_events VALUES ($1::uuid, 1, 0, $2, $3, 'incident', $1::text),
         (gen_random_uuid(), 2, 5, $2, $3, 'incident', 'x')`,
      [waiting!.id, later, team.id],
    );
    const figures = await scrape(app);
    expect(figures.value(event, { state: 'waiting' })).toBe(1);
    expect(figures.value(event, { state: 'set_aside' })).toBe(1);
    expect(figures.value(`${event}_oldest_seconds`)).toBeGreaterThanOrEqual(90);
    await app.query('DELETE FROM unplanned_events');
    expect((await scrape(app)).value(event)).toBe(0);
  });
});
