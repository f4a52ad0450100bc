import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { rowsOf } from './support/rows.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const BODY = httpMonitor('http://127.0.0.1:9/', { paused: true });

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.admin);
});
afterAll(() => app.close());

const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

describe('a path', () => {
  it.each(['/v1', '/v1/nothing', '/v2/monitors', '/nothing', '/v1/monitors/x/y/z', '/%FF', '/%00'])(
    '%s without a route responds with 404',
    async (path) => {
      const { status, headers, body } = await api.get(path);
      expect({ path, status, code: body.code }).toEqual({ path, status: 404, code: 'not_found' });
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(body.requestId).toBe(headers.get('x-request-id'));
      expect(body.instance).toBe(path);
    },
  );

  it('responds with 405 and Allow to every unsupported method, before it requires a key', async () => {
    const routes = (await app.backstage.routes()).filter(({ path }) => !path.startsWith('/docs'));
    for (const path of new Set(routes.map((route) => route.path))) {
      const concrete = path.replace(/:\w+/g, 'x');
      // A literal path may also match a pattern: `/api-keys/self` supports the methods of `/api-keys/:id`.
      const matching = routes.filter((route) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(concrete));
      const allowed = new Set(matching.map(({ method }) => method));
      if (allowed.has('GET')) allowed.add('HEAD');
      for (const method of METHODS.filter((one) => !allowed.has(one))) {
        const { status, headers, body } = await app.api().call(method, concrete);
        expect({ method, concrete, status }).toEqual({ method, concrete, status: 405 });
        expect(headers.get('allow')).toBe([...allowed].sort().join(', '));
        expect(body.code).toBe('method_not_allowed');
      }
    }
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const client = app.undocumented(app.teams.ours.read);
    const { status, headers, body } = await client.call('HEAD', '/v1/monitors');
    expect({ status, body }).toEqual({ status: 200, body: null });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect((await app.undocumented().call('HEAD', '/v1/monitors')).status).toBe(401);
  });
});

describe('credentials', () => {
  const attempt = (headers: Record<string, string>, query = '') =>
    app.api().call('GET', `/v1/monitors${query}`, { headers });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('are accepted under the scheme %s', async (scheme) => {
    expect((await attempt({ authorization: `${scheme} ${app.teams.ours.read}` })).status).toBe(200);
  });

  it.each([
    ['of another scheme', 'Basic YTpi', 'unauthenticated'],
    ['without a token', 'Bearer', 'invalid_token'],
    ['with two tokens', 'Bearer a b', 'invalid_token'],
    ['of 10 kB', `Bearer ${'a'.repeat(10_000)}`, 'invalid_token'],
    ['in Latin-1', 'Bearer dw_ÄÖÜ', 'invalid_token'],
  ])('%s are rejected with 401', async (_, authorization, code) => {
    expect(await attempt({ authorization })).toMatchObject({ status: 401, body: { code } });
  });

  it('in the query are ignored, and rejected with 400 in addition to the header', async () => {
    const query = `?access_token=${app.teams.ours.read}`;
    expect((await attempt({}, query)).status).toBe(401);
    const both = await attempt({ authorization: `Bearer ${app.teams.ours.read}` }, query);
    expect(both).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(JSON.stringify(both.body)).not.toContain(app.teams.ours.read);
    expect((await attempt({ authorization: 'Basic YTpi', 'x-api-key': app.teams.ours.read })).status).toBe(401);
  });
});

