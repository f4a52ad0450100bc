import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Problem } from '../src/http/problems/problem.js';
import { newSecret } from '../src/modules/api-keys/api-key-secret.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Answer, type CallOptions } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { rawExchange } from './support/raw-exchange.js';

const BARE = 'Bearer realm="daywatch"';
const INVALID = `${BARE}, error="invalid_token"`;
const SELF = '/v1/api-keys/self';

let app: TestApp;
let good: string;
beforeAll(async () => {
  app = await sharedApp();
  good = app.teams.ours.read;
});
afterAll(() => app.close());

/** Sends the request with only these headers. */
function call(path: string, options: CallOptions = {}, method = 'GET'): Promise<Answer<Problem>> {
  return app.undocumented().call(method, path, options);
}

const authorized = (authorization: string, path = SELF) => call(path, { headers: { authorization } });
const answered = ({ status, headers }: Answer) => [status, headers.get('www-authenticate')];
const keyQueries = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await app.backstage.queriesDuring(work)).filter((query) => /^SELECT .* FROM "api_keys"/s.test(query));

describe('credentials', () => {
  it('are required: 401 with a bare challenge without a header', async () => {
    expect(answered(await call(SELF))).toEqual([401, BARE]);
  });

  it.each(['Basic', 'basic', 'Digest', 'Token', 'ApiKey', ''])(
    'are rejected under the scheme %j with 401, as if there were none',
    async (one) => {
      expect(answered(await authorized(`${one} ${good}`))).toEqual([401, BARE]);
      expect(answered(await authorized(`${one} ${Buffer.from(`${good}:`).toString('base64')}`))).toEqual([401, BARE]);
    },
  );

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('are accepted under the scheme %s, in any case', async (scheme) => {
    expect((await authorized(`${scheme} ${good}`)).status).toBe(200);
  });

  it('with a wrong checksum are rejected with 401 without a database query', async () => {
    const last = good.endsWith('0') ? '1' : '0';
    for (const bad of [good.slice(0, -1) + last, good.slice(0, -1), `${good}0`, good.toLowerCase(), 'dw_', 'x']) {
      const queries = await keyQueries(async () => {
        expect(answered(await authorized(`Bearer ${bad}`))).toEqual([401, INVALID]);
      });
      expect({ bad, queries }).toEqual({ bad, queries: [] });
    }
    // A well-formed key does cause a query, which shows that the assertion above can fail.
    expect(await keyQueries(() => authorized(`Bearer ${newSecret()}`))).toHaveLength(1);
  });

  it.each(['access_token', 'api_key', 'apikey', 'key', 'token', 'Authorization', 'authorization'])(
    'are ignored in the query parameter %s: 401, without a database query or an echo of the key',
    async (name) => {
      const queries = await keyQueries(async () => {
        const answer = await call(`${SELF}?${name}=${good}`);
        expect(answered(answer)).toEqual([401, BARE]);
        expect(JSON.stringify(answer.body)).not.toContain(good);
      });
      expect(queries).toEqual([]);
    },
  );

  it('are ignored in the body, in a cookie or in another header: 401', async () => {
    const page = { name: 'P', slug: 'by-no-key', access_token: good };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const others = ['cookie', 'x-api-key', 'api-key', 'proxy-authorization', 'x-authorization'];
    for (const answer of [
      await call('/v1/status-pages', { json: page }, 'POST'),
      await call('/v1/status-pages', { text: `access_token=${good}`, headers: form }, 'POST'),
      ...(await Promise.all(others.map((name) => call(SELF, { headers: { [name]: `Bearer ${good}` } })))),
    ]) {
      expect(answered(answer)).toEqual([401, BARE]);
    }
  });

  it('in both the header and the query are rejected with 400 invalid_request, valid or not', async () => {
    for (const [header, query] of [
      [good, good],
      [good, 'x'],
      [good, ''],
      [newSecret(), good],
      ['x', 'x'],
    ] as const) {
      const answer = await authorized(`Bearer ${header}`, `${SELF}?access_token=${query}`);
      expect(answered(answer)).toEqual([400, `${BARE}, error="invalid_request"`]);
      expect(answer.body.code).toBe('invalid_request');
    }
  });

  it.each<[string, number, (good: string) => string | Buffer]>([
    ['10 kB', 401, () => 'x'.repeat(10_000)],
    ['10 kB that start with a valid key', 401, (good) => good + 'x'.repeat(10_000)],
    ['20 kB', 431, () => 'x'.repeat(20_000)],
    ['a key with NUL', 400, (good) => `${good}\0`],
    ['only NUL characters', 400, () => '\0\0\0'],
    ['a line break within a key', 400, (good) => `${good.slice(0, 20)}\n${good.slice(20)}`],
    ['Unicode', 401, () => Buffer.from('schlüssel-鍵-🔑')],
    ['Unicode in a key', 401, (good) => Buffer.from(good.replace(/.$/, '０'))],
    ['bytes that are not UTF-8', 401, () => Buffer.from([0xff, 0xfe, 0x80])],
    ['a delete character', 400, (good) => `${good}\x7f`],
    ['two keys', 401, (good) => `${good} ${good}`],
    ['a list of keys', 401, (good) => `${good}, ${good}`],
    ['a quoted key', 401, (good) => `"${good}"`],
    ['a key with base64 padding', 401, (good) => `${good}=`],
  ])('consisting of %s are rejected with %i, never 500', async (_, status, key) => {
    const head = Buffer.from(`GET ${SELF} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer `);
    const answer = await rawExchange(
      app.origin,
      Buffer.concat([head, Buffer.from(key(good)), Buffer.from('\r\n\r\n')]),
    );
    expect(answer.status).toBe(status);
    expect(answer.text).toContain('application/problem+json');
    expect(answer.text).not.toContain(good);
  });
});

describe('the keys of a deleted team', () => {
  it('are rejected within a second', async () => {
    const { id, admin, write } = await app.backstage.makeTeam('Gone');
    const [used, unused] = [app.api(admin), app.api(write)];
    await createMonitor(used, httpMonitor('http://127.0.0.1:9/', { paused: true }));
    await app.query('DELETE FROM teams WHERE id = $1', [id]);
    const deletedAt = Date.now();
    expect((await unused.get(SELF)).status).toBe(401);
    await eventually(async () => {
      const sentAt = Date.now();
      const { status } = await used.get(SELF);
      // The cache may accept the key for up to a second, but the team has no data left to return.
      if (sentAt - deletedAt >= 1_000) expect(status).toBe(401);
      expect([401, 404]).toContain(status);
      expect(status).toBe(401);
    });
    expect(await app.query('SELECT 1 FROM api_keys WHERE team_id = $1', [id])).toEqual([]);
  });
});
