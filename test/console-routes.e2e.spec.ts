import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { includesRole, ROLES } from '../src/domain/role.js';
import { sharedApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { signedIn } from './support/people.js';
import { rowsOf } from './support/rows.js';
import { type SessionRoute } from './support/session-routes.js';

/** The routes of the web application that do not require a session. */
const GUESTS = [
  'GET /design',
  'GET /forgot-password',
  'GET /invitations/:token',
  'GET /reset-password',
  'GET /reset-password/:token',
  'GET /setup',
  'GET /sign-in',
  'GET /status',
  'POST /forgot-password',
  'POST /invitations/:token',
  'POST /invitations/:token/sign-in',
  'POST /reset-password',
  'POST /setup',
  'POST /sign-in',
  'POST /theme',
];

/** The routes that require a session, each with its minimum role. */
const SIGNED_IN = [
  'GET / viewer',
  'GET /incidents viewer',
  'GET /incidents/:id viewer',
  'GET /incidents/:id/edit editor',
  'GET /incidents/:id/notifications viewer',
  'GET /incidents/new editor',
  'GET /maintenance viewer',
  'GET /maintenance/:id viewer',
  'GET /maintenance/:id/delete editor',
  'GET /maintenance/:id/edit editor',
  'GET /maintenance/new editor',
  'GET /monitors viewer',
  'GET /monitors/:id viewer',
  'GET /monitors/:id/checks viewer',
  'GET /monitors/:id/checks/:checkId viewer',
  'GET /monitors/:id/delete editor',
  'GET /monitors/:id/drill editor',
  'GET /monitors/:id/edit editor',
  'GET /monitors/:id/exclusions viewer',
  'GET /monitors/:id/exclusions/:exclusionId/delete editor',
  'GET /monitors/:id/exclusions/new editor',
  'GET /monitors/:id/pause editor',
  'GET /monitors/:id/response-times viewer',
  'GET /monitors/:id/response-times.json viewer',
  'GET /monitors/events viewer',
  'GET /monitors/new editor',
  'GET /operations/:id viewer',
  'GET /settings viewer',
  'GET /settings/account viewer',
  'GET /settings/api-keys viewer',
  'GET /settings/api-keys/:id/revoke editor',
  'GET /settings/api-keys/:id/rotate editor',
  'GET /settings/audit-log viewer',
  'GET /settings/notifications viewer',
  'GET /settings/notifications/:id/delete editor',
  'GET /settings/notifications/:id/edit editor',
  'GET /settings/notifications/:id/rotate owner',
  'GET /settings/notifications/log viewer',
  'GET /settings/notifications/new editor',
  'GET /settings/notifications/policies/:id/delete editor',
  'GET /settings/notifications/policies/:id/edit editor',
  'GET /settings/notifications/policies/new editor',
  'GET /settings/notifications/report viewer',
  'GET /settings/notifications/silences viewer',
  'GET /settings/notifications/silences/new editor',
  'GET /settings/ping-keys viewer',
  'GET /settings/ping-keys/:id/delete editor',
  'GET /settings/team viewer',
  'GET /settings/team/leave viewer',
  'GET /settings/team/members/:userId/remove owner',
  'GET /status-pages viewer',
  'GET /status-pages/:id viewer',
  'GET /status-pages/:id/delete editor',
  'GET /status-pages/:id/edit editor',
  'GET /status-pages/:id/preview viewer',
  'GET /status-pages/:id/subscribers owner',
  'GET /status-pages/:id/subscribers/import owner',
  'GET /status-pages/:id/subscribers/new owner',
  'GET /status-pages/:id/unpublish editor',
  'GET /status-pages/new editor',
  'GET /wall viewer',
  'POST /incidents/:id/acknowledge editor',
  'POST /incidents/:id/edit editor',
  'POST /incidents/:id/reopen editor',
  'POST /incidents/:id/resolve editor',
  'POST /incidents/:id/unacknowledge editor',
  'POST /incidents/:id/updates editor',
  'POST /incidents/new editor',
  'POST /invitations/:token/join viewer',
  'POST /maintenance/:id/delete editor',
  'POST /maintenance/:id/edit editor',
  'POST /maintenance/:id/end editor',
  'POST /maintenance/:id/start editor',
  'POST /maintenance/new editor',
  'POST /monitors editor',
  'POST /monitors/:id/checks editor',
  'POST /monitors/:id/delete editor',
  'POST /monitors/:id/drill editor',
  'POST /monitors/:id/edit editor',
  'POST /monitors/:id/exclusions/:exclusionId/delete editor',
  'POST /monitors/:id/exclusions/new editor',
  'POST /monitors/:id/pause editor',
  'POST /monitors/:id/resume editor',
  'POST /monitors/:id/test editor',
  'POST /monitors/bulk editor',
  'POST /monitors/test editor',
  'POST /settings/account/name viewer',
  'POST /settings/account/password viewer',
  'POST /settings/account/sessions/:id/sign-out viewer',
  'POST /settings/account/sign-out-everywhere viewer',
  'POST /settings/account/sign-out-others viewer',
  'POST /settings/api-keys editor',
  'POST /settings/api-keys/:id/revoke editor',
  'POST /settings/api-keys/:id/rotate editor',
  'POST /settings/notifications editor',
  'POST /settings/notifications/:id/delete editor',
  'POST /settings/notifications/:id/edit editor',
  'POST /settings/notifications/:id/rotate owner',
  'POST /settings/notifications/:id/test editor',
  'POST /settings/notifications/log/:id/retry editor',
  'POST /settings/notifications/policies/:id/delete editor',
  'POST /settings/notifications/policies/:id/disable editor',
  'POST /settings/notifications/policies/:id/edit editor',
  'POST /settings/notifications/policies/:id/enable editor',
  'POST /settings/notifications/policies/new editor',
  'POST /settings/notifications/silences/:id/end editor',
  'POST /settings/notifications/silences/new editor',
  'POST /settings/ping-keys editor',
  'POST /settings/ping-keys/:id/delete editor',
  'POST /settings/team owner',
  'POST /settings/team/invitations owner',
  'POST /settings/team/invitations/:id/revoke owner',
  'POST /settings/team/leave viewer',
  'POST /settings/team/members/:userId/remove owner',
  'POST /settings/team/members/:userId/role owner',
  'POST /sign-out viewer',
  'POST /status-pages/:id/delete editor',
  'POST /status-pages/:id/edit editor',
  'POST /status-pages/:id/publish editor',
  'POST /status-pages/:id/subscribers/:subscriberId/remove owner',
  'POST /status-pages/:id/subscribers/import owner',
  'POST /status-pages/:id/subscribers/new owner',
  'POST /status-pages/:id/unpublish editor',
  'POST /status-pages/new editor',
  'POST /status-pages/preview editor',
  'POST /team viewer',
];

let app: TestApp;
let routes: SessionRoute[];
beforeAll(async () => {
  app = await sharedApp();
  routes = await app.backstage.sessionRoutes();
});
afterAll(() => app.close());

const named = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const addressOf = ({ path }: SessionRoute): string => path.replace(/:\w+/g, () => randomUUID());

describe('the routes of the web application', () => {
  it('are exactly those listed here, with their minimum roles', () => {
    const guests = routes.filter(({ takesGuests }) => takesGuests);
    expect(guests.map(named).sort()).toEqual(GUESTS);
    const others = routes.filter(({ takesGuests }) => !takesGuests);
    expect(others.map((route) => `${named(route)} ${route.role}`).sort()).toEqual(SIGNED_IN);
  });

  it('are all registered, none of them under /v1, and none is in the OpenAPI document', async () => {
    const registered = new Set((await app.backstage.routes()).map(named));
    for (const route of routes) {
      expect(registered).toContain(named(route));
      expect(route.path).not.toMatch(/^\/v1/);
      expect(Object.keys(app.document.paths)).not.toContain(route.path.replace(/:(\w+)/g, '{$1}'));
    }
  });

  it('redirect to the sign-in page without a session, and change nothing', async () => {
    const person = await signedIn(app, 'owner');
    const before = await rowsOf(app, app.teams.ours.id);
    for (const route of routes.filter(({ takesGuests }) => !takesGuests)) {
      const form = route.method === 'POST' ? { form: { role: 'owner', name: 'x' } } : {};
      const answer = await new Browser(app.origin).call(route.method, addressOf(route), form);
      expect({ route: named(route), status: answer.status }).toEqual({ route: named(route), status: 303 });
      expect(answer.headers.get('location')).toMatch(/^\/sign-in(\?next=%2F|$)/);
    }
    expect(await rowsOf(app, app.teams.ours.id)).toEqual(before);
    expect((await person.open('/')).path).toBe('/');
  });

  it.each(ROLES)('reject a %s with an explanation if they require a higher role, and change nothing', async (role) => {
    const browser = await signedIn(app, role);
    const tooHigh = routes.filter((route) => !route.takesGuests && !includesRole(role, route.role));
    const before = await rowsOf(app, app.teams.ours.id);
    for (const route of tooHigh) {
      const form = route.method === 'POST' ? { form: { _token: browser.formToken, role: 'owner', name: 'x' } } : {};
      const answer = await browser.call(route.method, addressOf(route), form);
      expect({ route: named(route), status: answer.status }).toEqual({ route: named(route), status: 403 });
      expect(await answer.text()).toContain(`can do this; your role in this team is ${role}.`);
    }
    expect(await rowsOf(app, app.teams.ours.id)).toEqual(before);
    expect(tooHigh.length > 0).toBe(role !== 'owner');
  });
});

describe('a form', () => {
  const REFUSED: [string, Record<string, string>][] = [
    ['without an origin', { origin: '' }],
    ['from another site', { origin: 'https://evil.test' }],
    ['from an opaque origin', { origin: 'null' }],
    ['from another port', { origin: 'http://127.0.0.1:1' }],
    ['that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['that the browser marks as same-site', { 'sec-fetch-site': 'same-site' }],
  ];

  it.each(REFUSED)('%s is rejected by every route despite a valid token', async (_name, headers) => {
    const browser = await signedIn(app, 'owner');
    for (const route of routes.filter(({ method }) => method === 'POST')) {
      const form = { _token: browser.formToken };
      const answer = await browser.call('POST', addressOf(route), { form, headers });
      expect({ route: named(route), status: answer.status }).toEqual({ route: named(route), status: 403 });
      expect(answer.headers.get('content-type')).toContain('text/html');
    }
    expect((await browser.open('/')).path).toBe('/');
  });

  it('without its token or with that of another session is rejected by every route with a session', async () => {
    const [browser, other] = [await signedIn(app, 'owner'), await signedIn(app, 'owner')];
    for (const route of routes.filter(({ method, takesGuests }) => method === 'POST' && !takesGuests)) {
      for (const token of [undefined, '', 'x', other.formToken]) {
        const answer = await browser.call('POST', addressOf(route), {
          form: { name: 'x', ...(token !== undefined && { _token: token }) },
        });
        expect({ route: named(route), status: answer.status }).toEqual({ route: named(route), status: 403 });
      }
    }
    expect((await browser.open('/')).path).toBe('/');
  });

  it('is accepted if Sec-Fetch-Site is same-origin, regardless of the Origin header', async () => {
    const browser = await signedIn(app, 'viewer');
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    const answer = await browser.call('POST', '/sign-out', { form: { _token: browser.formToken }, headers });
    expect(answer.status).toBe(303);
  });

  it.each([
    ['JSON', '{"a":1}', 'application/json', 415],
    ['multipart', 'x', 'multipart/form-data; boundary=x', 415],
    ['larger than 256 KiB', 'a='.padEnd(262_145, 'x'), 'application/x-www-form-urlencoded', 413],
  ])('%s is rejected', async (_name, form, type, status) => {
    const browser = await signedIn(app, 'owner');
    const answer = await browser.call('POST', '/settings/team', { form, headers: { 'content-type': type } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });
});
