import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { checkNow, createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { createPolicy } from './support/notifications.js';
import { PATIENCE } from './support/patience.js';
import { type Received, useReceiver } from './support/receiver.js';
import { answers, startTarget, type Target } from './support/target.js';

const receiver = useReceiver();
let app: TestApp;
let team: TestTeam;
let api: Client;
let target: Target;
/** The ids of the channels of the team, by key. */
let channelIds: Map<string, string>;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});
beforeEach(async () => {
  team = await app.backstage.makeTeam('Alerted');
  api = app.api(team.write);
  channelIds = new Map();
  for (const [key, type] of Object.entries({ hook: 'webhook', pager: 'webhook', ops: 'slack' })) {
    const { id } = await putChannel(api, key, { type, settings: { url: `${receiver.origin}/${team.id}/${key}` } });
    channelIds.set(key, id);
  }
});

interface Payload {
  type: string;
  data: Record<string, unknown> & { subject: string; alertKey: string; monitors: { id: string; name: string }[] };
}
/** What the team was sent. Messages about an earlier test may still arrive, at the addresses of its team. */
const messages = (): Received[] => receiver.requests.filter(({ path }) => path.startsWith(`/${team.id}/`));
/** Returns what a channel received: one line for each message. */
const received = (key: string): string[] =>
  messages()
    .filter(({ path }) => path.endsWith(`/${key}`))
    .map((one) => (one.json as Payload).type);
const payloadOf = ({ json }: Received): Payload => json as Payload;
/** Returns the messages about an incident. Before it, a target that a busy machine held up may have been down for a moment. */
const payloadsAbout = ({ id }: IncidentDto): Payload[] =>
  messages()
    .map(payloadOf)
    .filter(({ data }) => data.alertKey.startsWith(id));

const step = (afterSeconds: number, ...keys: string[]) => ({
  afterSeconds,
  channelIds: keys.map((key) => `key:${key}`),
});
const policy = (definition: Record<string, unknown> = {}) =>
  createPolicy(api, { steps: [step(0, 'hook')], ...definition });

/** A monitor that is checked on request only, and degraded by more than a busy machine delays an answer. */
const SLUGGISH = { intervalSeconds: 3_600, timeoutMs: 10_000, degradedAfterMs: 2_000, failureThreshold: 1 };

interface Row {
  kind: string;
  status: string;
  reason: string | null;
  channel_id: string | null;
  step: number;
  attempts: { at: string; outcome: string }[];
}
const rowsOf = (incidentId: string) =>
  app.query<Row>(
    'SELECT kind, status, reason, channel_id, step, attempts FROM notifications WHERE incident_id = $1 ORDER BY created_at, id',
    [incidentId],
  );

/** Reports an incident of a paused monitor. */
async function report(): Promise<IncidentDto> {
  const { id } = await createMonitor(api, httpMonitor(target.url('/manual'), { name: 'Payments', paused: true }));
  return reportIncident(api, [id]);
}

/** Creates a monitor that goes down, and returns its id with the incident. */
async function fallen(path: string, more: Record<string, unknown> = {}) {
  const { id } = await createMonitor(api, httpMonitor(target.url(path), { failureThreshold: 1, ...more }));
  await untilStatus(api, id, 'up');
  target.behave(path, answers(503));
  await untilStatus(api, id, 'down');
  const { body } = await api.get<{ data: IncidentDto[] }>(`/v1/monitors/${id}/incidents`);
  return { id, incident: body.data[0]! };
}

