import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { DAY_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type ExpiringDomainsService } from '../src/modules/domains/expiring-domains.service.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type NotificationDto } from '../src/modules/notifications/dto/notification.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { checkNow, createMonitor, getMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();
// Of its own, because a sweep at a later time concerns the domains of all teams.
let app: TestApp;
let registry: Server;
let team: TestTeam;
let api: Client;
/** What the registry knows of every domain; a null expiry is not revealed. */
let expiresAt: number | null;
let registrar: string | null;

beforeAll(async () => {
  app = await startApp();
  registry = createServer((_, response) => {
    const events =
      expiresAt === null ? [] : [{ eventAction: 'expiration', eventDate: new Date(expiresAt).toISOString() }];
    const entities =
      registrar === null ? [] : [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', registrar]]] }];
    const registration = { objectClassName: 'domain', events, entities, status: [] };
    response.setHeader('Content-Type', 'application/rdap+json').end(JSON.stringify(registration));
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await app.close();
  registry.closeAllConnections();
  await new Promise((done) => registry.close(done));
});
beforeEach(async () => {
  team = await app.backstage.makeTeam('Registrants');
  api = app.api(team.write);
  register(35);
  registrar = 'Example Registrar';
  await putChannel(api, 'hook', { settings: { url: `${receiver.origin}/${team.id}` } });
});

/** Registers all domains for this many days from now. */
function register(days: number): void {
  expiresAt = Date.now() + days * DAY_MS;
}

const domain = (more: object = {}) => ({
  name: 'Domain',
  type: 'domain',
  host: 'shop.example',
  settings: { server: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/` },
  ...more,
});
async function checked(definition: Record<string, unknown> = domain()): Promise<string> {
  const { id } = await createMonitor(api, definition);
  await checkAgain(id);
  return id;
}
/** Checks a monitor and waits until what the registry reveals now is shown. */
async function checkAgain(id: string): Promise<void> {
  await checkNow(api, id);
  const at = expiresAt === null ? null : new Date(expiresAt).toISOString();
  await eventually(async () => expect((await getMonitor(api, id)).registration).toMatchObject({ expiresAt: at }));
}
async function policy(more: object = {}): Promise<void> {
  const steps = [{ afterSeconds: 0, channelIds: ['key:hook'] }];
  const body = { name: 'Domains', match: { all: true }, on: ['domain_expiring'], steps, ...more };
  expect((await api.put('/v1/notification-policies/key:domains', body)).status).toBeLessThan(300);
}

/** Does what the service does once a second, as of a time before the expiry. */
const sweepAt = (daysLeft: number): Promise<void> =>
  app.backstage.provider<ExpiringDomainsService>('ExpiringDomainsService').sweep(expiresAt! - daysLeft * DAY_MS);
/** Returns the events of the team, oldest first. The API shows them only once no earlier transaction is open. */
const events = () =>
  app.query<{ data: { thresholdDays: number; monitorIds: string[] } }>(
    `SELECT data FROM events WHERE team_id = $1 AND type = 'domain.expiring' ORDER BY sequence`,
    [team.id],
  );
const thresholds = async (): Promise<number[]> => (await events()).map(({ data }) => data.thresholdDays);
const notices = async () => (await api.get<Page<NotificationDto>>('/v1/notifications')).body.data;
const received = () =>
  receiver.bodiesAt<{ type: string; data: { subject: string; text: string; expiresAt: string } }>(`/${team.id}`);

describe('the registration of a domain', () => {
  it('is shown with the monitor, in the API and on its page', async () => {
    const id = await checked(domain({ host: 'Shop.EXAMPLE' }));
    const { registration } = await getMonitor(api, id);
    expect(registration).toEqual({
      domain: 'shop.example',
      registrar: 'Example Registrar',
      expiresAt: new Date(expiresAt!).toISOString(),
      readAt: expect.any(String),
    });
    const { body: list } = await api.get<Page<{ registration: object }>>('/v1/monitors');
    expect(list.data[0]!.registration).toEqual(registration);
    const browser = await signIn(app, await makePerson(app, team.id, 'viewer'));
    const page = async () => (await browser.open(`/monitors/${id}`)).html.replaceAll(/<[^>]+>/g, '');
    expect(await page()).toMatch(/Domain registered until \d{4}-\d\d-\d\d \d\d:\d\d UTC, with Example Registrar/);
    register(13.5);
    await checkAgain(id);
    expect(await page()).toMatch(/Domain registered until .* UTC \(13 days left\), with/);
    expiresAt = null;
    await checkAgain(id);
    expect(await page()).toContain('Domain registered with Example Registrar');
    registrar = null;
    await checkNow(api, id);
    await eventually(async () => expect((await getMonitor(api, id)).registration).toMatchObject({ registrar: null }));
    expect(await page()).not.toContain('Domain registered');
  });

  it('is unknown once the monitor has another domain, until that is checked', async () => {
    const id = await checked();
    await api.patch(`/v1/monitors/${id}`, { name: 'Renamed' });
    expect((await getMonitor(api, id)).registration).not.toBeNull();
    const { body } = await api.patch<{ registration: null }>(`/v1/monitors/${id}`, { host: 'other.example' });
    expect(body.registration).toBeNull();
    await sweepAt(13);
    await checkAgain(id);
    expect(await events()).toEqual([]);
  });
});

describe('a registration that expires soon', () => {
  it('is reported once at each threshold, naming all monitors of the domain', async () => {
    await policy();
    const ids = [await checked(), await checked(domain({ name: 'Same domain' }))].sort();
    await checked(domain({ name: 'Paused', paused: false })).then((id) => api.post(`/v1/monitors/${id}/pause`));
    await sweepAt(30.1);
    expect(await events()).toEqual([]);

    await sweepAt(29.9);
    // A key that may only read sees it.
    const event = await eventually(async () => {
      const { body } = await app.api(team.read).get<Page<EventDto>>('/v1/events?type=domain.*');
      expect(body.data).toHaveLength(1);
      return body.data[0];
    });
    expect(event).toMatchObject({
      type: 'domain.expiring',
      actor: { type: 'system' },
      resource: { type: 'domain', id: 'shop.example', name: 'shop.example' },
      data: {
        thresholdDays: 30,
        domain: 'shop.example',
        registrar: 'Example Registrar',
        expiresAt: new Date(expiresAt!).toISOString(),
        monitorIds: ids,
      },
    });
    await eventually(() => expect(received()).toHaveLength(1));
    const [{ type, data }] = received() as [ReturnType<typeof received>[0]];
    expect(type).toBe('domain_expiring.notice');
    // The message is composed now, while 35 days are left.
    expect(data.subject).toMatch(
      /^DOMAIN EXPIRING (Domain|Same domain) and 1 more monitor: in 34 days, on \d+ \w+ \d{4}, /,
    );
    expect(data.expiresAt).toBe(new Date(expiresAt!).toISOString());

    // Another monitor of the domain, and another check, report nothing again.
    await checked(domain({ name: 'Third' }));
    await checkAgain(ids[0]!);
    await sweepAt(28);
    expect(await thresholds()).toEqual([30]);
    await sweepAt(13.9);
    expect(await thresholds()).toEqual([30, 14]);
  });

  it('starts anew when it is renewed', async () => {
    const id = await checked();
    await sweepAt(2.5);
    expect(await thresholds()).toEqual([3]);
    const before = expiresAt!;
    register(380);
    await checkAgain(id);
    expiresAt = before;
    await sweepAt(0.5);
    register(380);
    await checkAgain(id);
    await sweepAt(29);
    expect(await thresholds()).toEqual([3, 30]);
  });

  it('is not reported while its monitor is paused, or before that is checked again', async () => {
    const id = await checked();
    await api.post(`/v1/monitors/${id}/pause`);
    await sweepAt(13);
    expect(await events()).toEqual([]);
    await api.post(`/v1/monitors/${id}/resume`);
    await eventually(async () => {
      const { registration, resumedAt } = await getMonitor(api, id);
      expect(Date.parse(registration!.readAt)).toBeGreaterThanOrEqual(Date.parse(resumedAt!));
    });
    await sweepAt(13);
    expect(await thresholds()).toEqual([14]);
  });

  it('is reported to a later policy by its latest threshold alone', async () => {
    await checked();
    await sweepAt(13);
    await sweepAt(6);
    await policy();
    await eventually(() => expect(received()).toHaveLength(1));
    const reported = () =>
      app.query<{ days: number }>(
        `SELECT (e.data ->> 'thresholdDays')::int AS days FROM notifications n JOIN events e ON e.id = n.event_id
         WHERE n.team_id = $1 AND n.status = 'sent'`,
        [team.id],
      );
    await eventually(async () => expect(await reported()).toEqual([{ days: 7 }]));
  });

  it('is not reported at the end of quiet hours if it was renewed meanwhile', async () => {
    const clock = (inMs: number): string => new Date(Date.now() + inMs).toISOString().slice(11, 16);
    const quietHours = { timezone: 'UTC', from: clock(-3_600_000), to: clock(3_600_000) };
    await policy({ quietHours });
    const id = await checked();
    await sweepAt(13);
    await eventually(async () => expect(await notices()).toMatchObject([{ status: 'held', reason: 'quiet_hours' }]));
    register(380);
    await checkAgain(id);
    await policy({ quietHours: null });
    await eventually(async () => expect(await notices()).toMatchObject([{ status: 'suppressed' }]));
    expect(received()).toEqual([]);
  });
});
