import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../src/domain/durations.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type SubscriberDto } from '../src/modules/status-pages/subscribers/dto/subscriber.dto.js';
import { type Quarantine } from '../src/modules/status-pages/subscribers/quarantine.service.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident, storeDetected } from './support/incidents.js';
import { headersOf } from './support/mail-server.js';
import { hasten, type MailingApp, mailsTo, startMailingApp } from './support/mailing-app.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';
import { type AnswerSpec, type Received, type Reply, useReceiver } from './support/receiver.js';
import { createPage } from './support/status-pages.js';
import { mailed } from './support/subscribers.js';
import { answering, updates, updatesSoFar, verified, WebhookReader } from './support/subscription-webhooks.js';

const receiver = useReceiver();
let mailing: MailingApp;
let api: Client;
let shop: MonitorDto;
let search: MonitorDto;
let page: StatusPageDto;
let hook: string;
let count = 0;
let reader: WebhookReader;

beforeAll(async () => {
  mailing = await startMailingApp({ TRUST_PROXY: 'true', ALLOW_PRIVATE_SUBSCRIBER_WEBHOOKS: '127.0.0.0/8' });
  api = mailing.app.api(mailing.app.teams.ours.admin);
});
afterAll(() => mailing.close());

beforeEach(async () => {
  // The limits are per host, and all tests have the same one.
  await mailing.app.query('DELETE FROM subscription_letters');
  // Of their own, so that no test publishes to the subscribers of another.
  const made = ['Shop', 'Search'].map((name) =>
    createMonitor(api, httpMonitor('https://shop.example/', { name, paused: true })),
  );
  [shop, search] = (await Promise.all(made)) as [MonitorDto, MonitorDto];
  page = await createPage(api, { name: 'Shop status', monitorIds: [shop.id, search.id] });
  hook = `${receiver.origin}/hooks/s3cr3t?token=t0k3n`;
  reader = newReader();
  receiver.answer(answering());
});

/** Somebody with addresses of their own. */
function newReader(on = mailing): WebhookReader {
  count += 1;
  return new WebhookReader(on, `reader${count}@example.com`, `198.51.100.${count}`);
}

async function subscriberOf({ email }: WebhookReader): Promise<SubscriberDto> {
  const path = `/v1/status-pages/${page.id}/subscribers?email=${encodeURIComponent(email)}`;
  return (await api.get<{ data: SubscriberDto[] }>(path)).body.data[0]!;
}

const publish = (text: string, monitorId = shop.id) =>
  reportIncident(api, [monitorId], { update: { phase: 'identified', text } });

/** Makes due what waits. */
const hurry = () => mailing.app.query('UPDATE subscriber_webhooks SET due_at = now() WHERE due_at IS NOT NULL');
const textsOf = (requests: readonly Received[]): unknown[] =>
  requests.map(({ json }) => (json as { data: { incident: { text: string } } }).data.incident.text);