describe('a body', () => {
  const send = (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    api.call('POST', '/v1/monitors', { text, headers });

  it.each([
    ['broken JSON', '{"name":', 400, 'invalid_json'],
    ['plain text', 'name=x', 400, 'invalid_json'],
    ['two values', '{}{}', 400, 'invalid_json'],
    ['an array', '[]', 422, 'validation_failed'],
    ['null', 'null', 422, 'validation_failed'],
    ['a string', '"x"', 422, 'validation_failed'],
    ['nothing', '', 422, 'validation_failed'],
    ['33 levels', nested(33), 400, 'json_too_deep'],
    ['10,000 levels', nested(10_000), 400, 'json_too_deep'],
    ['100,000 open brackets', '['.repeat(100_000), 400, 'json_too_deep'],
    ['32 levels', nested(32), 422, 'validation_failed'],
    ['too many bytes', `"${'x'.repeat(256 * 1_024)}"`, 413, 'payload_too_large'],
  ])('of %s is rejected', async (_, text, status, code) => {
    expect(await send(text)).toMatchObject({ status, body: { code } });
  });

  it.each([
    'text/plain',
    'text/xml',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/merge-patch+json',
  ])('of type %s is rejected by a POST with 415', async (type) => {
    const answer = await send(JSON.stringify(BODY), { 'content-type': type });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('with another charset or another encoding is rejected with 415', async () => {
    const text = JSON.stringify(BODY);
    expect((await send(text, { 'content-type': 'application/json; charset=latin1' })).status).toBe(415);
    expect((await send(text, { 'content-encoding': 'br' })).status).toBe(415);
  });

  it('may be compressed with gzip, but is rejected if it inflates beyond the size limit', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await send(gzipSync(JSON.stringify(BODY)), headers)).status).toBe(201);
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    expect(await send(bomb, headers)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect((await send(new TextEncoder().encode('no gzip'), headers)).status).toBe(400);
  });

  it.each(['pause', 'resume', 'checks'])('of another type is also rejected by %s with 415', async (action) => {
    const { id } = await createMonitor(api, BODY);
    const headers = { 'content-type': 'text/plain' };
    const answer = await api.call('POST', `/v1/monitors/${id}/${action}`, { text: 'now', headers });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('with forbidden keys or characters is rejected with their pointers, and pollutes no prototype', async () => {
    const before = await rowsOf(app, app.teams.ours.id);
    for (const [text, pointer, code] of [
      ['{"__proto__":{"polluted":1}}', '/__proto__', 'forbidden_key'],
      ['{"metadata":{"constructor":{"prototype":{"polluted":1}}}}', '/metadata/constructor', 'forbidden_key'],
      ['{"headers":{"__proto__":"x"}}', '/headers/__proto__', 'forbidden_key'],
      ['{"name":"a\\u0000b"}', '/name', 'forbidden_character'],
      ['{"metadata":{"a\\u0000":"b"}}', '/metadata/a\u0000', 'forbidden_character'],
      ['{"tags":["\\ud800"]}', '/tags/0', 'forbidden_character'],
      ['{"intervalSeconds":1e999}', '/intervalSeconds', 'out_of_range'],
    ] as const) {
      for (const [method, path] of [
        ['POST', '/v1/monitors'],
        ['POST', '/v1/status-pages'],
        ['POST', '/v1/api-keys'],
      ] as const) {
        const answer = await api.call(method, path, { text });
        expect({ text, answer }).toMatchObject({ answer: { status: 422, body: { errors: [{ pointer, code }] } } });
      }
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(await rowsOf(app, app.teams.ours.id)).toEqual(before);
  });

  it('is optional if every field has a default', async () => {
    const { id } = await createMonitor(api, BODY);
    for (const headers of [undefined, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
      const answer = await api.call<MonitorDto>('POST', `/v1/monitors/${id}/pause`, { headers });
      expect(answer).toMatchObject({ status: 200, body: { status: 'paused' } });
    }
  });
});

describe('every response', () => {
  it('carries the request id that was sent if it is well-formed, otherwise a new one', async () => {
    const idOf = async (sent: string): Promise<string | null> =>
      (await api.call('GET', '/v1/monitors', { headers: { 'x-request-id': sent } })).headers.get('x-request-id');
    expect(await idOf('deploy-4711.a_b')).toBe('deploy-4711.a_b');
    for (const bad of ['', 'a b', 'x'.repeat(129), '<script>']) {
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('does not disclose the framework, and forbids content sniffing', async () => {
    for (const path of ['/healthz', '/v1/monitors', '/nothing', '/docs']) {
      const { headers } = await app.undocumented(app.teams.ours.read).call('GET', path);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('names unknown query parameters, on every route that requires a key', async () => {
    for (const path of ['/v1/monitors', '/v1/status-pages', '/v1/api-keys', '/v1/api-keys/self']) {
      const { status, body } = await api.get(`${path}?nothing=1&limit=5&__proto__=1`);
      expect(status).toBe(400);
      const parameters = (body.errors ?? []).map(({ parameter }) => parameter);
      expect(parameters).toEqual(expect.arrayContaining(['nothing', '__proto__']));
    }
  });
});
