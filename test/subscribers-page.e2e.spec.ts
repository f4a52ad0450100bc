import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type Browser } from './support/browser.js';
import { type Client } from './support/client.js';
import { sharedApp, type TestApp } from './support/app.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { makePerson, signIn } from './support/people.js';
import { createPage } from './support/status-pages.js';

let app: TestApp;
let api: Client;
let owner: Browser;
let page: StatusPageDto;
let monitorId: string;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.admin);
  owner = await signIn(app, await makePerson(app, app.teams.ours.id, 'owner'));
  monitorId = (await createMonitor(api, httpMonitor('https://shop.example/', { name: 'Shop', paused: true }))).id;
  page = await createPage(api, { slug: 'subscribed', monitorIds: [monitorId] });
});
afterAll(() => app.close());

const path = () => `/status-pages/${page.id}/subscribers`;

describe('the subscribers of a status page', () => {
  it('are imported, listed and removed by owners', async () => {
    expect((await owner.open(`/status-pages/${page.id}`)).html).toContain(`href="${path()}"`);
    expect((await owner.open(path())).html).toContain('Nobody has subscribed to this page yet.');
    await owner.open(`${path()}/import`);
    const refused = await owner.submit(`${path()}/import`, { consentSource: '', csv: 'kim@example.com' });
    expect(refused.status).toBe(422);
    const imported = await owner.submit(`${path()}/import`, {
      consentSource: 'A contract',
      csv: 'email\nkim@example.com\nkim\nsam@example.com\n',
    });
    expect(imported.html).toContain('2 subscribers imported');
    expect(imported.html).toContain('Line 3: not an email address');

    const listed = await owner.open(path());
    expect(listed.html).toContain('2 confirmed subscribers.');
    for (const text of ['kim@example.com', 'sam@example.com', 'A contract']) expect(listed.html).toContain(text);
    const [action] = /[^"]*\/remove(?=")/.exec(listed.html)!;
    const removed = await owner.submit(action);
    expect(removed.html).toContain('Subscriber removed. The address is erased.');
    expect(removed.html).toContain('1 confirmed subscriber.');
  });

  it('are added one by one, and the form states why an address is refused', async () => {
    const form = `${path()}/new`;
    expect((await owner.open(path())).html).toContain(`href="${form}"`);
    await owner.open(form);
    const faulty = await owner.submit(form, { email: 'ann', consentSource: 'A contract' });
    expect(faulty).toMatchObject({ status: 422, html: expect.stringContaining('must be an email address') });
    const invited = await owner.submit(form, { email: 'bob@example.com', consentSource: '' });
    expect(invited.html).toContain('Confirmation email sent. The subscriber becomes active once they confirm.');
    await owner.open(form);
    const added = await owner.submit(form, { email: ' Ann@example.com ', consentSource: 'A contract' });
    expect(added.html).toContain('Subscriber added. No email was sent.');
    const { body } = await api.get<{ data: unknown[] }>(`/v1${path()}?email=ann@example.com`);
    expect(body.data).toMatchObject([{ status: 'active', consentSource: 'A contract', componentIds: null }]);
    await owner.open(form);
    const again = await owner.submit(form, { email: 'ann@example.com', consentSource: 'A contract' });
    expect(again).toMatchObject({ status: 409, html: expect.stringContaining('already subscribed') });
  });

  it('are not shown to editors', async () => {
    const editor = await signIn(app, await makePerson(app, app.teams.ours.id, 'editor'));
    expect((await editor.open(`/status-pages/${page.id}`)).html).not.toContain(path());
    for (const one of [path(), `${path()}/new`]) expect((await editor.open(one)).status).toBe(403);
  });

  it('are counted before an update or maintenance is published, and its author decides', async () => {
    const csv = 'lee@example.com\nmax@example.com';
    await api.post(`/v1/status-pages/${page.id}/subscribers/import`, { consentSource: 'x', csv });
    const { body } = await api.get<{ data: unknown[] }>(`/v1/status-pages/${page.id}/subscribers?status=active`);
    const words = `${body.data.length} subscribers of the affected components are notified.`;

    const { id } = await reportIncident(api, [monitorId]);
    const opened = await owner.open(`/incidents/${id}`);
    expect(opened.html).toContain(words);
    const action = `/incidents/${id}/updates`;
    const notifies = async () => {
      const events = await app.query<{ notifies: boolean }>(
        `SELECT (data -> 'notifySubscribers')::boolean AS notifies FROM events WHERE resource_id = $1 ORDER BY sequence DESC`,
        [id],
      );
      return events[0]!.notifies;
    };
    await owner.submit(action, { phase: 'identified', text: 'A fault.' });
    expect(await notifies()).toBe(true);
    await owner.open(`/incidents/${id}`);
    const silent = Object.fromEntries(owner.form(action).fields.filter(([name]) => name !== 'notifySubscribers'));
    await owner.call('POST', action, { form: { ...silent, phase: 'monitoring', text: 'Quietly.' } });
    expect(await notifies()).toBe(false);

    const window = await api.post<{ id: string }>('/v1/maintenance-windows', { name: 'W', monitorIds: [monitorId] });
    const edit = `/maintenance/${window.body.id}/edit`;
    expect((await owner.open(edit)).html).toContain(words);
    await owner.submit(edit, { notifySubscribers: 'no', do: 'save' });
    expect((await api.get(`/v1/maintenance-windows/${window.body.id}`)).body).toMatchObject({
      notifySubscribers: false,
    });
  });

  it('are told of detected incidents if the form of the page says so', async () => {
    await owner.open(`/status-pages/${page.id}/edit`);
    await owner.submit(`/status-pages/${page.id}/edit`, {
      announceDetected: 'on',
      announceAfterSeconds: '60',
      do: 'save',
    });
    expect((await api.get(`/v1/status-pages/${page.id}`)).body).toMatchObject({
      announceDetected: true,
      announceAfterSeconds: 60,
    });
    const edit = `/status-pages/${page.id}/edit`;
    const custom = { announceAfterSeconds: 'custom', announceAfterSecondsCustom: '90', do: 'save' };
    await owner.open(edit);
    await owner.submit(edit, custom);
    expect((await api.get(`/v1/status-pages/${page.id}`)).body).toMatchObject({ announceAfterSeconds: 90 });
    await owner.open(edit);
    const refused = await owner.submit(edit, { ...custom, announceAfterSecondsCustom: '86401' });
    expect(refused).toMatchObject({
      status: 422,
      html: expect.stringContaining('id="page-announceAfterSeconds-error"'),
    });
  });
});
