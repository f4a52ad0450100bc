import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Database } from 'pg';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type SubscriberDto } from '../src/modules/status-pages/subscribers/dto/subscriber.dto.js';
import { startApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { headersOf } from './support/mail-server.js';
import { type MailingApp, mailsTo, startMailingApp } from './support/mailing-app.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';
import { enterAddress, mailed, subscribe, subscriptionPath } from './support/subscribers.js';

let mailing: MailingApp;
let api: Client;
let page: StatusPageDto;
beforeAll(async () => {
  // Each test enters addresses from its own client address.
  mailing = await startMailingApp({ TRUST_PROXY: 'true', SUBSCRIBER_MAIL_FROM: 'Status <status@daywatch.example>' });
  api = mailing.app.api(mailing.app.teams.ours.admin);
  const monitors = await Promise.all(
    ['Shop', 'Search'].map((name) => createMonitor(api, httpMonitor('https://shop.example/', { name, paused: true }))),
  );
  page = await createPage(api, { name: 'Shop status', monitorIds: monitors.map(({ id }) => id) });
});
afterAll(() => mailing.close());

async function subscribers(query = ''): Promise<SubscriberDto[]> {
  return (await api.get<{ data: SubscriberDto[] }>(`/v1/status-pages/${page.id}/subscribers${query}`)).body.data;
}
const subscriberOf = async (email: string) => (await subscribers(`?email=${encodeURIComponent(email)}`))[0];

async function eventsAbout(id: string): Promise<EventDto[]> {
  return (await api.get<{ data: EventDto[] }>(`/v1/events?resourceId=${id}`)).body.data;
}

describe('the form of a status page', () => {
  it('subscribes an address once its owner confirms by a click', async () => {
    const email = 'jo@example.com';
    const browser = new Browser(mailing.app.origin);
    await browser.open(`/status/${page.slug}`);
    const asked = await browser.submit(`/status/${page.slug}/subscriptions`, { email: ` Jo@Example.com ` });
    expect(asked.path).toBe(`/status/${page.slug}/subscriptions?done=requested`);
    expect(asked.html).toContain('Check your inbox');

    const [mail] = await mailed(mailing, email, 1);
    const path = subscriptionPath(mail!);
    for (const header of [
      'Subject: Confirm your subscription to Shop status',
      'From: Status <status@daywatch.example>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ]) {
      expect(headersOf(mail!.raw)).toContain(header);
    }
    // Opening the link, as a mail filter does, changes nothing.
    const opened = await browser.open(path);
    expect(opened.html).toContain('Confirm your subscription');
    expect(Object.fromEntries(opened.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(await subscriberOf(email)).toMatchObject({ status: 'pending', confirmedAt: null });

    const confirmed = await browser.submit(path, { components: 'all' });
    expect(confirmed.html).toContain('You are subscribed.');
    const subscriber = (await subscriberOf(email))!;
    expect(subscriber).toMatchObject({ status: 'active', componentIds: null, consentSource: null });
    const [event] = await eventually(async () => {
      const events = await eventsAbout(subscriber.id);
      expect(events).toHaveLength(1);
      return events;
    });
    expect(event).toMatchObject({ type: 'subscriber.created', actor: { type: 'system' } });
    expect(JSON.stringify(event)).not.toContain('@');
  });

  it('lets a subscriber choose components, and requires one', async () => {
    const path = await subscribe(mailing, page.slug, 'components@example.com', '192.0.2.1');
    const browser = new Browser(mailing.app.origin);
    await browser.open(path);
    const none = await browser.call('POST', path, { form: { components: 'some' } });
    expect({ status: none.status, html: await none.text() }).toEqual({
      status: 422,
      html: expect.stringContaining('Select at least one component.'),
    });
    const [first] = page.components;
    const saved = await browser.submit(path, { components: 'some', component: first!.id });
    expect(saved.html).toContain('Subscription saved.');
    expect(await subscriberOf('components@example.com')).toMatchObject({ componentIds: [first!.id] });
  });

  it.each([
    ['a problem to programs', 'application/json', 'validation_failed'],
    ['the form again to browsers', 'text/html', 'id="subscribe-email-fault"'],
  ])('answers what is not an address with %s', async (_, accept, text) => {
    for (const email of ['', 'jo', 'jo@', '\0@example.com', `${'x'.repeat(250)}@example.com`]) {
      const answer = await enterAddress(mailing, page.slug, email, '192.0.2.2', { accept });
      expect({ status: answer.status, body: await answer.text() }).toEqual({
        status: 422,
        body: expect.stringContaining(text),
      });
    }
  });

  it('is accepted from pages of the service only', async () => {
    const headers = { origin: 'https://evil.test' };
    expect((await enterAddress(mailing, page.slug, 'jo@example.com', '192.0.2.3', headers)).status).toBe(403);
  });

  it('is found on published pages only, and asks for the password', async () => {
    const hidden = await createPage(api, { published: false });
    const locked = await createPage(api, { accessType: 'password', password: 'correct horse' });
    expect((await enterAddress(mailing, hidden.slug, 'jo@example.com', '192.0.2.4')).status).toBe(404);
    expect((await enterAddress(mailing, locked.slug, 'jo@example.com', '192.0.2.4')).status).toBe(401);
    const authorization = `Basic ${Buffer.from('x:correct horse').toString('base64')}`;
    const admitted = await enterAddress(mailing, locked.slug, 'in@example.com', '192.0.2.4', { authorization });
    expect(admitted.status).toBe(303);
    await mailed(mailing, 'in@example.com', 1);
  });
});

describe('a request to subscribe', () => {
  it('does not disclose whether an address is subscribed, and does not wait for the lookup or the mail', async () => {
    const email = 'known@example.com';
    await subscribe(mailing, page.slug, email, '192.0.2.5');
    const database = new Database({ connectionString: mailing.app.databaseUrl });
    await database.connect();
    try {
      // Nothing about subscribers can be read or written until the transaction ends.
      await database.query('BEGIN');
      await database.query('LOCK TABLE status_page_subscribers, subscription_letters IN ACCESS EXCLUSIVE MODE');
      const answers = [email, 'unknown@example.com'].map((one) => enterAddress(mailing, page.slug, one, '192.0.2.5'));
      const seen = (await Promise.all(answers)).map(({ status, headers }) => [status, headers.get('location')]);
      expect(seen[0]).toEqual([303, `/status/${page.slug}/subscriptions?done=requested`]);
      expect(seen[1]).toEqual(seen[0]);
      expect(mailsTo(mailing.accepted, email)).toHaveLength(1);
      await database.query('COMMIT');
    } finally {
      await database.end();
    }
    const [, again] = await mailed(mailing, email, 2);
    expect(headersOf(again!.raw)).toContain('Subject: You are subscribed to Shop status');
    await mailed(mailing, 'unknown@example.com', 1);
  });

  it('writes to an address three times in an hour, whatever the page and the client', async () => {
    const email = 'flooded@example.com';
    const other = await createPage(api);
    const slugs = [page.slug, other.slug, page.slug, other.slug, page.slug];
    const answers = await Promise.all(
      slugs.map((slug, at) => enterAddress(mailing, slug, email, `192.0.2.${30 + at}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(slugs.map(() => 303));
    await mailed(mailing, email, 3);
    // Requests of a client are carried out in order, so these are over once that of somebody else is.
    await enterAddress(mailing, page.slug, 'marker@example.com', '192.0.2.39');
    await mailed(mailing, 'marker@example.com', 1);
    expect(mailsTo(mailing.accepted, email)).toHaveLength(3);
  });

  it('is refused after ten of one client in 15 minutes, but not from others', async () => {
    const enter = (n: number, client: string) => enterAddress(mailing, page.slug, `n${n}@example.com`, client);
    for (let n = 0; n < 10; n += 1) expect((await enter(n, '192.0.2.50')).status).toBe(303);
    const refused = await enter(10, '192.0.2.50');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await enter(11, '192.0.2.51')).status).toBe(303);
  });
});

describe('a page', () => {
  it('sends links to 1,000 new addresses in an hour', async () => {
    const crowded = await createPage(api);
    await mailing.app.query(
      `INSERT INTO status_page_subscribers (id, team_id, status_page_id, email, status)
       SELECT gen_random_uuid(), $1, $2, 'n' || n || '@crowd.example', 'pending' FROM generate_series(1, 1000) AS n`,
      [mailing.app.teams.ours.id, crowded.id],
    );
    const email = 'latecomer@example.com';
    const enter = async () => expect((await enterAddress(mailing, crowded.slug, email, '192.0.2.63')).status).toBe(303);
    await enter();
    // By the time somebody else has their mail, this request has been carried out.
    await enterAddress(mailing, page.slug, 'marker2@example.com', '192.0.2.64');
    await mailed(mailing, 'marker2@example.com', 1);
    expect(mailsTo(mailing.accepted, email)).toEqual([]);
    await mailing.app.query(
      `UPDATE status_page_subscribers SET created_at = created_at - interval '1 hour' WHERE status_page_id = $1`,
      [crowded.id],
    );
    await enter();
    await mailed(mailing, email, 1);
  });
});

describe('a link to confirm', () => {
  it('is mailed later if the mail server does not accept it at first', async () => {
    const email = 'patient@example.com';
    const rows = () =>
      mailing.app.query(
        `SELECT failures, due_at - now() < interval '1 minute' AS is_due FROM status_page_subscribers WHERE email = $1`,
        [email],
      );
    const accept = mailing.defer();
    try {
      await enterAddress(mailing, page.slug, email, '192.0.2.62');
      await eventually(async () => expect(await rows()).toEqual([{ failures: 1, is_due: true }]));
    } finally {
      accept();
    }
    await mailing.app.query('UPDATE status_page_subscribers SET due_at = now() WHERE email = $1', [email]);
    const [mail] = await mailed(mailing, email, 1);
    await eventually(async () => expect(await rows()).toEqual([{ failures: 0, is_due: null }]));
    const browser = new Browser(mailing.app.origin);
    await browser.open(subscriptionPath(mail!));
    expect((await browser.submit(subscriptionPath(mail!), { components: 'all' })).html).toContain(
      'You are subscribed.',
    );
  });

  it('is void after two days', async () => {
    const email = 'late@example.com';
    await enterAddress(mailing, page.slug, email, '192.0.2.60');
    const [mail] = await mailed(mailing, email, 1);
    await mailing.app.query(
      `UPDATE status_page_subscribers SET created_at = now() - interval '49 hours' WHERE email = $1`,
      [email],
    );
    const path = subscriptionPath(mail!);
    expect((await new Browser(mailing.app.origin).open(path)).status).toBe(404);
    expect((await new Browser(mailing.app.origin).call('POST', path, { form: { components: 'all' } })).status).toBe(
      404,
    );
  });

  it.each(['x', 'x'.repeat(43), '%00', 'x'.repeat(3_000)])(
    'with the token %# that was never sent is a 404',
    async (token) => {
      for (const part of ['preferences', 'unsubscribe']) {
        const path = `/status/_/subscriptions/${token}/${part}`;
        expect((await new Browser(mailing.app.origin).call('GET', path)).status).toBe(404);
        expect((await new Browser(mailing.app.origin).call('POST', path, { form: '' })).status).toBe(404);
      }
    },
  );
});

describe('the pages of a link', () => {
  it('accept forms from pages of the service only, and say so', async () => {
    const path = await subscribe(mailing, page.slug, 'forged@example.com', '192.0.2.61');
    const headers = { origin: 'https://evil.test' };
    const answer = await new Browser(mailing.app.origin).call('POST', path, { form: { components: 'all' }, headers });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('The form was not sent from a page of this site. Nothing was changed.');
  });
});

describe('leaving', () => {
  it('takes one click on the page, erases the address, and cannot be undone by an import', async () => {
    const email = 'leaves@example.com';
    const path = await subscribe(mailing, page.slug, email, '192.0.2.70');
    const { id } = (await subscriberOf(email))!;
    const browser = new Browser(mailing.app.origin);
    const leave = path.replace('preferences', 'unsubscribe');
    expect((await browser.open(leave)).html).toContain('Unsubscribe');
    expect(await subscriberOf(email)).toBeDefined();
    expect((await browser.submit(leave)).html).toContain('You are unsubscribed');
    expect(await subscriberOf(email)).toBeUndefined();
    expect((await browser.open(path)).status).toBe(404);
    await eventually(async () =>
      expect((await eventsAbout(id)).map(({ type }) => type)).toEqual(['subscriber.deleted', 'subscriber.created']),
    );

    const imported = await api.post(`/v1/status-pages/${page.id}/subscribers/import`, {
      consentSource: 'x',
      csv: email,
    });
    expect(imported.body).toEqual({ imported: 0, skipped: [{ line: 1, reason: 'erased' }] });
    // The owner of the address can come back.
    await subscribe(mailing, page.slug, email, '192.0.2.70');
    expect(await subscriberOf(email)).toMatchObject({ status: 'active' });
  });

  it('works by one click in a mail program, from anywhere and without a form token', async () => {
    const email = 'one-click@example.com';
    const path = (await subscribe(mailing, page.slug, email, '192.0.2.71')).replace('preferences', 'unsubscribe');
    const [mail] = mailsTo(mailing.accepted, email);
    expect(headersOf(mail!.raw)).toContain(`List-Unsubscribe: <${mailing.app.origin}${path}>`);
    for (const method of ['GET', 'HEAD']) await fetch(mailing.app.origin + path, { method });
    expect(await subscriberOf(email)).toBeDefined();
    const answer = await fetch(mailing.app.origin + path, {
      method: 'POST',
      headers: { origin: 'https://mail.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(answer.status).toBe(200);
    expect(await subscriberOf(email)).toBeUndefined();
  });

  it('works after the page was renamed or unpublished, and shows only its name then', async () => {
    const other = await createPage(api, { monitorIds: page.components.map(({ monitorId }) => monitorId) });
    const path = await subscribe(mailing, other.slug, 'old-link@example.com', '192.0.2.72');
    await enterAddress(mailing, other.slug, 'new@example.com', '192.0.2.72');
    const [invitation] = await mailed(mailing, 'new@example.com', 1);
    const pending = subscriptionPath(invitation!);
    const browser = new Browser(mailing.app.origin);
    expect((await browser.open(path)).html).toContain('Search');
    await api.patch(`/v1/status-pages/${other.id}`, { slug: `${other.slug}-renamed`, published: false });
    for (const one of [path, pending, path.replace('preferences', 'unsubscribe')]) {
      const { html } = await browser.open(one);
      expect(html).not.toMatch(/Search|Webhook URL|Choose components/);
    }
    const form = { components: 'some', component: other.components[0]!.id };
    for (const one of [path, pending]) expect((await browser.call('POST', one, { form })).status).toBe(404);
    const hook = { form: { webhook: 'https://hooks.example/' } };
    expect((await browser.call('POST', path.replace('preferences', 'webhook'), hook)).status).toBe(404);
    const { body: kept } = await api.get<{ data: SubscriberDto[] }>(`/v1/status-pages/${other.id}/subscribers`);
    expect(kept.data).toHaveLength(2);
    for (const one of kept.data) expect(one).toMatchObject({ componentIds: null, webhook: null });
    expect(kept.data.map(({ status }) => status).sort()).toEqual(['active', 'pending']);
    await browser.open(pending);
    await browser.submit(pending.replace('preferences', 'unsubscribe'));
    await browser.open(path);
    expect((await browser.submit(path.replace('preferences', 'unsubscribe'))).status).toBe(200);
    const { body } = await api.get<{ data: SubscriberDto[] }>(`/v1/status-pages/${other.id}/subscribers`);
    expect(body.data).toEqual([]);
  });
});

describe('without a mail server', () => {
  it('offers no form, and answers mail_not_configured', async () => {
    const silent = await startApp({ SMTP_URL: '', MAIL_FROM: '' });
    try {
      const admin = silent.api(silent.teams.ours.admin);
      const { slug, id } = await createPage(admin, { slug: 'silent' });
      const browser = new Browser(silent.origin);
      const { html } = await browser.open(`/status/${slug}`);
      expect(html).toContain('Atom feed');
      expect(html).not.toContain('/subscriptions');
      for (const method of ['GET', 'POST']) {
        const form = method === 'POST' ? { form: { email: 'jo@example.com' } } : {};
        const answer = await browser.call(method, `/status/${slug}/subscriptions`, form);
        expect(answer.status).toBe(422);
        expect(await answer.json()).toMatchObject({ errors: [{ code: 'mail_not_configured' }] });
      }
      const added = await admin.post(`/v1/status-pages/${id}/subscribers`, { email: 'jo@example.com' });
      expect(added).toMatchObject({ status: 422, body: { errors: [{ code: 'mail_not_configured' }] } });
    } finally {
      await silent.close();
    }
  });
});
