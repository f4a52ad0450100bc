import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  type CanActivate,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Module,
  Param,
  Patch,
  Post,
  Put,
  Query,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { Public, RequireScope, Session } from './auth/access.decorators.js';
import { APPLICATION_OPTIONS, applyHttpConventions } from './conventions.js';
import { CursorCodec, type ListParameters } from './lists/cursor.js';
import { type JsonObject } from './body/json.js';
import { mergePatch } from './body/merge-patch.js';
import { Page, PageQueryDto } from './lists/page.js';
import {
  CurrentPrincipal,
  CurrentTeam,
  KeyVerifier,
  type Principal,
  type Scope,
  type TeamId,
} from './auth/principal.js';
import { notFound, type Problem, ProblemException } from './problems/problem.js';
import { PROBLEMS } from './problems/problem-codes.js';
import { QueryList } from './lists/query.decorators.js';
import { readObject, validateBody } from './body/validation.js';

class ThingDto {
  @IsString()
  @MaxLength(20)
  name: string;

  @IsOptional()
  metadata?: Record<string, unknown>;
}

class ThingQueryDto extends PageQueryDto {
  @IsOptional()
  @IsIn(['name', '-name'])
  sort?: string;

  @QueryList()
  @IsString({ each: true })
  tag?: string[];
}

const codec = new CursorCodec(Buffer.alloc(32, 7));
let created = 0;

@Controller('v1/things')
class ThingsController {
  @Get()
  @RequireScope('read')
  list(@Query() query: ThingQueryDto, @CurrentTeam() teamId: TeamId): Page<JsonObject> {
    const scope = { teamId, list: 'things' };
    const given: ListParameters = { sort: query.sort, tag: query.tag };
    const { params, after } =
      query.cursor === undefined ? { params: given, after: [0] } : codec.open(scope, query.cursor, given);
    const n = Number(after[0]) + query.limit;
    return new Page([{ n, sort: String(params.sort) }], n < 500 ? codec.seal(scope, { params, after: [n] }) : null);
  }

  @Post()
  @RequireScope('write')
  create(@Body() thing: ThingDto): ThingDto {
    created++;
    return thing;
  }

  @Get('explode')
  @RequireScope('read')
  explode(): void {
    throw new Error('password=hunter2');
  }

  @Get('no-database')
  @RequireScope('read')
  async noDatabase(): Promise<void> {
    await new pg.Client({ host: '127.0.0.1', port: 1 }).connect();
  }

  @Get('undeclared')
  undeclared(@CurrentPrincipal() principal: Principal): string {
    return principal.keyId;
  }

  @Get(':id')
  @RequireScope('read')
  read(@Param('id') id: string): JsonObject {
    return find(id);
  }

  @Put(':id')
  @RequireScope('write')
  replace(@Param('id') id: string, @Body() body: unknown): ThingDto {
    find(id);
    return validateBody(ThingDto, body, { readOnly: ['id'] });
  }

  @Patch(':id')
  @RequireScope('write')
  update(@Param('id') id: string, @Body() body: unknown): ThingDto {
    return validateBody(ThingDto, mergePatch(find(id), readObject(body)));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  remove(@Param('id') id: string): void {
    find(id);
  }
}

function find(id: string): JsonObject {
  if (id !== '1') throw notFound();
  return { name: 'one', metadata: { a: 'b' } };
}

@Controller()
class OpenController {
  @Public()
  @Get('healthz')
  health(): JsonObject {
    return { status: 'ok' };
  }

  @Public()
  @Post('beat')
  beat(): JsonObject {
    return { status: 'ok' };
  }

