import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKeyDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { unescaped } from './support/html-forms.js';
import { makePerson, signedIn, signIn } from './support/people.js';

const PATH = '/settings/api-keys';
const SECRET = /dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}/;

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

/** Creates a key on the page and returns its secret. */
async function makeKey(browser: Browser, values: Record<string, string> = {}): Promise<string> {
  await browser.open(PATH);
  const { status, html } = await browser.submit(PATH, { name: 'CI', scopes: 'read', ...values });
  expect(status).toBe(200);
  return SECRET.exec(html)![0];
}

async function keyOf(secret: string): Promise<ApiKeyDto> {
  return (await app.api(secret).get<ApiKeyDto>('/v1/api-keys/self')).body;
}

const statusOf = async (secret: string): Promise<number> => (await app.api(secret).get('/v1/api-keys/self')).status;

describe('a key created on the page', () => {
  it('shows its secret once, with a command to try it, and nowhere afterwards', async () => {
    const browser = await signedIn(app, 'owner');
    await browser.open(PATH);
    const { html, headers } = await browser.submit(PATH, { name: 'CI', scopes: 'write', expiresAt: '30' });
    const secret = SECRET.exec(html)![0];
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).toContain('it is not shown again');
    expect(unescaped(html)).toContain(`'Authorization: Bearer ${secret}'`);
    expect(html).toContain(`${app.origin}/v1/api-keys/self`);

    const key = await keyOf(secret);
    expect(key).toMatchObject({ name: 'CI', scopes: ['write'], createdBy: `user:${browser.person.userId}` });
    const lifeMs = Date.parse(key.expiresAt!) - Date.parse(key.createdAt);
    expect(Math.round(lifeMs / 1_000)).toBe(30 * 86_400);
    for (const path of [PATH, `${PATH}/${key.id}/rotate`, `${PATH}/${key.id}/revoke`, '/']) {
      const page = await browser.open(path);
      expect(page.html).not.toMatch(SECRET);
      expect(page.status).toBe(200);
    }
    expect((await browser.open(PATH)).html).toContain(`${key.prefix}…`);
    const [dump] = await app.query<{ rows: string }>('SELECT string_agg(k::text, $1) AS rows FROM api_keys k', ['\n']);
    expect(dump?.rows).not.toContain(secret);
  });

  it('is rejected with every error beside its field and the input preserved', async () => {
    const browser = await signedIn(app, 'owner');
    await browser.open(PATH);
    const values = { name: '', scopes: 'root', expiresAt: 'date', expiresOn: '2020-01-01' };
    const { status, html } = await browser.submit(PATH, values);
    expect(status).toBe(422);
    for (const field of ['name', 'scopes', 'expiresOn']) {
      expect(html).toContain(`href="#key-${field}"`);
      expect(html).toContain(`id="key-${field}-error"`);
    }
    expect(html).toMatch(/<title>Error: /);
    expect(html).toContain('Name must not be empty');
    expect(html).toContain('value="2020-01-01"');
    expect(html).toMatch(/<option value="date" selected/);
  });

  it('expires at the end of the selected day, or never', async () => {
    const browser = await signedIn(app, 'owner');
    const dated = await keyOf(await makeKey(browser, { expiresAt: 'date', expiresOn: '2099-12-31' }));
    expect(dated.expiresAt).toBe('2099-12-31T23:59:59.999Z');
    expect((await keyOf(await makeKey(browser, { expiresAt: 'never' }))).expiresAt).toBeNull();
  });

  it('is marked if it is about to expire', async () => {
    const browser = await signedIn(app, 'owner');
    await makeKey(browser, { name: 'Soon', expiresAt: '7' });
    const { html } = await browser.open(PATH);
    expect(html).toContain('expires in 6 days');
    expect(html).toMatch(/<svg class="mark degraded"/);
  });

  it('is also shown as a curl command', async () => {
    const browser = await signedIn(app, 'owner');
    const { html } = await browser.open(PATH);
    expect(unescaped(html)).toContain(`'${app.origin}/v1/api-keys'`);
    expect(html).toContain('<summary>API</summary>');
  });
});

