import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type CursorCodec } from '../src/http/lists/cursor.js';
import { grants, type Scope, SCOPES } from '../src/http/auth/principal.js';
import { type Problem } from '../src/http/problems/problem.js';
import { newSecret } from '../src/modules/api-keys/api-key-secret.js';
import { type ApiKeysService } from '../src/modules/api-keys/api-keys.service.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Answer } from './support/client.js';
import { type RouteRow } from './support/route-row.js';
import { ROUTE_ROWS } from './support/route-rows.js';
import { rowsOf } from './support/rows.js';
import { startTarget, type Target } from './support/target.js';

/** The routes that require neither an API key nor a session. */
const PUBLIC = [
  'GET /ack/:token',
  'GET /assets/:version/:name',
  'GET /badges/:slug/:componentId/response-time.svg',
  'GET /badges/:slug/:componentId/status.svg',
  'GET /badges/:slug/:componentId/uptime.svg',
  'GET /docs',
  'GET /docs/',
  'GET /docs/LICENSE',
  'GET /docs/docs/swagger-ui-init.js',
  'GET /docs/index.html',
  'GET /docs/openapi.json',
  'GET /docs/openapi.yaml',
  'GET /docs/problems',
  'GET /docs/swagger-ui-init.js',
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  'GET /status/:slug',
  'GET /status/:slug.json',
  'GET /status/:slug/api/v2/components.json',
  'GET /status/:slug/api/v2/incidents.json',
  'GET /status/:slug/api/v2/incidents/unresolved.json',
  'GET /status/:slug/api/v2/scheduled-maintenances.json',
  'GET /status/:slug/api/v2/scheduled-maintenances/active.json',
  'GET /status/:slug/api/v2/scheduled-maintenances/upcoming.json',
  'GET /status/:slug/api/v2/status.json',
  'GET /status/:slug/api/v2/summary.json',
  'GET /status/:slug/feed.atom',
  'GET /status/:slug/history',
  'GET /status/:slug/incidents/:id',
  'GET /status/:slug/maintenance.ics',
  'GET /status/:slug/subscriptions',
  'GET /status/_/:version/:name',
  'GET /status/_/subscriptions/:token/preferences',
  'GET /status/_/subscriptions/:token/unsubscribe',
  'POST /ack/:token',
  'POST /provider-webhooks/pagerduty/:channelId',
  'POST /status/:slug/subscriptions',
  'POST /status/_/subscriptions/:token/preferences',
  'POST /status/_/subscriptions/:token/unsubscribe',
  'POST /status/_/subscriptions/:token/webhook',
  'POST /status/_/subscriptions/:token/webhook/challenge',
  'POST /status/_/subscriptions/:token/webhook/remove',
  'POST /webhooks/mail-events',
];
const NO_IDS = [':id', 'undefined', 'null', '0', '%20', 'key:', 'key:nobody', '%FF', '%00', 'x'.repeat(3_000)];
const BARE = 'Bearer realm="daywatch"';

let app: TestApp;
let target: Target;
/** Secrets that are no longer valid, or never were. */
let badKeys: Record<'malformed' | 'unknown' | 'revoked' | 'expired', string>;

beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  const unknown = newSecret();
  const malformed = `${unknown.slice(0, -1)}${unknown.endsWith('0') ? '1' : '0'}`;
  badKeys = { malformed, unknown, revoked: await mint(null, true), expired: await mint(new Date(), false) };
});
afterAll(async () => {
  await app.close();
  await target.close();
});

async function mint(expiresAt: Date | null, revoke: boolean): Promise<string> {
  const { id } = app.teams.ours;
  const definition = { name: 'Bad', scopes: ['admin' as const], expiresAt };
  const key = await app.backstage.inTransaction<ApiKeysService>('ApiKeysService').mint(id, definition, 'system');
  if (revoke) await app.backstage.provider<ApiKeysService>('ApiKeysService').revoke(id, key.id);
  return key.secret;
}

/** Returns a path with its variables filled in; missing values are replaced by ids that do not exist. */
function pathOf({ path }: RouteRow, values: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? randomUUID());
}

function call(row: RouteRow, path: string, key: string | null, body = row.body): Promise<Answer<Problem>> {
  return app.api(key).call(row.method, path, { json: body });
}

function without({ body }: Answer<Problem>, ...members: (keyof Problem)[]): Partial<Problem> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !members.includes(name as keyof Problem)));
}