  @Session()
  @Get('settings')
  settings(): string {
    return 'secret settings';
  }
}

let verified = 0;
const KEYS: Record<string, [string, Scope[]]> = {
  reader: ['team-a', ['read']],
  writer: ['team-a', ['write']],
  admin: ['team-a', ['admin']],
  stranger: ['team-b', ['admin']],
};

class Keys extends KeyVerifier {
  async verify(token: string): Promise<Principal | null> {
    verified++;
    if (token === 'nodb') await new pg.Client({ host: '127.0.0.1', port: 1 }).connect();
    const found = KEYS[token];
    return found ? { keyId: token, name: token, teamId: found[0] as TeamId, scopes: found[1] } : null;
  }
}

@Module({ controllers: [ThingsController, OpenController], providers: [{ provide: KeyVerifier, useClass: Keys }] })
class AppModule {}

/** Takes the place of the rate limit. */
const limited: CanActivate = {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    if (headers['x-test-limited']) throw new ProblemException(429, 'rate_limited', 'Slow down.');
    return true;
  },
};

let app: NestExpressApplication;
let port: number;

beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(AppModule, { ...APPLICATION_OPTIONS, logger: false });
  applyHttpConventions(app, { afterAuthentication: [limited] });
  await app.listen(0, '127.0.0.1');
  port = (app.getHttpServer().address() as AddressInfo).port;
});

afterAll(() => app.close());

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  problem: Problem;
}