describe('a webhook', () => {
  it('is sent nothing before the address is confirmed, and is active once it has answered the challenge', async () => {
    await reader.request(page.slug, ` ${hook} `);
    expect(reader.browser.page.html).toContain(`value="${hook}"`);
    await reader.browser.open(`${reader.path}/unsubscribe`);
    expect(receiver.requests).toEqual([]);
    expect(await subscriberOf(reader)).toMatchObject({ status: 'pending', type: 'webhook' });

    await reader.browser.open(`${reader.path}/preferences`);
    const { html } = await reader.browser.submit(`${reader.path}/preferences`, { components: 'all' });
    for (const text of ['You are subscribed.', 'Active: updates are sent to this URL.', hook])
      expect(html).toContain(text);
    const challenge = receiver.only;
    expect(challenge).toMatchObject({ method: 'POST', path: '/hooks/s3cr3t' });
    expect(verified(challenge, await reader.secret())).toEqual({
      type: 'subscription.challenge',
      timestamp: expect.any(String),
      data: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        page: { id: page.id, name: 'Shop status', url: page.publicUrl },
      },
    });
    const subscriber = await subscriberOf(reader);
    expect(subscriber).toMatchObject({
      type: 'webhook',
      status: 'active',
      webhook: { url: `${receiver.origin}/********`, status: 'active', error: null },
    });
    const events = await eventually(async () => {
      const { body } = await api.get<{ data: EventDto[] }>(`/v1/events?resourceId=${subscriber.id}`);
      expect(body.data).toHaveLength(2);
      return body.data;
    });
    expect(events[0]).toMatchObject({ type: 'subscriber.updated', data: { webhook: 'active', by: 'subscriber' } });
    expect(JSON.stringify(events)).not.toMatch(/@|hooks|127\.0\.0\.1/);
    const sealed = await mailing.app.query<{ url: string; secret: string }>(
      'SELECT url, secret FROM subscriber_webhooks',
    );
    for (const { url, secret } of sealed) expect([url, secret].join()).not.toMatch(/http|whsec/);

    const owner = await signIn(mailing.app, await makePerson(mailing.app, mailing.app.teams.ours.id, 'owner'));
    const listed = (await owner.open(`/status-pages/${page.id}/subscribers`)).html;
    expect(listed).toContain(`${receiver.origin}/********`);
    expect(listed).not.toContain('s3cr3t');
  });

  it.each<[string, Reply | ((received: Received) => Reply), string]>([
    ['a wrong answer', { json: { challenge: 'x' } }, 'the response does not contain the challenge'],
    ['an echo of the request', ({ text }) => ({ text }), 'the response does not contain the challenge'],
    ['no body', { status: 204 }, 'the response does not contain the challenge'],
    ['an endless body', 'huge', 'the response does not contain the challenge'],
    ['the challenge with an error', errorWithChallenge, 'The receiver refused the message (status 404).'],
    ['a fault', { status: 500 }, 'The receiver reported a server error (status 500).'],
    ['a redirect', redirect, 'The receiver redirects to another address (status 307), which is not followed.'],
    ['a broken connection', 'reset', 'connection'],
  ])('is not activated by %s, until it answers another challenge', async (_, reply, reason) => {
    receiver.answer(reply);
    const html = await reader.join(page.slug, hook);
    expect(html).toContain('Not active: the challenge has not been answered yet.');
    const { webhook } = await subscriberOf(reader);
    expect(webhook!.status).toBe('unanswered');
    expect(webhook!.error).toContain(reason);
    expect(html).toContain(webhook!.error!);
    expect(receiver.requests).toHaveLength(1);

    // Nothing is missed meanwhile.
    await publish('Mailed.');
    await mailed(mailing, reader.email, 2);
    expect(receiver.requests).toHaveLength(1);

    receiver.answer(answering());
    expect(await reader.send('webhook/challenge')).toContain('Active: updates are sent to this URL.');
    expect((await subscriberOf(reader)).webhook).toMatchObject({ status: 'active', error: null });
  });

  it('is not activated by silence', async () => {
    receiver.answer('hang');
    const html = await reader.join(page.slug, hook);
    expect(html).toContain('Not active: the challenge has not been answered yet.');
    expect((await subscriberOf(reader)).webhook).toMatchObject({ status: 'unanswered', error: expect.any(String) });
  });

  it.each([
    ['what is no address', 'example.com/hook'],
    ['another scheme', 'ftp://example.com/'],
    ['a private address', 'http://10.0.0.1/'],
    ['an address of the cloud', 'http://169.254.169.254/latest'],
    ['a port of another service', 'http://example.com:25/'],
  ])('must not be %s', async (_, webhook) => {
    const problem = await reader.enter(page.slug, webhook);
    expect({ status: problem.status, body: (await problem.json()) as unknown }).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/webhook', code: 'invalid_value' }] },
    });
    const headers = { accept: 'text/html' };
    const form = { email: reader.email, webhook };
    const shown = await reader.browser.call('POST', `/status/${page.slug}/subscriptions`, { form, headers });
    const html = await shown.text();
    expect(html).toContain('id="subscribe-webhook-fault"');
    expect(html).toContain(`value="${webhook}"`);

    await reader.request(page.slug, '');
    const confirmed = await reader.browser.submit(`${reader.path}/preferences`, { components: 'all', webhook });
    expect(confirmed).toMatchObject({ status: 422, html: expect.stringContaining('id="webhook-fault"') });
    expect((await subscriberOf(reader)).status).toBe('pending');
    await reader.browser.submit(`${reader.path}/preferences`, { components: 'all', webhook: '' });
    for (const url of [webhook, ''])
      expect(await reader.send('webhook', { webhook: url })).toContain('id="webhook-fault"');
    expect(await subscriberOf(reader)).toMatchObject({ type: 'email', webhook: null });
  });

  it('of somebody who has subscribed is not changed by others who enter their address', async () => {
    await reader.join(page.slug, hook);
    const other = `${receiver.origin}/other`;
    expect((await reader.enter(page.slug, other)).status).toBe(303);
    await mailed(mailing, reader.email, 2);
    const { html } = await reader.browser.open(`${reader.path}/preferences`);
    expect(html).toContain(hook);
    expect(html).not.toContain(other);
    expect(receiver.requests).toHaveLength(1);
  });

  it('can be added, replaced and removed later', async () => {
    await reader.join(page.slug, '');
    expect(await subscriberOf(reader)).toMatchObject({ type: 'email', webhook: null });
    expect(await reader.send('webhook', { webhook: hook })).toContain('Active: updates are sent to this URL.');
    const secret = await reader.secret();
    const other = `${receiver.origin}/other`;
    expect(await reader.send('webhook', { webhook: other })).toContain(other);
    expect(await reader.secret()).not.toBe(secret);
    await publish('Posted.');
    const [update] = await updates(mailing, receiver, 1);
    expect(update!.path).toBe('/other');
    expect(await reader.send('webhook/remove')).toContain('Send updates to a webhook');
    await publish('Mailed.');
    await mailed(mailing, reader.email, 2);
    expect(updatesSoFar(receiver)).toHaveLength(1);
  });

  it('is erased with the subscription', async () => {
    await reader.join(page.slug, hook);
    const [row] = await mailing.app.query<{ id: string }>(
      'SELECT id FROM subscriber_webhooks WHERE subscriber_id = $1',
      [(await subscriberOf(reader)).id],
    );
    receiver.answer(answering({ status: 503 }));
    await publish('Never delivered.');
    await updates(mailing, receiver, 1);
    const path = `${reader.path}/unsubscribe`;
    const headers = { origin: 'https://mail.example' };
    const left = await reader.browser.call('POST', path, { form: 'List-Unsubscribe=One-Click', headers });
    expect(left.status).toBe(200);
    expect(await mailing.app.query('SELECT 1 FROM subscriber_webhooks WHERE id = $1', [row!.id])).toEqual([]);
    const deliveries = 'SELECT 1 FROM subscriber_webhook_deliveries WHERE webhook_id = $1';
    expect(await mailing.app.query(deliveries, [row!.id])).toEqual([]);
    for (const form of ['webhook', 'webhook/challenge', 'webhook/remove']) {
      const answer = await reader.browser.call('POST', `${reader.path}/${form}`, { form: { webhook: hook } });
      expect(answer.status).toBe(404);
    }
    // What is published to somebody else afterwards shows that nothing is due to it.
    const other = newReader();
    await other.join(page.slug, `${receiver.origin}/other`);
    receiver.answer(answering());
    await publish('Delivered.');
    expect((await updates(mailing, receiver, 1))[0]!.path).toBe('/other');
  });

  it('accepts forms from pages of the service only', async () => {
    await reader.join(page.slug, hook);
    for (const form of ['webhook', 'webhook/challenge', 'webhook/remove']) {
      const headers = { origin: 'https://evil.test' };
      const answer = await reader.browser.call('POST', `${reader.path}/${form}`, { form: { webhook: hook }, headers });
      expect(answer.status).toBe(403);
    }
  });
});