describe('an outage', () => {
  it('is reported once it is confirmed, and so is its end', async () => {
    await policy();
    const runbookUrl = 'https://wiki.example/runbooks/checkout?lang=en';
    const { id, incident } = await fallen('/reported', { name: 'Checkout API', runbookUrl });
    const types = () => payloadsAbout(incident).map(({ type }) => type);
    await eventually(() => expect(types()).toEqual(['down.trigger']));
    const trigger = payloadsAbout(incident)[0]!;
    expect(trigger.data).toMatchObject({
      subject: expect.stringMatching(/^DOWN Checkout API: status 503 since \d\d:\d\d UTC$/),
      alertKey: `${incident.id}/1`,
      startedAt: incident.startedAt,
      resolvedAt: null,
      monitors: [{ id, name: 'Checkout API', runbookUrl }],
      incident: { id: incident.id, title: 'Checkout API is down' },
      links: {
        incident: `${app.origin}/incidents/${incident.id}`,
        monitor: `${app.origin}/monitors/${id}`,
        runbook: runbookUrl,
      },
      team: 'Alerted',
    });
    target.behave('/reported', answers(200));
    await eventually(() => expect(types()).toEqual(['down.trigger', 'down.resolve']));
    const resolve = payloadsAbout(incident)[1]!;
    expect(resolve.data).toMatchObject({ subject: expect.stringMatching(/^UP Checkout API: was down for /) });
    expect(resolve.data.alertKey).toBe(trigger.data.alertKey);
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([
        { kind: 'trigger', status: 'sent', reason: null, attempts: [{ outcome: 'sent' }] },
        { kind: 'resolve', status: 'sent', reason: null, attempts: [{ outcome: 'sent' }] },
      ]),
    );
  });

  it('names the assertion that failed', async () => {
    await policy();
    const assertions = [
      { source: 'statusCode', comparison: 'equals', target: 200 },
      { source: 'statusCode', comparison: 'lessThan', target: 500 },
    ];
    target.behave('/asserted', answers(200));
    const { incident } = await fallen('/asserted', { name: 'Shop', expectedStatusCodes: ['2xx', '5xx'], assertions });
    await eventually(() => expect(payloadsAbout(incident).map(({ type }) => type)).toEqual(['down.trigger']));
    expect(payloadsAbout(incident)[0]!.data.reason).toMatchObject({
      code: 'assertion_failed',
      statusCode: 503,
      failedAssertion: 'status code is 200 (was 503)',
    });
  });

  it('leaves one row if no policy applies', async () => {
    const { incident } = await fallen('/nobody');
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([
        { kind: 'trigger', status: 'suppressed', reason: 'no_policy', channel_id: null },
      ]),
    );
  });

  it('is not reported while a silence covers it', async () => {
    await policy();
    const silence = { match: { all: true }, durationSeconds: 600, reason: 'A known problem' };
    expect(await api.post('/v1/silences', silence)).toMatchObject({ status: 201 });
    const { incident } = await fallen('/silenced');
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([{ kind: 'trigger', status: 'held', reason: 'silenced' }]),
    );
    target.behave('/silenced', answers(200));
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([{ kind: 'trigger', status: 'suppressed', reason: 'silenced' }]),
    );
    expect(messages()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['a policy is created', () => Promise.resolve(), () => policy({ on: ['manual_incident'] })],
    [
      'a silence is ended',
      async () => {
        await policy({ on: ['manual_incident'] });
        await api.post('/v1/silences', { match: { all: true }, durationSeconds: 600, reason: 'A known problem' });
      },
      async () => {
        const { body } = await api.get<{ data: { id: string }[] }>('/v1/silences');
        await api.delete(`/v1/silences/${body.data[0]!.id}`);
      },
    ],
    [
      'a channel is enabled',
      async () => {
        await policy({ on: ['manual_incident'] });
        await api.patch('/v1/notification-channels/key:hook', { enabled: false });
      },
      () => api.patch('/v1/notification-channels/key:hook', { enabled: true }),
    ],
  ])('is reported at once when %s while it lasts', async (_, before, change) => {
    await before();
    const { id } = await report();
    const timer = () =>
      app.query<{ due_at: Date }>('SELECT due_at FROM notification_timers WHERE subject_id = $1', [id]);
    await eventually(async () => expect(await timer()).toHaveLength(1));
    // Without a change, nothing would be planned for hours.
    await app.query(`UPDATE notification_timers SET due_at = now() + interval '1 day' WHERE subject_id = $1`, [id]);
    expect(messages()).toEqual([]);
    await change();
    await eventually(() => expect(received('hook')).toEqual(['manual_incident.trigger']));
  });

  it('is escalated until somebody acknowledges it', async () => {
    await policy({ steps: [step(0, 'hook'), step(8, 'pager')] });
    const acknowledged = await fallen('/acknowledged');
    // Nobody hears of the acknowledgement of an outage of which nobody has been notified.
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
    await api.post(`/v1/incidents/${acknowledged.incident.id}/acknowledge`, {});
    const escalated = await fallen('/escalated');
    await eventually(() => expect(received('pager')).toEqual(['down.trigger']));
    expect(payloadOf(messages().find(({ path }) => path.endsWith('/pager'))!).data.incident).toMatchObject({
      id: escalated.incident.id,
    });
    await eventually(() => expect(received('hook')).toContain('down.acknowledged'));
    await eventually(async () =>
      expect(await rowsOf(acknowledged.incident.id)).toContainEqual(
        expect.objectContaining({ step: 2, status: 'held', reason: 'acknowledged' }),
      ),
    );
  });

  it('resolves with that reason when the monitor is deleted', async () => {
    await policy();
    const { id } = await fallen('/deleted');
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
    await api.delete(`/v1/monitors/${id}`);
    await eventually(() => expect(received('hook')).toEqual(['down.trigger', 'down.resolve']));
    expect(payloadOf(messages()[1]!).data).toMatchObject({
      note: 'The monitor was deleted.',
      monitors: [{ id }],
    });
  });
});

