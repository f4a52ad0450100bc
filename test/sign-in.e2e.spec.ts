import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { startApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { makePerson, PASSWORD, signedIn, signInByForm, type TestPerson } from './support/people.js';

let app: TestApp;
let jo: TestPerson;
beforeAll(async () => {
  // Each test with failed attempts uses its own client address.
  app = await startApp({ TRUST_PROXY: 'true' });
  jo = await makePerson(app, app.teams.ours.id, 'owner', 'Jo');
});
afterAll(() => app.close());

/** Sends the form from a client address directly, without loading the page first. */
function trySignIn(email: string, password: string, address: string, browser = new Browser(app.origin)) {
  return browser.call('POST', '/sign-in', { form: { email, password }, headers: { 'x-forwarded-for': address } });
}

const sessions = () => app.query<{ token_hash: Buffer }>('SELECT token_hash FROM sessions ORDER BY created_at');

describe('signing in', () => {
  it('returns to the requested page, and ignores the case of the email', async () => {
    const browser = new Browser(app.origin);
    const { path } = await browser.open('/settings/api-keys?revoked=true');
    expect(path).toBe('/sign-in?next=%2Fsettings%2Fapi-keys%3Frevoked%3Dtrue');
    const there = await browser.submit('/sign-in', { email: ` ${jo.email.toUpperCase()} `, password: PASSWORD });
    expect(there.path).toBe('/settings/api-keys?revoked=true');
    expect(there.status).toBe(200);
    expect((await browser.open('/sign-in')).path).toBe('/');
  });

  it.each(['https://evil.test/', '//evil.test', '/\\evil.test', '/%09/evil.test', 'evil', '', '/\t/evil.test'])(
    'never redirects to another site: %j',
    async (next) => {
      const form = { email: jo.email, password: PASSWORD, next };
      const answer = await new Browser(app.origin).call('POST', '/sign-in', { form });
      expect(answer.status).toBe(303);
      const location = answer.headers.get('location') ?? '';
      expect(new URL(location, app.origin).origin).toBe(app.origin);
    },
  );

  it('does not disclose whether the email or the password was wrong', async () => {
    const unknown = await trySignIn('nobody@example.com', PASSWORD, '192.0.2.1');
    const wrong = await trySignIn(jo.email, `${PASSWORD}!`, '192.0.2.1');
    expect([unknown.status, wrong.status]).toEqual([422, 422]);
    const text = async (answer: Response, email: string) => (await answer.text()).replaceAll(email, 'EMAIL');
    expect(await text(unknown, 'nobody@example.com')).toBe(await text(wrong, jo.email));
    expect(unknown.headers.getSetCookie()).toEqual([]);
  });

  it('takes as long for an unknown email as for a wrong password', async () => {
    const triedMs = async (email: string, address: string): Promise<number> => {
      const from = performance.now();
      expect((await trySignIn(email, 'wrong password', address)).status).toBe(422);
      return performance.now() - from;
    };
    // Alternating, and the fastest of each: other load on the machine slows some attempts, but not all.
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let n = 0; n < 9; n += 1) {
      known.push(await triedMs(jo.email, `198.51.100.${n}`));
      unknown.push(await triedMs('nobody@a.example', `203.0.113.${n}`));
    }
    // Without verifying a hash it would take about a tenth.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
  });

  it.each(['\0', 'x'.repeat(60_000), "' OR 1=1 --", '\ud800'])('rejects the malformed email %#', async (email) => {
    expect((await trySignIn(email, 'x', '192.0.2.3')).status).toBe(422);
  });

  it('is limited after ten failures from an address, even with the right password, but not from others', async () => {
    for (let n = 0; n < 10; n += 1) expect((await trySignIn(jo.email, 'wrong', '192.0.2.4')).status).toBe(422);
    const refused = await trySignIn(jo.email, PASSWORD, '192.0.2.4');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('Too many wrong passwords from this address.');
    expect((await trySignIn(jo.email, PASSWORD, '192.0.2.5')).status).toBe(303);
  });
});

