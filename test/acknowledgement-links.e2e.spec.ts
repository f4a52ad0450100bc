import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { sharedApp, startApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { getIncident, reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();
let app: TestApp;
let api: Client;
let channelId: string;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = app.api((await app.backstage.makeTeam('Paged')).write);
  channelId = (await putChannel(api, 'hook', { name: 'Night shift', settings: { url: `${receiver.origin}/hook` } })).id;
  const step = { afterSeconds: 0, channelIds: ['key:hook'] };
  await api.post('/v1/notification-policies', {
    name: 'All',
    match: { all: true },
    on: ['manual_incident'],
    steps: [step],
  });
});

interface Payload {
  type: string;
  data: { incident: { id: string }; note: string | null; links: { acknowledge: string | null } };
}
const payloads = (): Payload[] => receiver.requests.map(({ json }) => json as Payload);

/** Reports an incident, and returns it with the path of the link in the message about it. */
async function paged(): Promise<{ incident: IncidentDto; path: string }> {
  const { id } = await createMonitor(api, httpMonitor('https://shop.example/', { name: 'Shop', paused: true }));
  const incident = await reportIncident(api, [id]);
  // Messages about the incident of the test before may still arrive.
  const link = await eventually(() => {
    const message = payloads().find(({ data }) => data.incident.id === incident.id);
    expect(message).toBeDefined();
    return message!.data.links.acknowledge!;
  });
  expect(link).toMatch(new RegExp(`^${app.origin}/ack/[\\w-]{43}$`));
  return { incident, path: link.slice(app.origin.length) };
}

describe('the link in a message', () => {
  it('acknowledges by one click on its page, without signing in, on behalf of the channel', async () => {
    const { incident, path } = await paged();
    const browser = new Browser(app.origin);
    const { status, html, headers } = await browser.open(path);
    expect(status).toBe(200);
    expect(html).toContain('This stops further notifications for an hour.');
    expect(html).toContain(incident.title);
    expect(html).toContain('Paged');
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    // Opening it, as a preview does, changes nothing.
    await browser.call('HEAD', path);
    expect((await getIncident(api, incident.id)).acknowledgedBy).toBeNull();

    const done = await browser.submit(path);
    expect(done.html).toContain('Acknowledged by <span dir="auto">channel Night shift</span>');
    expect(done.html).not.toContain('<form');
    expect(await getIncident(api, incident.id)).toMatchObject({ acknowledgedBy: `channel:${channelId}` });
    await eventually(() => expect(payloads().map(({ type }) => type)).toContain('manual_incident.acknowledged'));
    expect(payloads().at(-1)!.data.note).toMatch(/^Someone in the channel "Night shift" acknowledged this until /);
    expect(payloads().at(-1)!.data.links.acknowledge).toBeNull();
    // A second click changes nothing.
    const before = await getIncident(api, incident.id);
    expect((await browser.call('POST', path, { form: '' })).status).toBe(303);
    expect(await getIncident(api, incident.id)).toEqual(before);
  });

  it('expires with the incident, and says so', async () => {
    const { incident, path } = await paged();
    await api.post(`/v1/incidents/${incident.id}/updates`, { phase: 'resolved', text: 'Done.' });
    const browser = new Browser(app.origin);
    const { status, html } = await browser.open(path);
    expect({ status, html }).toEqual({
      status: 200,
      html: expect.stringContaining('There is nothing to acknowledge.'),
    });
    expect(html).not.toContain('<form');
    await browser.call('POST', path, { form: '' });
    expect((await getIncident(api, incident.id)).acknowledgedBy).toBeNull();
  });

  it('can be used again once the acknowledgement was withdrawn', async () => {
    const { incident, path } = await paged();
    const browser = new Browser(app.origin);
    await browser.open(path);
    await browser.submit(path);
    await api.post(`/v1/incidents/${incident.id}/unacknowledge`);
    expect((await browser.open(path)).html).toContain('Not acknowledged.');
    await browser.submit(path);
    expect((await getIncident(api, incident.id)).acknowledgedBy).toBe(`channel:${channelId}`);
  });

  it.each([
    ['that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['that the browser marks as same-site', { 'sec-fetch-site': 'same-site' }, 403],
    ['from another origin', { origin: 'https://evil.test' }, 403],
    ['without a referrer over plain HTTP', { origin: 'null' }, 303],
    ['of its own page over HTTPS', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 303],
  ])('answers a form %s as it should', async (_, headers, status) => {
    const { incident, path } = await paged();
    expect((await new Browser(app.origin).call('POST', path, { form: '', headers })).status).toBe(status);
    const { acknowledgedBy } = await getIncident(api, incident.id);
    expect(acknowledgedBy).toBe(status === 303 ? `channel:${channelId}` : null);
  });
});

describe('a link that does not exist', () => {
  const hostile = ['x', 'x'.repeat(43), `${'A'.repeat(42)}%00`, '%2e%2e%2fadmin', '%F0%9F%92%A9', 'x'.repeat(2_000)];

  it('is a 404 for GET and POST, and after ten of them a 429', async () => {
    const own = await startApp();
    try {
      const browser = new Browser(own.origin);
      for (const [index, token] of hostile.entries()) {
        const method = index % 2 === 0 ? 'GET' : 'POST';
        const { status, headers } = await browser.call(method, `/ack/${token}`, method === 'POST' ? { form: '' } : {});
        expect({ token, status }).toEqual({ token, status: 404 });
        expect(headers.get('referrer-policy')).toBe('no-referrer');
      }
      const statuses: number[] = [];
      for (let turn = 0; turn < 10; turn += 1) statuses.push((await browser.call('GET', '/ack/none')).status);
      expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    } finally {
      await own.close();
    }
  });
});