describe('a monitor', () => {
  it('resolves its alert with that reason when it is paused', async () => {
    await policy();
    const { id } = await fallen('/paused');
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
    await api.post(`/v1/monitors/${id}/pause`, {});
    await eventually(() => expect(received('hook')).toEqual(['down.trigger', 'down.resolve']));
    expect(payloadOf(messages()[1]!).data).toMatchObject({ note: 'The monitor was paused.' });
  });

  it('is not reported again when it is resumed and has recovered', async () => {
    await policy();
    const { id, incident } = await fallen('/repaired');
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
    await api.post(`/v1/monitors/${id}/pause`, {});
    await eventually(() => expect(received('hook')).toEqual(['down.trigger', 'down.resolve']));
    target.behave('/repaired', answers(200));
    await api.post(`/v1/monitors/${id}/resume`);
    await untilStatus(api, id, 'up');
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([
        { kind: 'trigger', status: 'sent' },
        { kind: 'resolve', status: 'sent' },
        { kind: 'trigger', status: 'suppressed', reason: 'paused' },
      ]),
    );
    expect(received('hook')).toEqual(['down.trigger', 'down.resolve']);
  });

  it('is reported again when it is resumed and still fails', async () => {
    await policy();
    const { id } = await fallen('/broken');
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
    await api.post(`/v1/monitors/${id}/pause`, {});
    await eventually(() => expect(received('hook')).toEqual(['down.trigger', 'down.resolve']));
    await api.post(`/v1/monitors/${id}/resume`);
    await eventually(() => expect(received('hook')).toEqual(['down.trigger', 'down.resolve', 'down.trigger']));
    const [first, , again] = messages().map((one) => payloadOf(one).data.alertKey);
    expect(again).not.toBe(first);
  });

  it('is reported to a policy that applies to it since its tags were changed', async () => {
    await policy({ match: { tags: ['production'] } });
    const { id, incident } = await fallen('/tagged');
    await eventually(async () => expect(await rowsOf(incident.id)).toMatchObject([{ reason: 'no_policy' }]));
    await api.patch(`/v1/monitors/${id}`, { tags: ['production'] });
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
  });

  it('is reported when it becomes slow, and when it is fast again', async () => {
    await policy({ on: ['degraded'] });
    const { id } = await createMonitor(api, httpMonitor(target.url('/slow'), SLUGGISH));
    await untilStatus(api, id, 'up');
    target.behave('/slow', (response) => void setTimeout(() => response.end(), 4_000));
    expect(await checkNow(api, id)).toMatchObject({ status: 'degraded' });
    await eventually(() => expect(received('hook')).toEqual(['degraded.trigger']));
    target.behave('/slow', answers(200));
    await checkNow(api, id);
    await eventually(() => expect(received('hook')).toEqual(['degraded.trigger', 'degraded.resolve']));
  });

  it('is reported as fast again if it becomes so during maintenance, once that has ended', async () => {
    await policy({ on: ['degraded'] });
    const { id } = await createMonitor(api, httpMonitor(target.url('/upgraded'), SLUGGISH));
    await untilStatus(api, id, 'up');
    target.behave('/upgraded', (response) => void setTimeout(() => response.end(), 4_000));
    expect(await checkNow(api, id)).toMatchObject({ status: 'degraded' });
    await eventually(() => expect(received('hook')).toEqual(['degraded.trigger']));
    const window = '/v1/maintenance-windows/key:upgrade';
    await api.put(window, { name: 'Upgrade', monitorIds: [id] });
    await api.post(`${window}/start`, { durationSeconds: 600 });
    target.behave('/upgraded', answers(200));
    expect(await checkNow(api, id)).toMatchObject({ status: 'up' });
    expect(received('hook')).toEqual(['degraded.trigger']);
    await api.post(`${window}/end`);
    await untilStatus(api, id, 'up');
    await eventually(() => expect(received('hook')).toEqual(['degraded.trigger', 'degraded.resolve']));
  });

  it('is not reported again if it is still slow after maintenance', async () => {
    await policy({ on: ['degraded'] });
    target.behave('/still-slow', (response) => void setTimeout(() => response.end(), 100));
    const slow = { intervalSeconds: 3_600, timeoutMs: 10_000, degradedAfterMs: 20 };
    const { id } = await createMonitor(api, httpMonitor(target.url('/still-slow'), slow));
    await eventually(() => expect(received('hook')).toEqual(['degraded.trigger']));
    const window = '/v1/maintenance-windows/key:tuning';
    await api.put(window, { name: 'Tuning', monitorIds: [id] });
    await api.post(`${window}/start`, { durationSeconds: 600 });
    await untilStatus(api, id, 'maintenance');
    await api.post(`${window}/end`);
    await untilStatus(api, id, 'degraded');
    const turns = await app.query<{ type: string }>(
      `SELECT type FROM events WHERE resource_id = $1 AND data ->> 'previousStatus' IS NOT NULL ORDER BY sequence`,
      [id],
    );
    expect(turns).toEqual([{ type: 'monitor.degraded' }]);
    // A pause ends the alert, so being degraded is news after it.
    await api.post(`/v1/monitors/${id}/pause`, {});
    await eventually(() => expect(received('hook')).toEqual(['degraded.trigger', 'degraded.resolve']));
    await api.post(`/v1/monitors/${id}/resume`);
    await eventually(() =>
      expect(received('hook')).toEqual(['degraded.trigger', 'degraded.resolve', 'degraded.trigger']),
    );
  });

  it('is not reported if it went down during maintenance and passes the checks after it', async () => {
    await policy();
    const rare = { intervalSeconds: 3_600, timeoutMs: 10_000, failureThreshold: 1, recoveryThreshold: 2 };
    const { id } = await createMonitor(api, httpMonitor(target.url('/moved'), rare));
    await checkNow(api, id);
    await untilStatus(api, id, 'up');
    const window = '/v1/maintenance-windows/key:move';
    await api.put(window, { name: 'Move', monitorIds: [id] });
    await api.post(`${window}/start`, { durationSeconds: 600 });
    target.behave('/moved', answers(503));
    expect(await checkNow(api, id)).toMatchObject({ status: 'down' });
    target.behave('/moved', answers(200));
    await api.post(`${window}/end`);
    const incident = await eventually(async () => {
      const { body } = await api.get<{ data: IncidentDto[] }>(`/v1/monitors/${id}/incidents`);
      expect(body.data).toHaveLength(1);
      return body.data[0]!;
    });
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([{ kind: 'trigger', status: 'held', reason: 'maintenance' }]),
    );
    await checkNow(api, id);
    await untilStatus(api, id, 'up');
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([
        { kind: 'trigger', status: 'suppressed', reason: 'maintenance' },
      ]),
    );
    expect(messages()).toEqual([]);
  });

  it('waits for its parent, whose message names it', async () => {
    await policy();
    const parent = await createMonitor(
      api,
      httpMonitor(target.url('/parent'), { name: 'Database', failureThreshold: 1 }),
    );
    await untilStatus(api, parent.id, 'up');
    target.behave('/parent', answers(503));
    await untilStatus(api, parent.id, 'down');
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
    const { incident } = await fallen('/child', { name: 'Shop', parentIds: [parent.id] });
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([{ kind: 'trigger', status: 'held', reason: 'parent_down' }]),
    );
    expect(received('hook')).toEqual(['down.trigger']);
    target.behave('/child', answers(200));
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([
        { kind: 'trigger', status: 'suppressed', reason: 'parent_down' },
      ]),
    );
  });
});

