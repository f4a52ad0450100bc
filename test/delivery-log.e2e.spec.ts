import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { type NotificationDto } from '../src/modules/notifications/dto/notification.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { type Browser } from './support/browser.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { quietMonitor } from './support/console.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { waitingNotification } from './support/notifications.js';
import { makePerson, signIn } from './support/people.js';
import { useReceiver } from './support/receiver.js';

const PATH = '/settings/notifications/log';

const receiver = useReceiver();
let app: TestApp;
let team: TestTeam;
let api: Client;
let browser: Browser;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  team = await app.backstage.makeTeam('Alerted');
  api = app.api(team.write);
  browser = await signIn(app, await makePerson(app, team.id, 'editor'));
});

/** Reports an incident, of which a policy notifies a channel, and returns its notification once it has this status. */
async function notified(status: NotificationDto['status']): Promise<NotificationDto> {
  const { id: channelId } = await putChannel(api, 'hook', { settings: { url: `${receiver.origin}/hook` } });
  const steps = [{ afterSeconds: 0, channelIds: [channelId] }];
  await api.post('/v1/notification-policies', { name: 'All', match: { all: true }, on: ['manual_incident'], steps });
  const { id } = await reportIncident(api, [await quietMonitor(app, 'Payments', team)]);
  return eventually(async () => {
    const { body } = await api.get<{ data: NotificationDto[] }>(`/v1/notifications?incidentId=${id}&status=${status}`);
    // Once the only channel has failed, the owners of the team are notified instead.
    const toChannels = body.data.filter(({ channelId }) => channelId !== null);
    expect(toChannels).toHaveLength(1);
    return toChannels[0]!;
  });
}

/** Returns the rows of the table. */
const rowsOf = (html: string): string[] => html.match(/<tr><th scope="row">.*?<\/tr>/gs) ?? [];

describe('the delivery log', () => {
  it('shows what was sent: incident, monitors, channel, attempts', async () => {
    const { incidentId, monitorIds } = await notified('sent');
    const { html } = await browser.open(PATH);
    const [row, ...others] = rowsOf(html);
    expect(others).toEqual([]);
    for (const part of [
      'Alert: ',
      `href="/incidents/${incidentId}"`,
      `href="/monitors/${monitorIds[0]}"`,
      '>Payments<',
      '>hook<',
      'Sent',
      '1 attempt',
      '(status 200)',
    ]) {
      expect(row).toContain(part);
    }
    expect(row).not.toContain('/retry');
  });

  it('says why nobody was notified', async () => {
    const monitor = httpMonitor('http://127.0.0.1:9/', { name: 'Unwatched', failureThreshold: 1 });
    const { id } = await createMonitor(api, monitor);
    await untilStatus(api, id, 'down');
    await eventually(async () => {
      const { html } = await browser.open(`${PATH}?status=suppressed`);
      const [row] = rowsOf(html);
      expect(row).toContain('Unwatched is down');
      expect(row).toContain(`href="/monitors/${id}"`);
      expect(row).toContain('Not sent');
      expect(row).toContain('Nobody was notified, because no policy applies.');
      expect(row).toContain('>Nobody<');
    });
  });

  it('sends a failed notification again', async () => {
    receiver.answer({ status: 410 });
    const { id } = await notified('failed');
    const { html } = await browser.open(`${PATH}?status=failed`);
    expect(rowsOf(html).filter((row) => row.includes('status 410'))).toHaveLength(1);
    receiver.answer({ status: 200 });
    const action = `${PATH}/${id}/retry?status=failed`;
    const retried = await browser.submit(action);
    expect(retried.path).toBe(`${PATH}?status=failed&done=retried`);
    expect(retried.html).toContain('The notification is being sent again.');
    await eventually(async () =>
      expect(rowsOf((await browser.open(`${PATH}?status=sent`)).html)[0]).toContain('2 attempts'),
    );
    // The page was opened before it was sent.
    browser.page = { ...browser.page, html };
    const refused = await browser.submit(action);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('The notification is sent; there is nothing to retry.');
  });

  it('shows when a notification is tried again, and does so at once on request', async () => {
    const { id } = await waitingNotification(api);
    const { html } = await browser.open(PATH);
    const [row] = rowsOf(html);
    expect(row).toContain('Pending');
    expect(row).toMatch(/Next attempt <time[^>]*>in (1 hour|60 minutes|59 minutes)</);
    expect(row).toContain('Try again');
    const before = (await api.get<NotificationDto>(`/v1/notifications/${id}`)).body.attempts.length;
    await browser.submit(`${PATH}/${id}/retry`);
    await eventually(async () => {
      const { attempts } = (await api.get<NotificationDto>(`/v1/notifications/${id}`)).body;
      expect(attempts.length).toBeGreaterThan(before);
    });
  });

  it('filters by status and channel, and pages through what it finds', async () => {
    const { channelId } = await notified('sent');
    const other = await putChannel(api, 'other');
    for (let count = 0; count < 51; count += 1) await reportIncident(api, [await quietMonitor(app, `M${count}`, team)]);
    await eventually(async () => {
      const { body } = await api.get<{ data: unknown[] }>('/v1/notifications?limit=100&status=sent');
      expect(body.data).toHaveLength(52);
    });
    const first = await browser.open(`${PATH}?status=sent&channelId=${channelId}`);
    expect(rowsOf(first.html)).toHaveLength(50);
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    expect(rowsOf((await browser.open(next)).html)).toHaveLength(2);
    const none = await browser.open(`${PATH}?channelId=${other.id}`);
    expect(rowsOf(none.html)).toEqual([]);
    expect(none.html).toContain('No notifications match these filters.');
    expect((await browser.open(`${PATH}?status=lost`)).status).toBe(400);
  });

  it('names a failing channel also to those who may not list events about channels', async () => {
    await app.query(
      `WITH event AS (
         INSERT INTO events (id, team_id, era, transaction_id, type, occurred_at, recorded_at, actor_type, resource_type,
           resource_id, resource_name, data)
         VALUES ($1, $2, 1, 1, 'channel.failing', now(), now(), 'system', 'notification_channel', $3, 'Pager', '{}')
         RETURNING id, team_id)
       INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, monitor_ids, step, repeat, channel_id,
         status, settled, sent_at, created_at)
       SELECT gen_random_uuid(), team_id, 'k', 'a', 'notice', id, '{}', 1, 0, $3::uuid, 'sent', true, now(), now()
       FROM event`,
      [uuidv7(), team.id, uuidv7()],
    );
    const [row] = rowsOf((await browser.open(PATH)).html);
    expect(row).toContain('<bdi>Pager</bdi>, failing');
  });

  it('offers no retry to a viewer', async () => {
    await waitingNotification(api);
    const viewer = await signIn(app, await makePerson(app, team.id, 'viewer'));
    const { html } = await viewer.open(PATH);
    expect(rowsOf(html)).toHaveLength(1);
    expect(html).not.toContain('/retry');
  });
});
