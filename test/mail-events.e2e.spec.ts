import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type SubscriberDto } from '../src/modules/status-pages/subscribers/dto/subscriber.dto.js';
import { sharedApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { MAIL_EVENTS, MAIL_EVENTS_SECRET, sendMailEvent, signedHeaders } from './support/mail-events.js';
import { type MailingApp, mailsTo, startMailingApp } from './support/mailing-app.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';
import { createPage } from './support/status-pages.js';
import { enterAddress, mailed, subscribe } from './support/subscribers.js';

let mailing: MailingApp;
let api: Client;
let shop: MonitorDto;
let page: StatusPageDto;
let count = 0;
/** Subscribed to the page, for each test anew. */
let email: string;
/** A client address, for each test anew. */
let client: string;

beforeAll(async () => {
  mailing = await startMailingApp({ TRUST_PROXY: 'true', MAIL_EVENTS_SECRET });
  api = mailing.app.api(mailing.app.teams.ours.admin);
});
afterAll(() => mailing.close());
beforeEach(async () => {
  shop = await createMonitor(api, httpMonitor('https://shop.example/', { name: 'Shop', paused: true }));
  page = await createPage(api, { name: 'Shop status', monitorIds: [shop.id] });
  count += 1;
  email = `reader${count}@example.com`;
  client = `192.0.2.${count}`;
  await add(email);
});

const path = ({ id } = page) => `/v1/status-pages/${id}/subscribers`;
const add = (address: string, more: Record<string, unknown> = { consentSource: 'A test' }) =>
  api.post<SubscriberDto>(path(), { email: address, ...more });
const send = (body: unknown, signing = {}) => sendMailEvent(mailing.app.origin, body, signing);
const bounced = (data: Record<string, unknown> = {}) => ({ type: 'mail.bounced', data: { email, ...data } });
const complained = () => ({ type: 'mail.complained', data: { email } });

async function subscriber(of = page): Promise<SubscriberDto | undefined> {
  const { body } = await api.get<{ data: SubscriberDto[] }>(`${path(of)}?email=${email}`);
  return body.data[0];
}

/** Publishes an update, and waits until somebody else has been mailed it. */
async function publish(): Promise<void> {
  const other = `other${(count += 1)}@example.com`;
  await add(other);
  await reportIncident(api, [shop.id], { update: { phase: 'identified', text: 'A fault.' } });
  await mailed(mailing, other, 1);
}

describe('a report of a mail provider', () => {
  it.each([
    ['a permanent bounce', 'bounced', () => bounced({ reason: `550 <${email.toUpperCase()}>: no such user` })],
    ['a complaint', 'complained', complained],
  ] as const)('%s marks the subscriber on every page and ends their mails', async (_, status, event) => {
    const second = await createPage(api, { name: 'Also', monitorIds: [shop.id] });
    await api.post(path(second), { email, consentSource: 'x' });
    expect((await send(event())).status).toBe(204);
    for (const one of [page, second]) {
      expect(await subscriber(one)).toMatchObject({
        status,
        statusReason: status === 'bounced' ? '550 <…>: no such user' : null,
      });
    }
    const listed = await api.get<{ data: SubscriberDto[] }>(`${path()}?status=${status}`);
    expect(listed.body.data.map((one) => one.email)).toEqual([email]);
    await publish();
    expect(mailsTo(mailing.accepted, email)).toEqual([]);

    const { id } = (await subscriber())!;
    const events = await eventually(async () => {
      const { body } = await api.get<{ data: EventDto[] }>(`/v1/events?resourceId=${id}&type=subscriber.${status}`);
      expect(body.data).toHaveLength(1);
      return body.data;
    });
    expect(events[0]).toMatchObject({
      actor: { type: 'system' },
      data: { statusPageId: page.id, by: 'mail_provider' },
    });
    expect(JSON.stringify(events)).not.toContain('@');
  });

  it('drops what waits to be sent', async () => {
    const waiting = () =>
      mailing.app.query(
        `SELECT d.status, d.error, s.due_at FROM subscriber_deliveries d
         JOIN status_page_subscribers s ON s.id = d.subscriber_id WHERE s.email = $1`,
        [email],
      );
    await mailing.app.query('UPDATE status_page_subscribers SET last_attempt_at = now() WHERE email = $1', [email]);
    await publish();
    expect(await waiting()).toMatchObject([{ status: 'pending' }]);
    await send(bounced());
    expect(await waiting()).toEqual([{ status: 'failed', error: 'An email to this address bounced.', due_at: null }]);
  });

  it('sends nothing of what was queued at the same moment', async () => {
    await send(bounced());
    // As if the update had read the subscriber just before the report.
    await mailing.app.query(`UPDATE status_page_subscribers SET status = 'active' WHERE email = $1`, [email]);
    await publish();
    await eventually(async () =>
      expect(
        await mailing.app.query(
          `SELECT d.error FROM subscriber_deliveries d JOIN status_page_subscribers s ON s.id = d.subscriber_id
           WHERE s.email = $1 AND d.status = 'failed'`,
          [email],
        ),
      ).toHaveLength(1),
    );
    expect(mailsTo(mailing.accepted, email)).toEqual([]);
  });

  it('of a temporary bounce acts on the fifth day', async () => {
    for (let day = 1; day <= 5; day += 1) {
      expect((await subscriber())!.status).toBe('active');
      // Only one of a day counts.
      for (let n = 0; n < 3; n += 1) await send(bounced({ permanent: false, reason: 'Mailbox full' }));
      await mailing.app.query(`UPDATE quarantined_addresses SET counted_at = counted_at - interval '1 day'`);
    }
    expect(await subscriber()).toMatchObject({ status: 'bounced', statusReason: 'Mailbox full' });
  });

  it('has no effect a second time', async () => {
    const id = 'msg_repeated';
    await send(bounced(), { id });
    const { id: subscriberId } = (await subscriber())!;
    await send(bounced(), { id });
    await send(bounced());
    await api.delete(`${path()}/${subscriberId}`);
    // Adding them again lifts the bounce, which a late repetition must not undo.
    expect(await add(email, {})).toMatchObject({ status: 201, body: { status: 'pending' } });
    expect((await send(bounced(), { id })).status).toBe(204);
    expect((await subscriber())!.status).toBe('pending');
    await eventually(async () => {
      const { body } = await api.get<{ data: EventDto[] }>(`/v1/events?resourceId=${subscriberId}`);
      expect(body.data.map(({ type }) => type)).toEqual([
        'subscriber.deleted',
        'subscriber.bounced',
        'subscriber.created',
      ]);
    });
  });

  it('leaves nothing but a keyed hash of an address', async () => {
    await send(bounced({ reason: `No mailbox ${email}` }));
    await api.delete(`${path()}/${(await subscriber())!.id}`);
    const rows = await mailing.app.query('SELECT to_jsonb(q)::text AS row FROM quarantined_addresses q');
    expect(JSON.stringify(rows)).not.toContain(email);
    expect(JSON.stringify(rows)).toContain('No mailbox …');
  });

  it('may contain several events, of which unknown types are ignored', async () => {
    expect((await send([{ type: 'mail.delivered', data: { email } }, complained()])).status).toBe(204);
    expect((await subscriber())!.status).toBe('complained');
    expect((await send({ type: 'mail.delivered' })).status).toBe(204);
  });

  it('may contain several events about an address, of which each counts', async () => {
    const stored = () => mailing.app.query(`SELECT * FROM quarantined_addresses ORDER BY updated_at DESC LIMIT 1`);
    const [events, id] = [[bounced({ permanent: false }), complained()], 'msg_several'];
    await send(events, { id });
    expect((await subscriber())!.status).toBe('complained');
    const before = await stored();
    await send(events, { id });
    expect(await stored()).toEqual(before);
  });
});

describe('a quarantined address', () => {
  it.each(['bounced', 'complained'])('that %s is skipped by imports', async (type) => {
    await send({ type: `mail.${type}`, data: { email } });
    const other = await createPage(api);
    const imported = await api.post(`${path(other)}/import`, { consentSource: 'x', csv: `${email}\nnew-${email}` });
    expect(imported.body).toEqual({ imported: 1, skipped: [{ line: 1, reason: 'quarantined' }] });
  });

  it.each(['bounced', 'complained'])(
    'that %s is answered like any other by the form, and sent nothing',
    async (type) => {
      const other = await createPage(api);
      await send({ type: `mail.${type}`, data: { email } });
      for (const { slug } of [page, other]) {
        const answer = await enterAddress(mailing, slug, email, client);
        expect([answer.status, answer.headers.get('location')]).toEqual([
          303,
          `/status/${slug}/subscriptions?done=requested`,
        ]);
      }
      // Requests of a client are carried out in order, so these are over once this one is.
      await enterAddress(mailing, page.slug, `marker-${email}`, client);
      await mailed(mailing, `marker-${email}`, 1);
      expect(mailsTo(mailing.accepted, email)).toEqual([]);
      expect(await subscriber(other)).toBeUndefined();
    },
  );

  it('is not released by the link in an earlier mail, with which its owner can still leave', async () => {
    email = `linked-${email}`;
    const link = await subscribe(mailing, page.slug, email, client);
    await send(complained());
    const browser = new Browser(mailing.app.origin);
    expect((await browser.open(link)).html).toContain('reported as spam');
    await browser.submit(link, { components: 'some', component: page.components[0]!.id });
    expect(await subscriber()).toMatchObject({ status: 'complained', componentIds: [page.components[0]!.id] });
    const leave = link.replace('preferences', 'unsubscribe');
    await browser.open(leave);
    await browser.submit(leave);
    expect(await subscriber()).toBeUndefined();
  });

  it('is sent mail again once an administrator removes and adds it, if it bounced', async () => {
    await send(bounced());
    expect(await add(email)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await api.delete(`${path()}/${(await subscriber())!.id}`);
    expect(await add(email, {})).toMatchObject({ status: 201, body: { status: 'pending', statusReason: null } });
    await mailed(mailing, email, 1);
    await send(bounced());
    expect((await subscriber())!.status).toBe('bounced');
  });

  it('cannot be added if its owner reported spam', async () => {
    await send(complained());
    await api.delete(`${path()}/${(await subscriber())!.id}`);
    for (const more of [{}, { consentSource: 'x' }]) {
      const refused = await api.post(path(await createPage(api)), { email, ...more });
      expect(refused).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('reported an email as spam') },
      });
    }
    expect(mailsTo(mailing.accepted, email)).toEqual([]);
  });

  it('that was never confirmed expires, and leaves no trace as somebody who left', async () => {
    email = `unconfirmed-${email}`;
    await enterAddress(mailing, page.slug, email, client);
    await mailed(mailing, email, 1);
    await send(bounced());
    expect(await subscriber()).toMatchObject({ status: 'bounced', confirmedAt: null });
    await mailing.app.query(
      `UPDATE status_page_subscribers SET created_at = now() - interval '49 hours' WHERE email = $1`,
      [email],
    );
    await mailing.app.backstage.provider<{ deleteOld(): Promise<void> }>('SubscriberWorker').deleteOld();
    expect(await subscriber()).toBeUndefined();
  });

  it('is shown with the reason to owners', async () => {
    await send(bounced({ reason: '550 No such user here' }));
    const owner = await signIn(mailing.app, await makePerson(mailing.app, mailing.app.teams.ours.id, 'owner'));
    const { html } = await owner.open(`/status-pages/${page.id}/subscribers`);
    expect(html).toMatch(/Bounced\s*<div class="quiet" dir="auto">550 No such user here/);
    expect(html).toContain('0 confirmed subscribers.');
  });

  it('still gets alerts and mail to people', async () => {
    const person = await makePerson(mailing.app, mailing.app.teams.ours.id, 'editor');
    await send({ type: 'mail.bounced', data: { email: person.email } });
    const visitor = new Browser(mailing.app.origin);
    await visitor.open('/forgot-password');
    await visitor.submit('/forgot-password', { email: person.email });
    await mailed(mailing, person.email, 1);
  });
});