// Calls succeed only in our team, so that the rows of their team can be compared before and after.
describe.each(ROUTE_ROWS)('$method $path', (row) => {
  const hasItem = row.arrange !== undefined;
  const tooWeak = SCOPES.filter((scope: Scope) => !grants([scope], row.scope));
  const arrange = (team: 'ours' | 'theirs') => row.arrange?.({ app, target }, app.teams[team]);

  it(`responds with ${row.success} to a key with the scope ${row.scope}`, async () => {
    await row.prepare?.({ app, target }, app.teams.ours);
    const answer = await call(row, pathOf(row, await arrange('ours')), app.teams.ours[row.scope]);
    expect(answer).toMatchObject({ status: row.success });
    if (row.success === 201 || row.success === 202) {
      const read = await app.api(app.teams.ours.admin).get(answer.headers.get('location') ?? '');
      expect([200, 404]).toContain(read.status);
    }
  });

  it(`responds with ${row.bad.status} to bad input`, async () => {
    const path = pathOf(row, await arrange('ours')) + (row.bad.query ?? '');
    const { status, body } = await call(row, path, app.teams.ours[row.scope], row.bad.body ?? row.body);
    expect({ status, errors: body.errors }).toEqual({ status: row.bad.status, errors: expect.any(Array) });
  });

  it('responds with 401 and a bare challenge without a key', async () => {
    const { status, headers, body } = await call(row, pathOf(row), null);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(BARE);
    expect(body.code).toBe('unauthenticated');
  });

  it('responds identically to a malformed, unknown, revoked and expired key: 401 invalid_token', async () => {
    const path = pathOf(row);
    const answers = await Promise.all(Object.values(badKeys).map((key) => call(row, path, key)));
    const [first] = answers;
    expect(first?.body.code).toBe('invalid_token');
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(`${BARE}, error="invalid_token"`);
      expect(without(answer, 'requestId')).toEqual(without(first!, 'requestId'));
    }
  });

  if (tooWeak.length > 0) {
    it(`responds with 403 to a key with the scope ${tooWeak.join(' or ')}, without changes`, async () => {
      const team = app.teams.theirs;
      const path = pathOf(row, await arrange('theirs'));
      const before = await rowsOf(app, team.id);
      for (const scope of tooWeak) {
        const { status, headers } = await call(row, path, team[scope]);
        expect(status).toBe(403);
        const challenge = `${BARE}, error="insufficient_scope", scope="${row.scope}"`;
        expect(headers.get('www-authenticate')).toBe(challenge);
      }
      expect(await rowsOf(app, team.id)).toEqual(before);
    });
  }

  if (hasItem && !row.ofAllTeams) {
    it("responds to another team's id as to a missing one: 404, without changes", async () => {
      const path = pathOf(row, await arrange('theirs'));
      const before = await rowsOf(app, app.teams.theirs.id);
      const foreign = await call(row, path, app.teams.ours.admin);
      const missing = await call(row, pathOf(row), app.teams.ours.admin);
      expect(foreign.status).toBe(404);
      expect(without(foreign, 'instance', 'requestId')).toEqual(without(missing, 'instance', 'requestId'));
      expect(foreign.body.instance).toBe(path);
      const names = ({ headers }: Answer): string[] => [...headers.keys()].sort();
      expect(names(foreign)).toEqual(names(missing));
      expect(await rowsOf(app, app.teams.theirs.id)).toEqual(before);
    });
  }

  if (hasItem) {
    it('responds with 404 to an invalid id', async () => {
      for (const id of NO_IDS.filter((one) => !(row.makes && one === 'key:nobody'))) {
        const { status } = await call(row, pathOf(row, { id }), app.teams.ours.admin);
        expect({ id, status }).toEqual({ id, status: 404 });
      }
    });
  }
});

/** A position within a list, and the lists as cursors identify them. */
const AT = '2026-01-01T00:00:00.000Z';
const PLACE = [AT, randomUUID()];
const DEFINITIONS = { params: { view: 'definition' }, after: PLACE };
const LISTS: Record<
  string,
  { list: (id: string) => string; params?: Record<string, string>; after: (string | number)[] }
