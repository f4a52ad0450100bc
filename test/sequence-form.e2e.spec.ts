import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { unescaped } from './support/html-forms.js';
import { createMonitor, getMonitor } from './support/monitors.js';
import { signedIn } from './support/people.js';
import { answers, startTarget, type Target } from './support/target.js';

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

async function blank(): Promise<void> {
  await browser.open('/monitors/new?type=sequence');
}

/** Presses a button that changes the steps of the form. */
function press(action: string, values: Record<string, string> = {}) {
  return browser.submit('/monitors', { ...values, do: action });
}

const fields = (): Record<string, string> => Object.fromEntries(browser.form('/monitors').fields);
const urls = () => Object.entries(fields()).flatMap(([name, url]) => (name.endsWith('.url') ? [url] : []));

it('creates a sequence, step by step', async () => {
  await blank();
  expect(fields()).toMatchObject({ 's0.name': '', 's0.method': 'GET', 's0.expectedStatusCodes': '2xx' });
  await press('add-step', {
    name: 'Shop',
    intervalSeconds: '3600',
    's0.name': 'Sign in',
    's0.method': 'POST',
    's0.url': target.url('/token'),
    's0.headers': 'Content-Type: application/json\r\nX-Api-Key: s3cret',
    's0.body': '{"user":"probe"}',
    's0.expectedStatusCodes': '200, 201',
    's0.extract': 'token = jsonBody $.access_token\r\n\r\nid = textBody id=(\\d+)',
    's0.settings': '{"followRedirects": false, "auth": {"type": "bearer", "token": "hidden"}}',
    's0.assertion-1-source': 'jsonBody',
    's0.assertion-1-property': '$.access_token',
    's0.assertion-1-comparison': 'exists',
  });
  const { path } = await browser.submit('/monitors', { 's1.url': `${target.url('/orders')}?token={{token}}` });
  expect(path).toMatch(/done=created$/);
  const monitor = await getMonitor(api(), path.slice('/monitors/'.length, '/monitors/'.length + 36));
  expect(monitor).toMatchObject({
    name: 'Shop',
    settings: {
      steps: [
        {
          name: 'Sign in',
          method: 'POST',
          url: target.url('/token'),
          headers: { 'Content-Type': 'application/json', 'X-Api-Key': '********' },
          body: '{"user":"probe"}',
          expectedStatusCodes: [200, 201],
          followRedirects: false,
          auth: { type: 'bearer', token: '********' },
          extract: [
            { name: 'token', source: 'jsonBody', property: '$.access_token' },
            { name: 'id', source: 'textBody', property: 'id=(\\d+)' },
          ],
          assertions: [{ source: 'jsonBody', property: '$.access_token', comparison: 'exists', target: null }],
        },
        { name: 'Step 2', method: 'GET', url: `${target.url('/orders')}?token={{token}}`, extract: [], assertions: [] },
      ],
    },
  });
  const edit = `/monitors/${monitor.id}/edit`;
  await browser.open(edit);
  expect((await browser.submit(edit)).path).toContain('done=saved');
  // Meanwhile, the monitor may have been checked.
  const { name, settings, assertions, revision } = monitor;
  expect(await getMonitor(api(), monitor.id)).toMatchObject({ name, settings, assertions, revision });
});

it('moves and removes steps with all that was entered, and saves nothing meanwhile', async () => {
  const before = await app.query('SELECT id FROM monitors');
  await blank();
  await press('add-step', { 's0.url': 'http://127.0.0.1/a', 's0.assertion-0-source': 'statusCode' });
  await press('add-step', { 's1.url': 'http://127.0.0.1/b', 's1.body': 'kept' });
  await press('raise-step:2', { 's2.url': 'http://127.0.0.1/c' });
  expect(urls()).toEqual(['http://127.0.0.1/a', 'http://127.0.0.1/c', 'http://127.0.0.1/b']);
  await press('remove-step:0');
  expect(urls()).toEqual(['http://127.0.0.1/c', 'http://127.0.0.1/b']);
  expect(fields()).toMatchObject({ 's1.body': 'kept', 's0.assertion-0-source': '' });
  await press('remove-step:0');
  const { html } = await press('remove-step:0');
  expect(urls()).toEqual(['http://127.0.0.1/b']);
  expect(html).not.toContain('remove-step');
  expect(await app.query('SELECT id FROM monitors')).toEqual(before);
});

it('names added steps unlike those that were moved', async () => {
  const step = (name: string) => ({ name, url: 'http://127.0.0.1:9/' });
  const settings = { steps: [step('Step 1'), step('Step 2')] };
  const { id } = await createMonitor(api(), { name: 'Steps', type: 'sequence', paused: true, settings });
  const edit = `/monitors/${id}/edit`;
  await browser.open(edit);
  await browser.submit(edit, { do: 'remove-step:0' });
  await browser.submit(edit, { do: 'add-step' });
  await browser.submit(edit, { do: 'add-step', 's1.url': 'http://127.0.0.1:9/b' });
  expect((await browser.submit(edit, { 's2.url': 'http://127.0.0.1:9/c' })).path).toContain('done=saved');
  const { settings: saved } = await getMonitor(api(), id);
  expect(saved).toMatchObject({ steps: [{ name: 'Step 2' }, { name: 'Step 3' }, { name: 'Step 4' }] });
});

