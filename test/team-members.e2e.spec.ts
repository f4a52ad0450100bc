import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../src/domain/durations.js';
import { sharedApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { eventually } from './support/eventually.js';
import { addMember, makePerson, PASSWORD, signIn } from './support/people.js';
import { createMonitor } from './support/monitors.js';
import { membersOf, newTeam } from './support/teams.js';

const PATH = '/settings/team';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

const SECRET = /dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}/;

/** Creates an API key on the page. Returns its secret. */
async function makeApiKey(browser: Browser, scopes: string): Promise<string> {
  await browser.open('/settings/api-keys');
  const { html } = await browser.submit('/settings/api-keys', { name: scopes, scopes });
  return SECRET.exec(html)![0];
}

/** Creates a ping key on the page. Returns its secret. */
async function makePingKey(browser: Browser): Promise<string> {
  await browser.open('/settings/ping-keys');
  const { html } = await browser.submit('/settings/ping-keys', { name: 'Cron' });
  return /\/ping\/([0-9A-Za-z]{22})\//.exec(html)![1]!;
}

/** Reports to the monitor `backup` of the team of a ping key. Returns the status of the response. */
async function reportWith(pingKey: string): Promise<number> {
  return (await fetch(`${app.origin}/ping/${pingKey}/backup`)).status;
}

