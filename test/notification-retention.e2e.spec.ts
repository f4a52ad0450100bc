import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../src/domain/durations.js';
import { type EventRetention } from '../src/modules/events/event-retention.service.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type NotificationRetention } from '../src/modules/notifications/notification-retention.service.js';
import { startApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { CHANNELS, putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { getIncident, reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { useReceiver } from './support/receiver.js';
import { answers, startTarget, type Target } from './support/target.js';

const receiver = useReceiver();
let app: TestApp;
let target: Target;
let team: TestTeam;
let api: Client;
beforeAll(async () => {
  const settings = {
    EVENT_RETENTION_DAYS: '30',
    ALLOW_PRIVATE_CHANNELS: '127.0.0.0/8',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  };
  [app, target] = await Promise.all([startApp(settings), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});
beforeEach(async () => {
  team = await app.backstage.makeTeam('Retained');
  api = app.api(team.write);
  await putChannel(api, 'hook', { settings: { url: `${receiver.origin}/${team.id}/hook` } });
  await usePolicy('key:hook');
});

async function usePolicy(channelId: string): Promise<void> {
  const steps = [{ afterSeconds: 0, channelIds: [channelId] }];
  const policy = { name: 'Everything', match: { all: true }, on: ['manual_incident', 'down'], steps };
  const { status } = await api.put('/v1/notification-policies/key:everything', policy);
  expect([200, 201]).toContain(status);
}

/** Deletes what is expired after this many days, in both orders, because the two clean up independently. */
async function pass(days: number): Promise<void> {
  const nowMs = Date.now() + days * DAY_MS;
  const notifications = app.backstage.provider<NotificationRetention>('NotificationRetention');
  const events = app.backstage.provider<EventRetention>('EventRetention');
  await events.deleteExpired(nowMs);
  await notifications.deleteExpired(nowMs);
  await events.deleteExpired(nowMs);
}

async function report(): Promise<IncidentDto> {
  const { id } = await createMonitor(api, httpMonitor('https://payments.example/', { paused: true }));
  return reportIncident(api, [id]);
}

async function resolve({ id }: { id: string }): Promise<void> {
  await api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'Done.' });
}

/** Messages about an earlier test may still arrive, at the addresses of its team. */
const received = (): string[] =>
  receiver.requests
    .filter(({ path }) => path.startsWith(`/${team.id}/`))
    .map(({ json }) => (json as { type: string }).type);
const receives = (...types: string[]) => eventually(() => expect(received()).toEqual(types));

/** Returns how many rows of an incident a table has. */
async function stored(incidentId: string) {
  const [row] = await app.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM notifications WHERE incident_id = $1) AS notifications,
       (SELECT count(*)::int FROM notification_timers WHERE subject_id = $1) AS alerts,
       (SELECT count(*)::int FROM events WHERE resource_id = $1::text) AS events`,
    [incidentId],
  );
  return row!;
}
const NOTHING = { notifications: 0, alerts: 0, events: 0 };

const claims = (channelId: string) =>
  app.query('SELECT 1 FROM notification_channel_claims WHERE channel_id = $1', [channelId]);

/** Reports an incident, and resolves it. Returns it once both messages have been sent. */
async function reported(): Promise<IncidentDto> {
  const incident = await report();
  await receives('manual_incident.trigger');
  await resolve(incident);
  await receives('manual_incident.trigger', 'manual_incident.resolve');
  await eventually(async () => {
    const rows = await app.query('SELECT 1 FROM notifications WHERE incident_id = $1 AND NOT settled', [incident.id]);
    expect(rows).toEqual([]);
  });
  return incident;
}

describe('notifications', () => {
  it('are deleted with the events that they follow from, and not before; their incident stays', async () => {
    const incident = await reported();
    await pass(29);
    expect(await stored(incident.id)).toMatchObject({ notifications: 2, alerts: 1 });
    await pass(31);
    expect(await stored(incident.id)).toEqual(NOTHING);
    expect(await getIncident(api, incident.id)).toMatchObject({ id: incident.id });
    expect((await api.get(`/v1/incidents/${incident.id}/notifications`)).body).toMatchObject({ data: [] });
  });

  it('of an open incident are kept, so that its end is still reported', async () => {
    const incident = await report();
    await receives('manual_incident.trigger');
    await pass(31);
    expect(await stored(incident.id)).toMatchObject({ notifications: 1, alerts: 1 });
    await resolve(incident);
    await receives('manual_incident.trigger', 'manual_incident.resolve');
  });

  it('that are pending are kept', async () => {
    receiver.answer({ status: 503, headers: { 'Retry-After': '3600' } });
    const incident = await report();
    await receives('manual_incident.trigger');
    await resolve(incident);
    await eventually(async () => {
      const rows = await app.query(
        `SELECT 1 FROM notifications WHERE incident_id = $1 AND kind = 'resolve' AND status = 'pending'`,
        [incident.id],
      );
      expect(rows).toHaveLength(1);
    });
    await pass(31);
    expect(await stored(incident.id)).toMatchObject({ notifications: 2, alerts: 1 });
  });

  it('of an outage whose monitor is paused are kept, so that the outage is reported again when it is resumed', async () => {
    target.behave('/paused', answers(503));
    const { id } = await createMonitor(api, httpMonitor(target.url('/paused'), { failureThreshold: 1 }));
    await untilStatus(api, id, 'down');
    await receives('down.trigger');
    await api.post(`/v1/monitors/${id}/pause`, {});
    await receives('down.trigger', 'down.resolve');
    await pass(31);
    await api.post(`/v1/monitors/${id}/resume`);
    await receives('down.trigger', 'down.resolve', 'down.trigger');
    await api.delete(`/v1/monitors/${id}`);
  });

  it('are deleted even if there are more than one statement deletes', async () => {
    await app.query(
      `INSERT INTO notification_timers (alert_key, team_id, subject_id, event, monitors, recorded_at, closed_at, due_at)
       SELECT id || '/1', $1, id, event, '[]', now(), CASE event WHEN 'down' THEN now() END, NULL
       FROM (SELECT gen_random_uuid() AS id, (ARRAY['down', 'maintenance'])[1 + n % 2] AS event
             FROM generate_series(1, 450) AS n) AS alerts`,
      [team.id],
    );
    // A pass leaves alerts that the planner has locked at that moment to the next one.
    await eventually(async () => {
      await pass(31);
      expect(await app.query('SELECT 1 FROM notification_timers WHERE team_id = $1', [team.id])).toEqual([]);
    });
  });
});

describe('a mark of an event that cannot be planned', () => {
  it('is deleted once the event does not exist any more', async () => {
    await app.query("INSERT INTO unplanned_events VALUES ($1, 1, 5, NULL, $1, 'incident', 'x')", [team.id]);
    await pass(0);
    expect(await app.query('SELECT 1 FROM unplanned_events WHERE event_id = $1', [team.id])).toEqual([]);
  });
});

describe('the claim of a channel', () => {
  it('is deleted with the channel, also after the channel was to hear of the end of an incident', async () => {
    const incident = await report();
    await receives('manual_incident.trigger');
    const { body: hook } = await api.get<{ id: string }>(`${CHANNELS}/key:hook`);
    await eventually(async () => {
      const rows = await app.query('SELECT 1 FROM notifications WHERE channel_id = $1 AND settled', [hook.id]);
      expect(rows).toHaveLength(1);
    });
    await putChannel(api, 'other', { settings: { url: `${receiver.origin}/${team.id}/other` } });
    await usePolicy('key:other');
    expect(await claims(hook.id)).toHaveLength(1);
    expect(await api.delete(`${CHANNELS}/key:hook`)).toMatchObject({ status: 204 });
    expect(await claims(hook.id)).toEqual([]);

    await resolve(incident);
    await eventually(async () => {
      const { body } = await api.get<{ data: object[] }>(`/v1/notifications?channelId=${hook.id}&status=failed`);
      expect(body.data).toMatchObject([{ kind: 'resolve', attempts: [{ error: 'The channel was deleted.' }] }]);
    });
    await pass(0);
    expect(await claims(hook.id)).toEqual([]);
  });

  it('is restored if it is missing although something is pending', async () => {
    receiver.answer({ status: 503, headers: { 'Retry-After': '3600' } });
    await report();
    await receives('manual_incident.trigger');
    await eventually(async () =>
      expect(
        await app.query(`SELECT 1 FROM notifications WHERE team_id = $1 AND attempts @> '[{"outcome": "failed"}]'`, [
          team.id,
        ]),
      ).toHaveLength(1),
    );
    receiver.answer({});
    await app.query('UPDATE notification_timers SET due_at = NULL WHERE team_id = $1', [team.id]);
    await app.query('DELETE FROM notification_channel_claims WHERE team_id = $1', [team.id]);
    await app.query('UPDATE notifications SET next_attempt_at = now() WHERE team_id = $1', [team.id]);
    await pass(0);
    await receives('manual_incident.trigger');
  });
});
