import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../src/domain/durations.js';
import { sharedApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';

const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.admin);
  await putChannel(api, 'ops');
  const { status, body } = await api.put('/v1/monitors/key:shop', MONITOR);
  expect({ status, body }).toMatchObject({ status: 201, body: { key: 'shop' } });
});
afterAll(() => app.close());

interface Item {
  id: string;
  revision: number;
  updatedAt?: string;
}

const MONITOR = {
  name: 'Shop',
  type: 'http',
  url: 'https://shop.example/',
  paused: true,
  tags: ['shop', 'web'],
  headers: { 'X-Token': 'Bearer secret', Accept: 'text/html' },
  metadata: { owner: 'web' },
};
const COMPONENT = { monitorId: 'key:shop', name: 'Shop', description: 'Where we sell', group: 'Web', showUptime: true };

/** Path, a definition, a PATCH that changes it, and whether the resource supports PUT. */
const RESOURCES: [string, object, object, boolean][] = [
  ['/v1/monitors', { ...MONITOR, parentIds: ['key:shop'] }, { tags: ['web', 'shop'] }, true],
  [
    '/v1/status-pages',
    { name: 'Status', slug: 'no-change', components: [COMPONENT], accessType: 'password', password: 'correct horse' },
    { components: [{ ...COMPONENT, name: 'Our shop' }] },
    true,
  ],
  [
    '/v1/maintenance-windows',
    { name: 'Upgrade', monitorIds: ['key:shop'], startsAt: inHours(1), endsAt: inHours(2) },
    { endsAt: inHours(3) },
    true,
  ],
  [
    '/v1/notification-channels',
    { name: 'Bot', type: 'webhook', settings: { url: 'https://bot.example/', headers: { 'X-B': 'b', A: 'a' } } },
    { settings: { headers: { 'X-B': 'c' } } },
    true,
  ],
  [
    '/v1/notification-policies',
    {
      name: 'Shop',
      match: { monitorIds: ['key:shop'] },
      steps: [{ afterSeconds: 0, channelIds: ['key:ops'] }],
      quietHours: { from: '22:00', to: '07:00' },
    },
    { quietHours: { to: '06:00' } },
    true,
  ],
  ['/v1/incidents', { title: 'Slow', monitorIds: ['key:shop'] }, { title: 'Very slow' }, false],
  ['/v1/api-keys', { name: 'CI', scopes: ['write', 'read'] }, { name: 'Builds' }, false],
];

describe('a write without changes does not increment the revision', () => {
  it.each(RESOURCES)('of %s', async (path, definition, change, hasPut) => {
    const made = await api.post<Item>(path, definition);
    expect(made).toMatchObject({ status: 201 });
    const { id } = made.body;
    const asMade = await api.get<Item>(`${path}/${id}`);
    const unchanged = async (answer: Promise<{ status: number; body: Item }>): Promise<void> => {
      const { status, body } = await answer;
      expect({ status, revision: body.revision, updatedAt: body.updatedAt }).toEqual({
        status: 200,
        revision: 1,
        updatedAt: asMade.body.updatedAt,
      });
      expect((await api.get<Item>(`${path}/${id}`)).headers.get('etag')).toBe(asMade.headers.get('etag'));
    };
    await unchanged(api.patch<Item>(`${path}/${id}`, {}));
    // A sent password always counts as a change; a pause has its own routes.
    const { password: _, ...again } = definition as Record<string, unknown>;
    const { paused: __, ...patch } = again;
    await unchanged(api.patch<Item>(`${path}/${id}`, patch));
    if (hasPut) await unchanged(api.put<Item>(`${path}/${id}`, again));
    const changed = await api.patch<Item>(`${path}/${id}`, change);
    expect(changed).toMatchObject({ status: 200, body: { revision: 2 } });
  });

  it('unlike a write that changes a secret', async () => {
    const { body } = await api.post<Item>('/v1/monitors', MONITOR);
    const headers = { 'X-Token': 'Bearer other', Accept: 'text/html' };
    const changed = await api.patch<Item>(`/v1/monitors/${body.id}`, { headers });
    expect(changed).toMatchObject({ status: 200, body: { revision: 2 } });
  });
});
