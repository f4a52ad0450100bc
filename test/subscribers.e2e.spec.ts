import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type SubscriberDto } from '../src/modules/status-pages/subscribers/dto/subscriber.dto.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { type MailingApp, mailsTo, startMailingApp } from './support/mailing-app.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';
import { mailed, subscriptionPath } from './support/subscribers.js';

let mailing: MailingApp;
let api: Client;
let page: StatusPageDto;
let path: string;
beforeAll(async () => {
  mailing = await startMailingApp({ MAX_SUBSCRIBERS_PER_TEAM: '8' });
  api = mailing.app.api(mailing.app.teams.ours.admin);
  const monitor = await createMonitor(api, httpMonitor('https://shop.example/', { name: 'Shop', paused: true }));
  page = await createPage(api, { monitorIds: [monitor.id] });
  path = `/v1/status-pages/${page.id}/subscribers`;
});
afterAll(() => mailing.close());

const add = (email: string, more: Record<string, unknown> = {}) => api.post<SubscriberDto>(path, { email, ...more });

describe('subscribers of a status page', () => {
  it('are mailed a link unless they have consented elsewhere', async () => {
    const invited = await add('Invited@example.com');
    expect(invited).toMatchObject({ status: 201, body: { email: 'invited@example.com', status: 'pending' } });
    const [mail] = await mailed(mailing, 'invited@example.com', 1);
    expect(subscriptionPath(mail!)).toContain('/subscriptions/');

    const componentId = page.components[0]!.id;
    const active = await add('active@example.com', { consentSource: 'A contract', componentIds: [componentId] });
    expect(active.body).toMatchObject({ status: 'active', consentSource: 'A contract', componentIds: [componentId] });
    expect((await api.get(active.headers.get('location')!)).body).toEqual(active.body);
    expect(mailsTo(mailing.accepted, 'active@example.com')).toEqual([]);
    expect(await add('ACTIVE@example.com', { consentSource: 'x' })).toMatchObject({ status: 409 });
    const listed = await api.get<{ data: SubscriberDto[] }>(`${path}?status=active&email=Active@example.com`);
    expect(listed.body.data).toEqual([active.body]);
  });

  it.each([
    ['/email', { email: 'jo' }],
    ['/componentIds/0', { email: 'jo@example.com', componentIds: ['0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21'] }],
    ['/componentIds', { email: 'jo@example.com', componentIds: [] }],
    ['/consentSource', { email: 'jo@example.com', consentSource: '' }],
    ['/status', { email: 'jo@example.com', status: 'active' }],
  ])('are refused by %s', async (pointer, body) => {
    expect(await api.post(path, body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  it('are erased when they are removed, except for a hash that imports honour', async () => {
    const email = 'erased@example.com';
    const { body } = await add(email, { consentSource: 'A contract' });
    expect((await api.delete(`${path}/${body.id}`)).status).toBe(204);
    expect((await api.delete(`${path}/${body.id}`)).status).toBe(404);
    const csv = `Name;Email\nJo;jo@example.com\nX;${email}\nJo;JO@example.com\n;nothing\n`;
    const imported = await api.post(`${path}/import`, { consentSource: 'Old page', csv });
    expect(imported).toMatchObject({
      status: 200,
      body: {
        imported: 1,
        skipped: [
          { line: 3, reason: 'erased' },
          { line: 4, reason: 'already_subscribed' },
          { line: 5, reason: 'invalid_address' },
        ],
      },
    });
    expect(await add(email, { consentSource: 'x' })).toMatchObject({ status: 409 });
    expect(mailsTo(mailing.accepted, 'jo@example.com')).toEqual([]);
    const dump = await eventually(() => everything());
    expect(dump).toContain('jo@example.com');
    expect(dump).not.toContain(email);
  });

  it('do not leave their address with an idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'subscribe' };
    const json = { email: 'retried@example.com', consentSource: 'x' };
    const [first, second] = [
      await api.call('POST', path, { json, headers }),
      await api.call('POST', path, { json, headers }),
    ];
    expect(first.body).toMatchObject({ email: 'retried@example.com' });
    expect(second.body).toEqual({ ...(first.body as object), email: null });
    expect(
      (await mailing.app.query(`SELECT answer::text FROM (SELECT to_jsonb(k) AS answer FROM idempotency_keys k) t`))
        .map((row) => JSON.stringify(row))
        .join(),
    ).not.toContain('retried@');
  });

  it('are imported from at most 10,000 lines', async () => {
    const csv = 'a\n'.repeat(10_000);
    const accepted = await api.post<{ skipped: unknown[] }>(`${path}/import`, { consentSource: 'x', csv });
    expect(accepted.body.skipped).toHaveLength(10_000);
    const refused = await api.post<{ errors: object[] }>(`${path}/import`, { consentSource: 'x', csv: `${csv}a` });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([{ pointer: '/csv', code: 'too_long' }]);
  });

  it('do not reach the limit by addresses that nobody has confirmed', async () => {
    await mailing.app.query(
      `INSERT INTO status_page_subscribers (id, team_id, status_page_id, email, status)
       SELECT gen_random_uuid(), $1, $2, 'n' || n || '@example.com', 'pending' FROM generate_series(1, 8) AS n`,
      [mailing.app.teams.ours.id, page.id],
    );
    expect((await add('welcome@example.com', { consentSource: 'x' })).status).toBe(201);
  });

  it('are limited per team, also in an import', async () => {
    const csv = Array.from({ length: 8 }, (_, n) => `limit${n}@example.com`).join('\n');
    expect(await api.post(`${path}/import`, { consentSource: 'x', csv })).toMatchObject({
      status: 422,
      body: { code: 'limit_reached' },
    });
  });
});

/** Returns every row of every table that could contain an address. */
async function everything(): Promise<string> {
  const tables = await mailing.app.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => mailing.app.query(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`)),
  );
  return JSON.stringify(rows);
}