interface Call {
  key?: string | null;
  type?: string | null;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** Sends a request over a bare socket, which clients could not send, and returns the raw response. */
async function raw(request: string | Buffer): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  // The socket is not half-closed, because Node aborts a request whose client has done so.
  socket.write(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return answer(Number(status.split(' ')[1]), headers, rest.join('\r\n\r\n'));
}

async function call(method: string, path: string, { key = 'admin', type, body, headers }: Call = {}): Promise<Answer> {
  const lines = Object.entries({
    Host: 'api.test',
    Connection: 'close',
    ...(key !== null && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...(body !== undefined && type !== null && { 'Content-Type': type ?? 'application/json' }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  return raw(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body ?? '')]));
}

function answer(status: number, headers: Headers, text: string): Answer {
  const first = Buffer.from(text)
    .subarray(0, Number(headers.get('content-length')))
    .toString();
  const isProblem = headers.get('content-type') === 'application/problem+json' && text !== '';
  return { status, headers, text, problem: (isProblem ? JSON.parse(first) : {}) as Problem };
}

const BARE = 'Bearer realm="daywatch"';
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('the order in which errors are reported', () => {
  const broken = { type: 'text/xml', body: '{', headers: { 'x-test-limited': '1' } };
  // Each row also has every error of the rows below it.
  const ladder: [string, number, string, string, string, Call][] = [
    ['unknown route', 404, 'not_found', 'POST', '/v1/nothing?x=1', { key: null, ...broken }],
    ['method', 405, 'method_not_allowed', 'POST', '/v1/things/2?x=1', { key: null, ...broken }],
    ['no credentials', 401, 'unauthenticated', 'PUT', '/v1/things/2?x=1', { key: null, ...broken }],
    ['bad key', 401, 'invalid_token', 'PUT', '/v1/things/2?x=1', { key: 'wrong', ...broken }],
    ['two credentials', 400, 'invalid_request', 'PUT', '/v1/things/2?access_token=x', { key: 'reader', ...broken }],
    ['rate', 429, 'rate_limited', 'PUT', '/v1/things/2?x=1', { key: 'reader', ...broken }],
    ['scope', 403, 'insufficient_scope', 'PUT', '/v1/things/2?x=1', { key: 'reader', type: 'text/xml', body: '{' }],
    ['media type', 415, 'unsupported_media_type', 'PUT', '/v1/things/2?x=1', { type: 'a/b', body: '{'.repeat(3e5) }],
    ['size', 413, 'payload_too_large', 'PUT', '/v1/things/2?x=1', { body: '{'.repeat(3e5) }],
    ['JSON', 400, 'invalid_json', 'PUT', '/v1/things/2?x=1', { body: '{' }],
    ['query', 400, 'invalid_query', 'PUT', '/v1/things/2?x=1', { body: '{"__proto__":1}' }],
    ['resource', 404, 'not_found', 'PUT', '/v1/things/2', { body: '{"__proto__":1}' }],
    ['values', 422, 'validation_failed', 'PUT', '/v1/things/1', { body: '{"__proto__":1}' }],
  ];
  it.each(ladder)('reports %s as %i %s', async (_name, status, code, method, path, options) => {
    const { problem, headers, status: actual } = await call(method, path, options);
    expect([actual, problem.code, problem.status]).toEqual([status, code, status]);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(problem).toMatchObject({
      type: `/docs/problems#${code}`,
      title: PROBLEMS[problem.code].title,
      instance: path.split('?')[0],
      requestId: headers.get('x-request-id'),
    });
  });
});

describe('routes', () => {
  it.each([
    ['PATCH', '/v1/things', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/things', 'GET, HEAD, POST'],
    ['TRACE', '/v1/things/1', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['PROPFIND', '/healthz', 'GET, HEAD'],
    ['GET', '/beat', 'POST'],
    ['HEAD', '/beat', 'POST'],
  ])('respond to %s %s with 405 and Allow: %s', async (method, path, allow) => {
    const { status, headers } = await call(method, path, { key: null });
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  it.each([
    '/v1/things/%',
    '/v1/things/%zz',
    '/v1/things/%C3%28',
    '/v1/things/%00',
    '/%',
    '/v1/nothing',
    '/v1/things/1/2',
  ])('respond to %s with 404 without credentials', async (path) => {
    expect((await call('GET', path, { key: null })).problem.code).toBe('not_found');
  });

  it.each(['/v1/things/undefined', '/v1/things/:id', '/v1/things/null', '/v1/things/%3Aid'])(
    'require credentials for %s, then respond with 404',
    async (path) => {
      expect((await call('GET', path, { key: null })).status).toBe(401);
      expect((await call('GET', path)).status).toBe(404);
    },
  );

  it.each(['*', '//v1/things', 'http://evil.test/v1/nothing', '/v1/things/../nothing', '/docs/nothing'])(
    'respond to the target %s with a 404 problem',
    async (target) => {
      const method = target === '*' ? 'OPTIONS' : 'GET';
      expect((await call(method, target, { key: null })).problem.code).toBe('not_found');
    },
  );

  it('answer HEAD like GET, without a body', async () => {
    const [get, head] = [await call('GET', '/v1/things/1'), await call('HEAD', '/v1/things/1')];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    const refused = await call('HEAD', '/v1/things/2');
    expect([refused.status, refused.text]).toEqual([404, '']);
  });

  it('accept paths in any case and with a trailing slash', async () => {
    expect((await call('GET', '/V1/Things/1/')).status).toBe(200);
  });
});

describe('credentials', () => {
  it.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['Basic', { Authorization: 'Basic YTpi' }],
    ['another scheme', { Authorization: 'Digest username="a", realm="b"' }],
    ['an empty header', { Authorization: '' }],
  ])('cause a 401 with a bare challenge: %s', async (_name, headers) => {
    const { status, headers: sent } = await call('GET', '/v1/things', { key: null, headers });
    expect([status, sent.get('www-authenticate')]).toEqual([401, BARE]);
  });

  it.each(['', 'wrong', 'a b', 'x'.repeat(10_000), 'schl\u00fcssel', '"><script>', '='])(
    'cause the same 401 for the key %j',
    async (key) => {
      const { status, headers, problem } = await call('GET', '/v1/things', { key });
      expect([status, headers.get('www-authenticate')]).toEqual([401, `${BARE}, error="invalid_token"`]);
      expect(problem).toMatchObject({
        code: 'invalid_token',
        detail: 'The API key is malformed, unknown, expired or revoked.',
      });
    },
  );

  it('accept the scheme in any case', async () => {
    const { status } = await call('GET', '/v1/things', { key: null, headers: { Authorization: 'bEARER   reader' } });
    expect(status).toBe(200);
  });

  it('are never read from the query or a body', async () => {
    const before = verified;
    const query = await call('GET', '/v1/things?access_token=reader', { key: null });
    const type = 'application/x-www-form-urlencoded';
    const form = await call('POST', '/v1/things', { key: null, type, body: 'access_token=admin' });
    const json = await call('POST', '/v1/things', { key: null, body: '{"access_token":"admin"}' });
    expect([query, form, json].map((one) => one.headers.get('www-authenticate'))).toEqual([BARE, BARE, BARE]);
    expect(JSON.stringify(query.problem)).not.toContain('reader');
    expect(verified).toBe(before);
  });

  it('are rejected if there are two headers', async () => {
    const lines = 'Host: a\r\nAuthorization: Bearer reader\r\nAuthorization: Bearer admin\r\nConnection: close';
    expect((await raw(`GET /v1/things HTTP/1.1\r\n${lines}\r\n\r\n`)).problem.code).toBe('invalid_request');
  });

  it('cause a 503, not a 401, if keys cannot be verified', async () => {
    const { status, headers, problem } = await call('GET', '/v1/things', { key: 'nodb' });
    expect([status, problem.code, headers.get('retry-after')]).toEqual([503, 'database_unavailable', '5']);
  });

  it.each([
    ['reader', 'GET', '/v1/things/1', 200],
    ['writer', 'GET', '/v1/things/1', 200],
    ['admin', 'GET', '/v1/things/1', 200],
    ['reader', 'DELETE', '/v1/things/1', 403],
    ['writer', 'DELETE', '/v1/things/1', 204],
    ['writer', 'GET', '/v1/things/undeclared', 403],
    ['admin', 'GET', '/v1/things/undeclared', 200],
  ])('of %s for %s %s cause a %i', async (key, method, path, status) => {
    expect((await call(method, path, { key })).status).toBe(status);
  });

  it('lead to the name of the missing scope', async () => {
    const { headers } = await call('DELETE', '/v1/things/1', { key: 'reader' });
    expect(headers.get('www-authenticate')).toBe(`${BARE}, error="insufficient_scope", scope="write"`);
  });

  it('are not required on public routes, and do not open session routes', async () => {
    expect((await call('GET', '/healthz?utm=1', { key: null })).status).toBe(200);
    expect((await call('POST', '/beat', { key: null, type: 'text/plain', body: 'whatever' })).status).toBe(201);
    expect((await call('GET', '/settings', { key: null })).status).toBe(401);
    expect((await call('GET', '/settings')).status).toBe(401);
  });
});

describe('bodies', () => {
  const good = '{"name":"a"}';
  const post = (options: Call) => call('POST', '/v1/things', options);
  const zipped = (body: Buffer | string): Call => ({ body: gzipSync(body), headers: { 'Content-Encoding': 'gzip' } });

  it.each<[string, Call, number, string | undefined]>([
    ['JSON', { body: good }, 201, undefined],
    ['JSON with a charset', { body: good, type: 'Application/JSON; charset="UTF-8"' }, 201, undefined],
    ['another charset', { body: good, type: 'application/json; charset=latin1' }, 415, 'unsupported_media_type'],
    ['no media type', { body: good, type: null }, 415, 'unsupported_media_type'],
    ['a merge patch in POST', { body: good, type: 'application/merge-patch+json' }, 415, 'unsupported_media_type'],
    ['XML', { body: '<a/>', type: 'application/xml' }, 415, 'unsupported_media_type'],
    ['a form', { body: 'name=a', type: 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['another encoding', { body: good, headers: { 'Content-Encoding': 'br' } }, 415, 'unsupported_media_type'],
    ['gzip', zipped(good), 201, undefined],
    ['a gzip bomb', zipped(Buffer.alloc(50_000_000, 32)), 413, 'payload_too_large'],
    ['broken gzip', { body: 'nonsense', headers: { 'Content-Encoding': 'gzip' } }, 400, 'invalid_request'],
    ['the maximum size', { body: good.padEnd(256 * 1024) }, 201, undefined],
    ['a byte over the maximum size', { body: good.padEnd(256 * 1024 + 1) }, 413, 'payload_too_large'],
    ['broken JSON', { body: '{"name":' }, 400, 'invalid_json'],
    ['only spaces', { body: '  ' }, 400, 'invalid_json'],
    ['a word', { body: 'undefined' }, 400, 'invalid_json'],
    ['invalid UTF-8', { body: Buffer.from([0x22, 0xc3, 0x28, 0x22]) }, 400, 'invalid_json'],
    ['32 levels of nesting', { body: nested(32) }, 422, 'validation_failed'],
    ['33 levels of nesting', { body: nested(33) }, 400, 'json_too_deep'],
    ['10,000 levels of nesting', { body: nested(10_000) }, 400, 'json_too_deep'],
    ['100,000 levels of nesting', { body: nested(100_000) }, 400, 'json_too_deep'],
    [
      'brackets in a string',
      { body: JSON.stringify({ name: 'a', metadata: { text: '[{"\\'.repeat(99) } }) },
      201,
      undefined,
    ],
    ['an empty body of any media type', { body: '', type: 'application/xml' }, 422, 'validation_failed'],
    ['an empty body declared as gzip', { body: '', headers: { 'Content-Encoding': 'gzip' } }, 422, 'validation_failed'],
    ['no body', {}, 422, 'validation_failed'],
  ])('are accepted or rejected correctly: %s', async (_name, options, status, code) => {
    const answered = await post(options);
    expect([answered.status, answered.problem.code]).toEqual([status, code]);
  });

  it.each<[string, string, string, string]>([
    ['null', 'null', '', 'invalid_type'],
    ['an array', '[{"name":"a"}]', '', 'invalid_type'],
    ['a string', '"name"', '', 'invalid_type'],
    ['no name', '{}', '/name', 'required'],
    ['a null name', '{"name":null}', '/name', 'required'],
    ['NUL in a value', '{"name":"a\\u0000b"}', '/name', 'forbidden_character'],
    ['NUL in a free value', '{"name":"a","metadata":{"x":["\\u0000"]}}', '/metadata/x/0', 'forbidden_character'],
    ['NUL in a key', '{"name":"a","metadata":{"\\u0000":1}}', '/metadata/\0', 'forbidden_character'],
    ['a bell', '{"name":"a\\u0007"}', '/name', 'forbidden_character'],
    ['a C1 control character', '{"name":"\\u0085"}', '/name', 'forbidden_character'],
    ['a lone surrogate', '{"name":"\\ud800"}', '/name', 'forbidden_character'],
    ['__proto__', '{"name":"a","__proto__":{"admin":true}}', '/__proto__', 'forbidden_key'],
    ['__proto__, escaped', '{"name":"a","metadata":{"__pr\\u006fto__":{}}}', '/metadata/__proto__', 'forbidden_key'],
    ['constructor', '{"name":"a","constructor":{}}', '/constructor', 'forbidden_key'],
    ['an infinite number', '{"name":"a","metadata":1e999}', '/metadata', 'out_of_range'],
    ['an unknown field', '{"name":"a","teamId":"x"}', '/teamId', 'unknown_field'],
    ['an unknown field named like a method', '{"name":"a","hasOwnProperty":"x"}', '/hasOwnProperty', 'unknown_field'],
  ])('cause a 422 for %s', async (_name, body, pointer, code) => {
    const { status, problem } = await post({ body });
    expect([status, problem.errors]).toEqual([422, [{ pointer, code, detail: expect.any(String) }]]);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('preserve free-form values', async () => {
    const body = '{"name":"a","metadata":{"toString":"x","valueOf":["y"],"then":1}}';
    expect((await post({ body })).text).toBe(body);
  });

  it('are not parsed for a caller who is rejected', async () => {
    const before = created;
    for (const key of [null, 'wrong', 'reader']) {
      expect([401, 403]).toContain((await post({ key, body: '{"name":' })).status);
    }
    expect(created).toBe(before);
  });

  it('are ignored for methods without one', async () => {
    expect((await call('DELETE', '/v1/things/1', { type: 'text/xml', body: '{' })).status).toBe(204);
    expect((await call('GET', '/v1/things/1', { body: '{' })).status).toBe(200);
  });

  it.each(['application/json', 'application/merge-patch+json'])('are accepted by PATCH as %s', async (type) => {
    const { status, text } = await call('PATCH', '/v1/things/1', { type, body: '{"metadata":{"a":null,"c":"d"}}' });
    expect([status, JSON.parse(text)]).toEqual([200, { name: 'one', metadata: { c: 'd' } }]);
  });

  it('distinguish read-only fields from unknown ones', async () => {
    const { problem } = await call('PUT', '/v1/things/1', { body: '{"name":"a","id":"1"}' });
    expect(problem.errors).toMatchObject([{ pointer: '/id', code: 'read_only_field' }]);
  });

  const chunked = (type: string, chunks: string, rest = '') =>
    raw(
      `POST /v1/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin\r\nContent-Type: ${type}\r\n` +
        `Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n${rest}`,
    );

  it('are treated the same if chunked', async () => {
    expect((await chunked('application/json', 'c\r\n{"name":"a"}\r\n')).status).toBe(201);
    expect((await chunked('text/xml', 'c\r\n{"name":"a"}\r\n')).status).toBe(415);
    expect((await chunked('text/xml', '')).status).toBe(422);
    const large = `10000\r\n${' '.repeat(0x10000)}\r\n`.repeat(5);
    expect((await chunked('application/json', large)).status).toBe(413);
  });

  it.each<[string, Buffer, string]>([
    ['too large', Buffer.alloc(300_000, 32), 'identity'],
    ['a gzip bomb', gzipSync(Buffer.alloc(50_000_000, 32)), 'gzip'],
  ])('do not prevent the next request on the connection if rejected: %s', async (_name, body, encoding) => {
    const lines = [
      'POST /v1/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin\r\nContent-Type: application/json',
      `Content-Length: ${body.length}\r\nContent-Encoding: ${encoding}\r\n\r\n`,
    ];
    const next = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const { status, text } = await raw(Buffer.concat([Buffer.from(lines.join('\r\n')), body, Buffer.from(next)]));
    expect(status).toBe(413);
    expect(text).toContain('HTTP/1.1 200 OK');
  });

  it.each(['identity', 'gzip'])('may be aborted by the client (%s)', async (encoding) => {
    const socket = connect(port, '127.0.0.1');
    const lines = `Host: a\r\nAuthorization: Bearer admin\r\nContent-Type: application/json\r\nContent-Length: 999`;
    socket.write(
      `POST /v1/things HTTP/1.1\r\n${lines}\r\nContent-Encoding: ${encoding}\r\nExpect: 100-continue\r\n\r\n{`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    expect((await post({ body: good })).status).toBe(201);
  });

  it('are rejected before a large one is sent', async () => {
    const socket = connect(port, '127.0.0.1');
    const head = 'Host: a\r\nAuthorization: Bearer admin\r\nContent-Type: application/json\r\nContent-Length: 99999999';
    socket.write(`POST /v1/things HTTP/1.1\r\n${head}\r\n\r\n{`);
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    socket.destroy();
    expect(first.toString()).toContain('413');
  });
});

describe('queries', () => {
  it.each([
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=-1', 'limit', 'out_of_range'],
    ['limit=1.5', 'limit', 'invalid_type'],
    ['limit=10abc', 'limit', 'invalid_type'],
    ['limit=1e2', 'limit', 'invalid_type'],
    ['limit=', 'limit', 'invalid_type'],
    ['limit=1&limit=2', 'limit', 'repeated_parameter'],
    ['limit[]=1', 'limit[]', 'unknown_parameter'],
    ['nothing=1', 'nothing', 'unknown_parameter'],
    ['__proto__=1', '__proto__', 'unknown_parameter'],
    ['toString=1', 'toString', 'unknown_parameter'],
    ['sort=id', 'sort', 'invalid_value'],
    ['tag=a%00', 'tag', 'forbidden_character'],
    ['cursor=a&cursor=b', 'cursor', 'repeated_parameter'],
  ])('cause a 400 for ?%s', async (query, parameter, code) => {
    const { status, problem } = await call('GET', `/v1/things?${query}`);
    expect([status, problem.code]).toEqual([400, 'invalid_query']);
    expect(problem.errors).toEqual([{ parameter, code, detail: expect.any(String) }]);
  });

  it('report all errors at once', async () => {
    const { problem } = await call('GET', '/v1/things?limit=x&sort=y&z=1');
    expect(problem.errors?.map(({ parameter }) => parameter).sort()).toEqual(['limit', 'sort', 'z']);
  });

  it.each([
    ['', 50],
    ['?limit=1', 1],
    ['?limit=200', 200],
    ['?limit=201', 200],
    ['?limit=99999999999999999999', 200],
    ['?tag=a&tag=b&limit=2', 2],
  ])('apply, for %j, the limit %i', async (query, n) => {
    const { text } = await call('GET', `/v1/things${query}`);
    expect((JSON.parse(text) as Page<{ n: number }>).data[0]?.n).toBe(n);
  });

  it('are rejected if a route has no parameters', async () => {
    expect((await call('GET', '/v1/things/1?view=x')).problem.code).toBe('invalid_query');
  });
});

describe('pages', () => {
  const page = async (path: string, key = 'admin', headers = {}) => {
    const { text, headers: sent, status } = await call('GET', path, { key, headers });
    const { nextCursor, code, errors } = JSON.parse(text) as Record<string, string> & { errors?: object[] };
    return { status, code, errors, nextCursor, link: sent.get('link'), text };
  };

  it('are connected by Link headers up to the last one, which has none', async () => {
    const numbers: unknown[] = [];
    let next: string | undefined = '/v1/things?limit=200&sort=-name&tag=a&tag=b';
    while (next !== undefined) {
      const { text, link }: { text: string; link: string | null } = await page(next);
      numbers.push(...(JSON.parse(text) as Page<unknown>).data);
      next = link === null ? undefined : /^<http:\/\/api\.test(.*)>; rel="next"$/.exec(link)?.[1];
    }
    expect(numbers).toEqual([200, 400, 600].map((n) => ({ n, sort: '-name' })));
  });

  it('preserve filters and sort, and reject others than those of the first page with 400', async () => {
    const { nextCursor } = await page('/v1/things?sort=-name&tag=a&tag=b');
    const at = `/v1/things?cursor=${nextCursor}`;
    expect((await page(at)).text).toContain('"sort":"-name"');
    expect((await page(`${at}&tag=b&tag=a&limit=3`)).status).toBe(200);
    expect(await page(`${at}&sort=name`)).toMatchObject({
      code: 'invalid_cursor',
      errors: [{ parameter: 'sort', code: 'differs_from_cursor' }],
    });
    expect((await page(`${at}&tag=a`)).code).toBe('invalid_cursor');
  });

  it('are bound to the team and cannot be forged', async () => {
    const { nextCursor = '' } = await page('/v1/things');
    expect((await page(`/v1/things?cursor=${nextCursor}`, 'stranger')).code).toBe('invalid_cursor');
    for (const forged of ['', 'x', `${nextCursor}x`, `x${nextCursor}`, nextCursor.slice(0, -1), '.'.repeat(9_000)]) {
      expect(await page(`/v1/things?cursor=${forged}`)).toMatchObject({ status: 400, code: 'invalid_cursor' });
    }
  });

  it.each(['"><script>', 'a b', 'http://evil', ''])('have a harmless Link for the Host %j', async (Host) => {
    const { link } = await page('/v1/things?tag=%3E%3B', 'admin', { Host });
    expect(link).toMatch(/^<(http:\/\/[a-z.]+)?\/v1\/things\?tag=%3E%3B&cursor=[\w.-]+>; rel="next"$/);
  });
});

describe('request ids', () => {
  it.each([
    ['deploy-42_a.b', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['<script>', false],
    ['', false],
  ])('adopt %j: %s', async (id, taken) => {
    const { headers, problem } = await call('GET', '/v1/things/2', { headers: { 'X-Request-Id': id } });
    const sent = headers.get('x-request-id');
    expect(sent).toMatch(taken ? id : /^[0-9a-f-]{36}$/);
    expect(problem.requestId).toBe(sent);
  });

  it('are also part of successful responses', async () => {
    expect((await call('GET', '/healthz')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('internal errors', () => {
  it('reveal nothing internal', async () => {
    const { status, problem, text } = await call('GET', '/v1/things/explode');
    expect([status, problem.code]).toEqual([500, 'internal_error']);
    expect(text).not.toMatch(/hunter2|Error|at /);
  });

  it('cause a 503 with Retry-After without a database', async () => {
    const { status, problem, headers, text } = await call('GET', '/v1/things/no-database');
    expect([status, problem.code, headers.get('retry-after')]).toEqual([503, 'database_unavailable', '5']);
    expect(text).not.toMatch(/ECONNREFUSED|127\.0/);
  });
});

describe('the instance of a problem', () => {
  it.each([
    ['/v1/things/a%2fb%20c', '/v1/things/a%2fb%20c'],
    ['/v1/things/%', '/v1/things/%25'],
    ['/v1/things/%zz', '/v1/things/%25zz'],
    ['/v1/nothing/{"<[\\', '/v1/nothing/%7B%22%3C%5B%5C'],
  ])('is, for %s, the URI reference %s', async (path, instance) => {
    expect((await call('GET', path)).problem).toMatchObject({ status: 404, instance });
  });
});

describe('idle connections', () => {
  it('stay open longer than proxies keep theirs, which is 60 s for most', async () => {
    const server = app.getHttpServer();
    expect(server.keepAliveTimeout).toBeGreaterThanOrEqual(65_000);
    expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
    const { headers } = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(headers.get('keep-alive')).toBe('timeout=65');
  });
});

describe('requests that the parser rejects', () => {
  it.each([
    ['data that is not HTTP', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \0\r\n\r\n', 400, 'invalid_request'],
    ['large headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('cause a problem: %s', async (_name, request, status, code) => {
    const answered = await raw(request);
    expect([answered.status, answered.problem.code]).toEqual([status, code]);
    expect(answered.problem.requestId).toBe(answered.headers.get('x-request-id'));
  });

  it('are answered without a body for HEAD', async () => {
    const { status, headers, text } = await raw(`HEAD / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect([status, headers.get('content-type'), text]).toEqual([431, 'application/problem+json', '']);
  });

  it('do not include those with an unknown expectation, which is ignored', async () => {
    expect((await call('GET', '/healthz', { headers: { Expect: 'wonders' } })).status).toBe(200);
  });
});

describe('headers', () => {
  it('set a strict content policy, relaxed for the docs only, and do not reveal the framework', async () => {
    const api = (await call('GET', '/v1/things/1')).headers;
    const docs = (await call('GET', '/docs/problems', { key: null })).headers;
    expect(api.get('content-security-policy')).toContain("default-src 'none'");
    expect(api.get('content-security-policy')).not.toContain('unsafe');
    expect(docs.get('content-security-policy')).toContain("style-src 'self' 'unsafe-inline'");
    expect(docs.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/);
    expect([api.get('x-powered-by'), api.get('etag'), api.get('strict-transport-security')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('accompany the page that lists the types of problems', async () => {
    const { status, text } = await call('GET', '/docs/problems', { key: null });
    expect(status).toBe(200);
    for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`id="${code}"`);
  });
});
