import { expect } from '@jest/globals';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Page } from '../../src/http/lists/page.js';
import { type NotificationDto } from '../../src/modules/notifications/dto/notification.dto.js';
import { CHANNELS } from './channels.js';
import { type Client } from './client.js';
import { eventually } from './eventually.js';
import { reportIncident } from './incidents.js';
import { createMonitor, httpMonitor } from './monitors.js';

/** Creates a policy, which applies to all monitors unless told otherwise. Fails unless the response is 201. */
export async function createPolicy(api: Client, definition: object): Promise<void> {
  const policy = { name: 'Notified', match: { all: true }, ...definition };
  expect(await api.post('/v1/notification-policies', policy)).toMatchObject({ status: 201 });
}

/** Reports an incident to a channel that asks to wait for an hour, and returns the notification. */
export async function waitingNotification(api: Client): Promise<NotificationDto> {
  const busy = createServer((_, response) => response.writeHead(503, { 'retry-after': '3600' }).end());
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  try {
    return await deferredBy(api, `http://127.0.0.1:${(busy.address() as AddressInfo).port}/`);
  } finally {
    busy.close();
    busy.closeAllConnections();
  }
}

async function deferredBy(api: Client, url: string): Promise<NotificationDto> {
  const channel = { name: 'Busy', type: 'webhook', settings: { url } };
  const { body: created } = await api.post<{ id: string }>(CHANNELS, channel);
  const monitor = httpMonitor('https://payments.example/', { paused: true, tags: ['notified'] });
  const { id: monitorId } = await createMonitor(api, monitor);
  const steps = [{ afterSeconds: 0, channelIds: [created.id] }];
  await createPolicy(api, { match: { monitorIds: [monitorId] }, on: ['manual_incident'], steps });
  const { id } = await reportIncident(api, [monitorId]);
  return eventually(async () => {
    const { body } = await api.get<Page<NotificationDto>>(`/v1/notifications?incidentId=${id}&status=pending`);
    const notification = body.data.find(({ attempts }) => attempts[0]?.statusCode === 503);
    expect(notification).toBeDefined();
    return notification!;
  });
}
