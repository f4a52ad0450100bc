import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type PingKeyDto, type PingKeyWithSecretDto } from '../src/modules/heartbeats/ping-keys/dto/ping-key.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';

const PATH = '/v1/ping-keys';

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

async function makeKey(name = 'Cron on web-1', client = api): Promise<PingKeyWithSecretDto> {
  const { status, body } = await client.post<PingKeyWithSecretDto>(PATH, { name });
  expect(status).toBe(201);
  return body;
}

const job = (key: string) => ({
  key,
  name: 'A job',
  type: 'heartbeat',
  settings: { schedule: { everySeconds: 86_400 } },
});

async function report(secret: string | null, rest: string, init: RequestInit = {}) {
  const response = await fetch(`${app.origin}/ping/${secret}/${rest}`, init);
  return { status: response.status, text: await response.text() };
}

describe('a ping key', () => {
  it('shows its secret once, also to repeated requests', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const create = () => api.call<PingKeyWithSecretDto>('POST', PATH, { json: { name: 'Cron' }, headers });
    const [made, again] = [await create(), await create()];
    expect(made.body.secret).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(again.body).toEqual({ ...made.body, secret: null });
    const { secret, ...shown } = made.body;
    expect((await api.get(made.headers.get('location')!)).body).toEqual(shown);
    const { body } = await app.api(app.teams.ours.read).get<{ data: PingKeyDto[] }>(PATH);
    expect(body.data.find(({ id }) => id === shown.id)).toEqual(shown);
    const stored = await app.query('SELECT p::text FROM ping_keys p WHERE id = $1', [shown.id]);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('reports to the monitors of its team by their keys', async () => {
    const { secret } = await makeKey();
    const { id, key } = await createMonitor(api, job(randomUUID()));
    expect(await report(secret, `${key}/start?rid=1`)).toEqual({ status: 200, text: 'OK' });
    expect(await report(secret, `${key}?rid=1`, { method: 'POST', body: 'done' })).toEqual({ status: 200, text: 'OK' });
    await untilStatus(api, id, 'up');
    expect(await report(secret, `${key}/3`)).toEqual({ status: 200, text: 'OK' });
    await untilStatus(api, id, 'down');
  });

  it('follows a monitor whose key is changed, also where the key was used before', async () => {
    const { secret } = await makeKey();
    const [first, second] = [randomUUID(), randomUUID()];
    const { id } = await createMonitor(api, job(first));
    expect(await report(secret, first)).toMatchObject({ status: 200 });
    expect(await api.patch(`/v1/monitors/${id}`, { key: second })).toMatchObject({ status: 200 });
    expect(await report(secret, second)).toMatchObject({ status: 200 });
    await eventually(async () => expect(await report(secret, first)).toMatchObject({ status: 404 }));
    const other = await createMonitor(api, job(first));
    expect(await report(secret, `${first}/fail`)).toMatchObject({ status: 200 });
    await untilStatus(api, other.id, 'down');
    await untilStatus(api, id, 'up');
  });

  it.each([
    ['an unknown monitor', 'nothing'],
    ['no monitor', ''],
    ['an unknown signal', 'nothing/else'],
    ['an exit status beyond 255', 'nothing/256'],
  ])('gets 404 for %s', async (_name, rest) => {
    expect(await report((await makeKey()).secret, rest)).toEqual({ status: 404, text: 'not found' });
  });

  it('does not reach monitors of another team, or of another type', async () => {
    const theirs = await makeKey('Theirs', app.api(app.teams.theirs.write));
    const { key } = await createMonitor(api, job(randomUUID()));
    expect(await report(theirs.secret, key!)).toMatchObject({ status: 404 });
    const checked = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { key: randomUUID(), paused: true }));
    const { secret } = await makeKey();
    expect(await report(secret, checked.key!)).toMatchObject({ status: 404 });
    expect(await report(secret, `${checked.key}?create=1`)).toEqual({
      status: 409,
      text: expect.stringContaining('key'),
    });
  });

  it('is rejected once it is deleted', async () => {
    const { id, secret } = await makeKey();
    const { key } = await createMonitor(api, job(randomUUID()));
    expect(await report(secret, key!)).toMatchObject({ status: 200 });
    expect(await api.delete(`${PATH}/${id}`)).toMatchObject({ status: 204 });
    expect(await api.delete(`${PATH}/${id}`)).toMatchObject({ status: 404 });
    await eventually(async () => expect(await report(secret, key!)).toEqual({ status: 404, text: 'not found' }));
  });

  it('appears in the log of events without its secret', async () => {
    const { id, secret, prefix } = await makeKey('Logged');
    await api.delete(`${PATH}/${id}`);
    const admin = app.api(app.teams.ours.admin);
    const events = await eventually(async () => {
      const { body } = await admin.get<{ data: EventDto[] }>(`/v1/events?resourceId=${id}`);
      expect(body.data.map(({ type }) => type)).toEqual(['ping_key.deleted', 'ping_key.created']);
      return body.data;
    });
    expect(events[0]).toMatchObject({ resource: { type: 'ping_key', name: 'Logged' }, data: { prefix } });
    expect(JSON.stringify(events)).not.toContain(secret);
  });
});