function errorWithChallenge({ json }: Received): AnswerSpec {
  return { status: 404, json: { challenge: (json as { data: { challenge: string } }).data.challenge } };
}

function redirect({ path }: Received): AnswerSpec {
  return { status: 307, headers: { Location: `${path}/next` } };
}

describe('updates', () => {
  it('are posted once each, signed and in order, instead of being mailed', async () => {
    await reader.join(page.slug, hook);
    const { id } = await publish('We know **why**.');
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'resolved', text: 'It works again.' });
    const startsAt = new Date(Date.now() + 3_600_000).toISOString();
    const endsAt = new Date(Date.now() + 7_200_000).toISOString();
    const window = { name: 'Upgrade', description: 'Short interruptions.', monitorIds: [shop.id], startsAt, endsAt };
    const { body } = await api.post<{ id: string }>('/v1/maintenance-windows', window);
    await updates(mailing, receiver, 3);
    await api.delete(`/v1/maintenance-windows/${body.id}`);
    const posted = await updates(mailing, receiver, 4);
    const secret = await reader.secret();
    const [identified, resolved, scheduled, cancelled] = posted.map((one) => verified(one, secret));
    expect(identified).toEqual({
      type: 'incident.identified',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        page: { id: page.id, name: 'Shop status', url: page.publicUrl },
        incident: {
          id,
          title: 'Payments are delayed',
          state: 'identified',
          text: 'We know **why**.',
          url: `${page.publicUrl}/incidents/${id}`,
        },
        components: [{ id: page.components[0]!.id, name: 'Shop' }],
      },
    });
    expect(resolved).toMatchObject({ type: 'incident.resolved', data: { incident: { text: 'It works again.' } } });
    expect(scheduled).toMatchObject({
      type: 'maintenance.scheduled',
      data: {
        maintenance: {
          id: body.id,
          title: 'Upgrade',
          text: 'Short interruptions.',
          startsAt,
          endsAt,
          url: page.publicUrl,
        },
      },
    });
    expect(cancelled).toMatchObject({
      type: 'maintenance.cancelled',
      data: { maintenance: { id: body.id, startsAt } },
    });
    expect(new Set(posted.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
    expect(mailsTo(mailing.accepted, reader.email)).toHaveLength(1);
  });

  it('state the times of the occurrence of recurring maintenance that they are about', async () => {
    await reader.join(page.slug, hook);
    const now = Date.now();
    const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
    // The first occurrence was 47 hours ago, so the next one is in an hour.
    const times = { startsAt: inMinutes(-47 * 60), endsAt: inMinutes(-47 * 60 + 30), rrule: 'FREQ=DAILY' };
    const next = new Date(Date.parse(times.startsAt) + 2 * DAY_MS).toISOString();
    const window = { name: 'Nightly', monitorIds: [shop.id], notifySubscribers: true, ...times };
    const { body } = await api.post<{ id: string }>('/v1/maintenance-windows', window);
    const path = `/v1/maintenance-windows/${body.id}`;
    await api.patch(path, { rrule: 'FREQ=DAILY;INTERVAL=2' });
    await api.post(`${path}/start`, { durationSeconds: 600 });
    await api.post(`${path}/end`);
    await updates(mailing, receiver, 4);
    await api.delete(path);
    const secret = await reader.secret();
    const posted = (await updates(mailing, receiver, 5)).map((one) => verified(one, secret));
    const periods = posted.map(({ type, data }) => {
      const { startsAt, endsAt } = (data as { maintenance: { startsAt: string; endsAt: string } }).maintenance;
      return { type, startsAt, seconds: (Date.parse(endsAt) - Date.parse(startsAt)) / 1_000 };
    });
    const started = posted[2]!.timestamp;
    expect(periods).toEqual([
      { type: 'maintenance.scheduled', startsAt: next, seconds: 1_800 },
      { type: 'maintenance.rescheduled', startsAt: next, seconds: 1_800 },
      { type: 'maintenance.started', startsAt: started, seconds: 600 },
      { type: 'maintenance.ended', startsAt: started, seconds: expect.any(Number) },
      { type: 'maintenance.cancelled', startsAt: next, seconds: 1_800 },
    ]);
    expect(periods[3]!.seconds).toBeLessThan(600);
  });

  it('are posted about a detected incident and its end, if the page announces it', async () => {
    await reader.join(page.slug, hook);
    const announced = { announceDetected: true, announceAfterSeconds: 30 };
    await api.patch(`/v1/status-pages/${page.id}`, announced);
    const { id } = await storeDetected(mailing.app, shop.id);
    await updates(mailing, receiver, 1);
    await mailing.app.query('UPDATE incidents SET resolved_at = now() WHERE id = $1', [id]);
    const secret = await reader.secret();
    const [begun, ended] = (await updates(mailing, receiver, 2)).map((one) => verified(one, secret));
    expect(begun).toMatchObject({
      type: 'incident.detected',
      data: { incident: { id, title: 'Shop is down' }, components: [{ name: 'Shop' }] },
    });
    expect(ended).toMatchObject({
      type: 'incident.recovered',
      data: { incident: { id, title: 'Shop was down' }, components: [{ name: 'Shop' }] },
    });
  });

  it('are posted for the chosen components alone', async () => {
    await reader.join(page.slug, hook, { components: 'some', component: page.components[1]!.id });
    await publish('About the shop.', shop.id);
    await publish('About the search.', search.id);
    expect(textsOf(await updates(mailing, receiver, 1))).toEqual(['About the search.']);
  });

  it('are planned and posted while the mail server does not answer', async () => {
    await reader.join(page.slug, hook);
    const other = newReader();
    await other.join(page.slug, '');
    const stalled = mailing.stall();
    try {
      await publish('First.');
      await eventually(async () => {
        await hasten(mailing);
        expect(stalled.waiting()).toBeGreaterThan(0);
      });
      await publish('Second.');
      expect(textsOf(await updates(mailing, receiver, 2))).toEqual(['First.', 'Second.']);
      // Nor has the attempt to mail been given up meanwhile.
      const failures = 'SELECT failures FROM status_page_subscribers WHERE email = $1';
      expect(await mailing.app.query(failures, [other.email])).toEqual([{ failures: 0 }]);
    } finally {
      stalled.release();
    }
  });

  it('are posted again with the same id until they are accepted, and later ones wait', async () => {
    await reader.join(page.slug, hook);
    const replies: Reply[] = [{ status: 500 }, redirect(receiver.only), 'reset', { status: 404 }];
    receiver.answer(answering(() => replies.shift() ?? { status: 204 }));
    await publish('First.');
    await updates(mailing, receiver, 1);
    await eventually(async () =>
      expect((await subscriberOf(reader)).webhook!.error).toBe('The receiver reported a server error (status 500).'),
    );
    const { html } = await reader.browser.open(`${reader.path}/preferences`);
    expect(html).toContain('The latest attempt failed: The receiver reported a server error (status 500).');
    await publish('Second.');
    for (let attempts = 2; attempts <= 5; attempts += 1) {
      const due = () =>
        mailing.app.query(`SELECT 1 FROM subscriber_webhooks WHERE failures = $1 AND due_at > now()`, [attempts - 1]);
      await eventually(async () => expect(await due()).toHaveLength(1));
      await hurry();
      await eventually(() => expect(updatesSoFar(receiver).length).toBeGreaterThanOrEqual(attempts));
    }
    const posted = await updates(mailing, receiver, 6);
    expect(textsOf(posted)).toEqual(['First.', 'First.', 'First.', 'First.', 'First.', 'Second.']);
    const ids = posted.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids.slice(0, 5)).size).toBe(1);
    expect(ids[5]).not.toBe(ids[0]);
    const secret = await reader.secret();
    for (const one of posted) verified(one, secret);
    await eventually(async () => expect((await subscriberOf(reader)).webhook).toMatchObject({ error: null }));
  });

  it('about maintenance that is made private before they are posted are dropped', async () => {
    await reader.join(page.slug, hook);
    const replies: Reply[] = [{ status: 500 }];
    receiver.answer(answering(() => replies.shift() ?? { status: 204 }));
    await publish('First.');
    await eventually(async () => expect((await subscriberOf(reader)).webhook!.error).not.toBeNull());
    const [startsAt, endsAt] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const window = { name: 'Upgrade', monitorIds: [shop.id], startsAt, endsAt };
    const { body } = await api.post<{ id: string }>('/v1/maintenance-windows', window);
    const queued = `SELECT 1 FROM subscriber_publications WHERE content ->> 'subjectId' = $1`;
    await eventually(async () => expect(await mailing.app.query(queued, [body.id])).toHaveLength(1));
    await api.patch(`/v1/maintenance-windows/${body.id}`, { public: false });
    await publish('Last.');
    await hurry();
    expect(textsOf(await updates(mailing, receiver, 3))).toEqual(['First.', 'First.', 'Last.']);
  });

  it('are posted again with the same id if the outcome is unknown', async () => {
    await reader.join(page.slug, hook);
    await publish('Once more.');
    await updates(mailing, receiver, 1);
    const settled = () =>
      mailing.app.query<{ id: string }>(
        `SELECT d.id FROM subscriber_webhook_deliveries d JOIN subscriber_publications p ON p.id = d.publication_id
         WHERE p.status_page_id = $1 AND d.status = 'sent'`,
        [page.id],
      );
    const [delivery] = await eventually(async () => {
      const rows = await settled();
      expect(rows).toHaveLength(1);
      return rows;
    });
    // As if the process had been killed after the receiver accepted it.
    await mailing.app.query(`UPDATE subscriber_webhook_deliveries SET status = 'pending' WHERE id = $1`, [
      delivery!.id,
    ]);
    await mailing.app.query(
      `UPDATE subscriber_webhooks SET due_at = now()
       WHERE id = (SELECT webhook_id FROM subscriber_webhook_deliveries WHERE id = $1)`,
      [delivery!.id],
    );
    const posted = await updates(mailing, receiver, 2);
    expect(posted.map(({ headers }) => headers['webhook-id'])).toEqual([delivery!.id, delivery!.id]);
  });

  it.each([
    ['refuses them for good', { status: 410 }, 'The receiver refused the message (status 410).', false],
    ['has failed for three days', { status: 500 }, 'The receiver reported a server error (status 500).', true],
  ])('are mailed again after the receiver %s, which the subscriber is told', async (_, reply, reason, isLong) => {
    await reader.join(page.slug, hook);
    receiver.answer(answering(reply));
    await publish('An update.');
    await updates(mailing, receiver, 1);
    if (isLong) {
      await eventually(async () => expect((await subscriberOf(reader)).webhook!.error).toBe(reason));
      expect((await subscriberOf(reader)).webhook!.status).toBe('active');
      await mailing.app.query(
        `UPDATE subscriber_webhooks SET failing_since = now() - interval '73 hours', due_at = now() WHERE failures > 0`,
      );
    }
    const mails = await mailed(mailing, reader.email, 3);
    const subjects = mails.slice(1).map(({ raw }) => /^Subject: (.*)$/m.exec(headersOf(raw))![1]!.trim());
    expect(subjects.sort()).toEqual([
      'Your webhook for Shop status was deactivated',
      '[Shop status] Identified: Payments are delayed',
    ]);
    expect(await subscriberOf(reader)).toMatchObject({ webhook: { status: 'ended', error: reason } });
    const { html } = await reader.browser.open(`${reader.path}/preferences`);
    expect(html).toContain('Deactivated: updates are sent by email again.');
    expect(html).toContain(reason);
    await eventually(async () => {
      const { body } = await api.get<{ data: EventDto[] }>(`/v1/events?resourceId=${(await subscriberOf(reader)).id}`);
      expect(body.data[0]).toMatchObject({ type: 'subscriber.updated', data: { webhook: 'ended', by: 'service' } });
    });

    receiver.answer(answering());
    expect(await reader.send('webhook/challenge')).toContain('Active: updates are sent to this URL.');
    await publish('Posted again.');
    expect(textsOf(await updates(mailing, receiver, 1))).toEqual(['Posted again.']);
  });

  it('are neither posted nor mailed to somebody who reported spam', async () => {
    await reader.join(page.slug, hook);
    receiver.answer(answering({ status: 500 }));
    await publish('An update.');
    await eventually(async () => expect((await subscriberOf(reader)).webhook!.error).not.toBeNull());
    const complaint = { kind: 'complained', permanent: true, reason: null } as const;
    await mailing.app.backstage.provider<Quarantine>('Quarantine').take(reader.email, [complaint], 'msg_spam');
    const { id } = await subscriberOf(reader);
    const idle = () =>
      eventually(async () => {
        const rows = await mailing.app.query(
          'SELECT 1 FROM subscriber_webhooks WHERE subscriber_id = $1 AND due_at IS NULL AND NOT end_unreported',
          [id],
        );
        expect(rows).toHaveLength(1);
      });
    await hurry();
    await idle();
    expect(updatesSoFar(receiver)).toHaveLength(1);
    // Nor that the webhook has ended, if it did just before.
    await mailing.app.query(
      `UPDATE subscriber_webhooks SET status = 'ended', end_unreported = true, due_at = now() WHERE subscriber_id = $1`,
      [id],
    );
    await idle();
    expect(mailsTo(mailing.accepted, reader.email)).toHaveLength(1);
  });
});

