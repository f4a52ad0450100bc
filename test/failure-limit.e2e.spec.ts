import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newSecret } from '../src/modules/api-keys/api-key-secret.js';
import { startApp, type TestApp } from './support/app.js';
import { type Answer } from './support/client.js';

const PATH = '/v1/monitors';
const BATCH = 50;

/** Returns an X-Forwarded-For value that differs for each request. */
const forged = (n: number): string => `198.51.100.${n % 256}, 10.${n % 7}.0.${n % 256}`;

/** Sends `count` requests in batches and returns their responses in the order of sending. */
async function failures(
  app: TestApp,
  count: number,
  headersOf: (n: number) => Record<string, string>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let sent = 0; sent < count; sent += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - sent) }, (_, n) =>
      app.api().call('GET', PATH, { headers: headersOf(sent + n) }),
    );
    answers.push(...(await Promise.all(batch)));
  }
  return answers;
}

const withStatus = (answers: Answer[], status: number): Answer[] => answers.filter((one) => one.status === status);

describe('an address without a valid key', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ RATE_LIMIT_PER_MINUTE: '600', AUTH_FAILURES_PER_MINUTE: '600' });
  });
  afterAll(() => app.close());

  it('is limited with 429 from the 601st of 1,000 bad keys on, regardless of X-Forwarded-For', async () => {
    const answers = await failures(app, 1_000, (n) => ({
      authorization: `Bearer ${n % 2 ? newSecret() : `bad${n}`}`,
      'x-forwarded-for': forged(n),
      forwarded: `for=198.51.100.${n % 256}`,
      'x-real-ip': `198.51.100.${n % 256}`,
    }));
    expect(withStatus(answers, 401)).toHaveLength(600);
    const refused = withStatus(answers, 429);
    expect(refused).toHaveLength(400);
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({ code: 'rate_limited' });
      const seconds = Number(headers.get('retry-after'));
      expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
      for (const absent of ['ratelimit', 'ratelimit-policy', 'www-authenticate'])
        expect(headers.get(absent)).toBeNull();
    }
  }, 60_000);

  it.each<[string, Record<string, string>]>([
    ['no credentials', {}],
    ['Basic', { authorization: 'Basic YTpi' }],
    ['a malformed key', { authorization: 'Bearer x y' }],
    ['another forged address', { authorization: 'Bearer x', 'x-forwarded-for': '192.0.2.99' }],
  ])('remains limited with %s', async (_, headers) => {
    expect((await app.api().call('GET', PATH, { headers })).status).toBe(429);
  });

  it('does not affect valid keys or routes that require none', async () => {
    const valid = await Promise.all(Array.from({ length: 50 }, () => app.api(app.teams.ours.read).get(PATH)));
    expect(withStatus(valid, 200)).toHaveLength(50);
    expect((await app.api().get('/healthz')).status).toBe(200);
    expect((await app.api().get('/v1/nothing')).status).toBe(404);
    expect((await app.api().call('DELETE', PATH)).status).toBe(405);
  });
});

describe('behind a trusted proxy', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ AUTH_FAILURES_PER_MINUTE: '20', TRUST_PROXY: '1' });
  });
  afterAll(() => app.close());

  /** Returns headers as a proxy sends them, which appends its client's address to the received value. */
  const from =
    (address: string, more: Record<string, string> = {}) =>
    (n: number) => ({
      'x-forwarded-for': `${forged(n)}, ${address}`,
      ...more,
    });

  it('each client of the proxy is counted as one address, whatever it forges', async () => {
    const ours = await failures(app, 30, from('203.0.113.1'));
    expect([withStatus(ours, 401).length, withStatus(ours, 429).length]).toEqual([20, 10]);
    const others = await failures(app, 20, from('203.0.113.2'));
    expect(withStatus(others, 401)).toHaveLength(20);
    const direct = await app.api().get(PATH);
    expect(direct.status).toBe(401);
  });

  it('an IPv6 /64 network is counted as one address', async () => {
    const answers = await failures(app, 30, (n) => from(`2001:db8:1:2::${n.toString(16)}`)(n));
    expect([withStatus(answers, 401).length, withStatus(answers, 429).length]).toEqual([20, 10]);
  });

  it('a valid key is accepted from a limited address', async () => {
    const headers = from('203.0.113.1', { authorization: `Bearer ${app.teams.ours.read}` });
    const answers = await failures(app, 100, headers);
    expect(withStatus(answers, 200)).toHaveLength(100);
    expect(withStatus(await failures(app, 1, from('203.0.113.1')), 429)).toHaveLength(1);
  });
});

it('a limit of 0 disables the limit', async () => {
  const app = await startApp({ AUTH_FAILURES_PER_MINUTE: '0' });
  const answers = await failures(app, 700, () => ({ authorization: 'Bearer bad' }));
  expect(withStatus(answers, 401)).toHaveLength(700);
  await app.close();
});
