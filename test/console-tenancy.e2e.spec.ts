import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../src/domain/durations.js';
import { type CheckDto } from '../src/modules/checks/dto/check.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { quietMonitor, stranger } from './support/console.js';
import { waitingNotification } from './support/notifications.js';
import { signedIn, type TestPerson } from './support/people.js';
import { rowsOf } from './support/rows.js';
import { type SessionRoute } from './support/session-routes.js';

const NAME = 'Nobody else’s business';

let app: TestApp;
let routes: SessionRoute[];
let owner: Browser & { person: TestPerson };
let other: Browser;
/** The ids of our team's objects, by the routes that take them. */
let ids: Record<string, string>;

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

beforeAll(async () => {
  app = await sharedApp();
  routes = (await app.backstage.sessionRoutes()).filter(({ takesGuests, path }) => !takesGuests && path.includes(':'));
  owner = await signedIn(app, 'owner');
  other = await stranger(app);

  const api = app.api(app.teams.ours.admin);
  const made = async (path: string, body: object) => (await api.post<{ id: string }>(path, body)).body.id;
  const monitorId = await quietMonitor(app, NAME);
  const { body: check } = await api.post<CheckDto>(`/v1/monitors/${monitorId}/checks?wait=true`);
  const monitorIds = [monitorId];
  await owner.open('/settings/team');
  await owner.submit('/settings/team/invitations', { role: 'editor', email: '' });
  const [invitation] = await app.query<{ id: string }>(
    'UPDATE invitations SET email = $2 WHERE team_id = $1 RETURNING id',
    [app.teams.ours.id, NAME],
  );
  const channelId = await made('/v1/notification-channels', { name: NAME, type: 'ntfy', settings: { topic: 'ours' } });
  const [session] = await app.query<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [
    owner.person.userId,
  ]);
  ids = {
    '/monitors/:id': monitorId,
    ':checkId': check.id,
    ':exclusionId': await made('/v1/exclusions', {
      monitorIds,
      from: inDays(-1),
      to: new Date(Date.now() - HOUR_MS).toISOString(),
      reason: NAME,
    }),
    '/incidents/:id': await made('/v1/incidents', { title: NAME, monitorIds }),
    '/maintenance/:id': await made('/v1/maintenance-windows', {
      name: NAME,
      monitorIds,
      startsAt: inDays(1),
      endsAt: inDays(2),
    }),
    '/status-pages/:id': await made('/v1/status-pages', { name: NAME, slug: randomUUID(), monitorIds }),
    '/operations/:id': await made('/v1/monitors/bulk', {
      action: 'addTags',
      tags: ['x'],
      select: { ids: monitorIds },
    }),
    '/settings/api-keys/:id': await made('/v1/api-keys', { name: NAME, scopes: ['read'] }),
    '/settings/ping-keys/:id': await made('/v1/ping-keys', { name: NAME }),
    '/settings/notifications/:id': channelId,
    '/settings/notifications/policies/:id': await made('/v1/notification-policies', {
      name: NAME,
      match: { monitorIds },
      steps: [{ afterSeconds: 0, channelIds: [channelId] }],
    }),
    '/settings/notifications/silences/:id': await made('/v1/silences', {
      match: { monitorIds },
      durationSeconds: 600,
      reason: NAME,
    }),
    '/settings/notifications/log/:id': (await waitingNotification(api)).id,
    '/settings/team/invitations/:id': invitation!.id,
    '/settings/account/sessions/:id': session!.id,
    ':userId': owner.person.userId,
    ':token': 'x'.repeat(43),
  };
});
afterAll(() => app.close());

/** Returns the address of a route with the id of one of our objects, or with an id that does not exist. */
function addressOf({ path }: SessionRoute, isOurs: boolean): string {
  const [place, id] = Object.entries(ids).find(([one]) => path.startsWith(one) || path.includes(`/${one}`))!;
  const own = path
    .replace(':subscriberId', randomUUID())
    .replace(':exclusionId', isOurs ? ids[':exclusionId']! : randomUUID())
    .replace(place, place.replace(/:\w+$/, isOurs ? id : randomUUID()));
  return own.replace(':checkId', isOurs ? ids[':checkId']! : 'bXdwZnd4cGQuLTIuZGVmYXVsdA');
}

