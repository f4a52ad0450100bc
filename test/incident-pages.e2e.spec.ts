import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { HOSTILE, quietMonitor, stranger } from './support/console.js';
import { eventually } from './support/eventually.js';
import { unescaped } from './support/html-forms.js';
import { getIncident, reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { signedIn } from './support/people.js';
import { answers, startTarget, type Target } from './support/target.js';

const PATH = '/incidents';

let app: TestApp;
let api: Client;
let target: Target;
let monitorId: string;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
  monitorId = await quietMonitor(app, 'Checkout');
});
afterAll(async () => {
  await app.close();
  await target.close();
});

describe('a detected incident', () => {
  let incident: IncidentDto;
  let downId: string;
  beforeAll(async () => {
    target.behave('/falls', answers(503));
    const definition = httpMonitor(target.url('/falls'), { name: 'Search', failureThreshold: 1 });
    downId = (await createMonitor(api, definition)).id;
    await untilStatus(api, downId, 'down');
    incident = await eventually(async () => {
      const { body } = await api.get<Page<IncidentDto>>(`/v1/monitors/${downId}/incidents`);
      expect(body.data).toHaveLength(1);
      return body.data[0]!;
    });
  });

  it('describes what happened and why, with links to the monitor and the check', async () => {
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}/${incident.id}`);
    // Scripts keep such a duration up to date.
    expect(html).toMatch(/<strong dir="auto">Search<\/strong> has been down since <time[^(]*\(<time [^>]*data-since="/);
    expect(html).toContain(`href="/monitors/${downId}"`);
    expect(html).toContain('unexpected_status');
    expect(html).toMatch(
      new RegExp(
        `First failing check.*href="/monitors/${downId}/checks/${incident.cause!.firstFailedCheckId}".*Confirmed`,
        's',
      ),
    );
    expect(html).toMatch(/<svg class="mark down"/);
  });

  it('resolves by itself and cannot be resolved manually', async () => {
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${incident.id}`;
    const { html } = await browser.open(path);
    expect(html).toContain('This incident resolves automatically');
    expect(html).not.toContain('value="resolved"');
    expect(html).not.toContain(`action="${path}/resolve"`);
    const refused = await browser.submit(`${path}/updates`, { phase: 'resolved', text: 'x' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('A detected incident resolves automatically once checks pass again.');
    const resolved = await browser.call('POST', `${path}/resolve`, { form: { _token: browser.formToken } });
    expect(resolved.status).toBe(422);
  });

  it('accepts a new title, but no other change', async () => {
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${incident.id}/edit`;
    await browser.open(path);
    expect(Object.fromEntries(browser.form(path).fields)).not.toHaveProperty('impact');
    await browser.submit(path, { title: 'Nobody can search', impact: 'none', do: 'save' });
    expect(await getIncident(api, incident.id)).toMatchObject({ title: 'Nobody can search', impact: 'down' });
  });
});

describe('the list of incidents', () => {
  it('starts with open incidents, and can be filtered by query parameters', async () => {
    const about = await quietMonitor(app, 'Narrow');
    const other = await quietMonitor(app, 'Narrower');
    const [open, over] = [
      await reportIncident(api, [about], { title: 'Still going on' }),
      await reportIncident(api, [about], {
        title: 'Long over',
        startedAt: '2026-01-01T00:00:00Z',
        resolvedAt: '2026-01-02T00:00:00Z',
      }),
    ];
    await reportIncident(api, [other], { title: 'About another' });
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}?monitorId=${about}`);
    expect(html.indexOf(open.id)).toBeGreaterThan(0);
    expect(html.indexOf(over.id)).toBeGreaterThan(html.indexOf(open.id));
    expect(html).not.toContain('About another');
    expect((await browser.open(`${PATH}?monitorId=${about}&status=resolved&kind=`)).html).not.toContain(open.id);
    expect((await browser.open(`${PATH}?kind=detected&monitorId=${about}`)).html).not.toContain(over.id);
    const hits = await browser.open(`${PATH}?monitor=narrow&status=open`);
    expect(unescaped(hits.html)).toContain(`href="${PATH}?status=open&monitorId=${other}"`);
  });

  it('has pages', async () => {
    const about = await quietMonitor(app, 'Often');
    for (let at = 0; at < 51; at += 1) await reportIncident(api, [about], { title: `Number ${at}` });
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}?monitorId=${about}`);
    expect(html).not.toContain('>Number 0<');
    const [, older] = /href="([^"]+)">Older open incidents/.exec(html)!;
    const next = await browser.open(unescaped(older!));
    expect(next.html).toContain('>Number 0<');
    expect(next.html).not.toContain('>Number 50<');
  });

  it.each(['?status=x', '?kind=x', '?cursor=x', '?status=open&status=resolved'])(
    '%s is rejected with an HTML page',
    async (query) => {
      const browser = await signedIn(app, 'viewer');
      const { status, headers } = await browser.open(PATH + query);
      expect(status).toBe(400);
      expect(headers.get('content-type')).toContain('text/html');
    },
  );
});

describe('without the rights to change an incident', () => {
  it('a viewer can read it, but sees no forms', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}/${id}`);
    expect(html).not.toMatch(/action="\/incidents/);
    expect(html).not.toContain('/edit"');
    expect((await browser.open(PATH)).html).not.toContain(`${PATH}/new`);
  });

  it('a member of another team receives 404 everywhere', async () => {
    const before = await reportIncident(api, [monitorId]);
    const browser = await stranger(app);
    const form = { _token: browser.formToken, title: 'x', text: 'x', phase: 'note', do: 'save', revision: '1' };
    for (const step of ['', '/edit']) expect((await browser.open(`${PATH}/${before.id}${step}`)).status).toBe(404);
    for (const step of ['edit', 'updates', 'acknowledge', 'resolve', 'reopen']) {
      expect((await browser.call('POST', `${PATH}/${before.id}/${step}`, { form })).status).toBe(404);
    }
    expect(await getIncident(api, before.id)).toEqual(before);
    expect((await browser.open(PATH)).html).not.toContain(before.id);
  });
});

