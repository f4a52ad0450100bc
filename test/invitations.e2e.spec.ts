import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Role } from '../src/domain/role.js';
import { type MembershipService } from '../src/modules/people/membership.service.js';
import { sharedApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { makePerson, PASSWORD, signIn } from './support/people.js';
import { membersOf, newTeam } from './support/teams.js';

const PATH = '/settings/team';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

/** Creates an invitation and returns the path of its link. */
async function invite(owner: Browser, role: Role, email = ''): Promise<string> {
  await owner.open(PATH);
  const { html, headers } = await owner.submit(`${PATH}/invitations`, { role, email });
  expect(headers.get('cache-control')).toBe('no-store');
  const link = /http[^<]+\/invitations\/[\w-]{43}/.exec(html)![0];
  expect(link.startsWith(`${app.origin}/`)).toBe(true);
  return link.slice(app.origin.length);
}

const newcomer = () => ({ name: 'Nia', email: `${randomUUID()}@example.com`, password: PASSWORD });

describe('an invitation', () => {
  it('cannot be created by a former owner with a page opened before the change of role', async () => {
    const { id, owner } = await newTeam(app);
    const other = await makePerson(app, id, 'owner');
    const browser = await signIn(app, other);
    await browser.open(PATH);
    await owner.open(PATH);
    await owner.submit(`${PATH}/members/${other.userId}/role`, { role: 'editor' });
    const form = { _token: browser.formToken, role: 'owner', email: '' };
    expect((await browser.call('POST', `${PATH}/invitations`, { form })).status).toBe(403);
    // The route checks the role at the start of the request; the write checks it again, as it may change meanwhile.
    const members = app.backstage.provider<MembershipService>('MembershipService');
    const person = { teamId: id, userId: other.userId, role: 'owner' as const };
    await expect(members.invite(person, { role: 'owner' })).rejects.toThrow(
      'Only owners of the team can invite people.',
    );
  });

  it('is shown once, stored as a hash, and admits one new person with its role, signed in', async () => {
    const { id, owner } = await newTeam(app);
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
    expect(html).toContain('>Nia · ');
    expect((await membersOf(app, id)).map(({ role }) => role).sort()).toEqual(['editor', 'owner']);

    const second = await new Browser(app.origin).open(path);
    expect(second.status).toBe(404);
    expect(second.html).toContain('This invitation has already been used');
  });

  it('can be used once, even by concurrent requests', async () => {
    const { id, owner } = await newTeam(app);
    const path = await invite(owner, 'viewer');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => new Browser(app.origin).call('POST', path, { form: newcomer() })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await membersOf(app, id)).toHaveLength(2);
  });

  it('admits a person with an account, signed in or not, and then shows the team', async () => {
    const { id: second, owner } = await newTeam(app, 'Second');
    const known = await makePerson(app, app.teams.ours.id, 'viewer', 'Kim');
    const outside = new Browser(app.origin);
    const first = await invite(owner, 'viewer');
    await outside.open(first);
    const wrong = await outside.submit(`${first}/sign-in`, { email: known.email, password: 'wrong' });
    expect(wrong.status).toBe(422);
    const joined = await outside.submit(`${first}/sign-in`, { email: known.email, password: PASSWORD });
    expect(joined.html).toContain('Second');
    const signedIn = await app.query<{ team_id: string }>(
      `SELECT team_id FROM events WHERE type = 'session.signed_in' AND resource_id = $1`,
      [known.userId],
    );
    expect(signedIn.map((event) => event.team_id).sort()).toEqual([app.teams.ours.id, second].sort());

    const { owner: third } = await newTeam(app, 'Third');
    const again = await invite(third, 'owner');
    await outside.open(again);
    const { path, html } = await outside.submit(`${again}/join`);
    expect(path).toBe('/');
    expect(html).toMatch(/class="team"[^>]*>Third</);
    // An existing member does not use up an invitation.
    const spare = await invite(third, 'viewer');
    await outside.open(spare);
    const refused = await outside.submit(`${spare}/join`);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('You are already a member of this team.');
  });

  it('does not accept the email of an existing account for a new account', async () => {
    const { owner } = await newTeam(app);
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
    ['revoked', `revoked_at = now()`, 'has revoked this invitation'],
  ])('that is %s admits nobody', async (_name, change, reason) => {
    const { id, owner } = await newTeam(app);
    const path = await invite(owner, 'viewer');
    await app.query(`UPDATE invitations SET ${change} WHERE team_id = $1`, [id]);
    const browser = new Browser(app.origin);
    expect((await browser.open(path)).html).toContain(reason);
    expect((await browser.call('POST', path, { form: newcomer() })).status).toBe(404);
    expect(await membersOf(app, id)).toHaveLength(1);
  });

  it('can be revoked on the page', async () => {
    const { owner } = await newTeam(app);
    const path = await invite(owner, 'viewer');
    await owner.open(PATH);
    const [, id] = new RegExp(`${PATH}/invitations/([\\w-]+)/revoke`).exec(owner.page.html)!;
    const { html } = await owner.submit(`${PATH}/invitations/${id}/revoke`);
    expect(html).toContain('Invitation revoked.');
    expect((await new Browser(app.origin).open(path)).status).toBe(404);
  });

  it('is revoked when its author stops being an owner', async () => {
    const { id, owner } = await newTeam(app);
    const other = await makePerson(app, id, 'owner');
    const path = await invite(owner, 'owner');
    const judge = await signIn(app, other);
    await judge.open(PATH);
    await judge.submit(`${PATH}/members/${owner.person.userId}/role`, { role: 'viewer' });
    expect((await new Browser(app.origin).open(path)).status).toBe(404);
  });

  it.each(['x', '%00', 'x'.repeat(43), '..%2F..'])('that never existed is 404: %s', async (token) => {
    expect((await new Browser(app.origin).open(`/invitations/${token}`)).status).toBe(404);
  });
});
