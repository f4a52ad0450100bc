import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type SubscriberDto } from '../src/modules/status-pages/subscribers/dto/subscriber.dto.js';
import { type Publications } from '../src/modules/status-pages/subscribers/publications.service.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident, storeDetected } from './support/incidents.js';
import { type Accepted, headersOf, partOf } from './support/mail-server.js';
import { type MailingApp, mailsTo, startMailingApp } from './support/mailing-app.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';
import { mailed, subscriptionPath } from './support/subscribers.js';

let mailing: MailingApp;
let api: Client;
let shop: MonitorDto;
let search: MonitorDto;
let page: StatusPageDto;
let count = 0;
/** Subscribed to all components of the page, for each test anew. */
let email: string;

beforeAll(async () => {
  mailing = await startMailingApp({ TRUST_PROXY: 'true' });
  api = mailing.app.api(mailing.app.teams.ours.admin);
});
afterAll(() => mailing.close());

beforeEach(async () => {
  const made = ['Shop', 'Search'].map((name) =>
    createMonitor(api, httpMonitor('https://secret.example/', { name: `internal ${name}`, paused: true })),
  );
  [shop, search] = (await Promise.all(made)) as [MonitorDto, MonitorDto];
  const components = [
    { monitorId: shop.id, name: 'Shop' },
    { monitorId: search.id, name: 'Search' },
  ];
  page = await createPage(api, { name: 'Shop status', components });
  email = await add(page);
});

async function add({ id }: StatusPageDto, more: Record<string, unknown> = {}): Promise<string> {
  const address = `reader${(count += 1)}@example.com`;
  const body = { email: address, consentSource: 'A test', ...more };
  expect((await api.post<SubscriberDto>(`/v1/status-pages/${id}/subscribers`, body)).status).toBe(201);
  return address;
}

const subjectOf = ({ raw }: Accepted): string => /^Subject: (.*)$/m.exec(headersOf(raw))![1]!.trim();
const messageIdOf = ({ raw }: Accepted): string => /^Message-ID: (.*)$/im.exec(headersOf(raw))![1]!.trim();
const textOf = ({ raw }: Accepted): string => partOf(raw, 'text/plain');

/** Lets the five minutes after a mail pass. */
const pass = () =>
  mailing.app.query(
    `UPDATE status_page_subscribers SET last_attempt_at = last_attempt_at - interval '5 minutes',
       due_at = due_at - interval '5 minutes' WHERE email = $1`,
    [email],
  );

/** Waits until everything that was published so far is queued. */
const planned = () =>
  eventually(async () => expect(await mailing.app.query('SELECT 1 FROM unpublished_events')).toEqual([]));

/** Does something that is published, which is not planned before it is over. */
async function beforePlanning(act: () => Promise<unknown>): Promise<void> {
  const column = 'ALTER TABLE unpublished_events ALTER COLUMN retry_at';
  await mailing.app.query(`${column} SET DEFAULT 'infinity'`);
  try {
    await act();
  } finally {
    await mailing.app.query(`${column} DROP DEFAULT`);
    await mailing.app.query('UPDATE unpublished_events SET retry_at = NULL');
  }
}

const publications = () => mailing.app.backstage.provider<Publications>('Publications');

/** Lets 31 days pass since everything was published that the subscribers of a page have been sent. */
async function age({ id }: StatusPageDto): Promise<void> {
  await mailing.app.query(
    `UPDATE subscriber_publications SET published_at = published_at - interval '31 days' WHERE status_page_id = $1`,
    [id],
  );
  await publications().deleteOld();
}

const post = (id: string, body: Record<string, unknown>) =>
  api.post<IncidentDto>(`/v1/incidents/${id}/updates`, { text: 'We are **looking** into it.', ...body });

