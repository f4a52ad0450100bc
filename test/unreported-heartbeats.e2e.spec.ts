import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type UnreportedHeartbeatsService } from '../src/modules/monitors/heartbeat/unreported-heartbeats.service.js';
import { type NotificationDto } from '../src/modules/notifications/dto/notification.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor } from './support/monitors.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();
// Of its own, because a sweep at a later time concerns the monitors of all teams.
let app: TestApp;
let team: TestTeam;
let api: Client;
/** Each sweep is at a later time than those before. */
let now = Date.now();

beforeAll(async () => (app = await startApp()));
afterAll(() => app.close());
beforeEach(async () => {
  team = await app.backstage.makeTeam('Jobs');
  api = app.api(team.write);
  await putChannel(api, 'hook', { settings: { url: `${receiver.origin}/${team.id}` } });
  const steps = [{ afterSeconds: 0, channelIds: ['key:hook'] }];
  await api.put('/v1/notification-policies/key:data', { name: 'Data', match: { all: true }, on: ['unknown'], steps });
});

const heartbeat = async (name: string): Promise<{ id: string; pingUrl: string }> => {
  const settings = { schedule: { everySeconds: 3_600 }, graceSeconds: 60 };
  const { id } = await createMonitor(api, { name, type: 'heartbeat', settings });
  const { body } = await app.api(team.admin).get<{ pingUrl: string }>(`/v1/monitors/${id}`);
  return { id, pingUrl: body.pingUrl };
};
/** Does what the service does every ten minutes, as of this much later than the last time. */
async function sweepLater(hours: number): Promise<void> {
  now += hours * HOUR_MS;
  await app.backstage.provider<UnreportedHeartbeatsService>('UnreportedHeartbeatsService').sweep(now);
}
const named = async (): Promise<string[][]> => {
  const rows = await app.query<{ data: { monitorIds: string[] } }>(
    `SELECT data FROM events WHERE team_id = $1 AND type = 'heartbeat.unreported' ORDER BY sequence`,
    [team.id],
  );
  return rows.map(({ data }) => data.monitorIds);
};
const notices = async () => (await api.get<Page<NotificationDto>>('/v1/notifications')).body.data;

describe('heartbeat monitors that have never had a report', () => {
  it('are listed in one notice a day, until they report, or are paused or deleted', async () => {
    const [backup, reported, paused] = [
      await heartbeat('Backup'),
      await heartbeat('Cleanup'),
      await heartbeat('Paused'),
    ];
    await createMonitor(api, { name: 'Other', type: 'http', url: 'http://127.0.0.1:9/' });
    await api.post(`/v1/monitors/${paused.id}/pause`);
    // A log does not count as a report.
    expect((await fetch(`${backup.pingUrl}/log`)).status).toBe(200);
    await eventually(async () => {
      expect(await app.query('SELECT FROM pings WHERE monitor_id = $1', [backup.id])).toHaveLength(1);
    });
    expect(await named()).toEqual([]);

    await sweepLater((DAY_MS + HOUR_MS) / HOUR_MS);
    expect(await named()).toEqual([[backup.id, reported.id]]);
    const event = await eventually(async () => {
      const { body } = await app.api(team.read).get<Page<EventDto>>('/v1/events?type=heartbeat.*');
      expect(body.data).toHaveLength(1);
      return body.data[0];
    });
    expect(event).toMatchObject({
      resource: { type: 'monitor', id: backup.id, name: 'Backup' },
      actor: { type: 'system' },
      data: { monitorCount: 2, cause: { errorCode: 'heartbeat_missed' } },
    });
    const [message] = await eventually(() => {
      const sent = receiver.requests.filter(({ path }) => path === `/${team.id}`);
      expect(sent).toHaveLength(1);
      return sent.map(({ json }) => json as { type: string; data: { subject: string; text: string } });
    });
    expect(message!.type).toBe('unknown.notice');
    expect(message!.data.subject).toMatch(/^NO DATA Backup and 1 more monitor: report missing since /);
    await eventually(async () => expect(await notices()).toMatchObject([{ kind: 'notice', status: 'sent' }]));

    await sweepLater(23);
    expect(await named()).toHaveLength(1);
    expect((await fetch(reported.pingUrl)).status).toBe(200);
    const added = await heartbeat('Added');
    await sweepLater(2);
    expect((await named()).slice(1)).toEqual([[backup.id, added.id]]);

    for (const { id } of [backup, added]) await api.delete(`/v1/monitors/${id}`);
    await sweepLater(25);
    expect(await named()).toHaveLength(2);
    // Its end is no news.
    expect((await notices()).map(({ kind }) => kind)).not.toContain('resolve');
  });

  it('are not reported at the end of quiet hours if all have reported meanwhile', async () => {
    const clock = (inMs: number): string => new Date(Date.now() + inMs).toISOString().slice(11, 16);
    const quietHours = { timezone: 'UTC', from: clock(-HOUR_MS), to: clock(HOUR_MS) };
    const policy = {
      name: 'Data',
      match: { all: true },
      on: ['unknown'],
      steps: [{ afterSeconds: 0, channelIds: ['key:hook'] }],
    };
    await api.put('/v1/notification-policies/key:data', { ...policy, quietHours });
    const { pingUrl } = await heartbeat('Backup');
    await sweepLater(25);
    await eventually(async () => expect(await notices()).toMatchObject([{ status: 'held', reason: 'quiet_hours' }]));
    expect((await fetch(pingUrl)).status).toBe(200);
    await api.put('/v1/notification-policies/key:data', policy);
    await eventually(async () => expect(await notices()).toMatchObject([{ status: 'suppressed' }]));
  });
});
