import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { DAY_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type ExpiringCertificatesService } from '../src/modules/certificates/expiring-certificates.service.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type NotificationDto } from '../src/modules/notifications/dto/notification.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { makeCertificate, type TestCertificate } from './support/certificates.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { checkNow, createMonitor, getMonitor, httpMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();
// Of its own, because a sweep at a later time concerns the certificates of all teams.
let app: TestApp;
let server: Server;
let team: TestTeam;
let api: Client;
let certificate: TestCertificate;
let validUntil: number;

beforeAll(async () => {
  app = await startApp();
  server = createServer(makeCertificate('unused', 0, 1), (_, response) => response.end('ok'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
beforeEach(async () => {
  team = await app.backstage.makeTeam('Certified');
  api = app.api(team.write);
  present(15);
  for (const key of ['hook', 'later', 'other'])
    await putChannel(api, key, { settings: { url: `${receiver.origin}/${team.id}/${key}` } });
});

/** Presents a new certificate from now on, which was issued 45 days ago. The first of its thresholds is 14 days. */
function present(daysLeft: number): void {
  validUntil = Math.floor(Date.now() / 1_000) * 1_000 + daysLeft * DAY_MS;
  certificate = makeCertificate('shop.example', validUntil - 60 * DAY_MS, validUntil);
  server.setSecureContext(certificate);
}

const port = (): number => (server.address() as AddressInfo).port;
const web = (more: object = {}) =>
  httpMonitor(`https://127.0.0.1:${port()}/`, { name: 'Web', verifyTls: false, intervalSeconds: 3_600, ...more });
const tls = (more: object = {}) => ({
  ...{ name: 'TLS', type: 'tls', host: '127.0.0.1', port: port(), verifyTls: false, intervalSeconds: 3_600, ...more },
});
async function checked(definition: Record<string, unknown>): Promise<string> {
  const { id } = await createMonitor(api, definition);
  await checkNow(api, id);
  await eventually(async () => expect((await getMonitor(api, id)).certificate).not.toBeNull());
  return id;
}
async function policy(more: object = {}): Promise<void> {
  const steps = [
    { afterSeconds: 0, channelIds: ['key:hook'] },
    { afterSeconds: 60, channelIds: ['key:later'] },
  ];
  const body = { name: 'Certificates', match: { all: true }, on: ['certificate_expiring'], steps, ...more };
  expect((await api.put('/v1/notification-policies/key:certificates', body)).status).toBeLessThan(300);
}

/** Does what the service does once a second, as of a time before the expiry of the certificate. */
const sweepAt = (daysLeft: number): Promise<void> =>
  app.backstage
    .provider<ExpiringCertificatesService>('ExpiringCertificatesService')
    .sweep(validUntil - daysLeft * DAY_MS);
/** Returns the events of the team, oldest first. The API shows them only once no earlier transaction is open. */
const events = () =>
  app.query<{ resource_id: string; data: { thresholdDays: number; monitorIds: string[] } }>(
    `SELECT resource_id, data FROM events WHERE team_id = $1 AND type = 'certificate.expiring' ORDER BY sequence`,
    [team.id],
  );
const thresholds = async (): Promise<number[]> => (await events()).map(({ data }) => data.thresholdDays);
interface Payload {
  type: string;
  data: { subject: string; expiresAt: string; monitors: { id: string }[] };
}
const received = (): [channel: string, payload: Payload][] =>
  receiver.requests
    .filter(({ path }) => path.startsWith(`/${team.id}/`))
    .map(({ path, json }) => [path.split('/').at(-1)!, json as Payload]);
async function untilReceived(count: number): Promise<void> {
  await eventually(() => expect(received()).toHaveLength(count));
}

describe('the certificate of a monitor', () => {
  it('is shown with the monitor, in the API and on its page', async () => {
    const id = await checked(web());
    expect((await getMonitor(api, id)).certificate).toEqual({
      fingerprint: certificate.fingerprint,
      subject: 'CN=shop.example',
      issuer: 'CN=shop.example',
      validFrom: new Date(validUntil - 60 * DAY_MS).toISOString(),
      validUntil: new Date(validUntil).toISOString(),
      readAt: expect.any(String),
    });
    const { body: list } = await api.get<Page<{ certificate: object }>>('/v1/monitors');
    expect(list.data[0]!.certificate).toMatchObject({ fingerprint: certificate.fingerprint });
    const browser = await signIn(app, await makePerson(app, team.id, 'viewer'));
    const page = async () => (await browser.open(`/monitors/${id}`)).html.replaceAll(/<[^>]+>/g, '');
    expect(await page()).toMatch(/Certificate valid until \d{4}-\d\d-\d\d \d\d:\d\d UTC, issued by CN=shop.example/);
    present(13.5);
    await checkNow(api, id);
    await eventually(async () => expect(await page()).toMatch(/Certificate valid until .* UTC \(13 days left\)/));
  });

  it('is reported although other work that is due fails', async () => {
    const stuck = await createMonitor(api, web({ name: 'Cannot be deleted' }));
    await app.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'refused'; END$$`);
    await app.query('CREATE TRIGGER refuse BEFORE DELETE ON monitors FOR EACH ROW EXECUTE FUNCTION refuse()');
    try {
      await app.query('UPDATE monitors SET expires_at = now() WHERE id = $1', [stuck.id]);
      present(13);
      await checked(web());
      await eventually(async () => expect(await thresholds()).toEqual([14]));
    } finally {
      await app.query('DROP FUNCTION refuse CASCADE');
    }
    await eventually(async () => expect((await api.get(`/v1/monitors/${stuck.id}`)).status).toBe(404));
  });

  it('is unknown once the monitor has another target, until that is checked', async () => {
    const id = await checked(web());
    await api.patch(`/v1/monitors/${id}`, { name: 'Renamed' });
    expect((await getMonitor(api, id)).certificate).not.toBeNull();
    const { body } = await api.patch<{ certificate: null }>(`/v1/monitors/${id}`, { url: 'http://127.0.0.1:9/' });
    expect(body.certificate).toBeNull();
    await sweepAt(13);
    expect(await events()).toEqual([]);
    await api.patch(`/v1/monitors/${id}`, { url: `https://127.0.0.1:${port()}/again` });
    await checkNow(api, id);
    await eventually(async () => expect((await getMonitor(api, id)).certificate).not.toBeNull());
    await sweepAt(13);
    expect(await thresholds()).toEqual([14]);
  });
});

describe('a certificate that expires soon', () => {
  it('is reported once at each threshold, to the first step, naming all monitors that see it', async () => {
    await policy({ match: { tags: ['shop'] } });
    await policyOfOutages();
    const ids = [await checked(web()), await checked(tls({ tags: ['shop'] }))].sort();
    await sweepAt(14.1);
    expect(await events()).toEqual([]);

    await sweepAt(13.9);
    // A key that may only read sees it.
    const event = await eventually(async () => {
      const { body } = await app.api(team.read).get<Page<EventDto>>('/v1/events?type=certificate.*');
      expect(body.data).toHaveLength(1);
      return body.data[0];
    });
    expect(event).toMatchObject({
      type: 'certificate.expiring',
      actor: { type: 'system' },
      resource: { type: 'certificate', id: certificate.fingerprint, name: 'CN=shop.example' },
      data: {
        thresholdDays: 14,
        fingerprint: certificate.fingerprint,
        validUntil: new Date(validUntil).toISOString(),
        monitorIds: ids,
      },
    });
    await untilReceived(1);
    const [[channel, { type, data }]] = received() as [[string, Payload]];
    expect({ channel, type }).toEqual({ channel: 'hook', type: 'certificate_expiring.notice' });
    // The message is composed now, while 15 days are left.
    expect(data.subject).toMatch(/^CERTIFICATE EXPIRING (Web|TLS) and 1 more monitor: in 14 days, on \d+ \w+ \d{4}, /);
    expect(data.expiresAt).toBe(new Date(validUntil).toISOString());
    expect(data.monitors.map(({ id }) => id).sort()).toEqual(ids);

    await sweepAt(12.9);
    await sweepAt(7.1);
    expect(await thresholds()).toEqual([14]);
    await sweepAt(6.9);
    expect(await thresholds()).toEqual([14, 7]);
    await untilReceived(2);
    const sent = { kind: 'notice', step: 1, status: 'sent' };
    const { body } = await eventually(async () => {
      const listed = await api.get<Page<NotificationDto>>('/v1/notifications');
      expect(listed.body.data).toMatchObject([sent, sent]);
      return listed;
    });
    expect(body.data.map(({ monitorIds }) => [...monitorIds].sort())).toEqual([ids, ids]);
  });

  it('is not reported again because another monitor sees it, but a renewed one is', async () => {
    const id = await checked(web());
    await sweepAt(13);
    const second = await checked(tls());
    await sweepAt(12);
    expect(await thresholds()).toEqual([14]);

    present(15);
    for (const one of [id, second]) await checkNow(api, one);
    await eventually(async () => {
      for (const one of [id, second])
        expect((await getMonitor(api, one)).certificate!.fingerprint).toBe(certificate.fingerprint);
    });
    // Of the earlier certificate, which no monitor sees any more, this would be the next threshold.
    await sweepAt(6.5);
    expect((await events()).map(({ data }) => [data.thresholdDays, data.monitorIds])).toEqual([
      [14, [id]],
      [7, [id, second].sort()],
    ]);
  });

  it('is not reported while only paused monitors see it, or before they are checked again', async () => {
    const id = await checked(web());
    await api.post(`/v1/monitors/${id}/pause`);
    await sweepAt(13);
    expect(await events()).toEqual([]);
    present(15);
    await api.post(`/v1/monitors/${id}/resume`);
    await eventually(async () => {
      expect((await getMonitor(api, id)).certificate!.fingerprint).toBe(certificate.fingerprint);
    });
    await sweepAt(14.5);
    expect(await events()).toEqual([]);
    await sweepAt(13);
    expect((await events()).map((one) => one.resource_id)).toEqual([certificate.fingerprint]);
  });

  it('is reported to a later policy by its latest threshold alone', async () => {
    await checked(web());
    await sweepAt(13);
    await sweepAt(6);
    expect(await thresholds()).toEqual([14, 7]);
    await policy();
    await untilReceived(1);
    const reported = () =>
      app.query<{ days: number }>(
        `SELECT (e.data ->> 'thresholdDays')::int AS days FROM notifications n JOIN events e ON e.id = n.event_id
         WHERE n.team_id = $1 AND n.status = 'sent'`,
        [team.id],
      );
    await eventually(async () => expect(await reported()).toEqual([{ days: 7 }]));
  });

  it('is one alert at PagerDuty, which is closed once it is renewed, also where a later policy sends none', async () => {
    const settings = (key: string) => ({
      routingKey: '0123456789abcdef0123456789abcdef',
      apiUrl: `${receiver.origin}/${team.id}/${key}`,
    });
    for (const key of ['pager', 'second']) await putChannel(api, key, { type: 'pagerduty', settings: settings(key) });
    const steps = (...channelIds: string[]) => [{ afterSeconds: 0, channelIds }];
    await policy({ steps: steps('key:pager', 'key:second') });
    const actions = (key: string): (string | undefined)[][] =>
      receiver.requests
        .filter(({ path }) => path === `/${team.id}/${key}/v2/enqueue`)
        .map(({ json }) => json as { event_action?: string; dedup_key?: string })
        .map((one) => [one.event_action, one.dedup_key]);
    const id = await checked(web());
    const alertKey = `${team.id}/certificate/${certificate.fingerprint}`;
    await sweepAt(13);
    await eventually(() => expect(actions('pager')).toEqual([['trigger', alertKey]]));
    await eventually(() => expect(actions('second')).toEqual([['trigger', alertKey]]));
    await policy({ steps: steps('key:pager') });
    await sweepAt(6);
    await eventually(() => expect(actions('pager')).toEqual([['trigger', alertKey], ['trigger', alertKey]])); // prettier-ignore
    await lookAgain();
    present(60);
    await checkNow(api, id);
    await eventually(async () => {
      expect((await getMonitor(api, id)).certificate!.fingerprint).toBe(certificate.fingerprint);
    });
    await lookAgain();
    const closed = ['resolve', alertKey];
    await eventually(() => expect(actions('pager').slice(2)).toEqual([closed]));
    await eventually(() => expect(actions('second').slice(1)).toEqual([closed]));
  });

  it('is not reported at the end of quiet hours if it was renewed, or its monitor deleted, meanwhile', async () => {
    const clock = (inMs: number): string => new Date(Date.now() + inMs).toISOString().slice(11, 16);
    const quietHours = { timezone: 'UTC', from: clock(-3_600_000), to: clock(3_600_000) };
    await policy({ quietHours });
    const [id, other] = [await checked(web()), await checked(tls())];
    await sweepAt(13);
    const notices = async () => (await api.get<Page<NotificationDto>>('/v1/notifications')).body.data;
    await eventually(async () => expect(await notices()).toMatchObject([{ status: 'held', reason: 'quiet_hours' }]));
    present(60);
    await checkNow(api, id);
    await api.delete(`/v1/monitors/${other}`);
    await eventually(async () => {
      expect((await getMonitor(api, id)).certificate!.fingerprint).toBe(certificate.fingerprint);
    });
    await policy({ quietHours: null });
    await eventually(async () => expect(await notices()).toMatchObject([{ status: 'suppressed' }]));
    expect(received()).toEqual([]);
  });
});

/** Plans the open alerts of the team, as the service does every ten minutes, and waits until that is done. */
async function lookAgain(): Promise<void> {
  await app.query('UPDATE notification_timers SET due_at = now() WHERE team_id = $1 AND closed_at IS NULL', [team.id]);
  await eventually(async () => {
    const left = await app.query('SELECT FROM notification_timers WHERE team_id = $1 AND due_at <= now()', [team.id]);
    expect(left).toEqual([]);
  });
}

/** A policy that does not name the event. */
async function policyOfOutages(): Promise<void> {
  const steps = [{ afterSeconds: 0, channelIds: ['key:other'] }];
  const { status } = await api.post('/v1/notification-policies', { name: 'Outages', match: { all: true }, steps });
  expect(status).toBe(201);
}
