import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { unescaped } from './support/html-forms.js';
import { createMonitor } from './support/monitors.js';
import { makePerson, signedIn, signIn } from './support/people.js';

let app: TestApp;
let editor: Browser;
let ids: string[];

interface Shown {
  status: string;
  pausedUntil: string | null;
  tags: string[];
}

async function shown(id: string): Promise<Shown | null> {
  const { status, body } = await app.api(app.teams.ours.read).get(`/v1/monitors/${id}`);
  return status === 404 ? null : (body as unknown as Shown);
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Sends the form below the list, and returns the page that follows with the message at its top. */
async function act(fields: Fields): Promise<{ status: number; path: string; text: string; html: string }> {
  await editor.open('/monitors');
  const pairs = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  const form = new URLSearchParams([['_token', editor.formToken], ...pairs] as [string, string][]);
  const answer = await editor.call('POST', '/monitors/bulk', { form: form.toString() });
  const path = answer.headers.get('location') ?? '';
  const { status, html } =
    answer.status === 303 ? await editor.open(path) : { status: answer.status, html: await answer.text() };
  const message = /<p class="done" role="status">(.*?)<\/p>/.exec(html)?.[1] ?? '';
  return { status, path, html, text: unescaped(message.replace(/<[^>]*>/g, '')).trim() };
}

beforeAll(async () => {
  app = await sharedApp();
  editor = await signedIn(app, 'editor');
  const api = app.api(app.teams.ours.write);
  const named = ['Alpha', 'Beta', 'Gamma'].map((name) =>
    createMonitor(api, { name, type: 'http', url: 'http://127.0.0.1:9/', paused: true, tags: ['chosen'] }),
  );
  ids = (await Promise.all(named)).map(({ id }) => id);
});
afterAll(() => app.close());

describe('the selection of monitors', () => {
  it('offers a box per row and one form for all actions, to editors only', async () => {
    const { html } = await editor.open('/monitors?tag=chosen');
    for (const id of ids) expect(html).toContain(`name="id" value="${id}" form="bulk"`);
    for (const action of ['check', 'pause', 'resume', 'addTags', 'removeTags', 'delete']) {
      expect(html).toContain(`name="action" value="${action}"`);
    }
    const seen = (await (await signedIn(app, 'viewer')).open('/monitors?tag=chosen')).html;
    expect(seen).toContain('Alpha');
    expect(seen).not.toContain('form="bulk"');
    expect(seen).not.toContain('/monitors/bulk');
  });

  it('adds the tags that Enter sends, with the first button of the form', async () => {
    const { html } = await editor.open('/monitors');
    const [, form] = /<form[^>]* id="bulk"[^>]*>([^]*?)<\/form>/.exec(html)!;
    expect(/<button[^>]*>/.exec(form!)![0]).toContain('name="action" value="addTags"');
  });

  it('applies an action to the selected monitors and returns to the same list with its result', async () => {
    const { path, text } = await act({ action: 'addTags', id: ids.slice(0, 2), tags: 'one, two', query: 'tag=chosen' });
    expect(path).toMatch(/^\/monitors\?tag=chosen&operation=[0-9a-f-]{36}$/);
    expect(text).toBe('2 monitors tagged.');
    expect((await shown(ids[0]!))?.tags).toEqual(['chosen', 'one', 'two']);
    expect((await shown(ids[2]!))?.tags).toEqual(['chosen']);
  });

  it('selects everything that matches the filters of the list, and nothing else', async () => {
    const { text } = await act({ action: 'removeTags', all: 'on', tags: 'chosen', query: 'tag=one&sort=name' });
    expect(text).toBe('2 monitors updated.');
    expect((await shown(ids[2]!))?.tags).toEqual(['chosen']);
  });

  it('reports monitors for which the action failed, with the reason', async () => {
    const gone = '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55';
    const { text, html } = await act({ action: 'pause', id: [ids[0]!, gone], durationSeconds: '1800' });
    expect(text).toBe('1 monitor paused, 1 failed. Show details');
    const details = await editor.open(/href="(\/operations\/[^"]+)"/.exec(html)![1]!);
    expect(details.html).toContain(gone);
    expect(details.html).toContain('1 failed');
  });

  it.each<[string, Fields, string]>([
    ['nothing is selected', { action: 'pause' }, 'Select at least one monitor.'],
    ['no tags are given', { action: 'addTags', id: 'x', tags: ' , ' }, 'tags'],
    ['the action is unknown', { action: 'explode', id: 'x' }, 'action'],
  ])('is refused with a way back if %s', async (_: string, fields: Fields, text: string) => {
    const { status, html } = await act({ ...fields, query: 'tag=chosen' });
    expect(status).toBe(422);
    expect(html).toContain(text);
    expect(html).toContain('href="/monitors?tag=chosen"');
  });

  it.each([
    ['for the chosen time', '1800', expect.any(String)],
    ['until they are resumed', '', null],
  ])('pauses monitors %s', async (_name, durationSeconds, pausedUntil) => {
    await act({ action: 'pause', id: ids[2]!, durationSeconds });
    expect(await shown(ids[2]!)).toMatchObject({ status: 'paused', pausedUntil });
  });

  it('asks before it deletes', async () => {
    const asked = await act({ action: 'delete', id: ids.slice(0, 2), query: '' });
    expect(asked).toMatchObject({ status: 200 });
    expect(asked.html).toContain('Delete 2 monitors?');
    expect(await shown(ids[0]!)).not.toBeNull();
    const { text } = await act({ action: 'delete', confirmed: '2', id: ids.slice(0, 2) });
    expect(text).toBe('2 monitors deleted.');
    expect(await shown(ids[0]!)).toBeNull();
    expect(await shown(ids[2]!)).not.toBeNull();
  });

  it('deletes everything that matches only if it is as many as were confirmed', async () => {
    const add = async (name: string): Promise<void> => {
      const target = { type: 'http', url: 'http://127.0.0.1:9/', paused: true };
      await createMonitor(app.api(app.teams.ours.write), { name, ...target, tags: ['doomed'] });
    };
    const matching = { action: 'delete', all: 'on', query: 'tag=doomed&status=paused' };
    await Promise.all([add('One'), add('Two')]);
    const asked = await act(matching);
    expect(asked).toMatchObject({ status: 200, html: expect.stringContaining('Delete 2 monitors?') });
    expect(asked.html).toMatch(/<dt>State<\/dt><dd[^>]*>Paused<\/dd><dt>Tag<\/dt><dd[^>]*>doomed</);
    expect(asked.html).toContain('name="confirmed" value="2"');
    await add('Three');
    const again = await act({ ...matching, confirmed: '2' });
    expect(again).toMatchObject({ status: 409, html: expect.stringContaining('Delete 3 monitors?') });
    expect(again.html).toContain('The number of matching monitors has changed.');
    expect((await act({ ...matching, confirmed: '3' })).text).toBe('3 monitors deleted.');
    const none = await act({ ...matching, confirmed: '3' });
    expect(none).toMatchObject({ status: 422, html: expect.stringContaining('No monitors match') });
    const every = await act({ action: 'delete', all: 'on', query: '' });
    expect(every.html).toContain('These are all monitors of the team.');
  });
});

describe('the page of an operation', () => {
  it('is not available to other teams', async () => {
    const { path } = await act({ action: 'pause', id: ids[2]! });
    const id = new URLSearchParams(path.split('?')[1]).get('operation');
    expect((await editor.open(`/operations/${id}`)).html).toContain('0 monitors paused, 1 unchanged.');
    const foreign = await signIn(app, await makePerson(app, app.teams.theirs.id, 'owner'));
    expect((await foreign.open(`/operations/${id}`)).status).toBe(404);
    expect((await foreign.open(`/monitors?operation=${id}`)).html).not.toContain('1 unchanged.');
  });
});
