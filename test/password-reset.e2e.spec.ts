import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Database } from 'pg';
import { startApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { eventually } from './support/eventually.js';
import { headersOf } from './support/mail-server.js';
import { linkIn, type MailingApp, mailsTo, startMailingApp } from './support/mailing-app.js';
import { addMember, makePerson, PASSWORD, signIn, signInByForm, type TestPerson } from './support/people.js';
import { newTeam } from './support/teams.js';

const NEW_PASSWORD = 'another passphrase of words';

let mailing: MailingApp;
beforeAll(async () => {
  // Each test requests links from its own client address.
  mailing = await startMailingApp({ TRUST_PROXY: 'true' });
});
afterAll(() => mailing.close());

const person = (): Promise<TestPerson> => makePerson(mailing.app, mailing.app.teams.ours.id, 'owner', 'Jo');

/** Requests a link from a client address directly, without loading the page first. */
function request(email: string, address: string, origin = mailing.app.origin): Promise<Response> {
  const headers = { 'x-forwarded-for': address };
  return new Browser(origin).call('POST', '/forgot-password', { form: { email }, headers });
}

const mailsOf = ({ email }: TestPerson) => mailsTo(mailing.accepted, email);

/** Requests a link and returns its path. */
async function requestedPath(jo: TestPerson, address: string): Promise<string> {
  const before = mailsOf(jo).length;
  expect((await request(jo.email, address)).status).toBe(303);
  await eventually(() => expect(mailsOf(jo)).toHaveLength(before + 1));
  return linkIn(mailsOf(jo).at(-1)!, 'reset-password').pathname;
}

/** Opens a link and submits a password. */
async function submitPassword(path: string, password = NEW_PASSWORD, browser = new Browser(mailing.app.origin)) {
  await browser.open(path);
  return browser.submit('/reset-password', { password });
}

describe('a link to reset a password', () => {
  it('is mailed, sets a new password once, ends all sessions, and is recorded in each team', async () => {
    const { app } = mailing;
    const jo = await person();
    const second = await newTeam(app, 'Second');
    await addMember(app, second.id, jo.userId, 'viewer');
    const open = [await signIn(app, jo), await signIn(app, jo)];

    const browser = new Browser(app.origin);
    expect((await browser.open('/sign-in')).html).toContain('<a href="/forgot-password">Forgot password?</a>');
    await browser.open('/forgot-password');
    const asked = await browser.submit('/forgot-password', { email: ` ${jo.email.toUpperCase()} ` });
    expect(asked.path).toBe('/forgot-password?done=requested');
    expect(asked.html).toContain('If an account with that email exists');
    await eventually(() => expect(mailsOf(jo)).toHaveLength(1));
    expect(headersOf(mailsOf(jo)[0]!.raw)).toMatch(/^Subject: Reset your Daywatch password\r?$/m);
    const link = linkIn(mailsOf(jo)[0]!, 'reset-password');
    expect(link.origin).toBe(app.origin);

    const form = await browser.open(link.pathname);
    expect(form.path).toBe('/reset-password');
    expect(form.html).toContain(jo.email);
    const after = await browser.submit('/reset-password', { password: NEW_PASSWORD });
    expect(after.path).toBe('/sign-in?done=password-reset');
    expect(after.html).toContain('Your password was changed');

    for (const one of open) expect((await one.open('/')).path).toBe('/sign-in');
    await expect(signInByForm(app, jo)).rejects.toThrow('could not sign in');
    await signInByForm(app, jo, NEW_PASSWORD);
    const again = await browser.open(link.pathname);
    expect(again.status).toBe(404);
    expect(again.html).toContain('Request a new link');

    const changes = await app.query<object>(
      `SELECT team_id, resource_type, resource_id, actor_type, actor_id, data FROM events
       WHERE type = 'person.password_changed' AND resource_id = $1 ORDER BY team_id`,
      [jo.userId],
    );
    const change = {
      resource_type: 'member',
      resource_id: jo.userId,
      actor_type: 'person',
      actor_id: jo.userId,
      data: { method: 'reset' },
    };
    const teams = [app.teams.ours.id, second.id].sort();
    expect(changes).toEqual(teams.map((id) => ({ team_id: id, ...change })));
    const query = '/v1/events?type=person.*';
    const visible = async (key: string) => (await app.api(key).get<{ data: object[] }>(query)).body.data.length;
    await eventually(async () => expect(await visible(app.teams.ours.admin)).toBeGreaterThan(0));
    expect(await visible(app.teams.ours.read)).toBe(0);
    await eventually(() => expect(mailsOf(jo)).toHaveLength(2));
    expect(headersOf(mailsOf(jo)[1]!.raw)).toMatch(/^Subject: Your Daywatch password was changed\r?$/m);
  });

  it('keeps its token out of the database, the address of the page, referrers, caches and search engines', async () => {
    const { app } = mailing;
    const path = await requestedPath(await person(), '192.0.2.1');
    const token = path.slice('/reset-password/'.length);
    const [dump] = await app.query<{ rows: string }>(`SELECT string_agg(r::text, ' ') AS rows FROM password_resets r`);
    expect(dump?.rows).not.toContain(token);
    const browser = new Browser(app.origin);
    const followed = await browser.call('GET', path);
    expect(followed.status).toBe(303);
    expect(followed.headers.get('location')).toBe('/reset-password');
    expect(followed.headers.get('referrer-policy')).toBe('no-referrer');
    expect(followed.headers.getSetCookie()[0]).toMatch(
      /^dw_reset=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const form = await browser.call('GET', '/reset-password');
    for (const { headers } of [followed, form]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
    }
    expect(await form.text()).not.toContain(token);
  });

  it('is not used up by following it, as mail scanners do, or by a password that is refused', async () => {
    const jo = await person();
    const path = await requestedPath(jo, '192.0.2.2');
    for (let n = 0; n < 3; n += 1) expect((await new Browser(mailing.app.origin).open(path)).status).toBe(200);
    for (const password of ['short', 'password1234', jo.email]) {
      const refused = await submitPassword(path, password);
      expect(refused.status).toBe(422);
      expect(refused.html).toContain('href="#reset-password"');
    }
    expect((await submitPassword(path)).path).toBe('/sign-in?done=password-reset');
  });

  it('can be used once, even by concurrent requests', async () => {
    const jo = await person();
    const path = await requestedPath(jo, '192.0.2.3');
    const browsers = Array.from({ length: 3 }, () => new Browser(mailing.app.origin));
    for (const browser of browsers) await browser.open(path);
    const form = { password: NEW_PASSWORD };
    const answers = await Promise.all(browsers.map((one) => one.call('POST', '/reset-password', { form })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => [404, 409].includes(status))).toHaveLength(2);
  });

  it('is void once it has expired, or the password was changed otherwise', async () => {
    const { app } = mailing;
    const jo = await person();
    const expired = await requestedPath(jo, '192.0.2.4');
    await app.query(`UPDATE password_resets SET expires_at = now() WHERE user_id = $1`, [jo.userId]);
    expect((await new Browser(app.origin).open(expired)).status).toBe(404);

    const [first, second] = [await requestedPath(jo, '192.0.2.4'), await requestedPath(jo, '192.0.2.4')];
    expect((await new Browser(app.origin).open(first)).status).toBe(200);
    const owner = await signIn(app, jo);
    await owner.open('/settings/account');
    const change = { currentPassword: PASSWORD, password: NEW_PASSWORD };
    expect((await owner.submit('/settings/account/password', change)).html).toContain('Password changed.');
    for (const path of [first, second]) expect((await new Browser(app.origin).open(path)).status).toBe(404);
  });

  it.each(['x', 'x'.repeat(43), '%00', 'x'.repeat(3_000)])(
    'with the token %# that was never sent is not found',
    async (token) => {
      const browser = new Browser(mailing.app.origin);
      expect((await browser.open(`/reset-password/${token}`)).status).toBe(404);
      browser.cookies.set('dw_reset', token);
      expect((await browser.open('/reset-password')).status).toBe(404);
      const form = { password: NEW_PASSWORD };
      expect((await browser.call('POST', '/reset-password', { form })).status).toBe(404);
    },
  );

  it('begins with the address of the service, whatever host the request names', async () => {
    const jo = await person();
    const { port } = new URL(mailing.app.origin);
    expect((await request(jo.email, '192.0.2.5', `http://localhost:${port}`)).status).toBe(303);
    await eventually(() => expect(mailsOf(jo)).toHaveLength(1));
    expect(linkIn(mailsOf(jo)[0]!, 'reset-password').origin).toBe(mailing.app.origin);
  });
});

describe('a request for a link', () => {
  it('does not disclose whether an account exists, and does not wait for the lookup or the mail', async () => {
    const jo = await person();
    const database = new Database({ connectionString: mailing.app.databaseUrl });
    await database.connect();
    try {
      // Nothing that concerns this account can be read or written until the transaction ends.
      await database.query('BEGIN');
      await database.query('LOCK TABLE users, password_resets IN ACCESS EXCLUSIVE MODE');
      const [known, unknown] = [await request(jo.email, '192.0.2.6'), await request('no@example.com', '192.0.2.6')];
      const seen = ({ status, headers }: Response) => ({ status, to: headers.get('location') });
      expect(seen(known)).toEqual({ status: 303, to: '/forgot-password?done=requested' });
      expect(seen(unknown)).toEqual(seen(known));
      expect(mailsOf(jo)).toHaveLength(0);
      await database.query('COMMIT');
    } finally {
      await database.end();
    }
    await eventually(() => expect(mailsOf(jo)).toHaveLength(1));
    expect(mailsTo(mailing.accepted, 'no@example.com')).toEqual([]);
  });

  it('is answered before the mail server is', async () => {
    const jo = await person();
    const stalled = mailing.stall();
    try {
      expect((await request(jo.email, '192.0.2.7')).status).toBe(303);
      await eventually(() => expect(stalled.waiting()).toBe(1));
      expect(mailsOf(jo)).toHaveLength(0);
    } finally {
      stalled.release();
    }
    await eventually(() => expect(mailsOf(jo)).toHaveLength(1));
  });

  it('sends an account three links in an hour and ten in a day, even if requests are concurrent', async () => {
    const { app } = mailing;
    const jo = await person();
    const links = async () =>
      Number(
        (await app.query<{ count: string }>('SELECT count(*) FROM password_resets WHERE user_id = $1', [jo.userId]))[0]!
          .count,
      );
    const requestSix = (address: string) => Promise.all(Array.from({ length: 6 }, () => request(jo.email, address)));
    /** Requests are carried out in order, so the last one is over once that of somebody else is. */
    const settled = async (address: string) => {
      const marker = await person();
      await requestedPath(marker, address);
    };
    for (const answer of await requestSix('192.0.2.8')) expect(answer.status).toBe(303);
    await eventually(() => expect(mailsOf(jo)).toHaveLength(3));
    await settled('192.0.2.9');
    expect([mailsOf(jo).length, await links()]).toEqual([3, 3]);

    await app.query(`UPDATE password_resets SET created_at = created_at - interval '2 hours' WHERE user_id = $1`, [
      jo.userId,
    ]);
    await app.query(
      `INSERT INTO password_resets (id, user_id, token_hash, created_at, expires_at)
       SELECT gen_random_uuid(), $1, sha256(n::text::bytea), now() - interval '3 hours', now() - interval '2 hours'
       FROM generate_series(1, 6) n`,
      [jo.userId],
    );
    await requestSix('192.0.2.10');
    await eventually(() => expect(mailsOf(jo)).toHaveLength(4));
    await settled('192.0.2.11');
    expect([mailsOf(jo).length, await links()]).toEqual([4, 10]);
  });

  it('is refused after ten from one client address in 15 minutes, for any account, but not from others', async () => {
    const jo = await person();
    for (let n = 0; n < 10; n += 1) expect((await request(`no-${n}@example.com`, '192.0.2.20')).status).toBe(303);
    for (const email of [jo.email, 'no@example.com']) {
      const refused = await request(email, '192.0.2.20');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.text()).toContain('Too many requests from this address.');
    }
    await requestedPath(jo, '192.0.2.21');
    expect(mailsOf(jo)).toHaveLength(1);
  });

  it.each(['', 'nobody', '\0@example.com', 'x'.repeat(60_000), '\ud800@example.com'])(
    'rejects the malformed email %#',
    async (email) => {
      expect((await request(email, '192.0.2.22')).status).toBe(422);
    },
  );

  it('is accepted from pages of the service only', async () => {
    const headers = { origin: 'https://evil.test' };
    const answer = await new Browser(mailing.app.origin).call('POST', '/forgot-password', {
      form: { email: 'x' },
      headers,
    });
    expect(answer.status).toBe(403);
  });
});

describe('without a mail server', () => {
  it('no link is offered, and the pages say whom to ask', async () => {
    const silent = await startApp({ SMTP_URL: '', MAIL_FROM: '' });
    try {
      const jo = await makePerson(silent, silent.teams.ours.id, 'owner');
      const browser = new Browser(silent.origin);
      expect((await browser.open('/sign-in')).html).not.toContain('Forgot password?');
      const page = await browser.open('/forgot-password');
      expect(page.status).toBe(404);
      expect(page.html).toContain('This installation has no mail server.');
      const answer = await browser.call('POST', '/forgot-password', { form: { email: jo.email } });
      expect(answer.status).toBe(404);
      expect(await silent.query('SELECT 1 FROM password_resets')).toEqual([]);

      const owner = await signIn(silent, jo);
      const { html } = await owner.open('/settings/team');
      expect(html).toContain('No email is sent: you send the link yourself.');
      const created = await owner.submit('/settings/team/invitations', {
        role: 'viewer',
        email: 'Nia, our new colleague',
      });
      expect(created.html).toContain('Copy the link now');
      expect(created.html).not.toContain('mailed');
    } finally {
      await silent.close();
    }
  });
});
