import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { canPing } from './support/can-ping.js';
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

/** Creates a monitor on the page, and returns it as the API does. */
async function make(type: string, values: Record<string, string>): Promise<MonitorDto> {
  await browser.open(`/monitors/new?type=${type}`);
  const { path, html } = await browser.submit('/monitors', { intervalSeconds: '3600', ...values });
  expect(path).toMatch(/^\/monitors\/[0-9a-f-]{36}\?done=created$/);
  expect(html).toContain('Monitor created.');
  return getMonitor(api(), path.slice('/monitors/'.length, '/monitors/'.length + 36));
}

describe('a monitor created on the page', () => {
  it.each<[string, Record<string, string>, Record<string, unknown>]>([
    [
      'http',
      { url: 'http://127.0.0.1:1/' },
      { url: 'http://127.0.0.1:1/', method: 'GET', expectedStatusCodes: ['2xx'] },
    ],
    ['http', { url: 'example.com/health' }, { url: 'https://example.com/health' }],
    ['tcp', { host: '127.0.0.1', port: '1' }, { host: '127.0.0.1', port: 1 }],
    [
      'tls',
      { host: '127.0.0.1', port: '' },
      {
        host: '127.0.0.1',
        port: 443,
        verifyTls: true,
        assertions: [{ source: 'tlsDaysLeft', property: null, comparison: 'greaterThan', target: 14 }],
      },
    ],
    ['dns', { host: 'example.com', recordType: 'MX' }, { settings: { recordType: 'MX', nameserver: null } }],
    ...(canPing()
      ? [['ping', { host: '127.0.0.1' }, { host: '127.0.0.1' }] as [string, Record<string, string>, object]]
      : []),
  ] as [string, Record<string, string>, Record<string, unknown>][])(
    'of type %s is the same as one created by the API',
    async (type, values, expected) => {
      const monitor = await make(type, { name: `By form: ${type}`, tags: 'a, b', ...values });
      expect(monitor).toMatchObject({
        name: `By form: ${type}`,
        type,
        intervalSeconds: 3_600,
        tags: ['a', 'b'],
        ...expected,
      });
      const { assertions = [] } = expected;
      expect(monitor).toMatchObject({ timeoutMs: 10_000, failureThreshold: 2, recoveryThreshold: 1, assertions });
    },
  );

  it('accepts headers, credentials and assertions without a script', async () => {
    const monitor = await make('http', {
      name: 'Full',
      url: target.url('/full'),
      method: 'POST',
      body: 'a\r\nb',
      maxRedirects: '3',
      key: 'full',
      headers: 'Accept: application/json\r\nX-Time: 12:30\r\nX-Internal: hidden',
      secretHeaders: 'x-internal, X-Absent',
      authType: 'basic',
      username: 'probe',
      password: 's3cret',
      expectedStatusCodes: '2xx, 301',
      'assertion-0-source': 'jsonBody',
      'assertion-0-property': '$.n',
      'assertion-0-comparison': 'equals',
      'assertion-0-target': '"42"',
      'assertion-1-source': 'responseTimeMs',
      'assertion-1-comparison': 'lessThan',
      'assertion-1-target': '900',
    });
    expect(monitor).toMatchObject({
      method: 'POST',
      body: 'a\nb',
      maxRedirects: 3,
      key: 'full',
      expectedStatusCodes: ['2xx', 301],
      headers: { Accept: 'application/json', 'X-Time': '12:30', 'X-Internal': '********' },
      secretHeaders: ['x-internal', 'X-Absent'],
      auth: { type: 'basic', username: 'probe', password: '********' },
      assertions: [
        { source: 'jsonBody', property: '$.n', comparison: 'equals', target: '42' },
        { source: 'responseTimeMs', property: null, comparison: 'lessThan', target: 900 },
      ],
    });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['http', { url: 'example com', intervalSeconds: 'often' }, ['url', 'intervalSeconds']],
    [
      'http',
      { name: 'x', url: 'http://127.0.0.1/', headers: 'Broken', authType: 'basic' },
      ['headers', 'auth-password'],
    ],
    ['http', { name: 'x', url: 'http://10.0.0.1/' }, ['url']],
    [
      'http',
      {
        name: 'x',
        url: 'http://127.0.0.1/',
        timeoutMs: 'custom',
        timeoutMsCustom: '9000',
        expectedStatusCodes: 'fine',
      },
      ['timeoutMs', 'expectedStatusCodes'],
    ],
    ['tcp', { name: 'x', host: '-h', port: '70000' }, ['host', 'port']],
    ['tls', { name: 'x', host: '' }, ['host']],
    ['dns', { name: 'x', host: 'example.com', nameserver: 'ns' }, ['settings-nameserver']],
  ])('of type %s is rejected with each error at its field, and keeps the input: %j', async (type, values, fields) => {
    await browser.open(`/monitors/new?type=${type}`);
    const { status, html } = await browser.submit('/monitors', values);
    expect(status).toBe(422);
    expect(html).toMatch(/<title>Error: /);
    for (const field of fields) {
      expect(html).toContain(`id="monitor-${field}-error"`);
      expect(html).toContain(`href="#monitor-${field}"`);
    }
    for (const value of Object.values(values).filter(Boolean)) expect(unescaped(html)).toContain(value);
  });

  it('shows at the scheme that it contradicts the headers', async () => {
    await browser.open('/monitors/new');
    const { status, html } = await browser.submit('/monitors', {
      url: target.url('/'),
      headers: 'Authorization: Bearer abc',
      authType: 'basic',
      username: 'probe',
      password: 'secret',
    });
    expect(status).toBe(422);
    const fault = 'Authentication must be None if the headers contain Authorization';
    expect(html).toContain(`<a href="#monitor-auth-type">${fault}</a>`);
    expect(html).toContain(`id="monitor-auth-type-error">${fault}<`);
    expect(html).toContain('<select id="monitor-auth-type"');
  });

  it('shows the errors of an assertion at its row, even after empty rows', async () => {
    await browser.open('/monitors/new');
    const { status, html } = await browser.submit('/monitors', {
      name: 'x',
      url: target.url('/'),
      'assertion-1-source': 'jsonBody',
      'assertion-1-property': 'not a path',
      'assertion-1-comparison': 'exists',
    });
    expect(status).toBe(422);
    expect(html).toContain('id="monitor-assertions-0-error"');
    expect(html).toContain('value="not a path"');
    expect(html).toMatch(/<details class="group" open/);
  });

  it('never returns an entered secret', async () => {
    await browser.open('/monitors/new');
    const values = { url: target.url('/'), intervalSeconds: 'often', authType: 'bearer', token: 'typed-secret' };
    const { html } = await browser.submit('/monitors', values);
    expect(html).not.toContain('typed-secret');
    expect(html).toContain('Token must be entered again before you save: it is never sent back to the browser.');
  });

  it('never returns an entered password of a database, asks for it again, and masks it in the API call', async () => {
    await browser.open('/monitors/new?type=redis');
    const values = { host: '127.0.0.1', port: 'none', username: 'mon', password: 'typed-secret' };
    const { html } = await browser.submit('/monitors', values);
    expect(html).not.toContain('typed-secret');
    expect(html).toContain('Password must be entered again before you save: it is never sent back to the browser.');
    expect(unescaped(html)).toContain('"password":"…"');
  });

  it.each([
    ['smtp', { to: 'b@example.com' }, 'settings-to', 'requires a sender'],
    ['mqtt', { password: 'typed' }, 'settings-password', 'requires a username'],
    ['redis', { username: 'mon' }, 'settings-username', 'requires a password'],
  ])('reports half of a pair at its field, with type %s', async (type, values, field, words) => {
    await browser.open(`/monitors/new?type=${type}`);
    const { status, html } = await browser.submit('/monitors', {
      name: 'Half',
      host: 'service.example.com',
      ...values,
    });
    expect(status).toBe(422);
    expect(html).toMatch(new RegExp(`id="monitor-${field}-error">[^<]*${words}`));
  });

  it.each([
    [{ intervalSeconds: 'custom', intervalSecondsCustom: '47' }, { intervalSeconds: 47 }],
    [{ timeoutMs: 'custom', timeoutMsCustom: '2.5' }, { timeoutMs: 2_500 }],
    [{ intervalSeconds: '60', intervalSecondsCustom: '47' }, { intervalSeconds: 60 }],
    [
      { degradedAfterMs: '500', retryIntervalSeconds: '5' },
      { degradedAfterMs: 500, retryIntervalSeconds: 5 },
    ],
  ])('takes the durations %j, and shows them again as they are stored', async (typed, stored) => {
    const monitor = await make('tcp', { name: 'Timed', host: '127.0.0.1', port: '1', ...typed });
    expect(monitor).toMatchObject(stored);
    await browser.open(`/monitors/${monitor.id}/edit`);
    await browser.submit(`/monitors/${monitor.id}/edit`);
    expect(await getMonitor(api(), monitor.id)).toMatchObject({ ...stored, revision: 1 });
  });

  it('words the limits of durations as the form does', async () => {
    await browser.open('/monitors/new?type=tcp');
    const { html } = await browser.submit('/monitors', {
      name: 'x',
      host: '127.0.0.1',
      port: '1',
      intervalSeconds: 'custom',
      intervalSecondsCustom: '90000',
      timeoutMs: 'custom',
      timeoutMsCustom: '61',
    });
    expect(html).toContain('Check every must be 1 day or less');
    expect(html).toContain('Timeout must be 1 minute or less');
  });

  it('starts with what its address gives, except for secrets', async () => {
    const { html } = await browser.open('/monitors/new?type=tcp&name=Given&host=db.example.com&tags=a&token=t&port=7');
    const fields = Object.fromEntries(browser.form('/monitors').fields);
    expect(fields).toMatchObject({ name: 'Given', host: 'db.example.com', tags: 'a', port: '' });
    expect(html).not.toContain('value="t"');
  });

  it('names a monitor after its target if it is given no name', async () => {
    const created = async (type: string, values: Record<string, string>): Promise<string> => {
      await browser.open(`/monitors/new?type=${type}`);
      const { path } = await browser.submit('/monitors', values);
      const { body } = await api().get<{ name: string }>(`/v1${path.replace(/\?.*/, '')}`);
      return body.name;
    };
    const url = target.url('/shop/?token=secret#top');
    expect(await created('http', { url })).toBe(`${new URL(url).host}/shop`);
    expect(await created('tcp', { host: 'db.example.com', port: '5432' })).toBe('db.example.com');
    await browser.open('/monitors/new');
    const { status, html } = await browser.submit('/monitors', {});
    expect({ status, html }).toEqual({ status: 422, html: expect.stringContaining('id="monitor-url-error"') });
    expect(html).not.toContain('id="monitor-name-error"');
  });

  it('shows the equivalent curl command', async () => {
    const { html } = await browser.open('/monitors/new?type=tcp');
    expect(unescaped(html)).toContain(`'${app.origin}/v1/monitors'`);
    expect(unescaped(html)).toContain('"type":"tcp"');
  });
});

