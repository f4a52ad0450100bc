import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { createMonitor, getMonitor } from './support/monitors.js';
import { signedIn } from './support/people.js';
import { startTarget, type Target } from './support/target.js';

let app: TestApp;
let target: Target;
let browser: Browser;
beforeAll(async () => {
  app = await sharedApp();
  target = await startTarget();
  browser = await signedIn(app, 'editor');
});
afterAll(async () => {
  await app.close();
  await target.close();
});

const api = () => app.api(app.teams.ours.write);

describe('a monitor changed on the page', () => {
  const whole = () => ({
    name: 'Whole',
    type: 'http',
    url: target.url('/whole'),
    intervalSeconds: 60,
    paused: true,
    description: ' two\n lines',
    runbookUrl: 'https://wiki.example/?a=1&b=2',
    tags: ['a b', 'c'],
    metadata: { owner: 'jo' },
    quorum: 1,
    headers: { Accept: '*/*', Authorization: 'Bearer hidden', 'X-Gone': 'soon', 'X-Internal': 'marked' },
    secretHeaders: ['X-Internal'],
    expectedStatusCodes: ['2xx', 301, '400-404'],
    degradedAfterMs: 900,
    expiresAt: '2099-01-01T00:00:00.000Z',
    assertions: [
      { source: 'jsonBody', property: '$.a', comparison: 'equals', target: '42' },
      { source: 'jsonBody', property: '$.b', comparison: 'equals', target: 42 },
      { source: 'jsonBody', property: '$.c', comparison: 'equals', target: 'true' },
      { source: 'header', property: 'X', comparison: 'contains', target: '"q' },
      { source: 'textBody', property: null, comparison: 'isNotEmpty', target: null },
    ],
  });

  it('remains as it is without changes, including what the form does not show', async () => {
    const made = await createMonitor(api(), whole());
    await browser.open(`/monitors/${made.id}/edit`);
    const { path } = await browser.submit(`/monitors/${made.id}/edit`);
    expect(path).toBe(`/monitors/${made.id}?done=saved`);
    const { revision, updatedAt, nextCheckAt, ...after } = await getMonitor(api(), made.id);
    expect(revision).toBe(1);
    expect(after).toEqual({ ...after, ...Object.fromEntries(Object.entries(made).filter(([name]) => name in after)) });
    const [row] = await app.query<{ headers: string }>(
      `SELECT definition->>'headers' AS headers FROM monitors WHERE id = $1`,
      [made.id],
    );
    expect(row?.headers).not.toContain('********');
  });

  it('keeps what its controls cannot represent, also in a copy', async () => {
    const tags = ['two, in one', 'c'];
    const settings = {
      schedule: { everySeconds: 3_600, cron: null, onCalendar: null, timezone: null },
      failWhenBodyMatches: ' ERROR\\d ',
    };
    const { id } = await createMonitor(api(), { name: 'Job', type: 'heartbeat', paused: true, tags, settings });
    await browser.open(`/monitors/${id}/edit`);
    expect((await browser.submit(`/monitors/${id}/edit`, { name: 'Renamed' })).path).toContain('done=saved');
    expect(await getMonitor(api(), id)).toMatchObject({ name: 'Renamed', tags, settings });
    await browser.open(`/monitors/${id}/edit`);
    await browser.submit(`/monitors/${id}/edit`, { tags: 'two, in one, d' });
    expect((await getMonitor(api(), id)).tags).toEqual(['two', 'in one', 'd']);
    await api().patch(`/v1/monitors/${id}`, { tags });
    await browser.open(`/monitors/new?from=${id}`);
    const { path } = await browser.submit('/monitors');
    expect(await getMonitor(api(), path.split(/[/?]/)[2]!)).toMatchObject({ name: 'Renamed (copy)', tags, settings });
  });

  it('depends on the monitors that were picked, also as a copy', async () => {
    const plain = (name: string, more: object = {}) =>
      createMonitor(api(), { name, type: 'http', url: target.url('/plain'), paused: true, ...more });
    const [first, second] = [await plain('First router'), await plain('Second router')];
    const { id } = await plain('Server', { parentIds: [first.id] });
    const edit = `/monitors/${id}/edit`;
    await browser.open(edit);
    const searched = await browser.submit(edit, { name: 'Renamed', q: 'second rou', do: 'search' });
    expect(searched.status).toBe(200);
    expect(searched.html).toContain(`name="pick" value="${second.id}"`);
    await browser.submit(edit, { pick: second.id, do: 'add' });
    await browser.submit(edit, { q: '', do: `remove:${first.id}` });
    expect(await getMonitor(api(), id)).toMatchObject({ name: 'Server', parentIds: [first.id] });
    expect((await browser.submit(edit, { do: 'save' })).path).toContain('done=saved');
    expect(await getMonitor(api(), id)).toMatchObject({ name: 'Renamed', parentIds: [second.id] });

    await browser.open(`/monitors/new?from=${id}`);
    const { path } = await browser.submit('/monitors', { pick: first.id });
    expect((await getMonitor(api(), path.split(/[/?]/)[2]!)).parentIds).toEqual([second.id, first.id]);

    // A form that was opened before it had a picker.
    const { revision } = await getMonitor(api(), id);
    const form = { _token: browser.formToken, name: 'Older', url: target.url('/plain'), revision: String(revision) };
    expect((await browser.call('POST', edit, { form })).headers.get('location')).toContain('done=saved');
    expect(await getMonitor(api(), id)).toMatchObject({ name: 'Older', parentIds: [second.id] });
  });

  it('cannot depend on itself', async () => {
    const { id } = await createMonitor(api(), whole());
    await browser.open(`/monitors/${id}/edit`);
    const { status, html } = await browser.submit(`/monitors/${id}/edit`, { pick: id, do: 'save' });
    expect(status).toBe(422);
    expect(html).toContain('href="#monitor-parentIds"');
    expect(html).toContain('A monitor cannot depend on itself.');
  });

  it('loses a removed header and keeps a masked one', async () => {
    const { id } = await createMonitor(api(), whole());
    await browser.open(`/monitors/${id}/edit`);
    await browser.submit(`/monitors/${id}/edit`, { headers: 'accept: text/html\r\nAuthorization: ********' });
    const { headers } = await getMonitor(api(), id);
    expect(headers).toEqual({ Accept: 'text/html', Authorization: '********' });
    await browser.open(`/monitors/${id}/edit`);
    await browser.submit(`/monitors/${id}/edit`, {}, `/monitors/${id}/test`);
    expect(target.requests('/whole').at(-1)?.headers).toMatchObject({
      authorization: 'Bearer hidden',
      accept: 'text/html',
    });
  });

  it('loses a removed entry of its metadata', async () => {
    const metadata = { 'x-kept': '1', 'x-gone': '2', authorization: 'Bearer hidden' };
    const { id } = await createMonitor(api(), {
      ...{ name: 'Orders', type: 'grpc', host: '127.0.0.1', port: 9, paused: true },
      settings: { metadata },
    });
    await browser.open(`/monitors/${id}/edit`);
    const { path } = await browser.submit(`/monitors/${id}/edit`, {
      metadata: 'x-kept: 3\r\nauthorization: ********',
    });
    expect(path).toContain('done=saved');
    const { settings } = await getMonitor(api(), id);
    expect(settings).toMatchObject({ metadata: { 'x-kept': '3', authorization: '********' } });
    expect(settings).not.toHaveProperty('metadata.x-gone');
  });

  it('keeps a password left empty, changes one that is entered, and can remove credentials', async () => {
    const { id } = await createMonitor(api(), {
      ...whole(),
      headers: {},
      auth: { type: 'basic', username: 'a', password: 'one' },
    });
    const send = async (values: Record<string, string>): Promise<string | undefined> => {
      await browser.open(`/monitors/${id}/edit`);
      expect((await browser.submit(`/monitors/${id}/edit`, values)).path).toContain('done=saved');
      await browser.open(`/monitors/${id}/edit`);
      await browser.submit(`/monitors/${id}/edit`, {}, `/monitors/${id}/test`);
      return target.requests('/whole').at(-1)?.headers.authorization;
    };
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(await send({ username: 'b' })).toBe(basic('b:one'));
    expect(await send({ password: 'two' })).toBe(basic('b:two'));
    expect(await send({ authType: '' })).toBeUndefined();
  });

  describe.each([
    ['Authentication', 'auth-password', { password: 'rotated' }],
    ['Request', 'settings-proxyPassword', { proxyPassword: 'rotated' }],
  ])('whose form returns with the secret of section "%s" dropped', (section, field, typed) => {
    const again = 'must be entered again before you save: it is never sent back to the browser.';
    const opened = new RegExp(`<details class="group" open[^>]*><summary>${section} `);

    it.each([
      ['is refused for another field', { url: 'ftp://x' }, '/edit', 422],
      ['conflicts with another change', { revision: '7' }, '/edit', 412],
      ['is only tested', {}, '/test', 200],
    ])('asks for it again if it %s', async (_, values, path, expected) => {
      const auth = { type: 'basic', username: 'a', password: 'one' };
      const settings = { proxyUrl: 'http://127.0.0.1:9', proxyUsername: 'a', proxyPassword: 'one' };
      const { id } = await createMonitor(api(), { ...whole(), headers: {}, auth, settings });
      const { html: before } = await browser.open(`/monitors/${id}/edit`);
      expect(before).not.toMatch(opened);
      const { status, html } = await browser.submit(
        `/monitors/${id}/edit`,
        { ...values, ...typed },
        `/monitors/${id}${path}`,
      );
      expect(status).toBe(expected);
      expect(html).toMatch(opened);
      expect(html).toMatch(new RegExp(`id="monitor-${field}-error">[^<]*${again}`));
      expect(html).toMatch(new RegExp(`<a href="#monitor-${field}">[^<]*${again}`));
      expect(html).not.toContain('rotated');
    });
  });

  it('requires its secrets again when the target changes', async () => {
    const { id } = await createMonitor(api(), { ...whole(), headers: {}, auth: { type: 'bearer', token: 'one' } });
    await browser.open(`/monitors/${id}/edit`);
    const { status, html } = await browser.submit(`/monitors/${id}/edit`, { url: 'http://127.0.0.1:1/' });
    expect(status).toBe(422);
    expect(html).toContain('id="monitor-auth-token-error"');
  });

  it('requires the value of a header that is no longer secret', async () => {
    const { id } = await createMonitor(api(), whole());
    await browser.open(`/monitors/${id}/edit`);
    const { status, html } = await browser.submit(`/monitors/${id}/edit`, { secretHeaders: '' });
    expect(status).toBe(422);
    expect(html).toContain('id="monitor-headers-error"');
    expect(html).not.toContain('marked');
  });

  it('is not overwritten by an outdated form', async () => {
    const { id } = await createMonitor(api(), whole());
    await browser.open(`/monitors/${id}/edit`);
    await api().patch(`/v1/monitors/${id}`, { name: 'Theirs' });
    const { status, html } = await browser.submit(`/monitors/${id}/edit`, { name: 'Mine' });
    expect(status).toBe(412);
    expect(html).toContain('Someone else changed this while you were editing');
    expect(html).toContain('value="Mine"');
    expect((await getMonitor(api(), id)).name).toBe('Theirs');
  });

  it('cannot take the key of another monitor', async () => {
    await createMonitor(api(), { ...whole(), key: 'taken' });
    const { id } = await createMonitor(api(), whole());
    await browser.open(`/monitors/${id}/edit`);
    const { status, html } = await browser.submit(`/monitors/${id}/edit`, { key: 'taken' });
    expect(status).toBe(409);
    expect(html).toContain('Another monitor of the team already has this key.');
  });
});
