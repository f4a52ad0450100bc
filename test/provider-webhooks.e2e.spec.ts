import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac, randomUUID } from 'node:crypto';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type NotificationChannelDto } from '../src/modules/notification-channels/dto/notification-channel.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { CHANNELS, putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { getIncident, reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { useReceiver } from './support/receiver.js';

const SECRET = 'cNhMdZLJOYPXsPEkpaYYeHxyoM40MEKl';

const receiver = useReceiver();
let app: TestApp;
let team: TestTeam;
let api: Client;
let channel: NotificationChannelDto;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver.answer({ status: 202, json: { status: 'success' } });
  team = await app.backstage.makeTeam('Paged');
  api = app.api(team.write);
  channel = await pager('pager', { webhookSecret: SECRET });
  await putChannel(api, 'hook', { settings: { url: `${receiver.origin}/hook` } });
  const steps = [{ afterSeconds: 0, channelIds: ['key:pager', 'key:hook'] }];
  await api.post('/v1/notification-policies', { name: 'All', match: { all: true }, on: ['manual_incident'], steps });
});

const pager = (key: string, settings: object, client = api) =>
  putChannel(client, key, {
    ...{ name: 'Pager', type: 'pagerduty' },
    settings: { routingKey: 'a'.repeat(32), apiUrl: receiver.origin, ...settings },
  });

interface PagerdutyEvent {
  event_action: string;
  dedup_key: string;
}
const sentToPagerduty = (): PagerdutyEvent[] =>
  receiver.requests.filter(({ path }) => path === '/v2/enqueue').map(({ json }) => json as PagerdutyEvent);

/** Reports an incident, and returns it with the key under which PagerDuty was told of it. */
async function paged(): Promise<{ incident: IncidentDto; alertKey: string }> {
  const { id } = await createMonitor(api, httpMonitor('https://shop.example/', { name: 'Shop', paused: true }));
  const incident = await reportIncident(api, [id]);
  await eventually(async () => {
    const { body } = await api.get<{ data: object[] }>(`/v1/notifications?incidentId=${incident.id}&status=sent`);
    expect(body.data).toHaveLength(2);
  });
  const { dedup_key: alertKey } = sentToPagerduty().find((one) => one.dedup_key.startsWith(incident.id))!;
  return { incident, alertKey };
}

interface Sent {
  type?: string;
  at?: string;
  secret?: string;
  to?: string;
}

/** Sends a webhook as PagerDuty does, and returns the status of the response. */
async function webhook(alertKey: string, { type = 'acknowledged', at, secret, to }: Sent = {}): Promise<number> {
  const event = {
    ...{ id: randomUUID(), event_type: `incident.${type}`, resource_type: 'incident' },
    occurred_at: at ?? new Date().toISOString(),
    agent: { id: 'PXPGF42', type: 'user_reference', summary: 'Jane Doe' },
    data: { id: 'PT4KHLK', type: 'incident', incident_key: alertKey },
  };
  return (await send(JSON.stringify({ event }), { secret, to })).status;
}