describe('removing a member', () => {
  it('ends their sessions in the team, and within a second their keys and all keys created by those', async () => {
    const { id, owner } = await newTeam(app);
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
    expect(after).toContain('Member removed. The keys that they created or rotated have been revoked.');
    // The process that removes a member does not trust what it has read before.
    expect(await statuses()).toEqual([401, 401]);
    expect((await here.open('/')).path).toBe('/sign-in');
    expect((await there.open('/')).html).toContain('Ours');
    // They can still sign in to their other team.
    expect((await signIn(app, gone)).page.html).toContain('Ours');
  });

  describe('invalidates every secret that was shown to them', () => {
    const statusesOf = (secrets: string[]) =>
      Promise.all(secrets.map(async (one) => (await app.api(one).get('/v1/api-keys/self')).status));

    async function makeKey(browser: Browser): Promise<{ id: string; secret: string }> {
      const secret = await makeApiKey(browser, 'admin');
      const { body } = await app.api(secret).get<{ id: string }>('/v1/api-keys/self');
      return { id: body.id, secret };
    }

    async function rotateAs(browser: Browser, id: string): Promise<string> {
      await browser.open(`/settings/api-keys/${id}/rotate`);
      const { html } = await browser.submit(`/settings/api-keys/${id}/rotate`, { overlapSeconds: '3600' });
      return SECRET.exec(html)![0];
    }

    async function rotateWith(secret: string, id: string): Promise<string> {
      const { status, body } = await app.api(secret).post<{ secret: string }>(`/v1/api-keys/${id}/rotate`, {
        overlapSeconds: 3_600,
      });
      expect(status).toBe(200);
      return body.secret;
    }

    /** Creates a key with the secret of another one. Returns its secret. */
    async function createWith(secret: string): Promise<string> {
      const body = { name: 'Child', scopes: ['admin'], expiresAt: new Date(Date.now() + DAY_MS).toISOString() };
      return (await app.api(secret).post<{ secret: string }>('/v1/api-keys', body)).body.secret;
    }

    it.each<[string, (gus: Browser, olga: Browser) => Promise<string[]>, number[]]>([
      [
        'by a rotation',
        async (gus, olga) => {
          const { id, secret } = await makeKey(olga);
          return [secret, await rotateAs(gus, id)];
        },
        [401, 401],
      ],
      [
        'by a rotation, also if the key has rotated itself since',
        async (gus, olga) => {
          const { id } = await makeKey(olga);
          const shown = await rotateAs(gus, id);
          return [shown, await rotateWith(shown, id)];
        },
        [401, 401],
      ],
      [
        'by a rotation, also if that secret has replaced the one of a later rotation by somebody else',
        async (gus, olga) => {
          const { id } = await makeKey(olga);
          const shown = await rotateAs(gus, id);
          await rotateAs(olga, id);
          return [shown, await rotateWith(shown, id)];
        },
        [401, 401],
      ],
      [
        'by a rotation with another key of theirs',
        async (gus, olga) => {
          const [{ id, secret }, own] = [await makeKey(olga), await makeKey(gus)];
          return [secret, await rotateWith(own.secret, id)];
        },
        [401, 401],
      ],
      [
        'as that of a key created with such a secret, even if somebody else has rotated the key of that secret since',
        async (gus, olga) => {
          const { id } = await makeKey(olga);
          const made = await createWith(await rotateAs(gus, id));
          await rotateAs(olga, id);
          return [made, await rotateAs(olga, id)];
        },
        [401, 200],
      ],
      [
        'by a rotation, but not the secret of a later rotation by somebody else',
        async (gus, olga) => {
          const { id } = await makeKey(olga);
          return [await rotateAs(gus, id), await rotateAs(olga, id)];
        },
        [401, 200],
      ],
    ])('%s', async (_, prepare, expected) => {
      const { id, owner } = await newTeam(app);
      const person = await makePerson(app, id, 'owner', 'Gus');
      const secrets = await prepare(await signIn(app, person), owner);
      expect(await statusesOf(secrets)).toEqual([200, 200]);
      await owner.open(`${PATH}/members/${person.userId}/remove`);
      await owner.submit(`${PATH}/members/${person.userId}/remove`);
      await eventually(async () => expect(await statusesOf(secrets)).toEqual(expected), 1_000);
    });

    it('as that of a ping key created with such a secret, even if somebody else has rotated the API key since', async () => {
      const { id, owner } = await newTeam(app);
      const person = await makePerson(app, id, 'owner', 'Gus');
      const key = await makeKey(owner);
      const gus = app.api(await rotateAs(await signIn(app, person), key.id));
      const { body } = await gus.post<{ secret: string }>('/v1/ping-keys', { name: 'By key' });
      expect((await fetch(`${app.origin}/ping/${body.secret}/backup?create=1`)).status).toBe(201);
      await rotateAs(owner, key.id);
      await rotateAs(owner, key.id);
      await owner.open(`${PATH}/members/${person.userId}/remove`);
      await owner.submit(`${PATH}/members/${person.userId}/remove`);
      await eventually(async () => expect(await reportWith(body.secret)).toBe(404));
    });

    it('and records this, like the invitations that it revokes', async () => {
      const { id, owner } = await newTeam(app);
      const person = await makePerson(app, id, 'owner', 'Gus');
      const gus = await signIn(app, person);
      const key = await makeKey(owner);
      const shown = await rotateAs(gus, key.id);
      await rotateAs(owner, key.id);
      await gus.open(PATH);
      await gus.submit(`${PATH}/invitations`, { role: 'viewer', email: '' });
      await owner.open(`${PATH}/members/${person.userId}/remove`);
      await owner.submit(`${PATH}/members/${person.userId}/remove`);
      const recorded = await app.query(
        `SELECT type, changes FROM events WHERE team_id = $1 AND actor_id = $2
           AND type IN ('api_key.updated', 'invitation.deleted') ORDER BY sequence`,
        [id, owner.person.userId],
      );
      expect(recorded).toEqual([
        { type: 'api_key.updated', changes: [{ pointer: '/previousPrefix', before: shown.slice(0, 11), after: null }] },
        { type: 'invitation.deleted', changes: null },
      ]);
    });
  });

  it('deletes the ping keys that they created on the page or with their API keys, and no others', async () => {
    const { id, owner } = await newTeam(app);
    const gone = await makePerson(app, id, 'editor', 'Gus');
    const here = await signIn(app, gone);
    const [own, kept] = [await makePingKey(here), await makePingKey(owner)];
    const api = app.api(await makeApiKey(here, 'write'));
    const { body } = await api.post<{ id: string; secret: string }>('/v1/ping-keys', { name: 'By key' });
    const monitor = {
      type: 'heartbeat',
      key: 'backup',
      name: 'Backup',
      settings: { schedule: { everySeconds: 86_400 } },
    };
    await createMonitor(api, monitor);
    const statuses = () => Promise.all([own, body.secret, kept].map((secret) => reportWith(secret)));
    expect(await statuses()).toEqual([200, 200, 200]);

    const { html } = await owner.open(`${PATH}/members/${gone.userId}/remove`);
    expect(html).toContain('ping keys that they created');
    const { html: after } = await owner.submit(`${PATH}/members/${gone.userId}/remove`);
    expect(after).toContain('Member removed. The keys that they created or rotated have been revoked.');
    expect((await api.post('/v1/ping-keys', { name: 'Too late' })).status).toBe(401);
    await eventually(async () => expect(await statuses()).toEqual([404, 404, 200]));
    const admin = app.api(await makeApiKey(owner, 'admin'));
    await eventually(async () => {
      const { body: events } = await admin.get<{ data: unknown[] }>(`/v1/events?resourceId=${body.id}`);
      const actor = { type: 'person', id: owner.person.userId };
      expect(events.data[0]).toMatchObject({ type: 'ping_key.deleted', actor });
    });
  });

  it('without another team leaves an account without a team', async () => {
    const { id, owner } = await newTeam(app);
    const gone = await makePerson(app, id, 'editor');
    await owner.open(`${PATH}/members/${gone.userId}/remove`);
    await owner.submit(`${PATH}/members/${gone.userId}/remove`);
    const browser = new Browser(app.origin);
    await browser.open('/sign-in');
    const { status, html } = await browser.submit('/sign-in', { email: gone.email, password: PASSWORD });
    expect(status).toBe(403);
    expect(html).toContain('You are no longer a member of any team');
  });

  it('is rejected for the last owner, who cannot be demoted either', async () => {
    const { id, owner } = await newTeam(app);
    await owner.open(`${PATH}/members/${owner.person.userId}/remove`);
    const removed = await owner.submit(`${PATH}/members/${owner.person.userId}/remove`);
    await owner.open(PATH);
    const demoted = await owner.submit(`${PATH}/members/${owner.person.userId}/role`, { role: 'viewer' });
    for (const { status, html } of [removed, demoted]) {
      expect(status).toBe(409);
      expect(html).toContain('without an owner');
    }
    expect((await membersOf(app, id)).map(({ role }) => role)).toEqual(['owner']);
  });

  it('leaves one of two owners who remove each other concurrently', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const { id, owner } = await newTeam(app);
      const person = await makePerson(app, id, 'owner');
      const other = await signIn(app, person);
      await Promise.all([owner.open(PATH), other.open(PATH)]);
      const remove = (by: Browser, userId: string) =>
        by.call('POST', `${PATH}/members/${userId}/remove`, { form: { _token: by.formToken } });
      await Promise.all([remove(owner, person.userId), remove(other, owner.person.userId)]);
      expect(await membersOf(app, id)).toHaveLength(1);
    }
  });

  it('responds with 404 to a member of another team', async () => {
    const { owner } = await newTeam(app);
    const stranger = await makePerson(app, app.teams.theirs.id, 'viewer');
    await owner.open(PATH);
    const form = { _token: owner.formToken, role: 'owner' };
    for (const action of ['remove', 'role']) {
      const answer = await owner.call('POST', `${PATH}/members/${stranger.userId}/${action}`, { form });
      expect(answer.status).toBe(404);
    }
    expect((await owner.open(`${PATH}/members/${stranger.userId}/remove`)).status).toBe(404);
    expect(await membersOf(app, app.teams.theirs.id)).toContainEqual({ user_id: stranger.userId, role: 'viewer' });
  });
});

