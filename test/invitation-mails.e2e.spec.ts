import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Browser } from './support/browser.js';
import { eventually } from './support/eventually.js';
import { unescaped } from './support/html-forms.js';
import { headersOf, partOf } from './support/mail-server.js';
import { linkIn, type MailingApp, mailsTo, startMailingApp } from './support/mailing-app.js';
import { makePerson, signIn } from './support/people.js';
import { newTeam } from './support/teams.js';

const PATH = '/settings/team';

let mailing: MailingApp;
beforeAll(async () => {
  mailing = await startMailingApp();
});
afterAll(() => mailing.close());

const newEmail = () => `nia-${randomUUID()}@example.com`;

async function invite(owner: Browser, email: string) {
  await owner.open(PATH);
  const { status, html } = await owner.submit(`${PATH}/invitations`, { role: 'editor', email });
  return { status, html: unescaped(html), link: /http[^<]+\/invitations\/[\w-]{43}/.exec(html)?.[0] };
}

describe('an invitation with an email', () => {
  it('is mailed with its link, which the page also shows', async () => {
    const { owner } = await newTeam(mailing.app, 'Acme');
    const email = newEmail();
    const { status, html, link } = await invite(owner, ` ${email} `);
    expect(status).toBe(200);
    expect(html).toContain('Invitation sent');
    expect(html).toMatch(new RegExp(`The invitation was emailed to <span[^>]*>${email}<`));
    const [mail, ...more] = mailsTo(mailing.accepted, email);
    expect(more).toEqual([]);
    expect(headersOf(mail!.raw)).toMatch(/^Subject: Join Acme on Daywatch\r?$/m);
    expect(linkIn(mail!, 'invitations').href).toBe(link);
    expect(partOf(mail!.raw, 'text/plain')).toContain(`Olga (${owner.person.email}) has invited you to join`);
    expect(partOf(mail!.raw, 'text/plain')).toContain('as an editor');
    const opened = await new Browser(mailing.app.origin).open(new URL(link!).pathname);
    expect(opened.html).toContain('Join Acme');
  });

  it('is valid and shown if the mail server refuses the address, with its reason', async () => {
    const { owner } = await newTeam(mailing.app);
    const { html, link } = await invite(owner, 'nobody@example.com');
    expect(html).toContain('could not be emailed');
    expect(html).toContain('No such user here');
    expect(html).toContain('Copy the link now');
    expect((await new Browser(mailing.app.origin).open(new URL(link!).pathname)).status).toBe(200);
  });

  it('is shown within seconds if the mail server does not answer, and mailed once it does', async () => {
    const { owner } = await newTeam(mailing.app);
    const email = newEmail();
    const stalled = mailing.stall();
    try {
      const { html, link } = await invite(owner, email);
      // The attempt is still running, so the page did not wait for its end after 10 s.
      expect(stalled.waiting()).toBe(1);
      expect(html).toContain('the mail server has not accepted it yet');
      expect(link).toBeDefined();
    } finally {
      stalled.release();
    }
    await eventually(() => expect(mailsTo(mailing.accepted, email)).toHaveLength(1));
  });

  it('contains names literally', async () => {
    const { id, owner } = await newTeam(mailing.app, '<b>Acme</b>');
    const person = await makePerson(mailing.app, id, 'owner', 'Eve <img src=x>');
    const email = newEmail();
    await invite(await signIn(mailing.app, person), email);
    const [mail] = mailsTo(mailing.accepted, email);
    const html = partOf(mail!.raw, 'text/html');
    expect(html).not.toMatch(/<b>|<img/);
    expect(unescaped(html)).toContain('Eve <img src=x>');
    expect(owner.person.userId).not.toBe(person.userId);
  });

  it('is mailed to an address five times in 24 hours, whoever sends it', async () => {
    const email = newEmail();
    const owners = [(await newTeam(mailing.app)).owner, (await newTeam(mailing.app)).owner];
    for (let n = 0; n < 5; n += 1) expect((await invite(owners[n % 2]!, email)).html).toContain('Invitation sent');
    const refused = await invite(owners[0]!, email.toUpperCase());
    expect(refused.html).toContain('This address was sent too many invitations within 24 hours.');
    expect(refused.link).toBeDefined();
    expect(mailing.accepted.filter(({ raw }) => raw.toLowerCase().includes(`to: ${email}`))).toHaveLength(5);
    await mailing.app.query(`UPDATE invitations SET created_at = created_at - interval '1 day' WHERE email = $1`, [
      email,
    ]);
    expect((await invite(owners[0]!, email)).html).toContain('Invitation sent');
  });

  it('is mailed for a person a hundred times in 24 hours', async () => {
    const { id, owner } = await newTeam(mailing.app);
    await mailing.app.query(
      `INSERT INTO invitations (id, team_id, role, token_hash, created_by, expires_at)
       SELECT gen_random_uuid(), $1, 'viewer', sha256((random()::text || n)::bytea), $2, now() FROM generate_series(1, 100) n`,
      [id, `user:${owner.person.userId}`],
    );
    const email = newEmail();
    expect((await invite(owner, email)).html).toContain('You have sent too many invitations within 24 hours.');
    expect(mailsTo(mailing.accepted, email)).toEqual([]);
  });

  it('is rejected if the email is not an address', async () => {
    const { id, owner } = await newTeam(mailing.app);
    const { status, html } = await invite(owner, 'Nia');
    expect(status).toBe(422);
    expect(html).toContain('href="#invite-email"');
    expect(await mailing.app.query('SELECT 1 FROM invitations WHERE team_id = $1', [id])).toEqual([]);
  });
});

describe('an invitation without an email', () => {
  it('is only shown', async () => {
    const { owner } = await newTeam(mailing.app);
    const before = mailing.accepted.length;
    const { html, link } = await invite(owner, '');
    expect(html).toContain('Copy the link now');
    expect(html).not.toContain('mailed');
    expect(link).toBeDefined();
    expect(mailing.accepted).toHaveLength(before);
  });
});
