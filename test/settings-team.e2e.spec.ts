import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { sharedApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { unescaped } from './support/html-forms.js';
import { addMember, makePerson, signIn } from './support/people.js';
import { newTeam } from './support/teams.js';

const PATH = '/settings/team';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

/** Returns the teams that the menu of the account offers to switch to. */
function choicesIn(html: string): string[] {
  return [...html.matchAll(/<button type="submit" name="team" value="([^"]*)"/g)].map(([, id]) => id!);
}

describe('a role', () => {
  it('can be changed on the page, which takes effect immediately and revokes keys that exceed it', async () => {
    const { id, owner } = await newTeam(app);
    const person = await makePerson(app, id, 'owner', 'Max');
    const browser = await signIn(app, person);
    const secrets: string[] = [];
    for (const scopes of ['admin', 'write']) {
      await browser.open('/settings/api-keys');
      const { html } = await browser.submit('/settings/api-keys', { name: scopes, scopes });
      secrets.push(/dw_\w{51}_\w{6}/.exec(html)![0]);
    }
    await owner.open(PATH);
    const { html } = await owner.submit(`${PATH}/members/${person.userId}/role`, { role: 'editor' });
    expect(html).toContain('Role changed. Keys that exceed the new role have been revoked.');
    await eventually(async () => {
      const statuses = secrets.map(async (one) => (await app.api(one).get('/v1/api-keys/self')).status);
      expect(await Promise.all(statuses)).toEqual([401, 200]);
    }, 1_000);
    expect((await browser.open(PATH)).html).not.toContain('Create invitation');
    expect((await browser.call('POST', PATH, { form: { _token: browser.formToken, name: 'x' } })).status).toBe(403);
    await owner.submit(`${PATH}/members/${person.userId}/role`, { role: 'owner' });
    expect(owner.page.html).toContain('Role changed.');
    expect(owner.page.html).not.toContain('have been revoked');
  });

  it('that does not exist is rejected', async () => {
    const { owner } = await newTeam(app);
    await owner.open(PATH);
    const { status } = await owner.submit(`${PATH}/members/${owner.person.userId}/role`, { role: 'root' });
    expect(status).toBe(422);
  });
});

describe('a team', () => {
  it('can be renamed, but not to an empty name', async () => {
    const { id, owner } = await newTeam(app);
    await owner.open(PATH);
    expect((await owner.submit(PATH, { name: '  New & better  ' })).html).toContain('New &amp; better');
    expect((await owner.submit(PATH, { name: '   ' })).status).toBe(422);
    expect(await app.query('SELECT name FROM teams WHERE id = $1', [id])).toEqual([{ name: 'New & better' }]);
    expect((await owner.submit(PATH, { name: 'New & better' })).status).toBe(200);
    const events = `SELECT actor_id, resource_name, changes FROM events WHERE team_id = $1 AND type = 'team.updated'`;
    expect(await app.query(events, [id])).toEqual([
      {
        actor_id: owner.person.userId,
        resource_name: 'New & better',
        changes: [{ pointer: '/name', before: 'Acme', after: 'New & better' }],
      },
    ]);
  });

  it('can be switched only to another team of the same person', async () => {
    const { id, owner } = await newTeam(app, 'Here');
    const { id: elsewhere } = await newTeam(app, 'Elsewhere');
    await addMember(app, app.teams.ours.id, owner.person.userId, 'viewer');
    await owner.open('/');
    const { html } = await owner.submit('/team', { team: app.teams.ours.id });
    expect(html).toMatch(/class="team"[^>]*>Ours</);
    expect(choicesIn(html)).toEqual([id]);
    expect((await owner.submit('/team', { team: elsewhere })).status).toBe(403);
    await owner.open('/');
    await owner.submit('/team', { team: id });
    expect((await owner.open(PATH)).html).toContain('value="Here"');
  });

  it('is not changed by a form opened in another team, which is explained', async () => {
    const { id, owner } = await newTeam(app, 'Here');
    const { id: elsewhere } = await newTeam(app, 'Elsewhere');
    await addMember(app, elsewhere, owner.person.userId, 'owner');
    await owner.open(PATH);
    const form = { _token: owner.formToken };
    await owner.submit('/team', { team: elsewhere });
    const refused = await owner.call('POST', PATH, { form: { ...form, name: 'Renamed' } });
    expect(refused.status).toBe(403);
    expect(unescaped(await refused.text())).toContain(
      'The form was opened in the team Here, but you are now in Elsewhere. Nothing was changed. Switch back to Here',
    );
    expect(await app.query('SELECT name FROM teams WHERE id = ANY($1) ORDER BY name', [[id, elsewhere]])).toEqual([
      { name: 'Elsewhere' },
      { name: 'Here' },
    ]);
    // Forms that only concern the person are accepted from any of their teams.
    expect((await owner.call('POST', '/team', { form: { ...form, team: id } })).status).toBe(303);
    expect((await owner.call('POST', PATH, { form: { ...form, name: 'Renamed' } })).status).toBe(303);
  });

  it('is not changed by a form of another team that was being sent during the switch', async () => {
    const { owner } = await newTeam(app, 'Here');
    const { id: elsewhere } = await newTeam(app, 'Elsewhere');
    await addMember(app, elsewhere, owner.person.userId, 'owner');
    await owner.open('/settings/api-keys');
    const form = new URLSearchParams({
      _token: owner.formToken,
      name: 'Key',
      scopes: 'admin',
      expiresAt: 'never',
    }).toString();
    const sending = request(`${app.origin}/settings/api-keys`, {
      method: 'POST',
      headers: {
        cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        origin: app.origin,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': form.length,
      },
    });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write(form.slice(0, 10));
    await owner.submit('/team', { team: elsewhere });
    sending.end(form.slice(10));
    const [response] = await answered;
    expect(response.statusCode).toBe(403);
    expect(unescaped(await text(response))).toContain(
      'The form was opened in the team Here, but you are now in Elsewhere',
    );
    expect(await app.query('SELECT name FROM api_keys WHERE team_id = $1', [elsewhere])).toEqual([]);
  });
});