describe('a monitor that awaits reports', () => {
  /** Creates a monitor whose job reports a failure, and returns its id with the incident. */
  async function failed(more: Record<string, unknown> = {}) {
    const settings = { schedule: { everySeconds: 86_400 }, graceSeconds: 3_600 };
    const made = await createMonitor(api, { name: 'A job', type: 'heartbeat', settings, ...more });
    expect(await fetch(`${made.pingUrl!}/fail`)).toMatchObject({ status: 200 });
    await untilStatus(api, made.id, 'down');
    const { body } = await api.get<{ data: IncidentDto[] }>(`/v1/monitors/${made.id}/incidents`);
    return { id: made.id, incident: body.data[0]! };
  }

  it('is reported at the end of maintenance if it is still down, before its next deadline', async () => {
    await policy();
    const silence = { match: { all: true }, durationSeconds: 600, reason: 'Until the work has begun' };
    const { id: silenceId } = (await api.post<{ id: string }>('/v1/silences', silence)).body;
    const { id, incident } = await failed();
    const window = '/v1/maintenance-windows/key:work';
    await api.put(window, { name: 'Work', monitorIds: [id] });
    await api.post(`${window}/start`, { durationSeconds: 600 });
    await api.delete(`/v1/silences/${silenceId}`);
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([{ kind: 'trigger', status: 'held', reason: 'maintenance' }]),
    );
    await api.post(`${window}/end`);
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
    expect(payloadOf(messages()[0]!).data).toMatchObject({ note: 'Still down after maintenance.' });
  });

  it('is reported when its parent has recovered, if it is still down', async () => {
    await policy();
    const parent = await fallen('/database');
    const { incident } = await failed({ parentIds: [parent.id] });
    await eventually(async () => expect(await rowsOf(incident.id)).toMatchObject([{ reason: 'parent_down' }]));
    target.behave('/database', answers(200));
    await eventually(() => expect(payloadsAbout(incident).map(({ type }) => type)).toEqual(['down.trigger']));
  });
});

