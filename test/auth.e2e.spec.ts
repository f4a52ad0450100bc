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

/** With these headers alone. */
function call(path: string, options: CallOptions = {}, method = 'GET'): Promise<Answer<Problem>> {
  return app.undocumented().call(method, path, options);
}

const authorized = (authorization: string, path = SELF) => call(path, { headers: { authorization } });
const answered = ({ status, headers }: Answer) => [status, headers.get('www-authenticate')];
const keyQueries = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await app.backstage.queriesDuring(work)).filter((query) => /^SELECT .* FROM "api_keys"/s.test(query));

describe('credentials', () => {
  it('no header: 401 with a bare challenge', async () => {
    expect(answered(await call(SELF))).toEqual([401, BARE]);
  });

  it.each(['Basic', 'basic', 'Digest', 'Token', 'ApiKey', ''])(
    '%j with a good key: 401 as without one',
    async (one) => {
      expect(answered(await authorized(`${one} ${good}`))).toEqual([401, BARE]);
      expect(answered(await authorized(`${one} ${Buffer.from(`${good}:`).toString('base64')}`))).toEqual([401, BARE]);
    },
  );

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme in any case: %s', async (scheme) => {
    expect((await authorized(`${scheme} ${good}`)).status).toBe(200);
  });

  it('bad checksum: 401 with no query made', async () => {
    const last = good.endsWith('0') ? '1' : '0';
    for (const bad of [good.slice(0, -1) + last, good.slice(0, -1), `${good}0`, good.toLowerCase(), 'dw_', 'x']) {
      const queries = await keyQueries(async () => {
        expect(answered(await authorized(`Bearer ${bad}`))).toEqual([401, INVALID]);
      });
      expect({ bad, queries }).toEqual({ bad, queries: [] });
    }
    // A well-formed one is looked for, so that the row above would see it.
    expect(await keyQueries(() => authorized(`Bearer ${newSecret()}`))).toHaveLength(1);
  });

  it.each(['access_token', 'api_key', 'apikey', 'key', 'token', 'Authorization', 'authorization'])(
    'a key in the query, as %s, is no key: 401, asked of nobody and told to nobody',
    async (name) => {
      const queries = await keyQueries(async () => {
        const answer = await call(`${SELF}?${name}=${good}`);
        expect(answered(answer)).toEqual([401, BARE]);
        expect(JSON.stringify(answer.body)).not.toContain(good);
      });
      expect(queries).toEqual([]);
    },
  );

  it('a key in the body, in a cookie or in another header is no key: 401', async () => {
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

  it('header and query together: 400 invalid_request, whether the keys are good or not', async () => {
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
    ['10 kB that begin like a key', 401, (good) => good + 'x'.repeat(10_000)],
    ['20 kB', 431, () => 'x'.repeat(20_000)],
    ['NUL', 400, (good) => `${good}\0`],
    ['nothing but NUL', 400, () => '\0\0\0'],
    ['a line break within', 400, (good) => `${good.slice(0, 20)}\n${good.slice(20)}`],
    ['Unicode', 401, () => Buffer.from('schlüssel-鍵-🔑')],
    ['Unicode in a key', 401, (good) => Buffer.from(good.replace(/.$/, '０'))],
    ['bytes that are no UTF-8', 401, () => Buffer.from([0xff, 0xfe, 0x80])],
    ['a delete character', 400, (good) => `${good}\x7f`],
    ['two keys', 401, (good) => `${good} ${good}`],
    ['a list of keys', 401, (good) => `${good}, ${good}`],
    ['in quotes', 401, (good) => `"${good}"`],
    ['padded', 401, (good) => `${good}=`],
  ])('a key: %s: %i, never 500', async (_, status, key) => {
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

describe('keys that go with something else', () => {
  it("a deleted team's keys die within a second", async () => {
    const { id, admin, write } = await app.backstage.makeTeam('Gone');
    const [used, unused] = [app.api(admin), app.api(write)];
    await createMonitor(used, httpMonitor('http://127.0.0.1:9/', { paused: true }));
    await app.query('DELETE FROM teams WHERE id = $1', [id]);
    const deletedAt = Date.now();
    expect((await unused.get(SELF)).status).toBe(401);
    await eventually(async () => {
      const sentAt = Date.now();
      const { status } = await used.get(SELF);
      // What is remembered of a key may open the door for a second, but then there is nothing behind it.
      if (sentAt - deletedAt >= 1_000) expect(status).toBe(401);
      expect([401, 404]).toContain(status);
      expect(status).toBe(401);
    });
    expect(await app.query('SELECT 1 FROM api_keys WHERE team_id = $1', [id])).toEqual([]);
  });
});
