import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { type Scope } from '../src/http/auth/principal.js';
import { type ApiKeysService } from '../src/modules/api-keys/api-keys.service.js';
import { startApp, type TestApp } from './support/app.js';
import { type Answer, type CallOptions, type Client } from './support/client.js';
import { type DatabaseLink, linkTo } from './support/database-link.js';
import { createTestDatabase, type TestDatabase } from './support/database.js';

const SELF = '/v1/api-keys/self';
const POLICY = '"burst";q=100;w=10, "minute";q=600;w=60';

/** Creates a client with a new key, whose bucket is full. */
async function newClient(app: TestApp, scope: Scope = 'read'): Promise<Client & { secret: string; keyId: string }> {
  const definition = { name: 'A key', scopes: [scope], expiresAt: null };
  const keys = app.backstage.inTransaction<ApiKeysService>('ApiKeysService');
  const { id, secret } = await keys.mint(app.teams.ours.id, definition, 'system');
  return Object.assign(app.api(secret), { secret, keyId: id });
}

const limitsOf = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

/** Returns the parameters `r` and `t` of the `RateLimit` header. */
function limitOf({ headers }: Answer): { r: number; t: number } {
  const [, r, t] = /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { r: Number(r), t: Number(t) };
}

const atOnce = (clients: Client[], requests: number): Promise<Answer[]> =>
  Promise.all(Array.from({ length: requests }, (_, at) => clients[at % clients.length]!.get(SELF)));

const passed = (answers: Answer[]): number => answers.filter(({ status }) => status === 200).length;

describe('with the default limit', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ RATE_LIMIT_PER_MINUTE: '600' });
  });
  afterAll(() => app.close());

  it('responses report the policy and the remaining requests', async () => {
    const answer = await (await newClient(app)).get(SELF);
    expect(limitsOf(answer)).toEqual([POLICY, '"minute";r=599;t=1']);
  });

  it.each<[number, Scope, string, string, CallOptions]>([
    [200, 'read', 'GET', SELF, {}],
    [400, 'read', 'GET', '/v1/monitors?nothing=1', {}],
    [400, 'write', 'POST', '/v1/monitors', { text: '{' }],
    [403, 'read', 'POST', '/v1/monitors', { text: '{}' }],
    [404, 'read', 'GET', '/v1/monitors/key:none', {}],
    [413, 'write', 'POST', '/v1/monitors', { text: `"${'x'.repeat(300_000)}"` }],
    [415, 'write', 'POST', '/v1/monitors', { text: '{}', headers: { 'content-type': 'text/plain' } }],
    [422, 'write', 'POST', '/v1/monitors', { text: '{}' }],
  ])('a %i for a valid key includes the headers', async (status, scope, method, path, options) => {
    const answer = await (await newClient(app, scope)).call(method, path, options);
    expect(answer.status).toBe(status);
    expect(limitsOf(answer)).toEqual([POLICY, '"minute";r=599;t=1']);
  });

  it.each<[number, string, string]>([
    [401, 'GET', SELF],
    [404, 'GET', '/v1/nothing'],
    [405, 'PUT', SELF],
    [200, 'GET', '/healthz'],
    [200, 'GET', '/docs'],
  ])('a %i without a key does not include the headers', async (status, method, path) => {
    const answer = await app.undocumented().call(method, path);
    expect(answer.status).toBe(status);
    expect(limitsOf(answer)).toEqual([null, null]);
  });

  it('100 concurrent requests pass, and more only as the bucket refills', async () => {
    const client = await newClient(app);
    const startedAt = performance.now();
    const answers = await atOnce([client], 150);
    const refilled = Math.floor((performance.now() - startedAt) / 100);
    expect(passed(answers)).toBeGreaterThanOrEqual(100);
    expect(passed(answers)).toBeLessThanOrEqual(100 + refilled);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect([answer.headers.get('retry-after'), ...limitsOf(answer)]).toEqual(['1', POLICY, '"minute";r=0;t=1']);
    }
    const left = answers.filter(({ status }) => status === 200).map((answer) => limitOf(answer).r);
    expect(Math.max(...left)).toBe(599);
    expect(Math.min(...left)).toBeGreaterThanOrEqual(500);
    expect(Math.min(...left)).toBeLessThanOrEqual(500 + refilled);
  });

  it('the OpenAPI document declares the headers exactly for the responses to a valid key', () => {
    const { paths, components } = app.document as OpenAPIObject & { components: Record<string, object> };
    expect(components.headers).toMatchObject({ RateLimit: {}, 'RateLimit-Policy': {} });
    for (const [path, item] of Object.entries(paths)) {
      for (const operation of Object.values(item) as { responses: Record<string, { headers?: object }> }[]) {
        for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
          const documented = Object.entries(headers).filter(([name]) => name.startsWith('RateLimit'));
          const isLimited = path.startsWith('/v1/') && status !== '401';
          expect({ path, status, documented: documented.length }).toEqual({
            path,
            status,
            documented: isLimited ? 2 : 0,
          });
          for (const [name, header] of documented) expect(header).toEqual({ $ref: `#/components/headers/${name}` });
        }
      }
    }
  });
});