describe('a monitor whose parent is paused', () => {
  it('is reported if the parent was down, whether it fails before the pause or after it', async () => {
    await policy();
    const { id: parentId, incident } = await fallen('/gateway', { name: 'Gateway' });
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']));
    const child = await fallen('/behind', { parentIds: [parentId] });
    await eventually(async () => expect(await rowsOf(child.incident.id)).toMatchObject([{ reason: 'parent_down' }]));
    await api.post(`/v1/monitors/${parentId}/pause`, {});
    const typesAbout = (one: IncidentDto) => payloadsAbout(one).map(({ type }) => type);
    await eventually(() => expect(typesAbout(child.incident)).toEqual(['down.trigger']));
    await eventually(() => expect(typesAbout(incident)).toEqual(['down.trigger', 'down.resolve']));
    const later = await fallen('/behind-too', { parentIds: [parentId] });
    await eventually(() => expect(typesAbout(later.incident)).toEqual(['down.trigger']));
  });
});

describe('a monitor whose parent is up', () => {
  it('is reported as soon as the parent was checked again', async () => {
    await policy();
    const parent = await createMonitor(api, httpMonitor(target.url('/up'), { failureThreshold: 1 }));
    await untilStatus(api, parent.id, 'up');
    await fallen('/alone', { parentIds: [parent.id] });
    await eventually(() => expect(received('hook')).toEqual(['down.trigger']), 30_000);
  });
});