describe('the webhook', () => {
  it('is rejected without a right and recent signature', async () => {
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    for (const signing of [
      { secret: other },
      { at: new Date(Date.now() - 301_000) },
      { at: new Date(Date.now() + 302_000) },
    ]) {
      const refused = await send(bounced(), signing);
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ code: 'unauthenticated' });
    }
    const headers = signedHeaders(JSON.stringify(bounced()));
    for (const [name, value] of [
      ['webhook-signature', ''],
      ['webhook-id', 'other'],
      ['webhook-timestamp', ''],
    ] as const) {
      const given = { method: 'POST', headers: { ...headers, [name]: value }, body: JSON.stringify(bounced()) };
      expect((await fetch(mailing.app.origin + MAIL_EVENTS, given)).status).toBe(401);
    }
    expect((await fetch(mailing.app.origin + MAIL_EVENTS, { method: 'POST' })).status).toBe(401);
    expect((await subscriber())!.status).toBe('active');
  });

  it('is rejected if it is too large, not JSON or invalid', async () => {
    expect((await send(JSON.stringify('x'.repeat(256 * 1_024)))).status).toBe(413);
    expect((await send('{')).status).toBe(400);
    const text = JSON.stringify(bounced());
    const headers = { ...signedHeaders(text), 'content-type': 'text/plain' };
    expect((await fetch(mailing.app.origin + MAIL_EVENTS, { method: 'POST', headers, body: text })).status).toBe(415);
    const invalid = await send([bounced(), bounced({ email: 'jo' })]);
    expect(invalid.status).toBe(422);
    expect(await invalid.json()).toMatchObject({ errors: [{ pointer: '/1/data/email' }] });
    expect((await subscriber())!.status).toBe('active');
  });

  it('does not exist without the setting', async () => {
    const silent = await sharedApp();
    try {
      expect((await sendMailEvent(silent.origin, bounced())).status).toBe(404);
    } finally {
      await silent.close();
    }
  });
});