async function answerTo(route: SessionRoute, isOurs: boolean) {
  const form = { _token: other.formToken, role: 'viewer', name: 'x', title: 'x', text: 'x', overlapSeconds: '0' };
  const options = route.method === 'POST' ? { form } : {};
  const { status, headers, text } = await other
    .call(route.method, addressOf(route, isOurs), options)
    .then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
  return { status, location: headers.get('location'), tells: text.includes(NAME) };
}

const everything = async () => [
  await rowsOf(app, app.teams.ours.id),
  await app.query('SELECT * FROM incidents WHERE team_id = $1 ORDER BY id', [app.teams.ours.id]),
  await app.query('SELECT * FROM members WHERE team_id = $1 ORDER BY user_id', [app.teams.ours.id]),
  await app.query('SELECT * FROM invitations WHERE team_id = $1 ORDER BY id', [app.teams.ours.id]),
  await app.query('SELECT id, team_id FROM sessions WHERE team_id = $1 ORDER BY id', [app.teams.ours.id]),
];

describe('the objects of another team', () => {
  it('are not found by any page or form, and remain unchanged', async () => {
    const before = await everything();
    for (const route of routes) {
      const named = `${route.method} ${route.path}`;
      const missing = await answerTo(route, false);
      expect({ named, tells: missing.tells }).toEqual({ named, tells: false });
      expect({ named, ...(await answerTo(route, true)) }).toEqual({ named, ...missing });
      // Ending a session that does not exist succeeds without effect.
      expect({ named, status: missing.status }).toEqual({
        named,
        status: route.path.includes('/sessions/') ? 303 : 404,
      });
    }
    expect(await everything()).toEqual(before);
  });

  it('are found by members of that team', async () => {
    for (const route of routes.filter(({ method, path }) => method === 'GET' && !path.includes('api-keys'))) {
      const { status } = await owner.call('GET', addressOf(route, true));
      expect({ path: route.path, status }).toEqual({ path: route.path, status: 200 });
    }
  });

  it('appear in no list under any filter, and cursors of that team are rejected', async () => {
    const api = app.api(app.teams.ours.read);
    await quietMonitor(app, NAME);
    const { body } = await api.get<{ nextCursor: string }>('/v1/monitors?limit=1');
    const q = encodeURIComponent(NAME);
    for (const path of [
      '/',
      '/wall',
      '/monitors',
      `/monitors?q=${q}`,
      '/monitors?status=paused',
      '/incidents',
      '/maintenance',
      '/status-pages',
      '/settings/team',
      '/settings/api-keys',
      '/settings/ping-keys',
      '/settings/notifications',
      '/settings/notifications/policies/new',
      '/settings/notifications/silences',
      '/settings/notifications/silences/new',
      '/settings/notifications/log',
      '/settings/notifications/report',
      '/settings/audit-log',
      '/settings/account',
      `/incidents?monitorId=${ids['/monitors/:id']!}`,
    ]) {
      const { html } = await other.open(path);
      // The search field repeats the search text.
      const found = html.replaceAll(/value="[^"]*"/g, '').includes(NAME);
      expect({ path, found }).toEqual({ path, found: false });
    }
    const lists = [
      '/monitors',
      '/settings/api-keys',
      '/settings/ping-keys',
      '/settings/audit-log',
      '/settings/notifications/log',
      '/settings/notifications/silences',
      '/status-pages',
      '/incidents',
      '/maintenance',
    ];
    for (const path of lists) {
      const { status } = await other.open(`${path}?cursor=${body.nextCursor}`);
      expect({ path, status }).toEqual({ path, status: 400 });
    }
  });
});