describe('a session', () => {
  it('is a cookie that is inaccessible to scripts and other sites', async () => {
    const answer = await trySignIn(jo.email, PASSWORD, '192.0.2.6');
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^dw_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('is stored only as a hash, under a token that a client cannot choose', async () => {
    const browser = new Browser(app.origin);
    browser.cookies.set('dw_session', 'fixed'.padEnd(43, 'x'));
    await browser.open('/sign-in');
    await browser.submit('/sign-in', { email: jo.email, password: PASSWORD });
    const first = browser.cookies.get('dw_session')!;
    expect(first).not.toContain('fixed');
    for (const { token_hash: hash } of await sessions()) {
      expect(hash).toHaveLength(32);
      expect(hash.toString('base64url')).not.toBe(first);
    }

    const again = await trySignIn(jo.email, PASSWORD, '192.0.2.6', browser);
    expect(again.status).toBe(303);
    expect(browser.cookies.get('dw_session')).not.toBe(first);
    const old = new Browser(app.origin);
    old.cookies.set('dw_session', first);
    expect((await old.open('/')).path).toBe('/sign-in');
  });

  it.each(['', 'x', 'x'.repeat(5_000), '%00', '\u00e9'])('is not started by the cookie %#', async (value) => {
    const browser = new Browser(app.origin);
    browser.cookies.set('dw_session', encodeURIComponent(value));
    expect((await browser.open('/')).path).toBe('/sign-in');
  });

  it.each(['expires_at = now()', "last_seen_at = now() - interval '7 days'"])('is rejected with %s', async (change) => {
    const browser = await signInByForm(app, jo);
    expect((await browser.open('/')).path).toBe('/');
    await app.query(`UPDATE sessions SET ${change} WHERE user_id = $1`, [jo.userId]);
    expect((await browser.open('/')).path).toBe('/sign-in');
  });

  it('records its last use at most once per minute', async () => {
    const browser = await signInByForm(app, jo);
    const seen = () => app.query('SELECT max(last_seen_at) AS at FROM sessions WHERE user_id = $1', [jo.userId]);
    const before = await seen();
    await browser.open('/');
    expect(await seen()).toEqual(before);
    await app.query(`UPDATE sessions SET last_seen_at = now() - interval '61 s' WHERE user_id = $1`, [jo.userId]);
    const aged = await seen();
    await browser.open('/');
    expect(await seen()).not.toEqual(aged);
  });

  it('is one of at most fifty: the least recently used ones end', async () => {
    const mary = await makePerson(app, app.teams.ours.id, 'viewer');
    const [oldest, latest] = [await signInByForm(app, mary), await signInByForm(app, mary)];
    await app.query(
      `INSERT INTO sessions (id, token_hash, user_id, team_id, created_at, last_seen_at, expires_at)
       SELECT gen_random_uuid(), sha256(n::text::bytea), user_id, team_id, created_at, now(), expires_at
       FROM sessions, generate_series(1, 60) AS n WHERE token_hash = $1`,
      [createHash('sha256').update(latest.cookies.get('dw_session')!).digest()],
    );
    await app.query(`UPDATE sessions SET last_seen_at = now() - interval '1 hour' WHERE token_hash = $1`, [
      createHash('sha256').update(oldest.cookies.get('dw_session')!).digest(),
    ]);
    const next = await signInByForm(app, mary);
    expect(await app.query('SELECT 1 FROM sessions WHERE user_id = $1', [mary.userId])).toHaveLength(50);
    expect((await next.open('/')).path).toBe('/');
    expect((await oldest.open('/')).path).toBe('/sign-in');
  });

  it('ends by signing out, only in that browser', async () => {
    const [one, other] = [await signInByForm(app, jo), await signInByForm(app, jo)];
    const token = one.cookies.get('dw_session')!;
    const { path, html } = await one.submit('/sign-out');
    expect(path).toBe('/sign-in?done=signed-out');
    expect(html).toContain('You are signed out.');
    expect(one.cookies.has('dw_session')).toBe(false);
    one.cookies.set('dw_session', token);
    expect((await one.open('/')).path).toBe('/sign-in');
    expect((await other.open('/')).path).toBe('/');
  });

  it('is not accepted by the API, and pages do not accept an API key', async () => {
    const browser = await signedIn(app, 'owner');
    expect((await browser.call('GET', '/v1/monitors')).status).toBe(401);
    const headers = { authorization: `Bearer ${app.teams.ours.admin}` };
    expect((await new Browser(app.origin).call('GET', '/settings/team', { headers })).status).toBe(303);
  });
});

describe('with an https PUBLIC_URL', () => {
  it('the cookie is restricted to that host and to https', async () => {
    const secure = await startApp({ PUBLIC_URL: 'https://watch.example.com' });
    try {
      const { email } = await makePerson(secure, secure.teams.ours.id, 'viewer');
      const headers = { origin: 'https://watch.example.com' };
      const form = { email, password: PASSWORD };
      const answer = await new Browser(secure.origin).call('POST', '/sign-in', { form, headers });
      expect(answer.status).toBe(303);
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^__Host-dw_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    } finally {
      await secure.close();
    }
  });
});
