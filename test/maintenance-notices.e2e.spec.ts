import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();
let app: TestApp;
let team: TestTeam;
let api: Client;
let monitorId: string;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  team = await app.backstage.makeTeam('Maintained');
  api = app.api(team.write);
  ({ id: monitorId } = await createMonitor(api, httpMonitor('https://shop.example/', { name: 'Shop', paused: true })));
});

/** Creates a policy for notices of maintenance with a channel of its own. */
async function subscribe(key: string): Promise<void> {
  await putChannel(api, key, { settings: { url: `${receiver.origin}/${team.id}/${key}` } });
  const steps = [{ afterSeconds: 0, channelIds: [`key:${key}`] }];
  await api.post('/v1/notification-policies', { name: key, match: { all: true }, on: ['maintenance'], steps });
}

/** Starts a window, and returns once its event can be read. */
async function begin(name: string): Promise<void> {
  const { body } = await api.post<{ id: string }>('/v1/maintenance-windows', { name, monitorIds: [monitorId] });
  await api.post(`/v1/maintenance-windows/${body.id}/start`, { durationSeconds: 3_600 });
  await eventually(async () => {
    const events = await app.api(team.admin).get<Page<EventDto>>('/v1/events?type=maintenance.started');
    expect(events.body.data.map(({ resource }) => resource.name)).toContain(name);
  });
}

/** Returns the windows of which a channel has been notified. */
function noticesAt(key: string): string[] {
  const sent = receiver.requests.filter(({ path }) => path === `/${team.id}/${key}`);
  return sent.map(({ json }) => (json as { data: { subject: string } }).data.subject);
}

describe('a notice of maintenance', () => {
  it('reaches the policies that name it, once for each start', async () => {
    await subscribe('hook');
    await begin('Upgrade');
    await eventually(() => expect(noticesAt('hook')).toEqual([expect.stringContaining('Upgrade')]));
  });

  it('is no news for policies that are created days later', async () => {
    await subscribe('first');
    await begin('Long ago');
    await eventually(() => expect(noticesAt('first')).toHaveLength(1));
    await app.query(`UPDATE events SET recorded_at = recorded_at - interval '4 days' WHERE team_id = $1`, [team.id]);
    await subscribe('later');
    await begin('Today');
    await eventually(() => expect(noticesAt('first')).toHaveLength(2));
    await eventually(() => expect(noticesAt('later')).toEqual([expect.stringContaining('Today')]));
  });
});
