import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Role } from '../src/domain/role.js';
import { type TeamId } from '../src/http/principal.js';
import { startApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { eventually } from './support/eventually.js';
import { addMember, makePerson, PASSWORD, signIn, type TestPerson } from './support/people.js';

const PATH = '/settings/team';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A team of its own, with an owner who is signed in. */
async function newTeam(name = 'Acme'): Promise<{ id: TeamId; owner: Browser & { person: TestPerson } }> {
  const [row] = await app.query<{ id: TeamId }>(
    'INSERT INTO teams (id, name) VALUES (gen_random_uuid(), $1) RETURNING id',
    [name],
  );
  const person = await makePerson(app, row!.id, 'owner', 'Olga');
  return { id: row!.id, owner: Object.assign(await signIn(app, person), { person }) };
}

/** Makes an invitation, and gives the path of its link. */
async function invite(owner: Browser, role: Role, email = ''): Promise<string> {
  await owner.open(PATH);
  const { html, headers } = await owner.submit(`${PATH}/invitations`, { role, email });
  expect(headers.get('cache-control')).toBe('no-store');
  const link = /http[^<]+\/invitations\/[\w-]{43}/.exec(html)![0];
  expect(link.startsWith(`${app.origin}/`)).toBe(true);
  return link.slice(app.origin.length);
}

const newcomer = () => ({ name: 'Nia', email: `${randomUUID()}@example.com`, password: PASSWORD });
const membersOf = (id: TeamId) =>
  app.query<{ user_id: string; role: string }>('SELECT user_id, role FROM members WHERE team_id = $1', [id]);

describe('an invitation', () => {
  it('is shown once, kept as a hash, and lets one new person in, signed in and with its role', async () => {
    const { id, owner } = await newTeam();
    const path = await invite(owner, 'editor', 'nia@example.com');
    const listed = await owner.open(PATH);
    expect(listed.html).toContain('nia@example.com');
    expect(listed.html).not.toContain(path);
    const [dump] = await app.query<{ rows: string }>(`SELECT string_agg(i::text, ' ') AS rows FROM invitations i`);
    expect(dump?.rows).not.toContain(path.slice('/invitations/'.length));

    const nia = new Browser(app.origin);
    expect((await nia.open(path)).html).toContain('Join Acme');
    const { path: after, html } = await nia.submit(path, newcomer());
    expect(after).toBe('/');
    expect(html).toContain('>Nia</a>');
    expect((await membersOf(id)).map(({ role }) => role).sort()).toEqual(['editor', 'owner']);

    const second = await new Browser(app.origin).open(path);
    expect(second.status).toBe(404);
    expect(second.html).toContain('Somebody has joined by this invitation already');
  });

  it('is used once, however many try at once', async () => {
    const { id, owner } = await newTeam();
    const path = await invite(owner, 'viewer');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => new Browser(app.origin).call('POST', path, { form: newcomer() })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await membersOf(id)).toHaveLength(2);
  });

  it('lets somebody with an account in, signed in or not, and shows the team then', async () => {
    const { owner } = await newTeam('Second');
    const known = await makePerson(app, app.teams.ours.id, 'viewer', 'Kim');
    const outside = new Browser(app.origin);
    const first = await invite(owner, 'viewer');
    await outside.open(first);
    const wrong = await outside.submit(`${first}/sign-in`, { email: known.email, password: 'wrong' });
    expect(wrong.status).toBe(422);
    const joined = await outside.submit(`${first}/sign-in`, { email: known.email, password: PASSWORD });
    expect(joined.html).toContain('Second');

    const { owner: third } = await newTeam('Third');
    const again = await invite(third, 'owner');
    await outside.open(again);
    const { path, html } = await outside.submit(`${again}/join`);
    expect(path).toBe('/');
    expect(html).toMatch(/<option[^>]* selected>Third</);
    // Somebody who is in the team already does not use one up.
    const spare = await invite(third, 'viewer');
    await outside.open(spare);
    const refused = await outside.submit(`${spare}/join`);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('You are in this team already.');
  });

  it('takes no email that has an account for a new one', async () => {
    const { owner } = await newTeam();
    const path = await invite(owner, 'viewer');
    const browser = new Browser(app.origin);
    await browser.open(path);
    const { status, html } = await browser.submit(path, { ...newcomer(), email: owner.person.email.toUpperCase() });
    expect(status).toBe(422);
    expect(html).toContain('href="#join-email"');
    expect((await browser.open(path)).status).toBe(200);
  });

  it.each([
    ['expired', `expires_at = now()`, 'seven days'],
    ['revoked', `revoked_at = now()`, 'taken this invitation back'],
  ])('that is %s lets nobody in', async (_name, change, reason) => {
    const { id, owner } = await newTeam();
    const path = await invite(owner, 'viewer');
    await app.query(`UPDATE invitations SET ${change} WHERE team_id = $1`, [id]);
    const browser = new Browser(app.origin);
    expect((await browser.open(path)).html).toContain(reason);
    expect((await browser.call('POST', path, { form: newcomer() })).status).toBe(404);
    expect(await membersOf(id)).toHaveLength(1);
  });

  it('is revoked on the page', async () => {
    const { owner } = await newTeam();
    const path = await invite(owner, 'viewer');
    await owner.open(PATH);
    const [, id] = new RegExp(`${PATH}/invitations/([\\w-]+)/revoke`).exec(owner.page.html)!;
    const { html } = await owner.submit(`${PATH}/invitations/${id}/revoke`);
    expect(html).toContain('The invitation is taken back.');
    expect((await new Browser(app.origin).open(path)).status).toBe(404);
  });

  it('of somebody who is no owner any more is revoked with it', async () => {
    const { id, owner } = await newTeam();
    const other = await makePerson(app, id, 'owner');
    const path = await invite(owner, 'owner');
    const judge = await signIn(app, other);
    await judge.open(PATH);
    await judge.submit(`${PATH}/members/${owner.person.userId}/role`, { role: 'viewer' });
    expect((await new Browser(app.origin).open(path)).status).toBe(404);
  });

  it.each(['x', '%00', 'x'.repeat(43), '..%2F..'])('that never was is told so: %s', async (token) => {
    expect((await new Browser(app.origin).open(`/invitations/${token}`)).status).toBe(404);
  });
});