function send(
  text: string,
  { secret = SECRET, to = channel.id }: { secret?: string | undefined; to?: string | undefined } = {},
) {
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  return fetch(`${app.origin}/provider-webhooks/pagerduty/${to}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-PagerDuty-Signature': `v1=${'0'.repeat(64)},v1=${signature}` },
    body: text,
  });
}

const acknowledgerOf = async ({ id }: IncidentDto) => (await getIncident(api, id)).acknowledgedBy;

describe('a webhook of PagerDuty', () => {
  it('acknowledges the incident for an hour, and tells the other channels who did', async () => {
    const { incident, alertKey } = await paged();
    expect(await webhook(alertKey)).toBe(204);
    const { acknowledgedAt, acknowledgedUntil, ...after } = await getIncident(api, incident.id);
    expect(after).toMatchObject({
      acknowledgedBy: `provider:${channel.id}`,
      acknowledgeNote: 'Acknowledged in PagerDuty by Jane Doe.',
    });
    expect(Date.parse(acknowledgedUntil!) - Date.parse(acknowledgedAt!)).toBe(3_600_000);
    await eventually(async () => {
      const { body } = await app
        .api(team.admin)
        .get<{ data: EventDto[] }>(`/v1/events?type=incident.acknowledged&resourceId=${incident.id}`);
      expect(body.data.map(({ actor }) => actor)).toEqual([{ type: 'system', id: null, name: 'PagerDuty: Jane Doe' }]);
    });
    await eventually(() => {
      const notes = receiver.requests
        .map(({ json }) => json as { type?: string; data: { note: string } })
        .flatMap(({ type, data }) => (type === 'manual_incident.acknowledged' ? [data.note] : []));
      expect(notes).toEqual([expect.stringMatching(/^PagerDuty: Jane Doe acknowledged this until /)]);
    });
    const { body: listed } = await api.get<{ data: { channelId: string; kind: string }[] }>(
      `/v1/notifications?incidentId=${incident.id}`,
    );
    const kinds = listed.data.flatMap(({ channelId, kind }) => (channelId === channel.id ? [kind] : []));
    expect(kinds).toEqual(['trigger']);
  });

  it('withdraws the acknowledgement', async () => {
    const { incident, alertKey } = await paged();
    await webhook(alertKey);
    expect(await webhook(alertKey, { type: 'unacknowledged' })).toBe(204);
    expect(await acknowledgerOf(incident)).toBeNull();
  });

  it('changes nothing if it is repeated, or older than the latest change', async () => {
    const { incident, alertKey } = await paged();
    const at = new Date().toISOString();
    await webhook(alertKey, { at });
    const acknowledged = await getIncident(api, incident.id);
    expect(await webhook(alertKey, { at })).toBe(204);
    expect(await getIncident(api, incident.id)).toEqual(acknowledged);
    await api.post(`/v1/incidents/${incident.id}/unacknowledge`);
    expect(await webhook(alertKey, { at })).toBe(204);
    expect(await acknowledgerOf(incident)).toBeNull();
    expect(await webhook(alertKey)).toBe(204);
    expect(await acknowledgerOf(incident)).toBe(`provider:${channel.id}`);
  });

  it('leaves an acknowledgement by somebody else as it is', async () => {
    const { incident, alertKey } = await paged();
    await api.post(`/v1/incidents/${incident.id}/acknowledge`, { note: 'On it' });
    const before = await getIncident(api, incident.id);
    expect(await webhook(alertKey)).toBe(204);
    expect(await getIncident(api, incident.id)).toEqual(before);
  });

  it('has no effect on a resolved incident, by other events, or by an incident that Daywatch did not open', async () => {
    const { incident, alertKey } = await paged();
    for (const type of ['resolved', 'triggered', 'escalated']) expect(await webhook(alertKey, { type })).toBe(204);
    expect(await webhook('made by hand')).toBe(204);
    expect((await send('{"event":{"event_type":"pagey.ping"}}')).status).toBe(204);
    expect(await acknowledgerOf(incident)).toBeNull();
    await api.post(`/v1/incidents/${incident.id}/updates`, { phase: 'resolved', text: 'Done.' });
    expect(await webhook(alertKey)).toBe(204);
    expect(await acknowledgerOf(incident)).toBeNull();
  });

  it('has no effect on incidents of which its own channel was not notified', async () => {
    const { incident, alertKey } = await paged();
    const second = await pager('second', { webhookSecret: SECRET });
    const foreign = await pager('pager', { webhookSecret: SECRET }, app.api(app.teams.theirs.write));
    for (const { id: to } of [second, foreign]) expect(await webhook(alertKey, { to })).toBe(204);
    expect(await acknowledgerOf(incident)).toBeNull();
  });

  it('is rejected without a right signature, in the same way if there is no such channel or secret', async () => {
    const { incident, alertKey } = await paged();
    const bare = await pager('bare', {});
    const hook = await putChannel(api, 'hook2');
    const answers = [
      await send('{}', { secret: 'wrong' }),
      ...(await Promise.all([bare.id, hook.id, randomUUID(), 'none'].map((to) => send('{}', { to })))),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({
        code: 'unauthenticated',
        detail: 'The channel does not exist, or the signature is wrong.',
      });
    }
    expect(await webhook(alertKey, { secret: 'wrong' })).toBe(401);
    const unsigned = await fetch(`${app.origin}/provider-webhooks/pagerduty/${channel.id}`, { method: 'POST' });
    expect(unsigned.status).toBe(401);
    expect(await acknowledgerOf(incident)).toBeNull();
  });

  it('is rejected if it is too large or not JSON', async () => {
    expect((await send(JSON.stringify('x'.repeat(256 * 1_024)))).status).toBe(413);
    expect((await send('{')).status).toBe(400);
    const { status } = await fetch(`${app.origin}/provider-webhooks/pagerduty/${channel.id}`, {
      method: 'POST',
      body: 'text',
    });
    expect(status).toBe(415);
  });

  it('needs a secret that is masked, and kept by a write of the mask', async () => {
    expect(channel.settings).toMatchObject({ webhookSecret: '********', routingKey: '********' });
    const { status } = await api.patch(`${CHANNELS}/${channel.id}`, { name: 'Renamed', settings: channel.settings });
    expect(status).toBe(200);
    const { incident, alertKey } = await paged();
    expect(await webhook(alertKey)).toBe(204);
    expect(await acknowledgerOf(incident)).toBe(`provider:${channel.id}`);
    const [stored] = await app.query<{ settings: { webhookSecret: string } }>(
      'SELECT settings FROM notification_channels WHERE id = $1',
      [channel.id],
    );
    expect(stored!.settings.webhookSecret).not.toContain(SECRET);
  });
});