describe('a report with create=1', () => {
  it('creates a missing monitor, in the name of the ping key', async () => {
    const { id: keyId, name, secret } = await makeKey();
    const key = randomUUID();
    expect(await report(secret, `${key}/start?create=1`)).toEqual({ status: 201, text: 'Created' });
    expect(await report(secret, `${key}?create=1`)).toEqual({ status: 200, text: 'OK' });
    const { body } = await api.get<MonitorDto>(`/v1/monitors/key:${key}`);
    expect(body).toMatchObject({
      ...{ name: key, type: 'heartbeat', status: 'up' },
      settings: { schedule: { everySeconds: 86_400 }, graceSeconds: 3_600 },
    });
    await eventually(async () => {
      const { body: events } = await api.get<{ data: EventDto[] }>(
        `/v1/events?resourceId=${body.id}&type=monitor.created`,
      );
      expect(events.data).toMatchObject([{ actor: { type: 'ping_key', id: keyId, name } }]);
    });
  });

  it('receives only documented responses', async () => {
    const { secret } = await makeKey();
    const checked = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { key: randomUUID(), paused: true }));
    const keys = [randomUUID(), checked.key, 'Not%20a%20key'];
    // The client compares each response with the document.
    const sent = keys.map((key) => app.api(null).post<string>(`/ping/${secret}/${key}?create=1`));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([201, 409, 422]);
  });

  it('creates one monitor, however many reports arrive together, and loses none of them', async () => {
    const { secret } = await makeKey();
    const key = randomUUID();
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, n) => report(secret, `${key}/log?create=1`, { method: 'POST', body: `line ${n}` })),
    );
    expect(sent.map(({ status }) => status).filter((status) => status !== 200 && status !== 201)).toEqual([]);
    const { body } = await api.get<MonitorDto>(`/v1/monitors/key:${key}`);
    const [row] = await app.query<{ count: number }>('SELECT count(*)::int FROM pings WHERE monitor_id = $1', [
      body.id,
    ]);
    expect(row!.count).toBe(8);
  });

  it('explains an invalid key', async () => {
    const { secret } = await makeKey();
    expect(await report(secret, 'Not%20a%20key?create=1')).toEqual({
      status: 422,
      text: expect.stringContaining('must have 1 to 100 characters'),
    });
  });

  it.each<[string, string, RequestInit, number]>([
    ['by another method', '?create=1', { method: 'DELETE' }, 405],
    ['with a body that is too large', '?create=1', { method: 'POST', body: 'x'.repeat(100_001) }, 413],
    ['with a run id that is too long', `?create=1&rid=${'x'.repeat(101)}`, {}, 400],
  ])('creates nothing %s', async (_, suffix, init, status) => {
    const { secret } = await makeKey();
    const key = randomUUID();
    expect(await report(secret, key + suffix, init)).toMatchObject({ status });
    expect((await api.get(`/v1/monitors/key:${key}`)).status).toBe(404);
  });

  it('creates nothing for an unknown ping key', async () => {
    const key = randomUUID();
    expect(await report('A'.repeat(22), `${key}?create=1`)).toEqual({ status: 404, text: 'not found' });
    expect((await api.get(`/v1/monitors/key:${key}`)).status).toBe(404);
  });
});