describe('removing a member', () => {
  it('ends what they are signed in to of the team, and their keys within a second, with all those made by them', async () => {
    const { id, owner } = await newTeam();
    const gone = await makePerson(app, id, 'owner', 'Gus');
    await addMember(app, app.teams.ours.id, gone.userId, 'viewer');
    const here = await signIn(app, gone);
    const there = await signIn(app, gone);
    await there.submit('/team', { team: app.teams.ours.id });

    await here.open('/settings/api-keys');
    const { html } = await here.submit('/settings/api-keys', { name: 'Theirs', scopes: 'admin', expiresAt: 'never' });
    const secret = /dw_\w{51}_\w{6}/.exec(html)![0];
    const made = await app.api(secret).post<{ secret: string }>('/v1/api-keys', { name: 'Child', scopes: ['read'] });
    const secrets = [secret, made.body.secret];
    const statuses = () =>
      Promise.all(secrets.map(async (one) => (await app.api(one).get('/v1/api-keys/self')).status));
    expect(await statuses()).toEqual([200, 200]);

    await owner.open(`${PATH}/members/${gone.userId}/remove`);
    expect(owner.page.html).toContain('Remove Gus?');
    const { html: after } = await owner.submit(`${PATH}/members/${gone.userId}/remove`);
    expect(after).toContain('The member is removed');
    await eventually(async () => expect(await statuses()).toEqual([401, 401]), 1_000);
    expect((await here.open('/')).path).toBe('/sign-in');
    expect((await there.open('/')).html).toContain('Ours');
    // They may still sign in: to their other team.
    expect((await signIn(app, gone)).page.html).toContain('Ours');
  });

  it('who was in no other team leaves them an account without a team', async () => {
    const { id, owner } = await newTeam();
    const gone = await makePerson(app, id, 'editor');
    await owner.open(`${PATH}/members/${gone.userId}/remove`);
    await owner.submit(`${PATH}/members/${gone.userId}/remove`);
    const browser = new Browser(app.origin);
    await browser.open('/sign-in');
    const { status, html } = await browser.submit('/sign-in', { email: gone.email, password: PASSWORD });
    expect(status).toBe(403);
    expect(html).toContain('You are in no team any more');
  });

  it('spares the last owner, who cannot be demoted either', async () => {
    const { id, owner } = await newTeam();
    await owner.open(`${PATH}/members/${owner.person.userId}/remove`);
    const removed = await owner.submit(`${PATH}/members/${owner.person.userId}/remove`);
    await owner.open(PATH);
    const demoted = await owner.submit(`${PATH}/members/${owner.person.userId}/role`, { role: 'viewer' });
    for (const { status, html } of [removed, demoted]) {
      expect(status).toBe(409);
      expect(html).toContain('without an owner');
    }
    expect((await membersOf(id)).map(({ role }) => role)).toEqual(['owner']);
  });

  it('leaves one of two owners who remove each other at once', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const { id, owner } = await newTeam();
      const person = await makePerson(app, id, 'owner');
      const other = await signIn(app, person);
      await Promise.all([owner.open(PATH), other.open(PATH)]);
      const remove = (by: Browser, userId: string) =>
        by.call('POST', `${PATH}/members/${userId}/remove`, { form: { _token: by.formToken } });
      await Promise.all([remove(owner, person.userId), remove(other, owner.person.userId)]);
      expect(await membersOf(id)).toHaveLength(1);
    }
  });

  it("takes nobody out of another's team: 404", async () => {
    const { owner } = await newTeam();
    const stranger = await makePerson(app, app.teams.theirs.id, 'viewer');
    await owner.open(PATH);
    const form = { _token: owner.formToken, role: 'owner' };
    for (const action of ['remove', 'role']) {
      const answer = await owner.call('POST', `${PATH}/members/${stranger.userId}/${action}`, { form });
      expect([404, 404]).toContain(answer.status);
    }
    expect((await owner.open(`${PATH}/members/${stranger.userId}/remove`)).status).toBe(404);
    expect(await membersOf(app.teams.theirs.id)).toContainEqual({ user_id: stranger.userId, role: 'viewer' });
  });
});