describe('an incident', () => {
  it('is mailed with its first update, and its links work', async () => {
    const incident = await reportIncident(api, [shop.id], {
      update: { phase: 'investigating', text: 'We are **looking** into it.' },
    });
    // Without `mailed`, which hastens the worker: this one looks by itself.
    const mail = await eventually(() => {
      const [first] = mailsTo(mailing.accepted, email);
      expect(first).toBeDefined();
      return first;
    });
    expect(subjectOf(mail!)).toBe('[Shop status] Investigating: Payments are delayed');
    expect(textOf(mail!)).toContain('Affects Shop.');
    expect(textOf(mail!)).toContain('We are **looking** into it.');
    expect(textOf(mail!)).toContain(`${page.publicUrl}/incidents/${incident.id}`);
    expect(partOf(mail!.raw, 'text/html')).toContain('We are <strong>looking</strong> into it.');
    expect(mail!.raw).not.toMatch(/internal|secret\.example/);
    const unsubscribe = subscriptionPath(mail!, 'unsubscribe');
    expect(headersOf(mail!.raw)).toContain(`List-Unsubscribe: <${mailing.app.origin}${unsubscribe}>`);
    expect(headersOf(mail!.raw)).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  it('is mailed again with each public update, but not with notes, corrections and updates that opt out', async () => {
    const { id } = await reportIncident(api, [shop.id]);
    await post(id, { phase: 'note' });
    await post(id, { phase: 'identified', notifySubscribers: false });
    await api.patch(`/v1/incidents/${id}`, { title: 'Corrected' });
    await post(id, { phase: 'monitoring' });
    const [mail] = await mailed(mailing, email, 1);
    expect(subjectOf(mail!)).toBe('[Shop status] Monitoring: Corrected');
    await pass();
    await post(id, { phase: 'resolved' });
    const [, last] = await mailed(mailing, email, 2);
    expect(subjectOf(last!)).toBe('[Shop status] Resolved: Corrected');
    // It is past now: only if asked for.
    await pass();
    await post(id, { phase: 'resolved' });
    await post(id, { phase: 'postmortem', notifySubscribers: true });
    expect(subjectOf((await mailed(mailing, email, 3))[2]!)).toBe('[Shop status] Postmortem: Corrected');
  });

  it('of the past is not mailed, and an internal update cannot be', async () => {
    const past = { startedAt: '2026-01-01T12:00:00.000Z', resolvedAt: '2026-01-01T13:00:00.000Z' };
    await reportIncident(api, [shop.id], { ...past, update: { phase: 'resolved', text: 'Over.' } });
    const { id } = await reportIncident(api, [shop.id]);
    const refused = await post(id, { phase: 'note', notifySubscribers: true });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/notifySubscribers' }] } });
    await post(id, { phase: 'identified' });
    expect((await mailed(mailing, email, 1)).map(subjectOf)).toEqual([
      '[Shop status] Identified: Payments are delayed',
    ]);
  });

  it('is mailed to the subscribers of the affected components and pages alone', async () => {
    const componentOf = (name: string) => page.components.find((one) => one.name === name)!.id;
    const [forShop, forSearch] = [
      await add(page, { componentIds: [componentOf('Shop')] }),
      await add(page, { componentIds: [componentOf('Search')] }),
    ];
    const hidden = await add(await createPage(api, { monitorIds: [shop.id], published: false }));
    const other = await add(await createPage(api, { monitorIds: [search.id] }));
    const also = await add(await createPage(api, { name: 'Also', monitorIds: [shop.id] }));
    await reportIncident(api, [shop.id], { update: { phase: 'identified', text: 'A fault.' } });
    await Promise.all([email, forShop, also].map((one) => mailed(mailing, one, 1)));
    for (const one of [forSearch, hidden, other]) expect(mailsTo(mailing.accepted, one)).toEqual([]);
  });

  it('sends what follows within five minutes in one mail', async () => {
    const { id } = await reportIncident(api, [shop.id], { update: { phase: 'investigating', text: 'One.' } });
    await mailed(mailing, email, 1);
    await post(id, { phase: 'identified', text: 'Two.' });
    await post(id, { phase: 'monitoring', text: 'Three.' });
    await planned();
    expect(mailsTo(mailing.accepted, email)).toHaveLength(1);
    await pass();
    const [, combined] = await mailed(mailing, email, 2);
    expect(subjectOf(combined!)).toBe('[Shop status] 2 updates');
    const text = textOf(combined!);
    expect(text.indexOf('Two.')).toBeLessThan(text.indexOf('Three.'));
    expect(text).not.toContain('One.');
  });

  it('of a detected incident with its own update hides the name of the monitor', async () => {
    const { id } = await storeDetected(mailing.app, shop.id);
    await post(id, { phase: 'investigating', text: 'Looking.' });
    const [mail] = await mailed(mailing, email, 1);
    expect(subjectOf(mail!)).toBe('[Shop status] Investigating: Shop is down');
    expect(mail!.raw).not.toContain('internal');
  });

  it('is mailed with the title that it has got by the time it is planned', async () => {
    const { id } = await storeDetected(mailing.app, shop.id);
    await beforePlanning(async () => {
      await post(id, { phase: 'identified', text: 'Found.' });
      await api.patch(`/v1/incidents/${id}`, { title: 'Checkout is slow' });
    });
    const [mail] = await mailed(mailing, email, 1);
    expect(subjectOf(mail!)).toBe('[Shop status] Identified: Checkout is slow');
    expect(mail!.raw).not.toContain('internal');
  });
});

describe('a detected incident', () => {
  /** Has a detected incident announced to the only subscriber of a page. Returns the page, and the incident's id. */
  async function announced() {
    const live = { name: 'Live', monitorIds: [shop.id], announceDetected: true, announceAfterSeconds: 30 };
    const announcing = await createPage(api, live);
    email = await add(announcing);
    const { id } = await storeDetected(mailing.app, shop.id);
    await mailed(mailing, email, 1);
    return { announcing, id };
  }

  it('is announced, and its end, only by pages that say so and once it has lasted long enough', async () => {
    const announcing = await createPage(api, { name: 'Live', monitorIds: [shop.id], announceDetected: true });
    const [early, late] = [await add(announcing), await add(announcing)];
    expect(announcing).toMatchObject({ announceDetected: true, announceAfterSeconds: 300 });
    const { id } = await storeDetected(mailing.app, shop.id);
    await api.patch(`/v1/status-pages/${announcing.id}`, { announceAfterSeconds: 30 });
    const [mail] = await mailed(mailing, early, 1);
    expect(subjectOf(mail!)).toBe('[Live] Down: internal Shop is down');
    await mailed(mailing, late, 1);
    await mailing.app.query(`UPDATE status_page_subscribers SET last_attempt_at = NULL WHERE email = $1`, [early]);
    await mailing.app.query('UPDATE incidents SET resolved_at = now() WHERE id = $1', [id]);
    const [, end] = await mailed(mailing, early, 2);
    expect(subjectOf(end!)).toBe('[Live] Recovered: internal Shop was down');
    expect(mailsTo(mailing.accepted, email)).toEqual([]);
  });

  it.each<[string, string, (pageId: string, incidentId: string) => Promise<unknown>]>([
    ['whose monitor is deleted', 'A component', () => api.delete(`/v1/monitors/${shop.id}`)],
    [
      'that did not happen, as late results show',
      'Shop',
      (_, incidentId) => mailing.app.query('DELETE FROM incidents WHERE id = $1', [incidentId]),
    ],
    [
      'that the page no longer shows',
      'A component',
      async (pageId, incidentId) => {
        await api.patch(`/v1/status-pages/${pageId}`, { components: [{ monitorId: search.id, name: 'Search' }] });
        await mailing.app.query('UPDATE incidents SET resolved_at = now() WHERE id = $1', [incidentId]);
      },
    ],
  ])('%s is announced as over, once', async (_, name, end) => {
    const components = [{ monitorId: shop.id, name: 'Shop' }];
    const live = { name: 'Live', components, announceDetected: true, announceAfterSeconds: 30 };
    const announcing = await createPage(api, live);
    email = await add(announcing, { componentIds: [announcing.components[0]!.id] });
    const { id } = await storeDetected(mailing.app, shop.id);
    expect((await mailed(mailing, email, 1)).map(subjectOf)).toEqual(['[Live] Down: Shop is down']);
    await pass();
    await end(announcing.id, id);
    const [, over] = await mailed(mailing, email, 2);
    expect(subjectOf(over!)).toBe(`[Live] Recovered: ${name} was down`);
    await publications().announceDetected();
    const sql = 'SELECT 1 FROM subscriber_publications WHERE status_page_id = $1';
    expect(await mailing.app.query(sql, [announcing.id])).toHaveLength(2);
  });

  it('that was over days before its page was published again is not announced as over', async () => {
    const { announcing, id } = await announced();
    await api.patch(`/v1/status-pages/${announcing.id}`, { published: false });
    const end = 'UPDATE incidents SET resolved_at = now(), updated_at = $2 WHERE id = $1';
    await mailing.app.query(end, [id, new Date(Date.now() - 25 * 3_600_000)]);
    await api.patch(`/v1/status-pages/${announcing.id}`, { published: true });
    const publicationCount = async () => {
      await publications().announceDetected();
      const sql = 'SELECT 1 FROM subscriber_publications WHERE status_page_id = $1';
      return (await mailing.app.query(sql, [announcing.id])).length;
    };
    expect(await publicationCount()).toBe(1);
    await mailing.app.query(end, [id, new Date()]);
    expect(await publicationCount()).toBe(2);
  });

  it('that lasts longer than 30 days is announced once, and so is its end', async () => {
    const { announcing, id } = await announced();
    await age(announcing);
    await publications().announceDetected();
    await pass();
    await mailing.app.query('UPDATE incidents SET resolved_at = now() WHERE id = $1', [id]);
    expect((await mailed(mailing, email, 2)).map(subjectOf)).toEqual([
      '[Live] Down: internal Shop is down',
      '[Live] Recovered: internal Shop was down',
    ]);
    await mailing.app.query(`UPDATE incidents SET updated_at = now() - interval '31 days' WHERE id = $1`, [id]);
    await age(announcing);
    const sql = 'SELECT 1 FROM subscriber_publications WHERE status_page_id = $1';
    expect(await mailing.app.query(sql, [announcing.id])).toEqual([]);
  });
});

describe('maintenance', () => {
  const inAnHour = (minutes = 60) => new Date(Date.now() + minutes * 60_000).toISOString();

  it('is mailed when it is announced, rescheduled, begins and ends', async () => {
    const { body } = await api.post<{ id: string; notifySubscribers: boolean }>('/v1/maintenance-windows', {
      name: 'Upgrade',
      description: 'Short interruptions.',
      monitorIds: [shop.id],
      startsAt: inAnHour(),
      endsAt: inAnHour(120),
    });
    expect(body.notifySubscribers).toBe(true);
    const subjects = async (length: number) => (await mailed(mailing, email, length)).map(subjectOf).at(-1);
    expect(await subjects(1)).toBe('[Shop status] Scheduled maintenance: Upgrade');
    expect(textOf(mailsTo(mailing.accepted, email)[0]!)).toContain('Short interruptions.');
    await pass();
    // Not the schedule, so nobody is mailed.
    await api.patch(`/v1/maintenance-windows/${body.id}`, { description: 'Longer ones.' });
    await api.patch(`/v1/maintenance-windows/${body.id}`, { startsAt: inAnHour(90) });
    expect(await subjects(2)).toBe('[Shop status] Rescheduled maintenance: Upgrade');
    await pass();
    await api.post(`/v1/maintenance-windows/${body.id}/start`, { durationSeconds: 600 });
    expect(await subjects(3)).toBe('[Shop status] Maintenance in progress: Upgrade');
    await pass();
    await api.post(`/v1/maintenance-windows/${body.id}/end`);
    expect(await subjects(4)).toBe('[Shop status] Maintenance completed: Upgrade');
  });

  it.each([{ public: false }, { notifySubscribers: false }, { startsAt: null, endsAt: null }])(
    'is mailed as scheduled if it is created with %j and that changes',
    async (more) => {
      const whole = { public: true, notifySubscribers: true, startsAt: inAnHour(), endsAt: inAnHour(120) };
      const window = { name: 'Upgrade', monitorIds: [shop.id], ...whole };
      const { body } = await api.post<{ id: string }>('/v1/maintenance-windows', { ...window, ...more });
      await api.patch(`/v1/maintenance-windows/${body.id}`, { description: 'Short.' });
      await api.patch(`/v1/maintenance-windows/${body.id}`, whole);
      expect((await mailed(mailing, email, 1)).map(subjectOf)).toEqual([
        '[Shop status] Scheduled maintenance: Upgrade',
      ]);
    },
  );

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['private', (path) => api.patch(path, { public: false })],
    ['silent', (path) => api.patch(path, { notifySubscribers: false })],
    [
      'silent and then deleted',
      async (path) => {
        await api.patch(path, { notifySubscribers: false });
        await api.delete(path);
      },
    ],
  ])('that is %s before its announcement is sent is not mailed', async (_, change) => {
    await mailing.app.query('UPDATE status_page_subscribers SET last_attempt_at = now() WHERE email = $1', [email]);
    const window = { name: 'Upgrade', monitorIds: [shop.id], startsAt: inAnHour(), endsAt: inAnHour(120) };
    const { body } = await api.post<{ id: string }>('/v1/maintenance-windows', window);
    await planned();
    await change(`/v1/maintenance-windows/${body.id}`);
    await reportIncident(api, [shop.id], { update: { phase: 'identified', text: 'A fault.' } });
    await planned();
    await pass();
    const [mail] = await mailed(mailing, email, 1);
    expect(subjectOf(mail!)).toBe('[Shop status] Identified: Payments are delayed');
  });

  describe('that is cancelled', () => {
    const times = { startsAt: inAnHour(), endsAt: inAnHour(120) };
    const announce = async (more: object = {}) => {
      const window = { name: 'Upgrade', description: 'Short.', monitorIds: [shop.id], ...times, ...more };
      return (await api.post<{ id: string }>('/v1/maintenance-windows', window)).body.id;
    };
    const subjects = async (count: number) => (await mailed(mailing, email, count)).map(subjectOf);
    /** Waits until everything is planned, of which the cancellation must not be. */
    const nothingPublished = async () => {
      await planned();
      const sql = `SELECT 1 FROM subscriber_publications WHERE status_page_id = $1 AND content ->> 'state' = 'cancelled'`;
      expect(await mailing.app.query(sql, [page.id])).toEqual([]);
    };
    const SCHEDULED = '[Shop status] Scheduled maintenance: Upgrade';
    const CANCELLED = '[Shop status] Cancelled maintenance: Upgrade';

    it.each<[string, (id: string) => Promise<unknown>]>([
      ['deleted', (id) => api.delete(`/v1/maintenance-windows/${id}`)],
      ['without a schedule', (id) => api.patch(`/v1/maintenance-windows/${id}`, { startsAt: null, endsAt: null })],
    ])('before its start, %s, is mailed once, to those who were sent the announcement', async (_, cancel) => {
      const id = await announce();
      expect(await subjects(1)).toEqual([SCHEDULED]);
      const late = await add(page);
      await pass();
      // Whatever the page shows by now.
      await api.patch(`/v1/status-pages/${page.id}`, { components: [{ monitorId: search.id, name: 'Search' }] });
      await cancel(id);
      expect(await subjects(2)).toEqual([SCHEDULED, CANCELLED]);
      const [, mail] = mailsTo(mailing.accepted, email);
      expect(textOf(mail!)).not.toContain('Short.');
      await api.delete(`/v1/maintenance-windows/${id}`);
      await planned();
      expect(mailsTo(mailing.accepted, late)).toEqual([]);
      expect(mailsTo(mailing.accepted, email)).toHaveLength(2);
    });

    it('is mailed more than 30 days after the announcement', async () => {
      const [startsAt, endsAt] = [inAnHour(60 * 24 * 60), inAnHour(60 * 24 * 60 + 60)];
      const id = await announce({ startsAt, endsAt });
      await subjects(1);
      await pass();
      await age(page);
      await api.delete(`/v1/maintenance-windows/${id}`);
      expect(await subjects(2)).toEqual([SCHEDULED, CANCELLED]);
    });

    it('is not mailed to those whose announcement was still waiting, nor is that', async () => {
      await mailing.app.query('UPDATE status_page_subscribers SET last_attempt_at = now() WHERE email = $1', [email]);
      const id = await announce();
      await planned();
      await api.delete(`/v1/maintenance-windows/${id}`);
      await nothingPublished();
      await pass();
      await reportIncident(api, [shop.id], { update: { phase: 'identified', text: 'A fault.' } });
      await planned();
      await pass();
      expect(await subjects(1)).toEqual(['[Shop status] Identified: Payments are delayed']);
    });

    it('is mailed as over, not as cancelled, while it is in progress', async () => {
      const id = await announce();
      await subjects(1);
      await pass();
      await api.post(`/v1/maintenance-windows/${id}/start`, { durationSeconds: 600 });
      await subjects(2);
      await pass();
      await api.delete(`/v1/maintenance-windows/${id}`);
      expect((await subjects(3)).at(-1)).toBe('[Shop status] Maintenance completed: Upgrade');
      await nothingPublished();
    });

    it.each([{ notifySubscribers: false }, { public: false }])('is not mailed after %j', async (change) => {
      const id = await announce();
      await subjects(1);
      await api.patch(`/v1/maintenance-windows/${id}`, change);
      await api.delete(`/v1/maintenance-windows/${id}`);
      await nothingPublished();
    });
  });

  it('is not mailed by default if it recurs, nor if it is not public', async () => {
    const times = { startsAt: inAnHour(), endsAt: inAnHour(120), monitorIds: [shop.id] };
    const create = (more: Record<string, unknown>) =>
      api.post<{ notifySubscribers: boolean }>('/v1/maintenance-windows', { name: 'Weekly', ...times, ...more });
    expect((await create({ rrule: 'FREQ=WEEKLY' })).body.notifySubscribers).toBe(false);
    await create({ public: false });
    await create({ name: 'Asked for', rrule: 'FREQ=WEEKLY', notifySubscribers: true });
    expect((await mailed(mailing, email, 1)).map(subjectOf)).toEqual([
      '[Shop status] Scheduled maintenance: Asked for',
    ]);
  });
});

