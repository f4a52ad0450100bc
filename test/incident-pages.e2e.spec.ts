import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/page.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { HOSTILE, quietMonitor, stranger } from './support/console.js';
import { eventually } from './support/eventually.js';
import { unescaped } from './support/html-forms.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { signedIn } from './support/people.js';
import { answers, startTarget, type Target } from './support/target.js';

const PATH = '/incidents';

let app: TestApp;
let api: Client;
let target: Target;
let monitorId: string;
beforeAll(async () => {
  [app, target] = await Promise.all([startApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
  monitorId = await quietMonitor(app, 'Checkout');
});
afterAll(async () => {
  await app.close();
  await target.close();
});

async function report(more: Record<string, unknown> = {}): Promise<IncidentDto> {
  const body = { title: 'Payments are delayed', monitorIds: [monitorId], ...more };
  const answer = await api.post<IncidentDto>('/v1/incidents', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

const stored = async (id: string): Promise<IncidentDto> => (await api.get<IncidentDto>(`/v1/incidents/${id}`)).body;

/** Opens the page of an incident that was just reported by the form. */
const idOf = (path: string): string => /^\/incidents\/([0-9a-f-]{36})/.exec(path)![1]!;

describe('an incident that somebody reports', () => {
  it('is put together in steps that keep what was typed, and then made', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const typed = {
      title: 'Payments by card fail',
      impact: 'down',
      text: 'We are looking into it.',
      phase: 'identified',
    };
    const found = await browser.submit(`${PATH}/new`, { ...typed, q: 'checkout', do: 'search' });
    expect(found.status).toBe(200);
    expect(found.html).toContain(`value="add:${monitorId}"`);
    const added = await browser.submit(`${PATH}/new`, { do: `add:${monitorId}` });
    expect(added.html).toContain(`value="remove:${monitorId}"`);
    // A browser would ask for the title first.
    for (const [step] of added.html.matchAll(/<button[^>]*value="(search|add|remove)[^>]*>/g)) {
      expect(step).toContain('formnovalidate');
    }
    expect(Object.fromEntries(browser.form(`${PATH}/new`).fields)).toMatchObject({ ...typed, monitors: monitorId });

    const { path, html } = await browser.submit(`${PATH}/new`, { do: 'save' });
    expect(html).toContain('The incident is reported.');
    expect(await stored(idOf(path))).toMatchObject({
      ...{ kind: 'manual', title: typed.title, impact: 'down', status: 'open', monitorIds: [monitorId] },
      updates: [{ phase: 'identified', text: typed.text, public: true, author: `user:${browser.person.userId}` }],
    });
    expect(html).toContain('A person');
    expect(unescaped((await browser.open(`${PATH}/new`)).html)).toContain(`'${app.origin}/v1/incidents'`);
  });

  it('has its times by the clocks of the zone that is named', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const times = { startedAt: '2026-03-29T02:30', resolvedAt: '2026-03-29T04:00', timezone: 'Europe/Berlin' };
    const { path } = await browser.submit(`${PATH}/new`, { title: 'x', monitors: monitorId, ...times, do: 'save' });
    // 02:30 was left out that day.
    expect(await stored(idOf(path))).toMatchObject({
      ...{ startedAt: '2026-03-29T01:30:00.000Z', resolvedAt: '2026-03-29T02:00:00.000Z', status: 'resolved' },
    });
  });

  it('is refused with every fault beside its field', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const values = { title: '', impact: 'x', startedAt: '', do: 'save' };
    const { status, html } = await browser.submit(`${PATH}/new`, values);
    expect(status).toBe(422);
    for (const field of ['title', 'impact', 'monitorIds']) {
      expect(html).toContain(`href="#incident-${field}"`);
      expect(html).toContain(`id="incident-${field}-error"`);
    }
    const zone = await browser.submit(`${PATH}/new`, { ...values, title: 'Kept', timezone: 'Europe/Atlantis' });
    expect(zone.status).toBe(422);
    expect(zone.html).toContain('id="incident-timezone-error"');
    expect(zone.html).toContain('value="Kept"');
    const gone = await browser.submit(`${PATH}/new`, { title: 'x', impact: 'down', timezone: 'UTC', monitors: 'x,y' });
    expect(gone.status).toBe(422);
    expect(gone.html).toContain('There is no such monitor.');
  });

  it('takes no monitor of another team', async () => {
    const theirs = await quietMonitor(app, 'Theirs', app.teams.theirs);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const searched = await browser.submit(`${PATH}/new`, { q: 'Theirs', do: 'search' });
    expect(searched.html).not.toContain(theirs);
    const { status } = await browser.submit(`${PATH}/new`, { title: 'x', monitors: theirs, do: 'save' });
    expect(status).toBe(422);
  });

  it.each([
    ['searches where another search was typed', 'checkout', 200],
    ['saves where none was', '', 422],
  ])('with Enter %s', async (_name, q, status) => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const answer = await browser.submit(`${PATH}/new`, { title: 'x', q });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.html).toContain(`value="add:${monitorId}"`);
  });
});

