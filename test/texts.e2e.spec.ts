import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.admin);
});
afterAll(() => app.close());

const MONITOR = { name: 'Shop', type: 'http', url: 'https://shop.example/', paused: true };
const PAGE = { name: 'Status', slug: 'texts' };
const POLICY = { name: 'A', match: { all: true }, steps: [{ afterSeconds: 0, channelIds: ['key:ops'] }] };
const WINDOW = { name: 'Upgrade', tags: ['shop'] };

describe('a single-line text', () => {
  it.each<[string, object, string]>([
    ['/v1/monitors', { ...MONITOR, name: 'a\nb' }, '/name'],
    ['/v1/monitors', { ...MONITOR, name: 'a\tb' }, '/name'],
    ['/v1/monitors', { ...MONITOR, name: 'a\u2028b' }, '/name'],
    ['/v1/monitors', { ...MONITOR, tags: ['ok', 'a\r\nb'] }, '/tags/1'],
    ['/v1/status-pages', { ...PAGE, name: 'a\nb' }, '/name'],
    ['/v1/status-pages', { ...PAGE, components: [{ monitorId: 'key:x', name: 'a\nb' }] }, '/components/0/name'],
    ['/v1/status-pages', { ...PAGE, components: [{ monitorId: 'key:x', group: 'a\nb' }] }, '/components/0/group'],
    ['/v1/maintenance-windows', { ...WINDOW, name: 'a\nb' }, '/name'],
    ['/v1/notification-channels', { name: 'a\nb', type: 'email', settings: { to: ['a@b.example'] } }, '/name'],
    ['/v1/notification-policies', { ...POLICY, name: 'a\nb' }, '/name'],
    ['/v1/notification-policies', { ...POLICY, match: { tags: ['a\nb'] } }, '/match/tags/0'],
    ['/v1/incidents', { title: 'a\nb', monitorIds: ['key:x'] }, '/title'],
    ['/v1/api-keys', { name: 'a\nb', scopes: ['read'] }, '/name'],
  ])('%s rejects %j', async (path, body, pointer) => {
    const { status, body: problem } = await api.post<{ errors: object[] }>(path, body);
    expect({ status, errors: problem.errors }).toMatchObject({
      status: 422,
      errors: [{ pointer, code: 'forbidden_character' }],
    });
  });
});

it('a multi-line text is stored as it was sent', async () => {
  const description = 'One\n\tTwo\r\nThree';
  const made = await api.post<{ id: string }>('/v1/monitors', { ...MONITOR, description });
  expect(made).toMatchObject({ status: 201, body: { description } });
});