describe('the queue', () => {
  it('repeats a mail whose outcome is unknown, as the same mail', async () => {
    await reportIncident(api, [shop.id], { update: { phase: 'identified', text: 'A fault.' } });
    const [first] = await mailed(mailing, email, 1);
    await eventually(async () =>
      expect(
        await mailing.app.query(
          `SELECT d.status FROM subscriber_deliveries d JOIN status_page_subscribers s ON s.id = d.subscriber_id
           WHERE s.email = $1`,
          [email],
        ),
      ).toEqual([{ status: 'sent' }]),
    );
    // As if the process had been killed after the server accepted the mail.
    await mailing.app.query(
      `UPDATE subscriber_deliveries SET status = 'pending', sent_at = NULL FROM status_page_subscribers s
       WHERE s.id = subscriber_id AND s.email = $1`,
      [email],
    );
    await mailing.app.query('UPDATE status_page_subscribers SET due_at = now() WHERE email = $1', [email]);
    const [, second] = await mailed(mailing, email, 2);
    expect(messageIdOf(second!)).toBe(messageIdOf(first!));
  });

  it('gives up what could not be sent within a day', async () => {
    const { id } = await reportIncident(api, [shop.id], { update: { phase: 'investigating', text: 'One.' } });
    await mailed(mailing, email, 1);
    await post(id, { phase: 'identified', text: 'Two.' });
    await planned();
    await mailing.app.query(
      `UPDATE subscriber_publications SET published_at = now() - interval '25 hours' WHERE status_page_id = $1`,
      [page.id],
    );
    await pass();
    await eventually(async () =>
      expect(
        await mailing.app.query(
          `SELECT d.error, s.due_at FROM subscriber_deliveries d JOIN status_page_subscribers s ON s.id = d.subscriber_id
           WHERE s.email = $1 AND d.status = 'failed'`,
          [email],
        ),
      ).toEqual([{ error: 'not sent within 24 hours', due_at: null }]),
    );
    expect(mailsTo(mailing.accepted, email)).toHaveLength(1);
  });

  it('gives up a mail that the server refuses for good', async () => {
    await api.post(`/v1/status-pages/${page.id}/subscribers`, { email: 'nobody@example.com', consentSource: 'x' });
    await reportIncident(api, [shop.id], { update: { phase: 'identified', text: 'A fault.' } });
    await eventually(async () =>
      expect(
        await mailing.app.query(
          `SELECT d.status, d.error, s.due_at FROM subscriber_deliveries d
           JOIN status_page_subscribers s ON s.id = d.subscriber_id WHERE s.email LIKE 'nobody@%'`,
        ),
      ).toEqual([{ status: 'failed', error: expect.stringContaining('No such user here'), due_at: null }]),
    );
  });
});
