import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { type MailingApp, startMailingApp } from './support/mailing-app.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';

const COUNT = 'daywatch_subscriber_notifications_total';
const LATENCY = 'daywatch_subscriber_notification_delivery_seconds';
const PENDING = 'daywatch_subscriber_notifications_pending';
const OLDEST = 'daywatch_subscriber_notifications_oldest_pending_seconds';

let mailing: MailingApp;
let api: Client;
let shop: MonitorDto;
let page: StatusPageDto;
beforeAll(async () => {
  mailing = await startMailingApp({ METRICS_TOKEN, METRICS_PORT: '0' });
  api = mailing.app.api(mailing.app.teams.ours.admin);
  shop = await createMonitor(api, httpMonitor('https://shop.example/', { name: 'Shop', paused: true }));
});
afterAll(() => mailing.close());

/** Creates a page with these subscribers. */
async function subscribed(...emails: string[]): Promise<void> {
  if (page !== undefined) await api.delete(`/v1/status-pages/${page.id}`);
  page = await createPage(api, { monitorIds: [shop.id] });
  for (const email of emails) await add({ email, consentSource: 'x' });
}

const add = (body: object) => api.post(`/v1/status-pages/${page.id}/subscribers`, body);
const report = () => reportIncident(api, [shop.id], { update: { phase: 'identified', text: 'A fault.' } });

/** Does something, and waits until the counter has risen by `by`. */
async function rises(labels: Record<string, string>, by: number, act: () => Promise<unknown>): Promise<void> {
  const before = (await scrape(mailing.app)).value(COUNT, labels);
  await act();
  await eventually(async () => expect((await scrape(mailing.app)).value(COUNT, labels) - before).toBe(by));
}

describe('metrics of subscribers', () => {
  it('count what is sent, with the time from the publication', async () => {
    await subscribed('a@example.com', 'b@example.com');
    const before = await scrape(mailing.app);
    const startMs = performance.now();
    await rises({ type: 'incident', status: 'sent' }, 2, report);
    const after = await scrape(mailing.app);
    const rise = (part: string) =>
      after.value(LATENCY + part, { type: 'incident' }) - before.value(LATENCY + part, { type: 'incident' });
    expect(rise('_count')).toBe(2);
    expect(rise('_sum')).toBeGreaterThan(0);
    expect(rise('_sum')).toBeLessThan((2 * (performance.now() - startMs)) / 1_000);
    expect([after.value(PENDING), after.value(OLDEST)]).toEqual([0, 0]);
  });

  it('count what is refused for good, and mails about a subscription', async () => {
    await subscribed('nobody@example.com');
    await rises({ type: 'incident', status: 'failed' }, 1, report);
    await rises({ type: 'subscription', status: 'sent' }, 1, () => add({ email: 'c@example.com' }));
    await rises({ type: 'subscription', status: 'failed' }, 1, () => add({ email: 'nobody2@example.com' }));
  });

  it('show what waits, and count it as failed once it is given up', async () => {
    await subscribed('d@example.com');
    await mailing.app.query('UPDATE status_page_subscribers SET last_attempt_at = now()');
    await report();
    await eventually(async () => expect((await scrape(mailing.app)).value(PENDING)).toBe(1));
    await mailing.app.query(`UPDATE subscriber_publications SET published_at = published_at - interval '1 hour'`);
    expect((await scrape(mailing.app)).value(OLDEST)).toBeGreaterThan(3_600);
    await rises({ type: 'incident', status: 'failed' }, 1, async () => {
      await mailing.app.query(`UPDATE subscriber_publications SET published_at = published_at - interval '1 day'`);
      await mailing.app.query('UPDATE status_page_subscribers SET due_at = now()');
    });
    const figures = await scrape(mailing.app);
    expect([figures.value(PENDING), figures.value(OLDEST)]).toEqual([0, 0]);
  });
});