describe('Test now', () => {
  it('checks the entered definition, shows the phases and errors, and saves nothing', async () => {
    target.behave('/trial', answers(500));
    const before = await app.query('SELECT id FROM monitors');
    await browser.open('/monitors/new');
    const values = {
      name: 'Tried',
      url: target.url('/trial'),
      'assertion-0-source': 'statusCode',
      'assertion-0-comparison': 'equals',
      'assertion-0-target': '200',
    };
    const { status, html } = await browser.submit('/monitors', values, '/monitors/test');
    expect(status).toBe(200);
    expect(html).toContain('Nothing was saved.');
    expect(html).toContain('Failed');
    expect(html).toContain('unexpected_status');
    expect(html).toContain('First byte');
    expect(html).toContain('value="Tried"');
    expect(target.requests('/trial')).toHaveLength(1);
    expect(await app.query('SELECT id FROM monitors')).toEqual(before);
    const made = await browser.submit('/monitors');
    expect(made.path).toMatch(/done=created$/);
  });

  it('needs no name', async () => {
    target.behave('/nameless', answers(200));
    await browser.open('/monitors/new');
    const { status, html } = await browser.submit('/monitors', { url: target.url('/nameless') }, '/monitors/test');
    expect(status).toBe(200);
    expect(html).toContain('Nothing was saved.');
    expect(html).not.toContain('Unnamed');
  });

  it('rejects invalid values at the field, as a create does', async () => {
    await browser.open('/monitors/new');
    const { status, html } = await browser.submit('/monitors', { name: 'x', url: 'ftp://x' }, '/monitors/test');
    expect(status).toBe(422);
    expect(html).toContain('id="monitor-url-error"');
  });

  it('tests a change with the stored secrets', async () => {
    const { id } = await createMonitor(api(), {
      name: 'Stored',
      type: 'http',
      url: target.url('/stored'),
      paused: true,
      auth: { type: 'bearer', token: 'stored-token' },
    });
    await browser.open(`/monitors/${id}/edit`);
    const { status, html } = await browser.submit(`/monitors/${id}/edit`, { method: 'HEAD' }, `/monitors/${id}/test`);
    expect(status).toBe(200);
    expect(html).toContain('Passed');
    expect(html).not.toContain('stored-token');
    expect(target.requests('/stored')).toMatchObject([
      { method: 'HEAD', headers: { authorization: 'Bearer stored-token' } },
    ]);
    expect(await getMonitor(api(), id)).toMatchObject({ method: 'GET', revision: 1 });
  });
});