describe('with a limit of 6 per minute, refilled by one every 10 s', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ RATE_LIMIT_PER_MINUTE: '6' });
  });
  afterAll(() => app.close());

  it('6 requests pass and the 7th is 429, for this key only', async () => {
    const [client, other] = [await newClient(app), await newClient(app)];
    const answers = await atOnce([client], 6);
    expect(answers.map(limitOf).map(({ r }) => r)).toEqual(expect.arrayContaining([5, 4, 3, 2, 1, 0]));
    const refused = await client.get(SELF);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', status: 429 } });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(5);
    expect(seconds).toBeLessThanOrEqual(10);
    expect(limitOf(refused)).toEqual({ r: 0, t: seconds });
    expect(refused.headers.get('ratelimit-policy')).toBe('"burst";q=6;w=10, "minute";q=6;w=60');
    expect(limitOf(await other.get(SELF)).r).toBe(5);
    expect((await app.api(app.teams.theirs.read).get(SELF)).status).toBe(200);
  });

  it('429 takes precedence over 403 and 415, but not over 401', async () => {
    const client = await newClient(app);
    const answer = async (by: Client) => {
      const options = { text: 'x', headers: { 'content-type': 'text/xml' } };
      return (await by.call('POST', '/v1/monitors', options)).status;
    };
    expect(await answer(await newClient(app, 'write'))).toBe(415);
    const statuses = [];
    for (let turn = 0; turn < 7; turn += 1) statuses.push(await answer(client));
    expect(statuses).toEqual([...Array<number>(6).fill(403), 429]);
    expect(await answer(app.api())).toBe(401);
  });

  it('requests rejected for their credentials do not count against the key', async () => {
    const client = await newClient(app);
    const { secret } = client;
    const mistyped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
    for (const attempt of [
      ...Array<string>(10).fill(`Bearer ${mistyped}`),
      `Basic ${secret}`,
      secret,
      `Bearer ${secret} x`,
      '',
    ]) {
      const { status } = await app.api().call('GET', SELF, { headers: { authorization: attempt } });
      expect({ attempt, status }).toEqual({ attempt, status: 401 });
    }
    expect((await client.get(`${SELF}?access_token=${secret}`)).status).toBe(400);
    expect(limitOf(await client.get(SELF)).r).toBe(5);
  });

  it('a key deleted from the database while it is still cached is 401', async () => {
    const client = await newClient(app);
    // The key is cached from here on, so that the row is missing only when the next request is counted.
    expect((await client.get(SELF)).status).toBe(200);
    await app.query('DELETE FROM api_keys WHERE id = $1', [client.keyId]);
    expect(await app.query('SELECT 1 FROM rate_limits WHERE key_id = $1', [client.keyId])).toEqual([]);
    expect(await client.get(SELF)).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
  });
});

it('a limited key passes again after the time in Retry-After, and not much sooner', async () => {
  const app = await startApp({ RATE_LIMIT_PER_MINUTE: '30' });
  const client = await newClient(app);
  await atOnce([client], 40);
  // Of requests at the same time, a later one may pass, after which one that was refused has to wait longer.
  let askedAt: number;
  let refused: Awaited<ReturnType<typeof client.get>>;
  do {
    askedAt = performance.now();
    refused = await client.get(SELF);
  } while (refused.status !== 429);
  const refusedAt = performance.now();
  const waitMs = Number(refused.headers.get('retry-after')) * 1_000;
  expect([1_000, 2_000]).toContain(waitMs);
  for (let status = 429; status !== 200;) {
    const sentAt = performance.now();
    ({ status } = await client.get(SELF));
    if (sentAt - refusedAt > waitMs) expect(status).toBe(200);
  }
  // Retry-After is rounded up to whole seconds, and counted from after the request was sent.
  expect(performance.now() - askedAt).toBeGreaterThan(waitMs - 1_000);
  await app.close();
});

it('two processes on one database share one bucket for 300 concurrent requests', async () => {
  const database = await createTestDatabase();
  const start = () => startApp({ RATE_LIMIT_PER_MINUTE: '600' }, () => database.url);
  const [first, second] = [await start(), await start()];
  const client = await newClient(first);
  const startedAt = performance.now();
  const answers = await atOnce([client, second.api(client.secret)], 300);
  const refilled = Math.floor((performance.now() - startedAt) / 100);
  const [atFirst, atSecond] = [0, 1].map((own) => passed(answers.filter((_, at) => at % 2 === own)));
  expect(atFirst! + atSecond!).toBeGreaterThanOrEqual(100);
  expect(atFirst! + atSecond!).toBeLessThanOrEqual(100 + refilled);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(300 - atFirst! - atSecond!);
  await second.close();
  await first.close();
  await database.drop();
});

it('a limit of 0 disables the limit and its headers', async () => {
  const app = await startApp({ RATE_LIMIT_PER_MINUTE: '0' });
  const answers = await atOnce([await newClient(app)], 150);
  expect(passed(answers)).toBe(150);
  for (const answer of answers) expect(limitsOf(answer)).toEqual([null, null]);
  expect(await app.query('SELECT 1 FROM rate_limits')).toEqual([]);
  await app.close();
});

describe('without the database', () => {
  let database: TestDatabase;
  let link: DatabaseLink;
  let app: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    link = await linkTo(database.url);
    app = await startApp({ RATE_LIMIT_PER_MINUTE: '600' }, () => link.url);
  });
  afterAll(async () => {
    await link.restore();
    await app.close();
    await link.cut();
    await database.drop();
  });

  it('a request with a cached key is 503, neither accepted nor limited', async () => {
    const client = await newClient(app);
    expect((await client.get(SELF)).status).toBe(200);
    await link.cut();
    const answers = await atOnce([client], 20);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
      expect(answer.headers.get('retry-after')).toBe('5');
    }
  });
});