> = {
  '/v1/monitors': { list: () => 'monitors', after: PLACE },
  '/v1/monitors/:id/checks': { list: (id) => `checks/${id}`, after: [AT, AT, 0, 'default'] },
  '/v1/monitors/:id/transitions': { list: (id) => `transitions/${id}`, after: PLACE },
  '/v1/monitors/:id/incidents': { list: (id) => `incidents/${id}`, after: PLACE },
  '/v1/operations/:id/results': { list: (id) => `operations/${id}`, after: [1] },
  '/v1/incidents': { list: () => 'incidents', after: PLACE },
  '/v1/events': { list: () => 'events', after: [1, '1', '1'] },
  '/v1/exclusions': { list: () => 'exclusions', after: PLACE },
  '/v1/locations': { list: () => 'locations', after: ['default'] },
  '/v1/maintenance-windows': { list: () => 'maintenance-windows', after: PLACE },
  '/v1/notification-channels': { list: () => 'notification-channels', after: PLACE },
  '/v1/notification-policies': { list: () => 'notification-policies', after: PLACE },
  '/v1/notifications': { list: () => 'notifications', after: PLACE },
  '/v1/incidents/:id/notifications': { list: (id) => `notifications/${id}`, after: PLACE },
  '/v1/ping-keys': { list: () => 'ping-keys', after: PLACE },
  '/v1/silences': { list: () => 'silences', after: PLACE },
  '/v1/status-pages': { list: () => 'status-pages', after: PLACE },
  '/v1/status-pages/:id/subscribers': { list: (id) => `subscribers/${id}`, after: PLACE },
  '/v1/api-keys': { list: () => 'api-keys', after: PLACE },
  '/v1/definitions/monitors': { list: () => 'monitors', ...DEFINITIONS },
  '/v1/definitions/maintenance-windows': { list: () => 'maintenance-windows', ...DEFINITIONS },
  '/v1/definitions/status-pages': { list: () => 'status-pages', ...DEFINITIONS },
};

describe("another team's cursor", () => {
  const listed = ROUTE_ROWS.filter(({ method, path }) => method === 'GET' && path in LISTS);

  it('is tested on every route that accepts one', () => {
    const taking = Object.entries(app.document.paths).flatMap(([path, { get }]) =>
      get?.parameters?.some((one) => 'name' in one && one.name === 'cursor') ? [path.replace('{id}', ':id')] : [],
    );
    expect(taking.sort()).toEqual(Object.keys(LISTS).sort());
  });

  it.each(listed)('is rejected by $path with 400, unlike our own', async (row) => {
    const values = await row.arrange?.({ app, target }, app.teams.ours);
    const { list, params = {}, after } = LISTS[row.path]!;
    const statusOf = async (team: 'ours' | 'theirs'): Promise<string> => {
      const scope = { teamId: app.teams[team].id, list: list(values?.id ?? '') };
      const cursor = await app.backstage.provider<CursorCodec>('CursorCodec').seal(scope, { params, after });
      const { status, body } = await app.api(app.teams.ours.admin).get(`${pathOf(row, values)}?cursor=${cursor}`);
      return `${status} ${body.code ?? ''}`;
    };
    expect(await statusOf('theirs')).toBe('400 invalid_cursor');
    expect(await statusOf('ours')).toBe('200 ');
  });
});

describe('the router', () => {
  it('has exactly the routes of this table under /v1', async () => {
    const registered = (await app.backstage.routes()).filter(({ path }) => path.startsWith('/v1'));
    const names = (routes: readonly { method: string; path: string }[]): string[] =>
      routes.map(({ method, path }) => `${method} ${path}`).sort();
    expect(names(registered)).toEqual(names(ROUTE_ROWS));
  });

  it('responds with 401 without a key on every route except the public ones listed here', async () => {
    const sessions = new Set((await app.backstage.sessionRoutes()).map(({ method, path }) => `${method} ${path}`));
    const open: string[] = [];
    for (const { method, path } of await app.backstage.routes()) {
      if (sessions.has(`${method} ${path}`)) continue;
      const { status, headers } = await app.undocumented().call(method, path.replace(/:\w+/g, randomUUID()));
      if (status !== 401 || headers.get('www-authenticate') !== BARE) open.push(`${method} ${path}`);
    }
    expect([...new Set(open)].sort()).toEqual(PUBLIC);
  });

  it('documents every route under /v1', () => {
    const documented = Object.entries(app.document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    for (const { method, path } of ROUTE_ROWS) expect(documented).toContain(`${method} ${path}`);
  });
});