describe('a duplicate', () => {
  const original = () => ({
    name: 'Original',
    key: 'original',
    type: 'http',
    url: target.url('/original'),
    intervalSeconds: 47,
    paused: true,
    tags: ['a'],
    metadata: { owner: 'jo' },
    headers: { Accept: '*/*', 'X-Api-Key': 'hidden-header' },
    auth: { type: 'basic', username: 'probe', password: 'hidden-password' },
    assertions: [{ source: 'statusCode', comparison: 'equals', target: 200 }],
  });

  it('has the definition of its original with another name, no key, and its secrets entered again', async () => {
    const { id } = await createMonitor(api(), original());
    const { status, html } = await browser.open(`/monitors/new?from=${id}`);
    expect(status).toBe(200);
    expect(html).not.toContain('hidden-');
    expect(html).toContain('The password is not copied. Enter it again.');
    expect(html).toContain('Secret values are not copied');
    expect(Object.fromEntries(browser.form('/monitors').fields)).toMatchObject({ name: 'Original (copy)', key: '' });

    const refused = await browser.submit('/monitors');
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="monitor-auth-password-error"');
    expect(refused.html).toContain('The password is not copied. Enter it again.');
    expect((await browser.submit('/monitors', { password: 'other' })).html).toContain('id="monitor-headers-error"');

    const headers = 'Accept: */*\r\nX-Api-Key: other';
    const { path } = await browser.submit('/monitors', { headers, password: 'other' });
    const copy = await getMonitor(api(), path.slice('/monitors/'.length, '/monitors/'.length + 36));
    const { key: _, paused: __, ...same } = original();
    expect(copy).toMatchObject({
      ...same,
      name: 'Original (copy)',
      key: null,
      headers: { Accept: '*/*', 'X-Api-Key': '********' },
      auth: { ...same.auth, password: '********' },
    });
  });

  it.each(['/monitors', '/monitors/test'])('keeps its form at %s if its original has been deleted', async (path) => {
    const { id } = await createMonitor(api(), { ...original(), key: null });
    await browser.open(`/monitors/new?from=${id}`);
    await api().delete(`/v1/monitors/${id}`);
    const headers = 'X-Api-Key: other';
    const { status, html } = await browser.submit('/monitors', { name: 'Orphan', headers, password: 'other' }, path);
    expect(status).toBe(409);
    expect(html).toContain('The original has been deleted');
    expect(html).toContain('Password must be entered again');
    const created = await browser.submit('/monitors', { password: 'other' });
    expect(created.path).toMatch(/done=created$/);
    expect(await getMonitor(api(), created.path.split(/[/?]/)[2]!)).toMatchObject({
      name: 'Orphan',
      intervalSeconds: 47,
      tags: ['a'],
      auth: { type: 'basic', username: 'probe', password: '********' },
      metadata: {},
    });
  });

  it('keeps its name within the limit', async () => {
    const { id } = await createMonitor(api(), { ...original(), key: null, name: 'n'.repeat(200) });
    await browser.open(`/monitors/new?from=${id}`);
    const { name } = Object.fromEntries(browser.form('/monitors').fields);
    expect(name).toBe(`${'n'.repeat(193)} (copy)`);
  });

  it('of a monitor of another team does not exist', async () => {
    const theirs = await createMonitor(app.api(app.teams.theirs.write), { ...original(), key: null });
    expect((await browser.open(`/monitors/new?from=${theirs.id}`)).status).toBe(404);
    expect((await browser.open('/monitors/new?from=none')).status).toBe(404);
  });
});
