import { describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { Contract } from '../support/openapi.js';
import { ApiDocument } from './document.js';
import { type FuzzAnswer, type FuzzRequest } from './exchange.js';
import { judge } from './judge.js';
import { learn } from './learn.js';
import { type TeamName } from './marks.js';
import { readRequest } from './reading.js';
import { type Setting } from './verdict.js';
import { type Item, World } from './world.js';

const NOTES = '/v1/notes';
const KEYS = '/v1/api-keys';
const ID = { ours: '0198c9a4-0000-7000-8000-000000000001', theirs: '0198c9a4-0000-7000-8000-000000000002' };
const SECRET = `dw_${'a'.repeat(51)}_${'b'.repeat(6)}`;

const text = { type: 'string' };
const note = { type: 'object', properties: { id: text, name: text, revision: { type: 'integer' } }, required: ['id'] };
const problem = {
  type: 'object',
  properties: Object.fromEntries(
    ['type', 'title', 'detail', 'instance', 'code', 'requestId'].map((name) => [name, text]),
  ),
};
Object.assign(problem.properties, { status: { type: 'integer' }, errors: { type: 'array' } });

const json = (schema: object) => ({ 'application/json': { schema } });
const problems = Object.fromEntries(
  [400, 401, 403, 404, 412, 415, 422].map((status) => [
    status,
    {
      headers: { 'WWW-Authenticate': {} },
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
);
const security = (scope: string) => [{ bearer: [scope] }];
const id = { name: 'id', in: 'path', schema: text };

/** A minimal document with a list, items and writes. */
const DOCUMENT = {
  components: { schemas: { Problem: problem, Note: note } },
  paths: {
    [NOTES]: {
      get: {
        security: security('read'),
        responses: {
          200: {
            headers: { Link: {} },
            content: json({ type: 'object', properties: { data: { type: 'array', items: note }, nextCursor: {} } }),
          },
          ...problems,
        },
      },
      post: {
        security: security('write'),
        requestBody: {
          required: true,
          content: json({ type: 'object', properties: { name: text }, required: ['name'] }),
        },
        responses: { 201: { headers: { Location: {} }, content: json(note) }, ...problems },
      },
    },
    [`${NOTES}/{id}`]: {
      get: { security: security('read'), parameters: [id], responses: { 200: { content: json(note) }, ...problems } },
      delete: { security: security('write'), parameters: [id], responses: { 204: {}, ...problems } },
    },
  },
} as unknown as OpenAPIObject;

/** Two teams with a note each, and a key of our team. */
class Stage {
  readonly world = new World(1);
  readonly notes: Record<TeamName, Item>;
  private readonly document = new ApiDocument(DOCUMENT);
  private readonly contract = new Contract(DOCUMENT);

  constructor(scope = 'write') {
    const make = (team: TeamName): Item => this.world.add(NOTES, team, { id: ID[team], name: 'a', revision: 1 });
    this.notes = { ours: make('ours'), theirs: make('theirs') };
    const key = this.world.add(KEYS, 'ours', { id: 'key', scopes: [scope], expiresAt: null });
    this.world.addSecret(SECRET, key);
  }

  setting(request: Partial<FuzzRequest>): Setting {
    const headers = [['Authorization', `Bearer ${SECRET}`]] as const;
    const whole: FuzzRequest = { method: 'GET', target: NOTES, headers, body: null, ...request };
    const { world, document, contract } = this;
    const span = { from: Date.now(), to: Date.now() };
    return { world, document, contract, number: 1, span, reading: readRequest(document, world, whole) };
  }

  rules(request: Partial<FuzzRequest>, answer: FuzzAnswer): string[] {
    return judge(this.setting(request), answer).map(({ rule }) => rule);
  }
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): FuzzAnswer {
  const type = status < 300 ? 'application/json' : 'application/problem+json';
  const all = { 'content-type': type, 'x-request-id': 'r', 'www-authenticate': 'Bearer', ...headers };
  if (status < 300) delete (all as Record<string, string>)['www-authenticate'];
  return { status, headers: all, body, text: body === null ? '' : JSON.stringify(body) };
}

function refusal(status: number, code: string, instance: string, more: object = {}): FuzzAnswer {
  const detail = 'There is no such resource.';
  return answer(status, { type: `#${code}`, title: '', status, detail, instance, code, requestId: 'r', ...more });
}

const item = (team: TeamName) => ({ target: `${NOTES}/${ID[team]}` });
const ours = { id: ID.ours, name: 'a', revision: 1 };
const theirs = { id: ID.theirs, name: 'a', revision: 1 };
const body = (value: unknown): Partial<FuzzRequest> => ({
  method: 'POST',
  headers: [
    ['Authorization', `Bearer ${SECRET}`],
    ['Content-Type', 'application/json'],
  ],
  body: Buffer.from(JSON.stringify(value)),
});

describe('the judge', () => {
  it.each<[string, Partial<FuzzRequest>, FuzzAnswer]>([
    ['an item', item('ours'), answer(200, ours)],
    ['a list', {}, answer(200, { data: [ours], nextCursor: null })],
    ['a next page', {}, answer(200, { data: [ours], nextCursor: 'x' }, { link: '<?cursor=x>; rel="next"' })],
    ["404 for the other team's item", item('theirs'), refusal(404, 'not_found', item('theirs').target)],
    ['401 without credentials', { headers: [] }, refusal(401, 'unauthenticated', NOTES)],
    ['a creation', body({ name: 'b' }), answer(201, { id: 'n', name: 'b' }, { location: '/n' })],
    ['422 for invalid values', body({}), refusal(422, 'validation_failed', NOTES, { errors: [{ pointer: '/name' }] })],
    ['404 for an unknown path', { target: '/v1/nothing' }, refusal(404, 'not_found', '/v1/nothing')],
  ])('accepts %s', (_, request, answered) => {
    expect(new Stage().rules(request, answered)).toEqual([]);
  });

  it.each<[string, Partial<FuzzRequest>, FuzzAnswer, string]>([
    ['a server error', item('ours'), refusal(500, 'internal_error', item('ours').target), 'server error'],
    ['a refusal without a reason', item('ours'), refusal(404, 'not_found', item('ours').target), 'unexpected outcome'],
    ['success without credentials', { headers: [] }, answer(200, { data: [], nextCursor: null }), 'unexpected outcome'],
    ['a wrong problem code', { headers: [] }, refusal(401, 'invalid_token', NOTES), 'unexpected outcome'],
    ["the other team's item", item('theirs'), answer(200, theirs), 'unexpected outcome'],
    ["the other team's id", {}, answer(200, { data: [theirs], nextCursor: null }), 'leak'],
    [
      'accepted invalid values',
      body({ name: 'b', x: 1 }),
      answer(201, { id: 'n' }, { location: '/n' }),
      'unexpected outcome',
    ],
    ['an undocumented member', item('ours'), answer(200, { ...ours, more: 1 }), 'not as documented'],
    ['an undocumented status', item('ours'), refusal(409, 'conflict', item('ours').target), 'not as documented'],
    ['an undocumented header', item('ours'), answer(200, ours, { etag: '"1.1"' }), 'undocumented header'],
    ['a missing Location', body({ name: 'b' }), answer(201, { id: 'n', name: 'b' }), 'missing header'],
    ['a wrong instance', item('theirs'), refusal(404, 'not_found', '/'), 'problem'],
    [
      'a 404 with another detail',
      item('theirs'),
      refusal(404, 'not_found', item('theirs').target, { detail: 'No!' }),
      'problem',
    ],
    ['an invalid request id', item('ours'), answer(200, ours, { 'x-request-id': 'a b' }), 'request id'],
    ['an API key', item('ours'), answer(200, { ...ours, name: SECRET }), 'API key revealed'],
    ['a cursor without Link', {}, answer(200, { data: [], nextCursor: 'x' }), 'list'],
    ['a replay without a key', body({ name: 'b' }), answer(201, {}, { 'idempotent-replayed': 'true' }), 'repetition'],
    [
      'a name other than the one sent',
      body({ name: 'b' }),
      answer(201, { id: 'n', name: 'c' }, { location: '/n' }),
      'differs from the request',
    ],
  ])('detects %s', (_, request, answered, rule) => {
    expect(new Stage().rules(request, answered)).toContain(rule);
  });

  it('detects a write by a key with insufficient scope', () => {
    const made = answer(201, { id: 'n', name: 'b' }, { location: '/n' });
    expect(new Stage('read').rules(body({ name: 'b' }), made)).toContain('unexpected outcome');
    const refused = refusal(403, 'insufficient_scope', NOTES);
    expect(new Stage('read').rules(body({ name: 'b' }), refused)).toEqual([]);
  });

  it('detects an item that still exists after its deletion', () => {
    const stage = new Stage();
    learn(stage.setting({ method: 'DELETE', ...item('ours') }), answer(204, null));
    expect(stage.rules(item('ours'), refusal(404, 'not_found', item('ours').target))).toEqual([]);
    expect(stage.rules(item('ours'), answer(200, ours))).toContain('unexpected outcome');
    expect(stage.rules({}, answer(200, { data: [ours], nextCursor: null }))).toContain('list');
  });

  it('detects a change without a new revision, and an older revision', () => {
    const stage = new Stage();
    const seen = (more: object) => learn(stage.setting(item('ours')), answer(200, { ...ours, createdAt: '', ...more }));
    expect(seen({ name: 'b', revision: 2 })).toEqual([]);
    expect(seen({ name: 'c', revision: 2 })).toMatchObject([{ rule: 'model' }]);
    expect(seen({ revision: 1 })).toMatchObject([{ rule: 'model' }]);
  });

  it('detects a marked text of the other team, unless the request contained it, and any secret', () => {
    const stage = new Stage();
    const mark = stage.world.marks.next('theirs', 'kept');
    const found = (target: string) =>
      stage.rules({ target }, answer(200, { data: [{ id: 'x', name: mark }], nextCursor: null }));
    expect(found(NOTES)).toContain('leak');
    expect(found(`${NOTES}?q=${mark}`)).not.toContain('leak');
    const secret = stage.world.marks.next('ours', 'secret');
    expect(stage.rules(item('ours'), answer(200, { ...ours, name: secret }))).toContain('leak');
  });
});
