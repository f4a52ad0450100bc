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

/** The smallest document that has a list, items and a write. */
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

/** Two teams with a note each; the one asks with a key of the scope `read`. */
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
    ['the other team', item('theirs'), refusal(404, 'not_found', item('theirs').target)],
    ['nobody', { headers: [] }, refusal(401, 'unauthenticated', NOTES)],
    ['a creation', body({ name: 'b' }), answer(201, { id: 'n', name: 'b' }, { location: '/n' })],
    ['bad values', body({}), refusal(422, 'validation_failed', NOTES, { errors: [{ pointer: '/name' }] })],
    ['an unknown path', { target: '/v1/nothing' }, refusal(404, 'not_found', '/v1/nothing')],
  ])('has nothing against %s', (_, request, answered) => {
    expect(new Stage().rules(request, answered)).toEqual([]);
  });

  it.each<[string, Partial<FuzzRequest>, FuzzAnswer, string]>([
    ['a server error', item('ours'), refusal(500, 'internal_error', item('ours').target), 'server error'],
    [
      'a refusal without cause',
      item('ours'),
      refusal(404, 'not_found', item('ours').target),
      'not what the contract says',
    ],
    ['success for nobody', { headers: [] }, answer(200, { data: [], nextCursor: null }), 'not what the contract says'],
    ['another code', { headers: [] }, refusal(401, 'invalid_token', NOTES), 'not what the contract says'],
    ["the other team's item", item('theirs'), answer(200, theirs), 'not what the contract says'],
    ["the other team's id", {}, answer(200, { data: [theirs], nextCursor: null }), 'leak'],
    [
      'accepted values',
      body({ name: 'b', x: 1 }),
      answer(201, { id: 'n' }, { location: '/n' }),
      'not what the contract says',
    ],
    ['a member too many', item('ours'), answer(200, { ...ours, more: 1 }), 'not as documented'],
    [
      'a status that is not documented',
      item('ours'),
      refusal(409, 'conflict', item('ours').target),
      'not as documented',
    ],
    ['a header that is not documented', item('ours'), answer(200, ours, { etag: '"1.1"' }), 'undocumented header'],
    ['no Location', body({ name: 'b' }), answer(201, { id: 'n', name: 'b' }), 'missing header'],
    ['another instance', item('theirs'), refusal(404, 'not_found', '/'), 'problem'],
    [
      'a 404 that says more',
      item('theirs'),
      refusal(404, 'not_found', item('theirs').target, { detail: 'No!' }),
      'problem',
    ],
    ['another request id', item('ours'), answer(200, ours, { 'x-request-id': 'a b' }), 'request id'],
    ['an API key', item('ours'), answer(200, { ...ours, name: SECRET }), 'API key shown'],
    ['a cursor without Link', {}, answer(200, { data: [], nextCursor: 'x' }), 'list'],
    ['a replay of nothing', body({ name: 'b' }), answer(201, {}, { 'idempotent-replayed': 'true' }), 'repetition'],
    [
      'another name',
      body({ name: 'b' }),
      answer(201, { id: 'n', name: 'c' }, { location: '/n' }),
      'not as it was sent',
    ],
  ])('finds %s', (_, request, answered, rule) => {
    expect(new Stage().rules(request, answered)).toContain(rule);
  });

  it('finds what a key may not do', () => {
    const made = answer(201, { id: 'n', name: 'b' }, { location: '/n' });
    expect(new Stage('read').rules(body({ name: 'b' }), made)).toContain('not what the contract says');
    const refused = refusal(403, 'insufficient_scope', NOTES);
    expect(new Stage('read').rules(body({ name: 'b' }), refused)).toEqual([]);
  });

  it('finds an item that is there after its deletion', () => {
    const stage = new Stage();
    learn(stage.setting({ method: 'DELETE', ...item('ours') }), answer(204, null));
    expect(stage.rules(item('ours'), refusal(404, 'not_found', item('ours').target))).toEqual([]);
    expect(stage.rules(item('ours'), answer(200, ours))).toContain('not what the contract says');
    expect(stage.rules({}, answer(200, { data: [ours], nextCursor: null }))).toContain('list');
  });

  it('finds a change that nobody made, by the revision', () => {
    const stage = new Stage();
    const seen = (more: object) => learn(stage.setting(item('ours')), answer(200, { ...ours, createdAt: '', ...more }));
    expect(seen({ name: 'b', revision: 2 })).toEqual([]);
    expect(seen({ name: 'c', revision: 2 })).toMatchObject([{ rule: 'model' }]);
    expect(seen({ revision: 1 })).toMatchObject([{ rule: 'model' }]);
  });

  it('finds a marked text of the other team, but not where it was sent', () => {
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