describe('rotating and revoking', () => {
  it('creates a new secret and accepts the old one during the overlap', async () => {
    const browser = await signedIn(app, 'owner');
    const old = await makeKey(browser);
    const { id, prefix } = await keyOf(old);
    await browser.open(`${PATH}/${id}/rotate`);
    const { status, html } = await browser.submit(`${PATH}/${id}/rotate`, { overlapSeconds: '3600' });
    expect(status).toBe(200);
    const next = SECRET.exec(html)![0];
    expect(next).not.toBe(old);
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200]);
    expect((await browser.open(PATH)).html).toContain(`${prefix}…`);

    await browser.open(`${PATH}/${id}/rotate`);
    await browser.submit(`${PATH}/${id}/rotate`, { overlapSeconds: '0' });
    expect([await statusOf(old), await statusOf(next)]).toEqual([401, 401]);
  });

  it('requires a confirmation before a key is revoked, and lists it separately', async () => {
    const browser = await signedIn(app, 'owner');
    const secret = await makeKey(browser, { name: 'To be revoked' });
    const { id } = await keyOf(secret);
    const asked = await browser.open(`${PATH}/${id}/revoke`);
    expect(asked.html).toContain('Revoke To be revoked?');
    expect(await statusOf(secret)).toBe(200);
    const { path, html } = await browser.submit(`${PATH}/${id}/revoke`);
    expect(path).toBe(`${PATH}?done=revoked`);
    expect(html).toContain('API key revoked.');
    expect(html).not.toContain('To be revoked');
    expect(await statusOf(secret)).toBe(401);
    expect((await browser.open(`${PATH}?revoked=true`)).html).toContain('To be revoked');
    expect((await browser.open(`${PATH}/${id}/rotate`)).status).toBe(200);
    expect((await browser.submit(`${PATH}/${id}/rotate`)).status).toBe(404);
  });

  it('does not revoke the last admin key of the team, and explains why', async () => {
    const [{ id } = { id: '' }] = await app.query<{ id: string }>(
      `SELECT id FROM api_keys WHERE team_id = $1 AND scopes = '{admin}'`,
      [app.teams.theirs.id],
    );
    const owner = await signIn(app, await makePerson(app, app.teams.theirs.id, 'owner'));
    await owner.open(`${PATH}/${id}/revoke`);
    const { status, html } = await owner.submit(`${PATH}/${id}/revoke`);
    expect(status).toBe(409);
    expect(html).toContain('without an admin key');
    expect(await statusOf(app.teams.theirs.admin)).toBe(200);
  });

  it.each(['rotate', 'revoke'])("cannot %s another team's key: 404", async (action) => {
    const browser = await signedIn(app, 'owner');
    const { id } = await keyOf(app.teams.theirs.read);
    expect((await browser.open(`${PATH}/${id}/${action}`)).status).toBe(404);
    const form = { _token: browser.formToken, overlapSeconds: '0' };
    expect((await browser.call('POST', `${PATH}/${id}/${action}`, { form })).status).toBe(404);
    expect(await statusOf(app.teams.theirs.read)).toBe(200);
  });
});

describe('an editor', () => {
  it('can create keys with scopes up to write, but not admin', async () => {
    const browser = await signedIn(app, 'editor');
    expect((await keyOf(await makeKey(browser, { scopes: 'write' }))).scopes).toEqual(['write']);
    const page = await browser.open(PATH);
    expect(page.html).not.toContain('value="admin"');
    const { status, html } = await browser.submit(PATH, { name: 'x', scopes: 'admin' });
    expect(status).toBe(403);
    expect(html).toContain('Your role is limited to write.');
  });

  it('can only change their own keys', async () => {
    const [editor, other] = [await signedIn(app, 'editor'), await signedIn(app, 'editor')];
    const [own, foreign] = [await makeKey(editor), await makeKey(other)];
    const { id: ownId } = await keyOf(own);
    const { id: foreignId } = await keyOf(foreign);
    const { html } = await editor.open(PATH);
    expect(html).toContain(`${PATH}/${ownId}/revoke`);
    expect(html).not.toContain(`${PATH}/${foreignId}/revoke`);
    for (const action of ['rotate', 'revoke']) {
      await editor.open(`${PATH}/${foreignId}/${action}`);
      const refused = await editor.submit(`${PATH}/${foreignId}/${action}`);
      expect(refused.status).toBe(403);
      expect(refused.html).toContain('Only the creator of this key or an owner of the team can do this.');
    }
    expect(await statusOf(foreign)).toBe(200);
    await editor.open(`${PATH}/${ownId}/revoke`);
    await editor.submit(`${PATH}/${ownId}/revoke`);
    expect(await statusOf(own)).toBe(401);
  });
});

describe('a viewer', () => {
  it('can see the keys, but not create or change one', async () => {
    const browser = await signedIn(app, 'viewer');
    const { status, html } = await browser.open(PATH);
    expect(status).toBe(200);
    expect(html).toContain('admin key');
    expect(html).not.toContain(`action="${PATH}"`);
    expect(html).not.toContain('/revoke');
  });
});

describe('a team without keys', () => {
  it('sees what to do next', async () => {
    const [team] = await app.query<{ id: string }>(
      `INSERT INTO teams (id, name) VALUES (gen_random_uuid(), 'Empty') RETURNING id`,
    );
    const browser = await signIn(app, await makePerson(app, team!.id as never, 'owner'));
    expect((await browser.open(PATH)).html).toContain('No API keys yet. Create the first one below.');
    expect((await browser.open(`${PATH}?revoked=true`)).html).toContain('No revoked keys.');
  });
});