it('offers no more steps than there may be', async () => {
  await blank();
  for (let steps = 1; steps < 9; steps += 1) expect((await press('add-step')).html).toContain('value="add-step"');
  expect((await press('add-step')).html).not.toContain('value="add-step"');
  await press('add-step');
  expect(urls()).toHaveLength(10);
});

it.each<[string, Record<string, string>, string[]]>([
  ['an invalid address', { 's1.url': 'example com' }, ['1-url']],
  ['an unusable name', { 's0.name': 'x'.repeat(51) }, ['0-name']],
  ['two steps of a name', { 's0.name': 'Same', 's1.name': 'Same' }, ['']],
  ['an unknown value', { 's1.url': 'http://127.0.0.1/{{nothing}}' }, ['']],
  ['a line without a source', { 's0.extract': 'token' }, ['0-extract']],
  ['what is not JSON', { 's1.settings': '{"auth":' }, ['1-settings']],
  ['an unknown member', { 's1.settings': '{"colour": "red"}' }, ['1']],
  ['an assertion without a path', { 's1.assertion-3-source': 'jsonBody' }, ['1-assertions-0']],
])('shows the fault of %s at its place', async (_, values, places) => {
  await blank();
  await press('add-step', { 's0.url': 'http://127.0.0.1/a' });
  const { status, html } = await browser.submit('/monitors', { 's1.url': 'http://127.0.0.1/b', ...values });
  expect(status).toBe(422);
  for (const place of places) {
    expect(html).toContain(`id="monitor-settings-steps${place && `-${place}`}-error"`);
  }
  for (const value of Object.values(values)) expect(unescaped(html)).toContain(value);
});

it('tests what was entered', async () => {
  target.behave('/first', answers(200));
  target.behave('/second', answers(500));
  await blank();
  await press('add-step', { 's0.url': target.url('/first') });
  const { html } = await browser.submit('/monitors', { 's1.url': target.url('/second') }, '/monitors/test');
  expect(html).toContain('Nothing was saved.');
  expect(unescaped(html)).toContain('Step 2');
  expect(target.requests('/first')).toHaveLength(1);
  expect(target.requests('/second')).toHaveLength(1);
});

it('keeps stored secrets, also of steps that move', async () => {
  const { id } = await createMonitor(api(), {
    name: 'Stored',
    type: 'sequence',
    paused: true,
    settings: {
      steps: [
        { name: 'One', url: target.url('/one'), auth: { type: 'bearer', token: 'first-token' } },
        { name: 'Two', url: target.url('/two'), auth: { type: 'bearer', token: 'second-token' } },
      ],
    },
  });
  const edit = `/monitors/${id}/edit`;
  const { html } = await browser.open(edit);
  expect(html).not.toContain('-token');
  await browser.submit(edit, { 's0.method': 'HEAD' }, `/monitors/${id}/test`);
  expect(target.requests('/one')).toMatchObject([{ method: 'HEAD', headers: { authorization: 'Bearer first-token' } }]);
  expect(target.requests('/two')).toMatchObject([{ headers: { authorization: 'Bearer second-token' } }]);
  await browser.submit(edit, { do: 'raise-step:1' });
  expect((await browser.submit(edit)).path).toContain('done=saved');
  expect(await getMonitor(api(), id)).toMatchObject({ settings: { steps: [{ name: 'Two' }, { name: 'One' }] } });
  await browser.open(edit);
  await browser.submit(edit, {}, `/monitors/${id}/test`);
  expect(target.requests('/two').at(-1)).toMatchObject({ headers: { authorization: 'Bearer second-token' } });
});

it('asks for the secrets of a copy', async () => {
  const steps = [
    { name: 'One', url: target.url('/'), headers: { 'X-Api-Key': 'k' }, auth: { type: 'bearer', token: 't' } },
  ];
  const { id } = await createMonitor(api(), { name: 'Original', type: 'sequence', paused: true, settings: { steps } });
  const { html } = await browser.open(`/monitors/new?from=${id}`);
  expect(html.match(/Secret values are not copied/g)).toHaveLength(2);
  const refused = await browser.submit('/monitors');
  expect(refused.status).toBe(422);
  const values = { 's0.headers': 'X-Api-Key: other', 's0.settings': '{"auth": {"type": "bearer", "token": "other"}}' };
  expect((await browser.submit('/monitors', values)).path).toContain('done=created');
});

it('names a monitor after the target of its first step', async () => {
  await blank();
  const { path } = await browser.submit('/monitors', { 's0.url': target.url('/shop?secret=1') });
  const { name } = await getMonitor(api(), path.slice('/monitors/'.length, '/monitors/'.length + 36));
  expect(name).toBe(`${new URL(target.url('/')).host}/shop`);
});
