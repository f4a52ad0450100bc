import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { quietMonitor } from './support/console.js';
import { unescaped } from './support/html-forms.js';
import { getIncident, reportIncident } from './support/incidents.js';
import { signedIn } from './support/people.js';

const PATH = '/incidents';

let app: TestApp;
let api: Client;
let monitorId: string;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  monitorId = await quietMonitor(app, 'Checkout');
});
afterAll(() => app.close());

/** Returns the id of the incident from the path of its page. */
const idOf = (path: string): string => /^\/incidents\/([0-9a-f-]{36})/.exec(path)![1]!;

describe('an incident reported by a form', () => {
  it('is composed in steps that preserve the input, and then created', async () => {
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
    expect(found.html).toContain(`name="pick" value="${monitorId}"`);
    const added = await browser.submit(`${PATH}/new`, { pick: monitorId, do: 'add' });
    expect(added.html).toContain(`value="remove:${monitorId}"`);
    // Otherwise the browser would require the title first.
    for (const [step] of added.html.matchAll(/<button[^>]*value="(search|add|remove)[^>]*>/g)) {
      expect(step).toContain('formnovalidate');
    }
    expect(Object.fromEntries(browser.form(`${PATH}/new`).fields)).toMatchObject({ ...typed, monitors: monitorId });

    const { path, html } = await browser.submit(`${PATH}/new`, { do: 'save' });
    expect(html).toContain('Incident reported.');
    expect(await getIncident(api, idOf(path))).toMatchObject({
      kind: 'manual',
      title: typed.title,
      impact: 'down',
      status: 'open',
      monitorIds: [monitorId],
      updates: [{ phase: 'identified', text: typed.text, public: true, author: `user:${browser.person.userId}` }],
    });
    expect(html).toContain('A person');
    expect(unescaped((await browser.open(`${PATH}/new`)).html)).toContain(`'${app.origin}/v1/incidents'`);
  });

  it('interprets its times in the selected time zone', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const times = { startedAt: '2026-03-29T02:30', resolvedAt: '2026-03-29T04:00', timezone: 'Europe/Berlin' };
    const { path } = await browser.submit(`${PATH}/new`, { title: 'x', monitors: monitorId, ...times, do: 'save' });
    // 02:30 did not exist on that day: daylight saving time began.
    expect(await getIncident(api, idOf(path))).toMatchObject({
      startedAt: '2026-03-29T01:30:00.000Z',
      resolvedAt: '2026-03-29T02:00:00.000Z',
      status: 'resolved',
    });
  });

  it('is rejected with every error beside its field', async () => {
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

  it('must have a status that fits its end', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const times = { startedAt: '2026-01-01T12:00', resolvedAt: '2026-01-01T13:00' };
    const typed = { title: 'x', monitors: monitorId, ...times, text: 'It was slow.', do: 'save' };
    const { status, html } = await browser.submit(`${PATH}/new`, typed);
    expect(status).toBe(422);
    expect(html).toContain('id="incident-update-phase-error"');
    expect(html).toContain('An incident with an end must have the status Resolved or Note.');
    const { path } = await browser.submit(`${PATH}/new`, { phase: 'resolved', do: 'save' });
    expect(await getIncident(api, idOf(path))).toMatchObject({ status: 'resolved', updates: [{ phase: 'resolved' }] });
  });

  it('does not accept a monitor of another team', async () => {
    const theirs = await quietMonitor(app, 'Theirs', app.teams.theirs);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const searched = await browser.submit(`${PATH}/new`, { q: 'Theirs', do: 'search' });
    expect(searched.html).not.toContain(theirs);
    const { status } = await browser.submit(`${PATH}/new`, { title: 'x', monitors: theirs, do: 'save' });
    expect(status).toBe(422);
  });

  it('keeps the time zone that was entered when it is rejected', async () => {
    const browser = await signedIn(app, 'editor');
    expect((await browser.open(`${PATH}/new`)).html).toContain('data-own-zone');
    const { html } = await browser.submit(`${PATH}/new`, { title: '', timezone: 'Asia/Tokyo', do: 'save' });
    expect(html).toContain('value="Asia/Tokyo"');
    expect(html).not.toContain('data-own-zone');
  });

  it.each([
    ['runs a new search', 'checkout', 200],
    ['saves without a new search', '', 422],
  ])('on Enter, %s', async (_name, q, status) => {
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/new`);
    const answer = await browser.submit(`${PATH}/new`, { title: 'x', q });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.html).toContain(`name="pick" value="${monitorId}"`);
  });
});

it.each([
  ['the report', () => `${PATH}/new`, () => `${PATH}/new`, { title: '', do: 'save' }],
  ['the change', (id: string) => `${PATH}/${id}/edit`, (id: string) => `${PATH}/${id}/edit`, { title: '', do: 'save' }],
  ['an update', (id: string) => `${PATH}/${id}`, (id: string) => `${PATH}/${id}/updates`, { text: '' }],
])('the form for %s of an incident guards edits', async (_, pathOf, actionOf, bad) => {
  const { id } = await reportIncident(api, [monitorId]);
  const browser = await signedIn(app, 'editor');
  const action = actionOf(id);
  const guard = (html: string) =>
    new RegExp(`<form [^>]*action="${action}"[^>]* data-guard="([a-z]+)"`).exec(html)?.[1];
  const { html } = await browser.open(pathOf(id));
  expect(guard(html)).toBe('untouched');
  expect(html).toMatch(/<script src="[^"]*\/forms\.js"/);
  expect(guard((await browser.submit(action, bad)).html)).toBe('edited');
});

describe('an acknowledgement', () => {
  it('by the button alone does not erase the note of a colleague', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}`);
    await api.post(`/v1/incidents/${id}/acknowledge`, { note: 'Rolling back.' });
    expect((await browser.submit(`${PATH}/${id}/acknowledge`)).html).toContain('Incident acknowledged.');
    expect(await getIncident(api, id)).toMatchObject({ acknowledgeNote: 'Rolling back.' });
  });

  it('with a note replaces one that was written since the page was opened only after showing it', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}/acknowledge`;
    await browser.open(`${PATH}/${id}`);
    const note = 'Failing over.\nTicket 123.';
    await api.post(`/v1/incidents/${id}/acknowledge`, { note });
    const refused = await browser.submit(path, { note: 'Looking.' });
    expect(refused.status).toBe(412);
    expect(refused.html).toContain('Someone else changed this while you were editing');
    expect(refused.html).toContain(note);
    expect(await getIncident(api, id)).toMatchObject({ acknowledgeNote: note });
    expect(Object.fromEntries(browser.form(path).fields)).toMatchObject({ note: 'Looking.' });
    expect((await browser.submit(path)).html).toContain('Note saved.');
    expect(await getIncident(api, id)).toMatchObject({ acknowledgeNote: 'Looking.' });
    await browser.submit(path, { note: ' ' });
    expect(await getIncident(api, id)).toMatchObject({ acknowledgeNote: null });
  });

  it('keeps the lines of a note that someone saves without a change', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    await api.post(`/v1/incidents/${id}/acknowledge`, { note: 'Failing over.\nTicket 123.' });
    const before = await getIncident(api, id);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}`);
    const path = `${PATH}/${id}/acknowledge`;
    const fields = Object.fromEntries(browser.form(path).fields);
    // As browsers send them.
    await browser.submit(path, {
      note: fields.note!.replace('\n', '\r\n'),
      opened: fields.opened!.replace('\n', '\r\n'),
    });
    expect(await getIncident(api, id)).toEqual(before);
  });

  it('keeps its author when someone edits its note, also after the end', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    await api.post(`/v1/incidents/${id}/acknowledge`);
    const { acknowledgedAt, acknowledgedBy } = await getIncident(api, id);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}`);
    const during = await browser.submit(`${PATH}/${id}/acknowledge`, { note: 'A release.' });
    expect(during.html).toContain('Note saved.');
    await browser.submit(`${PATH}/${id}/resolve`);
    await app.query(`UPDATE incidents SET acknowledged_until = now() - interval '1 second' WHERE id = $1`, [id]);
    await browser.open(`${PATH}/${id}`);
    await browser.submit(`${PATH}/${id}/acknowledge`, { note: 'A faulty release.' });
    expect(await getIncident(api, id)).toMatchObject({
      acknowledgedAt,
      acknowledgedBy,
      acknowledgeNote: 'A faulty release.',
    });
  });
});

describe('an action on an incident', () => {
  it('adds updates, acknowledges and resolves it', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}`;
    await browser.open(path);
    expect((await browser.submit(`${path}/updates`, { phase: 'identified', text: 'A release.' })).html).toContain(
      'Update posted.',
    );
    await browser.submit(`${path}/updates`, { text: 'Ours alone.', public: 'internal' });
    // One click acknowledges; the note can follow.
    expect((await browser.submit(`${path}/acknowledge`)).html).toContain('Incident acknowledged.');
    await browser.submit(`${path}/acknowledge`, { note: 'On it.' });
    expect(browser.page.html).toContain('On it.');
    expect((await browser.submit(`${path}/unacknowledge`)).html).toContain('Incident unacknowledged.');
    expect(await getIncident(api, id)).toMatchObject({ acknowledgedBy: null, acknowledgeNote: null });
    await browser.submit(`${path}/acknowledge`, { note: 'On it.' });
    expect((await browser.submit(`${path}/resolve`)).html).toContain('Incident resolved.');
    await browser.submit(`${path}/updates`, { phase: 'postmortem', text: 'What we learned.' });
    const author = `user:${browser.person.userId}`;
    expect(await getIncident(api, id)).toMatchObject({
      status: 'resolved',
      acknowledgedBy: author,
      acknowledgeNote: 'On it.',
      updates: [
        { phase: 'identified', text: 'A release.', public: true, author },
        { phase: 'note', text: 'Ours alone.', public: false },
        { phase: 'postmortem', text: 'What we learned.', public: true },
      ],
    });
    const refused = await browser.submit(`${path}/updates`, { phase: 'investigating', text: 'It is back.' });
    expect({ status: refused.status, html: refused.html }).toEqual({
      status: 422,
      html: expect.stringContaining('The incident is resolved and accepts only a postmortem'),
    });
    expect((await browser.submit(`${path}/reopen`)).html).toContain('Incident reopened.');
    expect(await getIncident(api, id)).toMatchObject({ status: 'open', acknowledgedAt: null });
    await browser.submit(`${path}/updates`, { phase: 'resolved', text: 'It is gone.' });
    expect((await getIncident(api, id)).status).toBe('resolved');
  });

  it('does not move the end of an incident that someone else has resolved', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const path = `${PATH}/${id}`;
    const [first, second] = [await signedIn(app, 'editor'), await signedIn(app, 'editor')];
    await first.open(path);
    await second.open(path);
    await first.submit(`${path}/resolve`);
    const resolved = await getIncident(api, id);
    expect((await second.submit(`${path}/resolve`)).html).toContain('Incident resolved.');
    expect(await getIncident(api, id)).toEqual(resolved);
  });

  it('steps back to an earlier status only if that was chosen', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}`;
    await browser.open(path);
    const opened = Object.fromEntries(browser.form(`${path}/updates`).fields);
    expect(opened).toMatchObject({ phase: 'investigating', public: 'public' });
    await api.post(`/v1/incidents/${id}/updates`, { phase: 'monitoring', text: 'By a colleague.' });
    const refused = await browser.submit(`${path}/updates`, { ...opened, text: 'We are looking.' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('The incident has reached “Monitoring” in the meantime.');
    expect(refused.html).toContain('We are looking.');
    expect(Object.fromEntries(browser.form(`${path}/updates`).fields)).not.toHaveProperty('phase');
    expect((await getIncident(api, id)).updates).toHaveLength(1);
    await browser.submit(`${path}/updates`, { phase: 'back:identified', text: 'It was another cause.' });
    expect((await getIncident(api, id)).updates.at(-1)).toMatchObject({ phase: 'identified', public: true });
  });

  it('renders Markdown in the timeline', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}`);
    const text = 'See **this**: https://a.example/b <i>c</i>';
    const { html } = await browser.submit(`${PATH}/${id}/updates`, { text });
    expect(html).toContain(
      '<p>See <strong>this</strong>: <a href="https://a.example/b" rel="noopener noreferrer nofollow">https://a.example/b</a> &lt;i&gt;c&lt;/i&gt;</p>',
    );
    expect((await getIncident(api, id)).updates).toMatchObject([{ text }]);
  });

  it('is rejected with the error beside its field', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}`);
    const { status, html } = await browser.submit(`${PATH}/${id}/updates`, { text: '', phase: 'x' });
    expect(status).toBe(422);
    expect(html).toContain('id="update-text-error"');
    expect(html).toContain('id="update-phase-error"');
  });

  it('changes its title, impact, times and monitors, and no untouched field', async () => {
    const startedAt = '2026-01-01T12:00:30.500Z';
    const { id } = await reportIncident(api, [monitorId], { startedAt });
    const other = await quietMonitor(app, 'Basket');
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}/edit`);
    await browser.submit(`${PATH}/${id}/edit`, { title: 'Better said', do: 'save' });
    expect(await getIncident(api, id)).toMatchObject({
      title: 'Better said',
      startedAt,
      resolvedAt: null,
      revision: 2,
    });
    await browser.open(`${PATH}/${id}/edit`);
    await browser.submit(`${PATH}/${id}/edit`, { pick: other, do: 'add' });
    await browser.submit(`${PATH}/${id}/edit`, { impact: 'none', resolvedAt: '2026-01-01T13:00', do: 'save' });
    expect(await getIncident(api, id)).toMatchObject({
      impact: 'none',
      startedAt,
      resolvedAt: '2026-01-01T13:00:00.000Z',
      monitorIds: [monitorId, other].sort(),
    });
  });

  it('ends in the minute in which it began', async () => {
    const startedAt = '2026-01-01T12:00:30.500Z';
    const { id } = await reportIncident(api, [monitorId], { startedAt });
    const browser = await signedIn(app, 'editor');
    await browser.open(`${PATH}/${id}/edit`);
    await browser.submit(`${PATH}/${id}/edit`, { resolvedAt: '2026-01-01T12:00', do: 'save' });
    expect(await getIncident(api, id)).toMatchObject({ startedAt, resolvedAt: startedAt, status: 'resolved' });
  });

  it('does not overwrite a concurrent change without a warning; the second person may save again', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const [first, second] = [await signedIn(app, 'editor'), await signedIn(app, 'editor')];
    const path = `${PATH}/${id}/edit`;
    await first.open(path);
    await second.open(path);
    await first.submit(path, { title: 'By the first', do: 'save' });
    const refused = await second.submit(path, { title: 'By the second', do: 'save' });
    expect(refused.status).toBe(412);
    expect(refused.html).toContain('Someone else changed this while you were editing');
    expect(refused.html).toContain('value="By the second"');
    expect(refused.html).toContain(`href="${PATH}/${id}"`);
    expect((await getIncident(api, id)).title).toBe('By the first');
    expect((await second.submit(path, { do: 'save' })).status).toBe(200);
    expect((await getIncident(api, id)).title).toBe('By the second');
  });

  it('retains the revision at which the form was opened through its steps', async () => {
    const { id } = await reportIncident(api, [monitorId]);
    const browser = await signedIn(app, 'editor');
    const path = `${PATH}/${id}/edit`;
    await browser.open(path);
    await api.patch(`/v1/incidents/${id}`, { title: 'By a program' });
    await browser.submit(path, { q: 'checkout', do: 'search' });
    expect((await browser.submit(path, { do: 'save' })).status).toBe(412);
    expect((await getIncident(api, id)).title).toBe('By a program');
  });
});
