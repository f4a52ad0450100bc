import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPolicy } from './support/notifications.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

interface PagerdutyEvent {
  event_action: string;
  dedup_key: string;
}

it('PagerDuty gets twenty alerts a minute, and one for the rest that ends with the last of them', async () => {
  receiver.answer({ status: 202, json: { status: 'success' } });
  const api = app.api((await app.backstage.makeTeam('Stormy')).write);
  const settings = { routingKey: 'a'.repeat(32), apiUrl: receiver.origin };
  await putChannel(api, 'pager', { type: 'pagerduty', settings });
  const steps = [{ afterSeconds: 0, channelIds: ['key:pager'] }];
  await createPolicy(api, { on: ['manual_incident'], steps });
  const { id: monitorId } = await createMonitor(api, httpMonitor('https://shop.example/', { paused: true }));

  const ids: string[] = [];
  for (let index = 0; index < 23; index += 1) ids.push((await reportIncident(api, [monitorId])).id);
  const listed = async (query: string) => (await api.get<{ data: object[] }>(`/v1/notifications?${query}`)).body.data;
  await eventually(async () => expect(await listed('status=sent&limit=100')).toHaveLength(23));
  const keysOf = (action: string): string[] =>
    receiver.requests
      .map(({ json }) => json as PagerdutyEvent)
      .filter((one) => one.event_action === action)
      .map((one) => one.dedup_key);
  const triggered = new Set(keysOf('trigger'));
  expect(triggered.size).toBe(21);
  const storm = [...triggered].filter((key) => key.startsWith('storm/'));
  expect(storm).toHaveLength(1);
  expect(await listed('status=sent&limit=100')).toContainEqual(
    expect.objectContaining({ reason: 'collected', collectedInto: expect.any(String) }),
  );

  for (const id of ids) await api.patch(`/v1/incidents/${id}`, { resolvedAt: new Date().toISOString() });
  await eventually(() => expect(new Set(keysOf('resolve'))).toEqual(triggered));
  expect(keysOf('resolve')).toHaveLength(21);
});
