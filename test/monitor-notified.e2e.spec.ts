import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { createMonitor, getMonitor, httpMonitor } from './support/monitors.js';

const POLICY = '/v1/notification-policies/key:production';

let app: TestApp;
let team: TestTeam;
let api: Client;
let channelId: string;
beforeAll(async () => (app = await sharedApp()));
afterAll(() => app.close());
beforeEach(async () => {
  team = await app.backstage.makeTeam('Notified');
  api = app.api(team.write);
  channelId = (await putChannel(api, 'ops')).id;
});

const monitor = (name: string, tags: string[] = []) =>
  createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name, tags, paused: true }));
const put = async (changes: object = {}) => {
  const policy = {
    name: 'Production',
    match: { tags: ['production'] },
    steps: [{ afterSeconds: 0, channelIds: [channelId] }],
  };
  expect([200, 201]).toContain((await api.put(POLICY, { ...policy, ...changes })).status);
};
const names = async (query: string) => {
  const { body } = await api.get<Page<MonitorDto>>(`/v1/monitors?sort=name&${query}`);
  return body.data.map(({ name }) => name);
};

describe('notified', () => {
  it('is false without a policy, and true as soon as one applies', async () => {
    const created = await monitor('Checkout', ['production']);
    expect(created.notified).toBe(false);
    await put();
    expect((await getMonitor(api, created.id)).notified).toBe(true);
    expect((await monitor('Search', ['production'])).notified).toBe(true);
    expect((await monitor('Staging', ['staging'])).notified).toBe(false);
    const { body: updated } = await api.patch<MonitorDto>(`/v1/monitors/${created.id}`, { tags: ['staging'] });
    expect(updated.notified).toBe(false);
  });

  it.each<[string, () => object, () => Promise<unknown>]>([
    ['the policy is disabled', () => ({ enabled: false }), () => Promise.resolve()],
    ['the policy is not about outages', () => ({ on: ['degraded'] }), () => Promise.resolve()],
    ['the channel is disabled', () => ({}), () => putChannel(api, 'ops', { enabled: false })],
  ])('is false if %s', async (_, changes, act) => {
    await put(changes());
    await act();
    const { id } = await monitor('Checkout', ['production']);
    expect((await getMonitor(api, id)).notified).toBe(false);
    const { body } = await api.get<{ notified: boolean }>(`/v1/monitors/${id}/notification-policies`);
    expect(body.notified).toBe(false);
  });

  it('does not depend on the policies of other teams', async () => {
    const other = app.api(app.teams.theirs.write);
    const { id } = await putChannel(other, 'notified-elsewhere');
    const policy = { name: 'All', match: { all: true }, steps: [{ afterSeconds: 0, channelIds: [id] }] };
    expect(await other.post('/v1/notification-policies', policy)).toMatchObject({ status: 201 });
    expect((await monitor('Checkout', ['production'])).notified).toBe(false);
  });

  it('cannot be written', async () => {
    const { id } = await monitor('Checkout');
    const { status, body } = await api.patch(`/v1/monitors/${id}`, { notified: true });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/notified', code: 'read_only_field' }] },
    });
  });
});

describe('the filter', () => {
  beforeEach(async () => {
    await put();
    for (const at of [1, 2, 3]) await monitor(`In ${at}`, ['production']);
    for (const at of [1, 2]) await monitor(`Out ${at}`, ['staging']);
  });

  it('lists the monitors of which somebody is notified, or nobody', async () => {
    expect(await names('notified=true')).toEqual(['In 1', 'In 2', 'In 3']);
    expect(await names('notified=false')).toEqual(['Out 1', 'Out 2']);
    expect(await names('notified=false&tag=production')).toEqual([]);
    expect(await names('')).toHaveLength(5);
  });

  it('holds on every page', async () => {
    const { body: first } = await api.get<Page<MonitorDto>>('/v1/monitors?notified=true&sort=name&limit=2');
    expect(first.data.map((one) => [one.name, one.notified])).toEqual([
      ['In 1', true],
      ['In 2', true],
    ]);
    expect(await names(`limit=2&cursor=${first.nextCursor}`)).toEqual(['In 3']);
  });

  it('applies to definitions and to selections, too', async () => {
    const { body } = await api.get<Page<MonitorDto>>('/v1/definitions/monitors?notified=false');
    expect(body.data.map(({ name }) => name).sort()).toEqual(['Out 1', 'Out 2']);
    expect(body.data[0]).not.toHaveProperty('notified');
    const bulk = { action: 'addTags', tags: ['unheard'], select: { filter: { notified: false } } };
    expect((await api.post('/v1/monitors/bulk', bulk)).body).toMatchObject({ total: 2 });
    expect(await names('tag=unheard')).toEqual(['Out 1', 'Out 2']);
  });

  it('must be true or false', async () => {
    expect(await api.get('/v1/monitors?notified=yes')).toMatchObject({ status: 400 });
  });
});