it('an open page asks for changes by its version', async () => {
  const { id } = await reportIncident(api, [monitorId]);
  const browser = await signedIn(app, 'viewer');
  const path = `${PATH}/${id}`;
  const { html } = await browser.open(path);
  const version = unescaped(/data-version="([^"]+)"/.exec(html)![1]!);
  const ask = () => browser.call('GET', path, { headers: { 'if-none-match': version } });
  expect((await ask()).status).toBe(304);
  await api.post(`/v1/incidents/${id}/acknowledge`);
  const changed = await ask();
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(version);
  expect(await changed.text()).toContain('<strong>Acknowledged</strong>');
});

it('an open page changes when the acknowledgement expires', async () => {
  const { id } = await reportIncident(api, [monitorId]);
  await api.post(`/v1/incidents/${id}/acknowledge`);
  const browser = await signedIn(app, 'editor');
  const path = `${PATH}/${id}`;
  const version = unescaped(/data-version="([^"]+)"/.exec((await browser.open(path)).html)![1]!);
  await app.query(`UPDATE incidents SET acknowledged_until = now() - interval '1 second' WHERE id = $1`, [id]);
  const changed = await browser.call('GET', path, { headers: { 'if-none-match': version } });
  expect(changed.status).toBe(200);
  const html = await changed.text();
  expect(html).toMatch(/<\/svg>Acknowledge<\/button>/);
  expect(html).toContain('<summary>Acknowledge with note</summary>');
});

it('pages render hostile texts as plain text', async () => {
  const about = await quietMonitor(app, HOSTILE.slice(0, 100));
  const { id } = await reportIncident(api, [about], { title: HOSTILE, update: { phase: 'identified', text: HOSTILE } });
  const browser = await signedIn(app, 'editor');
  await browser.open(`${PATH}/${id}`);
  await browser.submit(`${PATH}/${id}/acknowledge`, { note: HOSTILE });
  await browser.open(`${PATH}/new`);
  await browser.submit(`${PATH}/new`, { title: HOSTILE, text: HOSTILE, q: '"><script>', do: 'search' });
  const searched = browser.page.html;
  for (const path of [
    PATH,
    `${PATH}/${id}`,
    `${PATH}/${id}/edit`,
    `${PATH}?monitorId=${about}`,
    `${PATH}?monitor=%22%3E%3Cscript`,
  ]) {
    const { html, status } = await browser.open(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(html.match(/<script(?! src="\/assets\/)/g)).toBeNull();
    expect(html).not.toMatch(/<img/);
  }
  expect(searched.match(/<script(?! src="\/assets\/)/g)).toBeNull();
});