describe('the list of notifications', () => {
  it('is filtered, and has the notifications of an incident', async () => {
    await policy({ on: ['manual_incident'] });
    const { id, monitorIds } = await report();
    const listed = (query: string) =>
      api.get<{ data: { incidentId: string; status: string }[] }>(`/v1/notifications?${query}`);
    const hook = channelIds.get('hook')!;
    await eventually(async () => {
      const { body } = await listed(`status=sent&channelId=${hook}&incidentId=${id}&monitorId=${monitorIds[0]}`);
      expect(body.data).toMatchObject([{ incidentId: id, status: 'sent', reason: null, channelId: hook }]);
    });
    expect((await listed('status=failed')).body.data).toEqual([]);
    expect((await api.get(`/v1/incidents/${id}/notifications`)).body).toMatchObject({ data: [{ incidentId: id }] });
    const [sent] = (await listed('')).body.data as unknown as { id: string }[];
    expect(await api.post(`/v1/notifications/${sent!.id}/retry`)).toMatchObject({ status: 409 });
  });

  it('contains what can be retried, which is sent at once', async () => {
    receiver.answer({ status: 410 });
    await policy({ on: ['manual_incident'] });
    const { id } = await report();
    const listed = () =>
      api.get<{ data: { id: string; status: string; step: number }[] }>(`/v1/incidents/${id}/notifications`);
    const failed = await eventually(async () => {
      const found = (await listed()).body.data.find(({ status, step: number }) => status === 'failed' && number === 1);
      expect(found).toBeDefined();
      return found!;
    });
    receiver.answer({});
    expect(await api.post(`/v1/notifications/${failed.id}/retry`)).toMatchObject({
      status: 200,
      body: { status: 'pending', attempts: [{ statusCode: 410 }] },
    });
    await eventually(async () =>
      expect((await api.get(`/v1/notifications/${failed.id}`)).body).toMatchObject({ status: 'sent' }),
    );
  });

  it('sends the end of an alert that is over in place of what opened it, and only once', async () => {
    receiver.answer({ status: 410 });
    await policy({ on: ['manual_incident'] });
    const { id } = await report();
    const failed = (kind: string) =>
      eventually(async () => {
        const { body } = await api.get<{ data: { id: string; kind: string; status: string; step: number }[] }>(
          `/v1/incidents/${id}/notifications`,
        );
        const found = body.data.find((one) => one.kind === kind && one.status === 'failed' && one.step === 1);
        expect(found).toBeDefined();
        return found!;
      });
    const trigger = await failed('trigger');
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'Done.' });
    const resolve = await failed('resolve');
    receiver.answer({});
    // As housekeeping does for the email of the owners, once nothing is left to be sent to them.
    await app.query('DELETE FROM notification_channel_claims WHERE team_id = $1', [team.id]);
    const retry = () => api.post(`/v1/notifications/${trigger.id}/retry`);
    expect(await retry()).toMatchObject({ status: 200, body: { id: resolve.id, status: 'pending' } });
    await eventually(() => expect(received('hook')).toEqual(['manual_incident.resolve']));
    await eventually(async () =>
      expect(await retry()).toMatchObject({
        status: 409,
        body: { detail: 'The alert has ended, and the notification of its end is sent; there is nothing to retry.' },
      }),
    );
    expect((await rowsOf(id)).find(({ kind, step: number }) => kind === 'trigger' && number === 1)).toMatchObject({
      status: 'failed',
    });
  });
});

describe('a manual incident', () => {
  it('is reported to policies that ask for it', async () => {
    await policy({ on: ['manual_incident'] });
    const { id } = await report();
    await eventually(() => expect(received('hook')).toEqual(['manual_incident.trigger']));
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'Done.' });
    await eventually(() => expect(received('hook')).toEqual(['manual_incident.trigger', 'manual_incident.resolve']));
  });

  it('reaches the receiver within a second of the answer', async () => {
    await policy({ on: ['manual_incident'] });
    const { monitorIds } = await report();
    await eventually(() => expect(received('hook')).toHaveLength(1));
    receiver.answer({});
    await reportIncident(api, monitorIds);
    const answeredAt = performance.now();
    await eventually(() => expect(received('hook')).toHaveLength(1));
    expect(performance.now() - answeredAt).toBeLessThan(1_000 * PATIENCE);
  });
});

