import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client as Database } from 'pg';
import { type TeamId } from '../src/http/auth/principal.js';
import { type LastUsesService } from '../src/modules/api-keys/last-uses.service.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type UsersService } from '../src/modules/users/users.service.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { quietMonitor } from './support/console.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { addMember, makePerson, PASSWORD, signedIn, signIn, type TestPerson } from './support/people.js';
import { SlowRequest } from './support/slow-request.js';
import { createPage } from './support/status-pages.js';
import { waitingSessions } from './support/waiting-sessions.js';

// Requests that passed their checks before a concurrent change that would have rejected them.

const NEXT = 'another five words of length';
const TEAM_PATH = '/settings/team';

let app: TestApp;
let ours: TeamId;
beforeAll(async () => {
  app = await sharedApp();
  ours = app.teams.ours.id;
});
afterAll(() => app.close());

const count = async (table: string, where: string, parameters: unknown[]) => {
  const [row] = await app.query<{ count: number }>(`SELECT count(*)::int FROM ${table} WHERE ${where}`, parameters);
  return row!.count;
};

describe('a request whose body is still being received', () => {
  /** Sends the head of a form and waits until the guard has looked up the session. */
  async function beginForm(browser: Browser & { person: TestPerson }, path: string, form: Record<string, string>) {
    const { userId } = browser.person;
    await app.query(`UPDATE sessions SET last_seen_at = now() - interval '1 hour' WHERE user_id = $1`, [userId]);
    const [[name, value] = []] = [...browser.cookies];
    const headers = {
      origin: app.origin,
      cookie: `${name}=${value}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const body = new URLSearchParams({ _token: browser.formToken, ...form }).toString();
    const request = await SlowRequest.begin(app.origin, path, headers, body);
    await eventually(async () => {
      const recent = `user_id = $1 AND last_seen_at > now() - interval '1 minute'`;
      expect(await count('sessions', recent, [userId])).toBe(1);
    });
    // By the time another page has loaded, the guard has completed its remaining queries.
    await browser.open('/');
    return request;
  }

  it('from a form has no effect once the role of its sender was reduced', async () => {
    const browser = await signedIn(app, 'editor');
    const request = await beginForm(browser, '/incidents/new', { title: 'Too late' });
    await app.query(`UPDATE members SET role = 'viewer' WHERE user_id = $1`, [browser.person.userId]);
    expect(await request.finish()).toBe(403);
  });

  it('from a form has no effect once its sender was signed out', async () => {
    const browser = await signedIn(app, 'owner');
    const request = await beginForm(browser, `${TEAM_PATH}`, { name: 'Too late' });
    await app.query('DELETE FROM sessions WHERE user_id = $1', [browser.person.userId]);
    expect(await request.finish()).toBe(303);
    expect(await count('teams', 'name = $1', ['Too late'])).toBe(0);
  });

  it.each([
    ['revoked', 401, () => ({})],
    ['changed to read', 403, () => ({ scopes: ['read'] })],
  ])('to the API has no effect once its key is %s', async (_name, status, patch) => {
    const admin = app.api(app.teams.ours.admin);
    const { body: key } = await admin.post<{ id: string; secret: string }>('/v1/api-keys', {
      name: 'Slow',
      scopes: ['write'],
    });
    const headers = { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' };
    const body = JSON.stringify(httpMonitor('http://127.0.0.1:9/', { name: `Too late: ${status}`, paused: true }));
    const request = await SlowRequest.begin(app.origin, '/v1/monitors', headers, body);
    await eventually(async () => {
      await app.backstage.provider<LastUsesService>('LastUsesService').flush();
      expect(await count('api_keys', 'id = $1 AND last_used_at IS NOT NULL', [key.id])).toBe(1);
    });
    await (status === 401 ? admin.delete(`/v1/api-keys/${key.id}`) : admin.patch(`/v1/api-keys/${key.id}`, patch()));
    expect(await request.finish()).toBe(status);
    expect(await count('monitors', 'name = $1', [`Too late: ${status}`])).toBe(0);
  });
});

describe('a request concurrent with an uncommitted change', () => {
  let other: Database;
  beforeEach(async () => {
    other = new Database({ connectionString: app.databaseUrl });
    await other.connect();
    await other.query('BEGIN');
  });
  afterEach(async () => {
    // Rolls back whatever has not been committed.
    await other.end();
  });

  /** Commits the other transaction once every request either waits for a lock or has finished. */
  async function overtaken<T>(...requests: Promise<T>[]): Promise<T[]> {
    let through = 0;
    for (const request of requests) void request.finally(() => (through += 1)).catch(() => undefined);
    await eventually(async () => {
      const waiting = await waitingSessions((sql) => app.query(sql));
      expect(waiting.length + through).toBeGreaterThanOrEqual(requests.length);
    });
    await other.query('COMMIT');
    return Promise.all(requests);
  }

  const signInAs = async ({ email }: TestPerson) => {
    const { status } = await (
      await signedInNowhere()
    ).call('POST', '/sign-in', { form: { email, password: PASSWORD } });
    return status;
  };
  const signedInNowhere = async () => {
    const browser = await signedIn(app, 'viewer');
    browser.cookies.clear();
    return browser;
  };

  it('signs nobody in with a password that is being changed', async () => {
    const person = await makePerson(app, ours, 'viewer');
    const hash = await app.backstage.provider<UsersService>('UsersService').prepareNewPassword(person.email, NEXT);
    await other.query('UPDATE users SET password_hash = $2 WHERE id = $1', [person.userId, hash]);
    await other.query('DELETE FROM sessions WHERE user_id = $1', [person.userId]);
    expect(await overtaken(signInAs(person))).toEqual([422]);
    expect(await count('sessions', 'user_id = $1', [person.userId])).toBe(0);
  });

  it('rejects the second of two password changes, as the password is no longer current', async () => {
    const person = await makePerson(app, ours, 'viewer');
    const browsers = await Promise.all([signIn(app, person), signIn(app, person)]);
    await other.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [person.userId]);
    const change = async (browser: Browser, password: string) => {
      const form = { _token: browser.formToken, currentPassword: PASSWORD, password };
      return (await browser.call('POST', '/settings/account/password', { form })).status;
    };
    const statuses = await overtaken(...browsers.map((browser, n) => change(browser, `${NEXT} ${n}`)));
    expect(statuses.sort()).toEqual([303, 422]);
    expect(await count('sessions', 'user_id = $1', [person.userId])).toBe(1);
  });

  it('creates no invitation for a person who stops being an owner', async () => {
    const owner = await signedIn(app, 'owner');
    await other.query('SELECT 1 FROM teams WHERE id = $1 FOR NO KEY UPDATE', [ours]);
    await other.query(`UPDATE members SET role = 'viewer' WHERE user_id = $1`, [owner.person.userId]);
    const form = { _token: owner.formToken, role: 'owner', email: '' };
    const invite = owner.call('POST', `${TEAM_PATH}/invitations`, { form });
    expect((await overtaken(invite)).map(({ status }) => status)).toEqual([403]);
    expect(await count('invitations', 'created_by = $1', [`user:${owner.person.userId}`])).toBe(0);
  });

  it('rejects the sign-in of a person who is being removed from the team', async () => {
    const person = await makePerson(app, ours, 'viewer');
    await other.query('DELETE FROM members WHERE user_id = $1', [person.userId]);
    expect(await overtaken(signInAs(person))).toEqual([403]);
  });

  it.each([
    ['title', 'Payments fail', { impact: 'down' }],
    ['impact', 'none', { title: 'Payments fail' }],
  ])('keeps the %s of an incident, which its patch does not name', async (name, value, patch) => {
    const api = app.api(app.teams.ours.write);
    const { id } = await reportIncident(api, [await quietMonitor(app, 'Shop')]);
    await other.query(`UPDATE incidents SET ${name} = $2 WHERE id = $1`, [id, value]);
    const [patched] = await overtaken(api.patch<IncidentDto>(`/v1/incidents/${id}`, patch));
    expect(patched).toMatchObject({ status: 200, body: { [name]: value, ...patch } });
  });

  it('rejects switching to a team from which the person is being removed', async () => {
    const browser = await signedIn(app, 'viewer');
    const { id: theirs } = app.teams.theirs;
    await addMember(app, theirs, browser.person.userId, 'viewer');
    await other.query('DELETE FROM members WHERE user_id = $1 AND team_id = $2', [browser.person.userId, theirs]);
    const look = browser.call('POST', '/team', { form: { _token: browser.formToken, team: theirs } });
    expect((await overtaken(look)).map(({ status }) => status)).toEqual([403]);
  });

  it('starts no operation beyond the limit', async () => {
    const unfinished = `INSERT INTO operations (id, team_id, action, created_by, claimed_by, claimed_until)
      SELECT gen_random_uuid(), $1, 'resume', 'x', gen_random_uuid(), now() + interval '1 hour' FROM generate_series(1, $2)`;
    await app.query(unfinished, [ours, 9]);
    await other.query('SELECT 1 FROM teams WHERE id = $1 FOR NO KEY UPDATE', [ours]);
    await other.query(unfinished, [ours, 1]);
    const start = app.api(app.teams.ours.write).post('/v1/monitors/bulk', { action: 'resume', select: { all: true } });
    expect(await overtaken(start)).toMatchObject([{ status: 429, body: { code: 'rate_limited' } }]);
    await app.query('DELETE FROM operations WHERE team_id = $1', [ours]);
  });

  it.each([
    ['adding one', '', { email: 'jo@example.com', consentSource: 'A contract' }],
    ['importing some', '/import', { csv: 'email\njo@example.com\n', consentSource: 'A contract' }],
  ])(
    'to the subscribers of a status page that is being deleted is rejected with 404: %s',
    async (_name, path, body) => {
      const admin = app.api(app.teams.ours.admin);
      const monitor = await createMonitor(admin, httpMonitor('http://127.0.0.1:9/', { paused: true }));
      const page = await createPage(admin, { monitorIds: [monitor.id] });
      await other.query('DELETE FROM status_pages WHERE id = $1', [page.id]);
      const [response] = await overtaken(admin.post(`/v1/status-pages/${page.id}/subscribers${path}`, body));
      expect(response?.status).toBe(404);
    },
  );

  it.each([
    ['is new', null],
    ['is to be confirmed', 'pending'],
  ])('does not subscribe an address that is being imported and %s', async (_name, status) => {
    const admin = app.api(app.teams.ours.admin);
    const { id } = await createPage(admin, { slug: randomUUID() });
    const email = 'jo@example.com';
    const insert = `INSERT INTO status_page_subscribers (id, team_id, status_page_id, email, status)
      VALUES ($1, $2, $3, $4, $5)`;
    if (status !== null) await app.query(insert, [randomUUID(), ours, id, email, status]);
    const imported = `${insert} ON CONFLICT (status_page_id, email) DO UPDATE SET status = excluded.status`;
    await other.query(imported, [randomUUID(), ours, id, email, 'active']);
    const path = `/v1/status-pages/${id}/subscribers`;
    const added = admin.post<object>(path, { email, consentSource: 'A contract' });
    const csv = `${email}\nmax@example.com\n`;
    const also = admin.post<object>(`${path}/import`, { csv, consentSource: 'Old page' });
    expect(await overtaken(added, also)).toMatchObject([
      { status: 409, body: { code: 'conflict' } },
      { status: 200, body: { imported: 1, skipped: [{ line: 1, reason: 'already_subscribed' }] } },
    ]);
  });
});