describe('what people do about an incident', () => {
  it('is told, acknowledged and resolved', async () => {
    const { id } = await report();
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}`;
    await browser.open(path);
    expect((await browser.submit(`${path}/updates`, { phase: 'identified', text: 'A release.' })).html).toContain(
      'The update is posted.',
    );
    await browser.submit(`${path}/updates`, { phase: 'note', text: 'Ours alone.', public: 'usual' });
    await browser.submit(`${path}/updates`, { phase: 'note', text: 'For all.', public: 'everybody' });
    await browser.submit(`${path}/acknowledge`, { note: 'On it.' });
    expect(browser.page.html).toContain('On it.');
    expect((await browser.submit(`${path}/resolve`)).html).toContain('The incident is resolved.');
    const author = `user:${browser.person.userId}`;
    expect(await stored(id)).toMatchObject({
      ...{ status: 'resolved', acknowledgedBy: author, acknowledgeNote: 'On it.' },
      updates: [
        { phase: 'identified', text: 'A release.', public: true, author },
        { phase: 'note', text: 'Ours alone.', public: false },
        { phase: 'note', text: 'For all.', public: true },
      ],
    });
    // An update but for a note opens it again.
    await browser.submit(`${path}/updates`, { phase: 'investigating', text: 'It is back.' });
    expect((await stored(id)).status).toBe('open');
    await browser.submit(`${path}/updates`, { phase: 'resolved', text: 'It is gone.' });
    expect((await stored(id)).status).toBe('resolved');
  });

  it('is refused beside the field', async () => {
    const { id } = await report();
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}`);
    const { status, html } = await browser.submit(`${PATH}/${id}/updates`, { text: '', phase: 'x' });
    expect(status).toBe(422);
    expect(html).toContain('id="update-text-error"');
    expect(html).toContain('id="update-phase-error"');
  });

  it('changes its title, impact, times and monitors, and nothing that was not touched', async () => {
    const startedAt = '2026-01-01T12:00:30.500Z';
    const { id } = await report({ startedAt });
    const other = await quietMonitor(app, 'Basket');
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}/edit`);
    await browser.submit(`${PATH}/${id}/edit`, { title: 'Better said', do: 'save' });
    expect(await stored(id)).toMatchObject({ title: 'Better said', startedAt, resolvedAt: null, revision: 2 });
    await browser.open(`${PATH}/${id}/edit`);
    await browser.submit(`${PATH}/${id}/edit`, { do: `add:${other}` });
    await browser.submit(`${PATH}/${id}/edit`, { impact: 'none', resolvedAt: '2026-01-01T13:00', do: 'save' });
    expect(await stored(id)).toMatchObject({
      ...{ impact: 'none', startedAt, resolvedAt: '2026-01-01T13:00:00.000Z' },
      monitorIds: [monitorId, other].sort(),
    });
  });

  it('overwrites nobody unasked: who comes second is told, and may save again', async () => {
    const { id } = await report();
    const [first, second] = [await signedIn(app, 'editor'), await signedIn(app, 'editor')];
    const path = `${PATH}/${id}/edit`;
    await first.open(path);
    await second.open(path);
    await first.submit(path, { title: 'By the first', do: 'save' });
    const refused = await second.submit(path, { title: 'By the second', do: 'save' });
    expect(refused.status).toBe(412);
    expect(refused.html).toContain('Somebody else has saved a change since you opened this page');
    expect(refused.html).toContain('value="By the second"');
    expect(refused.html).toContain(`href="${PATH}/${id}"`);
    expect((await stored(id)).title).toBe('By the first');
    expect((await second.submit(path, { do: 'save' })).status).toBe(200);
    expect((await stored(id)).title).toBe('By the second');
  });

  it('keeps the revision that it was opened with through its steps', async () => {
    const { id } = await report();
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}/edit`;
    await browser.open(path);
    await api.patch(`/v1/incidents/${id}`, { title: 'By a program' });
    await browser.submit(path, { q: 'checkout', do: 'search' });
    expect((await browser.submit(path, { do: 'save' })).status).toBe(412);
    expect((await stored(id)).title).toBe('By a program');
  });
});

