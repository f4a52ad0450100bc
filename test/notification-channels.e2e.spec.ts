import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChannelDeliveryDto } from '../src/modules/notification-channels/dto/channel-delivery.dto.js';
import { type NotificationChannelDto } from '../src/modules/notification-channels/dto/notification-channel.dto.js';
import { sharedApp, startApp, type TestApp } from './support/app.js';
import { CHANNELS, isSignedBy, putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { headersOf, mailServer } from './support/mail-server.js';
import { useReceiver } from './support/receiver.js';

const MASK = '********';
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

const receiver = useReceiver();
let app: TestApp;
let api: Client;
let admin: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  admin = app.api(app.teams.ours.admin);
});
afterAll(() => app.close());

const webhook = (changes: object = {}) => ({
  name: 'Bot',
  type: 'webhook',
  settings: { url: `${receiver.origin}/hook`, ...changes },
});

/** Returns a webhook for a table, which is written before the receiver listens. */
const fixed = (changes: object = {}) => ({
  name: 'Bot',
  type: 'webhook',
  settings: { url: 'https://bot.example/', ...changes },
});

async function create(channel: object = webhook()): Promise<NotificationChannelDto> {
  const { status, body } = await api.post<NotificationChannelDto>(CHANNELS, channel);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function get(id: string): Promise<NotificationChannelDto> {
  return (await api.get<NotificationChannelDto>(`${CHANNELS}/${id}`)).body;
}

async function test(id: string, client = api): Promise<ChannelDeliveryDto> {
  const { status, body } = await client.post<ChannelDeliveryDto>(`${CHANNELS}/${id}/test`);
  expect(status).toBe(200);
  return body;
}

/** Returns the types of the events about a channel, oldest first. Events show once no earlier one can follow. */
async function eventsOf(
  id: string,
  count: number,
): Promise<{ type: string; actor: { type: string }; changes: unknown }[]> {
  return eventually(async () => {
    const { body } = await admin.get<{ data: { type: string; actor: { type: string }; changes: unknown }[] }>(
      `/v1/events?resourceId=${id}`,
    );
    expect(body.data).toHaveLength(count);
    return body.data.toReversed();
  });
}

describe('a notification channel', () => {
  it('takes the defaults of its type, and shows all settings', async () => {
    const slack = { name: 'Ops', type: 'ntfy', settings: { topic: 'daywatch-7d3f9a1c' } };
    const channel = await create(slack);
    expect(channel).toMatchObject({
      revision: 1,
      key: null,
      enabled: true,
      settings: { topic: MASK, accessToken: null, serverUrl: 'https://ntfy.sh' },
      health: { status: 'unused', lastSentAt: null, lastFailedAt: null, lastError: null },
    });
    expect(await get(channel.id)).toEqual(channel);
  });

  it('can be created, replaced, merged and deleted by key', async () => {
    const path = `${CHANNELS}/key:by-key`;
    expect(await api.put(path, webhook({ headers: { 'X-A': '1' } }))).toMatchObject({ status: 201 });
    expect(await api.put(path, { ...webhook(), name: 'Other' })).toMatchObject({
      status: 200,
      body: { revision: 2, name: 'Other', settings: { headers: { 'X-A': MASK } } },
    });
    const merged = await api.patch(path, { settings: { headers: { 'x-a': null, 'X-B': '2' } } });
    expect(merged).toMatchObject({ status: 200, body: { revision: 3, settings: { headers: { 'X-B': MASK } } } });
    const stale = await api.call('PATCH', path, { json: { name: 'Stale' }, headers: { 'if-match': '"1.0"' } });
    expect(stale.status).toBe(412);
    expect((await api.delete(path)).status).toBe(204);
    expect((await api.delete(path)).status).toBe(404);
  });

  it('is listed by key, type and whether it is enabled', async () => {
    await create({ ...webhook(), key: 'listed', enabled: false });
    await create({ name: 'Mail', key: 'listed-mail', type: 'email', settings: { to: ['a@example.com'] } });
    const keys = async (query: string) =>
      (await api.get<{ data: NotificationChannelDto[] }>(CHANNELS + query)).body.data.map(({ key }) => key);
    expect(await keys('?key=listed')).toEqual(['listed']);
    expect(await keys('?type=email')).toEqual(['listed-mail']);
    expect(await keys('?enabled=false')).toEqual(['listed']);
    expect((await api.get(`${CHANNELS}?type=pigeon`)).status).toBe(400);
  });

  it('is created once by retries with an idempotency key, which show no secret', async () => {
    const post = () =>
      api.call<NotificationChannelDto>('POST', CHANNELS, {
        json: webhook(),
        headers: { 'idempotency-key': 'channel-once' },
      });
    const [first, second] = [await post(), await post()];
    expect(second.body.id).toBe(first.body.id);
    expect(first.body.settings.secret).toMatch(/^whsec_/);
    expect(second.body.settings.secret).toBe(MASK);
  });

  it.each<[string, object, string, string]>([
    ['an unknown type', { ...fixed(), type: 'pigeon' }, '/type', 'invalid_value'],
    ['no settings', { name: 'Bot', type: 'webhook' }, '/settings', 'required'],
    ['an unknown setting', fixed({ colour: null }), '/settings/colour', 'unknown_field'],
    ['a missing setting', { name: 'Bot', type: 'webhook', settings: {} }, '/settings/url', 'required'],
    ['an invalid setting', fixed({ url: 'ftp://x' }), '/settings/url', 'invalid_value'],
    ['a mask without a stored secret', fixed({ secret: MASK }), '/settings/secret', 'secret_required'],
    ['a blocked address', fixed({ url: 'http://10.0.0.1/' }), '/settings/url', 'address_blocked'],
    ['a read-only field', { ...fixed(), health: {} }, '/health', 'read_only_field'],
  ])('is rejected with %s', async (_, channel, pointer, code) => {
    const { status, body } = await api.post<{ errors: { detail: string }[] }>(CHANNELS, channel);
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ pointer, code }] });
    if (code === 'address_blocked') expect(body.errors[0]!.detail).toContain('ALLOW_PRIVATE_CHANNELS');
  });

  it('keeps its type', async () => {
    const { id } = await create();
    const refused = await api.patch(`${CHANNELS}/${id}`, { type: 'slack' });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/type', code: 'immutable' }] } });
  });

  it('of another team does not exist', async () => {
    const { id } = await create();
    const theirs = app.api(app.teams.theirs.admin);
    const path = `${CHANNELS}/${id}`;
    const answers = [
      await theirs.get(path),
      await theirs.put(path, webhook()),
      await theirs.patch(path, { name: 'Theirs' }),
      await theirs.delete(path),
      await theirs.post(`${path}/test`),
      await theirs.post(`${path}/rotate-secret`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(6).fill(404));
    expect(receiver.requests).toEqual([]);
  });

  it('cannot be deleted while a policy uses it', async () => {
    const { id } = await create();
    const steps = [{ afterSeconds: 0, channelIds: [id] }];
    const policy = { name: 'Night shift', match: { all: true }, steps };
    const { body } = await api.post<{ id: string }>('/v1/notification-policies', policy);
    expect(await api.delete(`${CHANNELS}/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', detail: expect.stringContaining('"Night shift"') },
    });
    await api.delete(`/v1/notification-policies/${body.id}`);
    expect((await api.delete(`${CHANNELS}/${id}`)).status).toBe(204);
    expect(await api.post('/v1/notification-policies', policy)).toMatchObject({ status: 422 });
  });

  it('records its changes as events, with masked secrets', async () => {
    const { id } = await create(webhook({ secret: SECRET }));
    const other = SECRET.replace('MDEy', 'MDEx');
    await api.patch(`${CHANNELS}/${id}`, { name: 'Renamed', settings: { secret: other } });
    await api.delete(`${CHANNELS}/${id}`);
    expect(await eventsOf(id, 3)).toMatchObject([
      { type: 'notification_channel.created', changes: null },
      {
        type: 'notification_channel.updated',
        changes: [
          { pointer: '/name', before: 'Bot', after: 'Renamed' },
          { pointer: '/settings/secret', before: MASK, after: MASK },
        ],
      },
      { type: 'notification_channel.deleted' },
    ]);
  });
});

describe('a secret of a channel', () => {
  it('is generated, shown once, and encrypted at rest', async () => {
    const made = await create();
    const secret = String(made.settings.secret);
    expect(secret).toMatch(/^whsec_/);
    expect((await get(made.id)).settings.secret).toBe(MASK);
    const rows = await app.query('SELECT settings FROM notification_channels WHERE id = $1', [made.id]);
    expect(rows).toMatchObject([{ settings: { secret: expect.stringMatching(/^sealed:v1:/) } }]);
    await test(made.id);
    expect(isSignedBy(secret, receiver.only)).toBe(true);
  });

  it.each<[string, (id: string) => Promise<{ status: number }>]>([
    ['that sends its mask', (id) => api.put(`${CHANNELS}/${id}`, webhook({ secret: MASK }))],
    ['that omits it', (id) => api.put(`${CHANNELS}/${id}`, webhook())],
    ['of another field', (id) => api.patch(`${CHANNELS}/${id}`, { name: 'Renamed' })],
    ['to another path', (id) => api.patch(`${CHANNELS}/${id}`, { settings: { url: `${receiver.origin}/other` } })],
  ])('is retained by a write %s', async (_, write) => {
    const { id } = await create(webhook({ secret: SECRET }));
    expect(await write(id)).toMatchObject({ status: 200, body: { settings: { secret: MASK } } });
    await test(id);
    expect(isSignedBy(SECRET, receiver.only)).toBe(true);
  });

  it('must be sent again if the receiver changes', async () => {
    const { id } = await create(webhook({ secret: SECRET }));
    const path = `${CHANNELS}/${id}`;
    const moved = { url: 'https://elsewhere.example/' };
    for (const refused of [await api.patch(path, { settings: moved }), await api.put(path, webhook(moved))]) {
      expect(refused).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/settings/secret', code: 'secret_required' }] },
      });
    }
    expect(await api.patch(path, { settings: { ...moved, secret: SECRET } })).toMatchObject({ status: 200 });
  });

  it('is generated anew if it is removed', async () => {
    const { id } = await create(webhook({ secret: SECRET }));
    const { body } = await api.patch<NotificationChannelDto>(`${CHANNELS}/${id}`, { settings: { secret: null } });
    expect(body.settings.secret).toMatch(/^whsec_/);
    expect(body.settings.secret).not.toBe(SECRET);
  });

  it('is rotated, while the old one also signs', async () => {
    const { id } = await create(webhook({ secret: SECRET }));
    const path = `${CHANNELS}/${id}/rotate-secret`;
    expect((await api.post(path)).status).toBe(403);
    const { status, body } = await admin.post<NotificationChannelDto>(path);
    expect({ status, body }).toMatchObject({ status: 200, body: { revision: 2, settings: { previousSecret: MASK } } });
    const until = Date.parse(String(body.settings.previousSecretUntil));
    expect(Math.abs(until - Date.now() - 86_400_000)).toBeLessThan(60_000);
    await api.put(`${CHANNELS}/${id}`, webhook());
    await test(id);
    expect(isSignedBy(String(body.settings.secret), receiver.only)).toBe(true);
    expect(isSignedBy(SECRET, receiver.only)).toBe(true);
    expect(await eventsOf(id, 2)).toMatchObject([{}, { type: 'notification_channel.rotated' }]);
  });

  it('cannot be rotated if the provider issues it', async () => {
    const { id } = await create({ name: 'ntfy', type: 'ntfy', settings: { topic: 'a' } });
    expect(await admin.post(`${CHANNELS}/${id}/rotate-secret`)).toMatchObject({
      status: 409,
      body: { code: 'rotation_unsupported' },
    });
  });
});

describe('a test of a channel', () => {
  it('sends a message marked TEST, also if the channel is disabled', async () => {
    const { id } = await create({ ...webhook(), enabled: false });
    expect(await test(id)).toMatchObject({ status: 'sent', statusCode: 200, error: null });
    expect(receiver.only.json).toMatchObject({ type: 'down.trigger', data: { test: true } });
    expect((receiver.only.json as { data: { subject: string } }).data.subject).toMatch(/^TEST /);
    expect((await get(id)).health).toMatchObject({ status: 'ok', lastError: null, lastFailedAt: null });
  });

  it('opens and resolves an alert at a machine', async () => {
    const { key: _, ...example } = { key: null, name: 'PD', type: 'pagerduty' };
    receiver.answer({ status: 202, json: { status: 'success', message: 'ok', dedup_key: 'k' } });
    const settings = { routingKey: 'R0123456789abcdef0123456789abcde', apiUrl: receiver.origin };
    const { id } = await create({ ...example, settings });
    expect(await test(id)).toMatchObject({ status: 'sent' });
    const sent = receiver.requests.map(({ json }) => json as { event_action: string; dedup_key: string });
    expect(sent.map(({ event_action }) => event_action)).toEqual(['trigger', 'resolve']);
    expect(sent[0]!.dedup_key).toBe(sent[1]!.dedup_key);
  });

  it('reports a receiver that fails, until it works again', async () => {
    const { id } = await create();
    receiver.answer({ status: 500 });
    const failed = await test(id);
    expect(failed).toMatchObject({ status: 'failed', statusCode: 500, error: expect.any(String) });
    expect((await get(id)).health).toMatchObject({ status: 'failing', lastSentAt: null, lastError: failed.error });
    await test(id);
    receiver.answer({});
    await test(id);
    const { health, revision } = await get(id);
    expect({ health, revision }).toMatchObject({ health: { status: 'ok', lastError: null }, revision: 1 });
    expect((await eventsOf(id, 3)).map(({ type, actor }) => [type, actor.type])).toEqual([
      ['notification_channel.created', 'api_key'],
      ['channel.failing', 'system'],
      ['channel.recovered', 'system'],
    ]);
  });

  it('is sent once by retries with an idempotency key', async () => {
    const { id } = await create();
    const post = () => api.call('POST', `${CHANNELS}/${id}/test`, { headers: { 'idempotency-key': 'test-once' } });
    const [first, second] = [await post(), await post()];
    expect(second.body).toEqual(first.body);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a channel of type email', () => {
  const EMAIL = { name: 'Mailbox', type: 'email', settings: { to: ['ops@example.com'] } };

  it('sends through the mail server of the operator', async () => {
    const { port, accepted } = await mailServer({ hideSTARTTLS: true });
    const mailing = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'alerts@daywatch.example' });
    try {
      const client = mailing.api(mailing.teams.ours.write);
      const { id } = await putChannel(client, 'mailbox', EMAIL);
      expect(await test(id, client)).toMatchObject({ status: 'sent', statusCode: null });
      expect(accepted).toMatchObject([{ recipients: ['ops@example.com'] }]);
      expect(headersOf(accepted[0]!.raw)).toMatch(/^Subject: TEST .* since \d\d:\d\d UTC$/m);
    } finally {
      await mailing.close();
    }
  });

  it('gives times in its time zone, which is UTC unless stated otherwise', async () => {
    const { port, accepted } = await mailServer({ hideSTARTTLS: true });
    const mailing = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'alerts@daywatch.example' });
    try {
      const client = mailing.api(mailing.teams.ours.write);
      expect(await putChannel(client, 'mailbox', EMAIL)).toMatchObject({ settings: { timezone: 'UTC' } });
      const settings = { ...EMAIL.settings, timezone: 'Asia/Kolkata' };
      const { id } = await putChannel(client, 'mailbox', { ...EMAIL, settings });
      expect(await test(id, client)).toMatchObject({ status: 'sent' });
      expect(headersOf(accepted[0]!.raw)).toMatch(/^Subject: TEST .* since \d\d:\d\d GMT\+5:30$/m);
      const unknown = { ...EMAIL, settings: { ...EMAIL.settings, timezone: 'Mars/Olympus' } };
      expect(await client.post(CHANNELS, unknown)).toMatchObject({
        body: { errors: [{ pointer: '/settings/timezone', code: 'invalid_value' }] },
      });
    } finally {
      await mailing.close();
    }
  });

  it('is rejected without a mail server', async () => {
    const silent = await startApp({ SMTP_URL: '', MAIL_FROM: '' });
    try {
      expect(await silent.api(silent.teams.ours.write).post(CHANNELS, EMAIL)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/type', code: 'mail_not_configured' }] },
      });
    } finally {
      await silent.close();
    }
  });
});