describe('a change of role', () => {
  it.each<[string, string, number[]]>([
    ['to editor leaves the keys that an editor may have', 'editor', [200, 200, 401]],
    ['to viewer leaves no keys', 'viewer', [401, 401, 401]],
  ])('%s', async (_, role, expected) => {
    const { id, owner } = await newTeam(app);
    const person = await makePerson(app, id, 'owner');
    const browser = await signIn(app, person);
    const secrets: string[] = [];
    for (const scopes of ['read', 'write', 'admin']) secrets.push(await makeApiKey(browser, scopes));
    const statuses = () =>
      Promise.all(secrets.map(async (one) => (await app.api(one).get('/v1/api-keys/self')).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await owner.open(PATH);
    await owner.submit(`${PATH}/members/${person.userId}/role`, { role });
    await eventually(async () => expect(await statuses()).toEqual(expected), 1_000);
  });

  it.each<[string, string, number]>([
    ['to editor leaves ping keys', 'editor', 200],
    ['to viewer leaves no ping keys', 'viewer', 404],
  ])('%s', async (_, role, expected) => {
    const { id, owner } = await newTeam(app);
    const person = await makePerson(app, id, 'owner');
    const secret = await makePingKey(await signIn(app, person));
    expect((await fetch(`${app.origin}/ping/${secret}/backup?create=1`)).status).toBe(201);
    await owner.open(PATH);
    await owner.submit(`${PATH}/members/${person.userId}/role`, { role });
    await eventually(async () => expect(await reportWith(secret)).toBe(expected));
  });
});

describe('leaving a team', () => {
  it('requires a confirmation, and ends the sessions and keys of the member', async () => {
    const { id } = await newTeam(app);
    const browser = await signIn(app, await makePerson(app, id, 'editor'));
    const secret = await makeApiKey(browser, 'write');
    const asked = await browser.open(`${PATH}/leave`);
    expect(asked.html).toContain('Leave ');
    expect((await app.api(secret).get('/v1/api-keys/self')).status).toBe(200);
    const { path } = await browser.submit(`${PATH}/leave`);
    expect(path).toBe('/sign-in');
    const statusOf = async () => (await app.api(secret).get('/v1/api-keys/self')).status;
    await eventually(async () => expect(await statusOf()).toBe(401), 1_000);
  });

  it('is rejected with an explanation for the last owner', async () => {
    const { owner: browser } = await newTeam(app);
    await browser.open(`${PATH}/leave`);
    const { status, html } = await browser.submit(`${PATH}/leave`);
    expect(status).toBe(409);
    expect(html).toContain('The team would be left without an owner: make someone else an owner first.');
    expect((await browser.open('/')).path).toBe('/');
  });
});