describe('an incident that checks find', () => {
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

  it('says in plain words what happened, why, and where to see it', async () => {
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}/${incident.id}`);
    expect(html).toMatch(/<strong dir="auto">Search<\/strong> has been down since <time/);
    expect(html).toContain(`href="/monitors/${downId}"`);
    expect(html).toContain('unexpected_status');
    expect(html).toContain(`/v1/monitors/${downId}/checks/`);
    expect(html).toMatch(/<svg class="mark down"/);
  });

  it('resolves by itself: people may say so only then', async () => {
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${incident.id}`;
    const { html } = await browser.open(path);
    expect(html).toContain('This incident resolves by itself');
    expect(html).not.toContain('value="resolved"');
    expect(html).not.toContain(`action="${path}/resolve"`);
    const refused = await browser.submit(`${path}/updates`, { phase: 'resolved', text: 'x' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('A detected incident resolves by itself, once checks pass again.');
    const resolved = await browser.call('POST', `${path}/resolve`, { form: { _token: browser.formToken } });
    expect(resolved.status).toBe(422);
  });

  it('takes another title, and nothing else', async () => {
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${incident.id}/edit`;
    await browser.open(path);
    expect(Object.fromEntries(browser.form(path).fields)).not.toHaveProperty('impact');
    await browser.submit(path, { title: 'Nobody can search', impact: 'none', do: 'save' });
    expect(await stored(incident.id)).toMatchObject({ title: 'Nobody can search', impact: 'down' });
  });
});

describe('the list', () => {
  it('has the open ones first, and is narrowed by its address', async () => {
    const about = await quietMonitor(app, 'Narrow');
    const other = await quietMonitor(app, 'Narrower');
    const [open, over] = [
      await report({ title: 'Still going on', monitorIds: [about] }),
      await report({
        title: 'Long over',
        monitorIds: [about],
        startedAt: '2026-01-01T00:00:00Z',
        resolvedAt: '2026-01-02T00:00:00Z',
      }),
    ];
    await report({ title: 'About another', monitorIds: [other] });
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

  it('goes on page by page', async () => {
    const about = await quietMonitor(app, 'Often');
    for (let at = 0; at < 51; at += 1) await report({ title: `Number ${at}`, monitorIds: [about] });
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}?monitorId=${about}`);
    expect(html).not.toContain('>Number 0<');
    const [, older] = /href="([^"]+)">Older open incidents/.exec(html)!;
    const next = await browser.open(unescaped(older!));
    expect(next.html).toContain('>Number 0<');
    expect(next.html).not.toContain('>Number 50<');
  });

  it.each(['?status=x', '?kind=x', '?cursor=x', '?status=open&status=resolved'])(
    '%s is refused as a page',
    async (query) => {
      const browser = await signedIn(app, 'viewer');
      const { status, headers } = await browser.open(PATH + query);
      expect(status).toBe(400);
      expect(headers.get('content-type')).toContain('text/html');
    },
  );
});

describe('who is not to', () => {
  it('as a viewer reads, and finds nothing to change', async () => {
    const { id } = await report();
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(`${PATH}/${id}`);
    expect(html).not.toMatch(/action="\/incidents/);
    expect(html).not.toContain('/edit');
    expect((await browser.open(PATH)).html).not.toContain(`${PATH}/new`);
  });

  it('as one of another team meets 404 everywhere', async () => {
    const before = await report();
    const browser = await stranger(app);
    const form = { _token: browser.formToken, title: 'x', text: 'x', phase: 'note', do: 'save', revision: '1' };
    for (const step of ['', '/edit']) expect((await browser.open(`${PATH}/${before.id}${step}`)).status).toBe(404);
    for (const step of ['edit', 'updates', 'acknowledge', 'resolve']) {
      expect((await browser.call('POST', `${PATH}/${before.id}/${step}`, { form })).status).toBe(404);
    }
    expect(await stored(before.id)).toEqual(before);
    expect((await browser.open(PATH)).html).not.toContain(before.id);
  });
});

it('writes hostile texts as texts', async () => {
  const about = await quietMonitor(app, HOSTILE.slice(0, 100));
  const { id } = await report({ title: HOSTILE, monitorIds: [about], update: { phase: 'identified', text: HOSTILE } });
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
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<img/);
  }
  expect(searched.match(/<script/g)).toHaveLength(1);
});
