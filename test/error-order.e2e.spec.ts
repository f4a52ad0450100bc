import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { grants, SCOPES } from '../src/http/auth/principal.js';
import { type Problem } from '../src/http/problems/problem.js';
import { type ProblemCode } from '../src/http/problems/problem-codes.js';
import { type ApiKeyWithSecretDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type CallOptions } from './support/client.js';
import { createTestDatabase } from './support/database.js';
import { type RouteRow } from './support/route-row.js';
import { ROUTE_ROWS } from './support/route-rows.js';
import { startTarget, type Target } from './support/target.js';

let app: TestApp;
/** A second process on the same database, whose rate limit is one request per minute and key. */
let strict: TestApp;
/** A key of the current row alone, so that its only request of the minute has just been used. */
let limited: ApiKeyWithSecretDto;
let target: Target;
let closeDatabase: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  closeDatabase = () => database.drop();
  [app, target] = await Promise.all([startApp({}, () => database.url), startTarget()]);
  strict = await startApp({ RATE_LIMIT_PER_MINUTE: '1' }, () => database.url);
});
afterAll(async () => {
  await Promise.all([app, strict].map((one) => one.close()));
  await closeDatabase();
  await target.close();
});
beforeEach(async () => {
  const wanted = { name: 'Limited', scopes: ['read'] };
  limited = (await app.api(app.teams.ours.admin).post<ApiKeyWithSecretDto>('/v1/api-keys', wanted)).body;
});
afterEach(() => app.api(app.teams.ours.admin).delete(`/v1/api-keys/${limited.id}`));

/** A request that the faults modify step by step. */
interface Draft {
  app: TestApp;
  method: string;
  path: string;
  query: string;
  key: string | null;
  options: CallOptions & { headers: Record<string, string> };
}

/** A fault that a request can have. */
interface Fault {
  code: ProblemCode;
  status: number;
  applies(row: RouteRow): boolean;
  /** Runs just before the request. */
  prepare?(): Promise<unknown>;
  spoil(draft: Draft, row: RouteRow): Draft;
}

const always = (): boolean => true;
const takesBody = ({ method }: RouteRow): boolean => method !== 'GET' && method !== 'DELETE';
const withHeaders = (draft: Draft, headers: Record<string, string>): Draft => ({
  ...draft,
  options: { ...draft.options, headers: { ...draft.options.headers, ...headers } },
});
const sends = (draft: Draft, text: string, type = 'application/json'): Draft =>
  withHeaders({ ...draft, options: { ...draft.options, text } }, { 'content-type': type });
const mindsIfMatch = ({ method, path }: RouteRow): boolean => {
  const template = path.replace(/:(\w+)/g, '{$1}');
  const item = app.document.paths[template] as Record<string, { parameters?: { name: string }[] }>;
  return item[method.toLowerCase()]?.parameters?.some(({ name }) => name === 'If-Match') ?? false;
};

/** The faults in the order in which they are reported. Each is combined with all that follow it. */
const LADDER: readonly Fault[] = [
  {
    code: 'not_found',
    status: 404,
    applies: always,
    spoil: (draft) => ({ ...draft, path: `${draft.path}/no/such/route` }),
  },
  {
    code: 'method_not_allowed',
    status: 405,
    applies: always,
    spoil: (draft) => ({ ...draft, method: 'OPTIONS' }),
  },
  { code: 'unauthenticated', status: 401, applies: always, spoil: (draft) => ({ ...draft, key: null }) },
  { code: 'invalid_token', status: 401, applies: always, spoil: (draft) => ({ ...draft, key: 'dw_malformed' }) },
  {
    code: 'rate_limited',
    status: 429,
    applies: always,
    prepare: () => strict.api(limited.secret).get('/v1/api-keys/self'),
    spoil: (draft) => ({ ...draft, app: strict, key: limited.secret }),
  },
  {
    code: 'insufficient_scope',
    status: 403,
    applies: ({ scope }) => scope !== 'read',
    spoil: (draft, row) => ({ ...draft, key: app.teams.ours[SCOPES.find((one) => !grants([one], row.scope))!] }),
  },
  {
    code: 'unsupported_media_type',
    status: 415,
    applies: takesBody,
    spoil: (draft) => sends(draft, `{ ${' '.repeat(300 * 1_024)}`, 'text/plain'),
  },
  {
    code: 'payload_too_large',
    status: 413,
    applies: takesBody,
    spoil: (draft) => sends(draft, `{ ${' '.repeat(300 * 1_024)}`),
  },
  { code: 'invalid_json', status: 400, applies: takesBody, spoil: (draft) => sends(draft, '{ "name": ') },
  { code: 'invalid_query', status: 400, applies: always, spoil: (draft) => ({ ...draft, query: '?nothing=1' }) },
  {
    code: 'invalid_request',
    status: 400,
    applies: ({ method }) => method === 'POST',
    spoil: (draft) => withHeaders(draft, { 'idempotency-key': 'x'.repeat(256) }),
  },
  {
    code: 'not_found',
    status: 404,
    applies: ({ arrange }) => arrange !== undefined,
    spoil: (draft, { path }) => ({ ...draft, path: path.replace(/:\w+/g, () => randomUUID()) }),
  },
  {
    code: 'precondition_failed',
    status: 412,
    applies: mindsIfMatch,
    spoil: (draft) => withHeaders(draft, { 'if-match': '"999.1"' }),
  },
  {
    code: 'validation_failed',
    status: 422,
    applies: takesBody,
    spoil: (draft) => sends(draft, '{ "no_such_field": 1 }'),
  },
];

describe.each(ROUTE_ROWS)('$method $path', (row) => {
  it('reports the first of several faults', async () => {
    const values = (await row.arrange?.({ app, target }, app.teams.ours)) ?? {};
    const path = row.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '');
    let draft: Draft = {
      app,
      method: row.method,
      path,
      query: '',
      key: app.teams.ours.admin,
      options: { headers: {} },
    };
    const told: string[] = [];
    const expected: string[] = [];
    for (const fault of [...LADDER].reverse()) {
      if (!fault.applies(row)) continue;
      draft = fault.spoil(draft, row);
      await fault.prepare?.();
      const client = draft.app.undocumented(draft.key);
      const { status, body } = await client.call<Problem>(draft.method, draft.path + draft.query, draft.options);
      expected.unshift(`${fault.status} ${fault.code}`);
      told.unshift(`${status} ${body.code}`);
    }
    expect(told).toEqual(expected);
  });
});

describe('the route', () => {
  it('with an unsupported method responds with 405 and Allow, even without a key', async () => {
    const known = (await app.backstage.routes()).filter(({ path }) => path.startsWith('/v1'));
    for (const { path, method } of known) {
      const answer = await app.undocumented().call('OPTIONS', path.replace(/:\w+/g, 'x'));
      expect({ path, status: answer.status }).toEqual({ path, status: 405 });
      expect(answer.headers.get('allow')).toContain(method);
    }
  });
});
