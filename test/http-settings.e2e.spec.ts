import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { makeCertificate } from './support/certificates.js';
import { type Client } from './support/client.js';
import { createMonitor, getMonitor } from './support/monitors.js';
import { signedIn } from './support/people.js';

const MASK = '********';
const client = makeCertificate('client', Date.now() - 60_000, Date.now() + 600_000);
const proxy = { proxyUrl: 'http://127.0.0.1:3128', proxyUsername: 'mon', proxyPassword: 'geheim' };
const identity = { clientCertificate: client.cert, clientKey: client.key };
const none = { ipVersion: null, http2: false, form: null };

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

function monitor(settings: object | null): Promise<MonitorDto> {
  const url = 'https://127.0.0.1:1/';
  return createMonitor(api, { name: 'Shop', type: 'http', url, settings, paused: true });
}

interface Refused {
  errors: { pointer: string; code: string }[];
}

async function patched(id: string, body: object): Promise<[number, unknown]> {
  const answer = await api.patch<MonitorDto & Partial<Refused>>(`/v1/monitors/${id}`, body);
  const { settings, errors } = answer.body;
  return [answer.status, errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? settings];
}

describe('the settings of an HTTP monitor', () => {
  it('are null without anything unusual', async () => {
    expect((await monitor(null)).settings).toBeNull();
    expect((await monitor(none)).settings).toBeNull();
  });

  it('mask their secrets, which are encrypted at rest and kept', async () => {
    const made = await monitor({ ...identity, ...proxy });
    const shown = { ...none, ...identity, ...proxy, clientKey: MASK, proxyPassword: MASK };
    expect(made.settings).toEqual(shown);
    const [row] = await app.query<{ definition: string }>('SELECT definition::text FROM monitors WHERE id = $1', [
      made.id,
    ]);
    expect(row!.definition).not.toContain('geheim');
    expect(row!.definition).not.toContain('PRIVATE KEY');
    expect(await patched(made.id, { settings: { http2: true } })).toEqual([200, { ...shown, http2: true }]);
    const { body } = await api.get(`/v1/monitors/${made.id}/definition`);
    const written = await api.put<MonitorDto>(`/v1/monitors/${made.id}`, body);
    expect(written).toMatchObject({
      status: 200,
      body: { revision: made.revision + 1, settings: { clientKey: MASK } },
    });
  });

  it('need their secrets again for another proxy, and drop them without one', async () => {
    const { id } = await monitor({ ...identity, ...proxy });
    expect(await patched(id, { settings: { proxyUrl: 'http://127.0.0.1:8080' } })).toEqual([
      422,
      ['/settings/clientKey secret_required', '/settings/proxyPassword secret_required'],
    ]);
    const gone = { proxyUrl: null, proxyUsername: null, clientCertificate: null };
    expect(await patched(id, { settings: gone })).toEqual([200, null]);
  });

  it('are refused for a proxy at a blocked address', async () => {
    const { status, body } = await api.post<Refused>('/v1/monitors', {
      name: 'Shop',
      type: 'http',
      url: 'https://example.com/',
      settings: { proxyUrl: 'http://10.0.0.1:3128' },
    });
    expect({ status, errors: body.errors }).toMatchObject({
      status: 422,
      errors: [{ pointer: '/settings/proxyUrl', code: 'address_blocked' }],
    });
  });

  it('survive their form unchanged, which never contains a secret', async () => {
    const { id, revision } = await monitor({ ...identity, ...proxy, ipVersion: 4 });
    const browser = await signedIn(app, 'editor');
    const path = `/monitors/${id}/edit`;
    const { html } = await browser.open(path);
    expect(html).toContain('Leave empty to keep the stored private key.');
    expect(html).not.toContain('geheim');
    expect(html).not.toContain('PRIVATE KEY');
    expect((await browser.submit(path, {})).status).toBe(200);
    expect((await getMonitor(api, id)).revision).toBe(revision);
    await browser.open(path);
    const direct = { proxyUrl: '', proxyUsername: '', http2: 'true' };
    expect((await browser.submit(path, direct)).html).toContain('id="monitor-settings-clientKey-error"');
    await browser.submit(path, { ...direct, clientKey: client.key });
    expect((await getMonitor(api, id)).settings).toEqual({
      ...{ ...none, ipVersion: 4, http2: true },
      ...{ ...identity, clientKey: MASK, proxyUrl: null, proxyUsername: null, proxyPassword: null },
    });
  });

  it('of a new monitor say nothing of stored secrets', async () => {
    const browser = await signedIn(app, 'editor');
    const { html } = await browser.open('/monitors/new?type=http');
    expect(html).toContain('Of the client certificate, in PEM, not encrypted.');
    const { id } = await monitor(null);
    expect((await browser.open(`/monitors/${id}/edit`)).html).not.toContain('to keep the stored private key');
    expect((await browser.open(`/monitors/new?from=${id}`)).html).not.toContain('private key is not copied');
  });
});