describe('a receiver that fails', () => {
  it('gets the same id again, and the step after it is due once it has refused for good', async () => {
    receiver.answer(({ path }) => ({ status: path.endsWith('/hook') ? 410 : 200 }));
    await policy({ on: ['down'], steps: [step(0, 'hook'), step(3_600, 'pager')] });
    const { incident } = await fallen('/refused');
    await eventually(() => expect(received('pager')).toEqual(['down.trigger']));
    expect(received('hook')).toEqual(['down.trigger']);
    await eventually(async () =>
      expect(await rowsOf(incident.id)).toMatchObject([
        { step: 1, status: 'failed', attempts: [{ outcome: 'refused' }] },
        { step: 2, status: 'sent' },
      ]),
    );
  });

  it('gets the outages and recoveries that follow a message which it never accepts', async () => {
    receiver.answer(({ text }) => (text.includes('Broken') ? { status: 503, headers: { 'Retry-After': '1' } } : {}));
    await policy();
    // The other channels of the team are notified of what this one could not be sent.
    const types = ({ incident }: { incident: IncidentDto }): string[] =>
      receiver
        .bodiesAt<Payload>(`/${team.id}/hook`)
        .filter(({ data }) => data.alertKey.startsWith(incident.id))
        .map(({ type }) => type);
    const early = await fallen('/early', { name: 'Early' });
    await eventually(() => expect(types(early)).toEqual(['down.trigger']));
    const broken = await fallen('/broken-message', { name: 'Broken' });
    await eventually(() => expect(types(broken).length).toBeGreaterThanOrEqual(2));
    target.behave('/early', answers(200));
    await eventually(() => expect(types(early)).toEqual(['down.trigger', 'down.resolve']));
    const late = await fallen('/late', { name: 'Late' });
    await eventually(() => expect(types(late)).toEqual(['down.trigger']));
    target.behave('/late', answers(200));
    await eventually(() => expect(types(late)).toEqual(['down.trigger', 'down.resolve']));
    expect(await rowsOf(broken.incident.id)).toContainEqual(
      expect.objectContaining({ channel_id: channelIds.get('hook'), status: 'pending' }),
    );
  });

  it('gets one message about an outage that is over when it is back', async () => {
    receiver.answer({ status: 503, headers: { 'Retry-After': '4' } });
    await policy({ on: ['manual_incident'] });
    const { id } = await report();
    await eventually(() => expect(received('hook')).toEqual(['manual_incident.trigger']));
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'Done.' });
    receiver.answer({});
    await eventually(() => expect(received('hook')).toEqual(['manual_incident.resolve']));
    await eventually(async () =>
      expect(await rowsOf(id)).toMatchObject([
        { kind: 'trigger', status: 'suppressed', reason: 'collected', attempts: [{ outcome: 'failed' }] },
        { kind: 'resolve', status: 'sent' },
      ]),
    );
  });
});

describe('a channel that people read', () => {
  /** The titles of what the channel was sent. Their order is free, because some are sent at the same time. */
  const titles = (): string[] =>
    messages()
      .filter(({ path }) => path.endsWith('/ops'))
      .map(({ json }) => (json as { text: string }).text.replace(/(?<=\bsince |for ).*$/, '…'))
      .sort();
  /** Sets when the channel may be sent what is collected. */
  const collectUntil = (time: string) =>
    app.query(`UPDATE notification_channel_claims SET collects_until = ${time} WHERE channel_id = $1`, [
      channelIds.get('ops'),
    ]);
  const untilPending = (count: number) =>
    eventually(async () => {
      const { body } = await api.get<{ data: object[] }>('/v1/notifications?status=pending&limit=100');
      expect(body.data).toHaveLength(count);
    });

  it('gets what follows within 30 s together: outages and recoveries in one message, anything else on its own', async () => {
    await policy({ on: ['down', 'manual_incident'], steps: [step(0, 'ops')] });
    const first = await fallen('/first', { name: 'A' });
    await eventually(() => expect(titles()).toEqual(['DOWN A: status 503 since …']));
    await eventually(async () => expect(await rowsOf(first.incident.id)).toMatchObject([{ status: 'sent' }]));
    const [claim] = await app.query<{ until: Date }>(
      'SELECT collects_until AS until FROM notification_channel_claims WHERE channel_id = $1',
      [channelIds.get('ops')],
    );
    const [sent] = await rowsOf(first.incident.id);
    expect(claim!.until.getTime() - Date.parse(sent!.attempts[0]!.at)).toBeGreaterThanOrEqual(30_000);

    await collectUntil(`now() + interval '1 hour'`);
    const second = await fallen('/second', { name: 'B' });
    const third = await fallen('/third', { name: 'C' });
    for (const title of ['Payments', 'Refunds']) await reportIncident(api, [second.id], { title });
    target.behave('/first', answers(200));
    await untilStatus(api, first.id, 'up');
    await untilPending(5);
    expect(titles()).toHaveLength(1);
    await collectUntil('now()');
    await eventually(() =>
      expect(titles()).toEqual([
        'DOWN A: status 503 since …',
        'DOWN B and 1 more monitor, UP A: status 503 since …',
        'INCIDENT Payments since …',
        'INCIDENT Refunds since …',
      ]),
    );
    await untilPending(0);

    receiver.answer({});
    await collectUntil(`now() + interval '1 hour'`);
    target.behave('/third', answers(200));
    await untilStatus(api, third.id, 'up');
    await api.post(`/v1/incidents/${second.incident.id}/acknowledge`, {});
    await untilPending(2);
    await collectUntil('now()');
    await eventually(() => expect(titles()).toEqual(['ACKNOWLEDGED B: down since …', 'UP C: was down for …']));
  });
});