describe('leaving a team', () => {
  it('is asked for first, ends what one is signed in to of it, and one’s keys', async () => {
    const { id } = await newTeam();
    const browser = await signIn(app, await makePerson(app, id, 'editor'));
    await browser.open('/settings/api-keys');
    const made = await browser.submit('/settings/api-keys', { name: 'Theirs', scopes: 'write' });
    const secret = /dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}/.exec(made.html)![0];
    const asked = await browser.open(`${PATH}/leave`);
    expect(asked.html).toContain('Leave ');
    expect((await app.api(secret).get('/v1/api-keys/self')).status).toBe(200);
    const { path } = await browser.submit(`${PATH}/leave`);
    expect(path).toBe('/sign-in');
    const statusOf = async () => (await app.api(secret).get('/v1/api-keys/self')).status;
    await eventually(async () => expect(await statusOf()).toBe(401), 1_000);
  });

  it('is refused to the last owner, who is told why', async () => {
    const { owner: browser } = await newTeam();
    await browser.open(`${PATH}/leave`);
    const { status, html } = await browser.submit(`${PATH}/leave`);
    expect(status).toBe(409);
    expect(html).toContain('The team would be left without an owner: make somebody else an owner first.');
    expect((await browser.open('/')).path).toBe('/');
  });
});

describe('a role', () => {
  it('is changed on the page, counts at once, and takes keys with it that go beyond', async () => {
    const { id, owner } = await newTeam();
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
    expect(html).toContain('The role is changed.');
    await eventually(async () => {
      const statuses = secrets.map(async (one) => (await app.api(one).get('/v1/api-keys/self')).status);
      expect(await Promise.all(statuses)).toEqual([401, 200]);
    }, 1_000);
    expect((await browser.open(PATH)).html).not.toContain('Make an invitation link');
    expect((await browser.call('POST', PATH, { form: { _token: browser.formToken, name: 'x' } })).status).toBe(403);
  });

  it('that is none is refused', async () => {
    const { owner } = await newTeam();
    await owner.open(PATH);
    const { status } = await owner.submit(`${PATH}/members/${owner.person.userId}/role`, { role: 'root' });
    expect(status).toBe(422);
  });
});

describe('a team', () => {
  it('is renamed, and never without a name', async () => {
    const { id, owner } = await newTeam();
    await owner.open(PATH);
    expect((await owner.submit(PATH, { name: '  New & better  ' })).html).toContain('New &amp; better');
    expect((await owner.submit(PATH, { name: '   ' })).status).toBe(422);
    expect(await app.query('SELECT name FROM teams WHERE id = $1', [id])).toEqual([{ name: 'New & better' }]);
  });

  it('is switched to another one of the same person, and to no other', async () => {
    const { id, owner } = await newTeam('Here');
    const { id: elsewhere } = await newTeam('Elsewhere');
    await addMember(app, app.teams.ours.id, owner.person.userId, 'viewer');
    await owner.open('/');
    const { html } = await owner.submit('/team', { team: app.teams.ours.id });
    expect(html).toMatch(/<option[^>]* selected>Ours</);
    expect((await owner.submit('/team', { team: elsewhere })).status).toBe(403);
    await owner.open('/');
    await owner.submit('/team', { team: id });
    expect((await owner.open(PATH)).html).toContain('value="Here"');
  });
});