describe('challenges', () => {
  const TOO_MANY = 'Too many attempts. Try again in an hour.';
  beforeEach(() => void receiver.answer({ status: 500 }));

  it('are limited per client', async () => {
    await reader.join(page.slug, hook);
    for (let n = 1; n < 10; n += 1) expect(await reader.send('webhook/challenge')).not.toContain(TOO_MANY);
    await mailing.app.query('DELETE FROM subscription_letters');
    expect(await reader.send('webhook/challenge')).toContain(TOO_MANY);
    expect(receiver.requests).toHaveLength(10);
  });

  it('are limited per host and per subscriber, whoever causes them', async () => {
    const [first, second] = [newReader(), newReader()];
    await first.join(page.slug, hook);
    // 30 of the host, and of the subscriber.
    await mailing.app.query(
      'INSERT INTO subscription_letters SELECT gen_random_uuid(), address_hash, created_at FROM subscription_letters, generate_series(1, 29)',
    );
    expect(await second.join(page.slug, `${receiver.origin}/another`)).toContain(TOO_MANY);
    const sameHost = `http://LOCALHOST:${receiver.port}/`;
    expect(await first.send('webhook', { webhook: sameHost })).toContain(TOO_MANY);
    expect(receiver.requests).toHaveLength(1);
    // Another host, for another subscriber.
    expect(await second.send('webhook', { webhook: sameHost })).not.toContain(TOO_MANY);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('the operator', () => {
  it('allows private addresses for webhooks of subscribers on their own, also by name', async () => {
    const strict = await startMailingApp({ TRUST_PROXY: 'true', ALLOW_PRIVATE_CHANNELS: 'true' });
    try {
      const admin = strict.app.api(strict.app.teams.ours.admin);
      const { slug } = await createPage(admin);
      const cautious = newReader(strict);
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1']) {
        expect((await cautious.enter(slug, `http://${host}:${receiver.port}/`)).status).toBe(422);
      }
      await cautious.join(slug, 'https://name.invalid/');
      // A name whose address is public when it is entered, and private when it is used.
      const [sealed] = await mailing.app.query<{ url: string }>('SELECT url FROM subscriber_webhooks LIMIT 1');
      await strict.app.query('UPDATE subscriber_webhooks SET url = $1', [sealed!.url]);
      expect(await cautious.send('webhook/challenge')).toContain('The host has no public address.');
      expect(receiver.requests).toEqual([]);
    } finally {
      await strict.close();
    }
  });

  it('limits how many are posted in a minute, which does not hold up mails', async () => {
    const slow = await startMailingApp({
      TRUST_PROXY: 'true',
      ALLOW_PRIVATE_SUBSCRIBER_WEBHOOKS: '127.0.0.0/8',
      SUBSCRIBER_WEBHOOKS_PER_MINUTE: '1',
    });
    try {
      const admin = slow.app.api(slow.app.teams.ours.admin);
      const monitor = await createMonitor(admin, httpMonitor('https://shop.example/', { paused: true }));
      const { slug } = await createPage(admin, { monitorIds: [monitor.id] });
      const [posted, alsoPosted, mailedOne] = [newReader(slow), newReader(slow), newReader(slow)];
      await posted.join(slug, hook);
      await alsoPosted.join(slug, hook);
      await mailedOne.join(slug, '');
      await reportIncident(admin, [monitor.id], { update: { phase: 'identified', text: 'A fault.' } });
      await updates(slow, receiver, 1);
      await mailed(slow, mailedOne.email, 2);
      const waiting = () =>
        slow.app.query(
          `SELECT 1 FROM subscriber_webhook_deliveries WHERE status = 'pending' AND last_attempt_at IS NULL`,
        );
      expect(await waiting()).toHaveLength(1);
      await slow.app.query(
        `UPDATE subscriber_webhook_deliveries SET last_attempt_at = last_attempt_at - interval '1 minute'`,
      );
      await updates(slow, receiver, 2);
    } finally {
      await slow.close();
    }
  });
});
