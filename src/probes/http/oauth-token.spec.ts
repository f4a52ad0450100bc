import { type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { problemsOf } from '../../../test/support/field-problems.js';
import { runHttp } from '../../../test/support/probe-run.js';
import { startHttp, stopsServers } from '../../../test/support/probe-scripts.js';
import { httpProbe, HttpFields } from '../http.probe.js';
import { type HttpOauth2Auth } from './http-auth.dto.js';

stopsServers();

interface Stage {
  issue: (number: number) => object;
  valid: (token: string) => boolean;
  /** How long the token endpoint takes to respond. */
  issueMs?: number;
}

/** Starts a token endpoint, and a target that accepts the tokens in `valid`. */
async function stage({ issue, valid, issueMs = 0 }: Stage) {
  const issued: { authorization: string | undefined; body: string }[] = [];
  const seen: string[] = [];
  const tokenUrl = `${await startHttp((request, body, response) => {
    const number = issued.push({ authorization: request.headers.authorization, body });
    response.setHeader('Content-Type', 'application/json');
    setTimeout(() => response.end(JSON.stringify(issue(number))), issueMs);
  })}/token`;
  const url = await startHttp((request, _, response) => {
    const authorization = request.headers.authorization ?? '';
    seen.push(authorization);
    response.writeHead(valid(authorization.replace('Bearer ', '')) ? 200 : 401).end();
  });
  return { issued, seen, url, tokenUrl };
}

/** As {@link stage}, but the token endpoint does not respond to the first requests; by default, to any. */
async function silentStage(silent = Infinity) {
  const { url } = await stage({ issue: () => ({}), valid: () => true });
  const issued: string[] = [];
  const tokenUrl = await startHttp((_, body, response) => {
    if (issued.push(body) > silent) response.end(JSON.stringify({ access_token: 'a' }));
  });
  return { issued, url, tokenUrl };
}

function oauth(tokenUrl: string, more: Partial<HttpOauth2Auth> = {}): HttpOauth2Auth {
  return { type: 'oauth2', tokenUrl, clientId: 'mon', clientSecret: 'ge heim', ...more };
}

describe('HttpOauth2Auth', () => {
  const url = 'https://example.com/';
  const tokenUrl = 'https://login.example.com/token';
  it('accepts client credentials', () => {
    expect(
      problemsOf(HttpFields, { url, auth: oauth(tokenUrl, { scope: 'a b', audience: null, clientAuth: 'body' }) }),
    ).toEqual([]);
  });

  it.each([
    [{ tokenUrl: 'login.example.com' }, '/auth/tokenUrl invalid_value'],
    [{ clientId: '' }, '/auth/clientId isLength'],
    [{ clientSecret: undefined }, '/auth/clientSecret isString'],
    [{ clientAuth: 'post' }, '/auth/clientAuth isIn'],
    [{ token: 'x' }, '/auth/token whitelistValidation'],
  ])('rejects %j with %s', (more, problem) =>
    expect(problemsOf(HttpFields, { url, auth: { ...oauth(tokenUrl), ...more } })).toContain(problem),
  );

  it('has a secret that belongs to the target and the token endpoint, both of which are checked', () => {
    const fields = { url, auth: oauth(tokenUrl) };
    expect(httpProbe.secretPaths(fields)).toEqual([['auth', 'clientSecret']]);
    const other = { url, auth: oauth('https://other.example.com/token') };
    expect(httpProbe.secretScope(other, [])).not.toBe(httpProbe.secretScope(fields, []));
    expect(httpProbe.hosts(fields)).toEqual([
      { pointer: '/url', host: 'example.com' },
      { pointer: '/auth/tokenUrl', host: 'login.example.com' },
    ]);
  });
});

describe('a check with client credentials', () => {
  it('requests a token once, and uses it until it expires', async () => {
    const { issued, seen, url, tokenUrl } = await stage({
      issue: (number) => ({ access_token: `token-${number}`, expires_in: 3_600 }),
      valid: () => true,
    });
    const auth = oauth(tokenUrl, { scope: 'a b', audience: 'api' });
    const outcomes = await Promise.all([1, 2, 3].map(() => runHttp({ url, auth })));
    outcomes.push(await runHttp({ url, auth }));
    expect(outcomes.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(seen).toEqual(Array(4).fill('Bearer token-1'));
    expect(issued).toEqual([
      {
        authorization: `Basic ${Buffer.from('mon:ge%20heim').toString('base64')}`,
        body: 'grant_type=client_credentials&scope=a+b&audience=api',
      },
    ]);
  });

  it('reports the times of the target without those of the token endpoint', async () => {
    const { url, tokenUrl } = await stage({ issue: () => ({ access_token: 'a' }), valid: () => true, issueMs: 1_000 });
    const outcome = await runHttp({ url: url.replace('127.0.0.1', 'localhost'), auth: oauth(tokenUrl) });
    expect(outcome.error).toBeNull();
    expect(outcome.timings.dnsMs).toBeLessThan(900);
    expect(outcome.responseTimeMs).toBeLessThan(900);
  });

  it('waits for the token that another check requests no longer than its own deadline', async () => {
    const { url, tokenUrl } = await silentStage();
    const first = runHttp({ url, auth: oauth(tokenUrl) }, { timeoutMs: 3_000 });
    const second = await runHttp({ url, auth: oauth(tokenUrl) }, { timeoutMs: 300 });
    expect(second.error).toEqual({ code: 'timeout', message: 'Token endpoint: Waiting for the response timed out.' });
    await first;
  });

  it('requests the token itself if the check that did so had less time', async () => {
    const { issued, url, tokenUrl } = await silentStage(1);
    const first = runHttp({ url, auth: oauth(tokenUrl) }, { timeoutMs: 300 });
    const second = runHttp({ url, auth: oauth(tokenUrl) }, { timeoutMs: 10_000 });
    expect((await first).error).toMatchObject({ code: 'timeout' });
    expect((await second).error).toBeNull();
    expect(issued).toHaveLength(2);
  });

  it('does not wait for a request that began long before', async () => {
    const { issued, url, tokenUrl } = await silentStage(1);
    const first = runHttp({ url, auth: oauth(tokenUrl) }, { timeoutMs: 5_000 });
    await eventually(() => expect(issued).toHaveLength(1));
    await delay(1_100);
    expect((await runHttp({ url, auth: oauth(tokenUrl) }, { timeoutMs: 3_000 })).error).toBeNull();
    await first;
  });

  it('keeps the new token when several checks were refused with the old one', async () => {
    let accepted = 'token-1';
    const { issued, url, tokenUrl } = await stage({
      issue: (number) => ({ access_token: `token-${number}`, expires_in: 3_600 }),
      valid: (token) => token === accepted,
    });
    const auth = oauth(tokenUrl);
    await runHttp({ url, auth });
    accepted = 'token-2';
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => runHttp({ url, auth })));
    expect(outcomes.map(({ error }) => error)).toEqual(Array(8).fill(null));
    expect(issued).toHaveLength(2);
  });

  it('can send the credentials in the body', async () => {
    const { issued, url, tokenUrl } = await stage({ issue: () => ({ access_token: 'a' }), valid: () => true });
    expect((await runHttp({ url, auth: oauth(tokenUrl, { clientAuth: 'body' }) })).error).toBeNull();
    const body = 'grant_type=client_credentials&client_id=mon&client_secret=ge+heim';
    expect(issued).toEqual([{ authorization: undefined, body }]);
  });

  it('requests a new token if the lifetime has almost passed', async () => {
    const { seen, url, tokenUrl } = await stage({
      issue: (number) => ({ access_token: `token-${number}`, expires_in: 20 }),
      valid: () => true,
    });
    for (let check = 0; check < 2; check += 1) await runHttp({ url, auth: oauth(tokenUrl) });
    expect(seen).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('replaces a token once that the target does not accept any more', async () => {
    let accepted = 'token-1';
    const { issued, seen, url, tokenUrl } = await stage({
      issue: (number) => ({ access_token: `token-${number}`, expires_in: 3_600 }),
      valid: (token) => token === accepted,
    });
    const auth = oauth(tokenUrl);
    expect((await runHttp({ url, auth })).error).toBeNull();
    accepted = 'token-2';
    expect((await runHttp({ url, auth })).error).toBeNull();
    accepted = 'none';
    expect(await runHttp({ url, auth })).toMatchObject({ statusCode: 401, error: { code: 'unexpected_status' } });
    expect(seen).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2', 'Bearer token-3']);
    expect(issued).toHaveLength(3);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['refuses', (response) => response.writeHead(401).end('{"error":"invalid_client"}'), 'authentication_failed'],
    ['responds with no JSON', (response) => response.end('hello'), 'authentication_failed'],
    ['responds without a token', (response) => response.end('{"access_token":5}'), 'authentication_failed'],
    [
      'issues a token that a header cannot contain',
      (response) => response.end('{"access_token":"a\\r\\nb"}'),
      'authentication_failed',
    ],
    ['closes the connection', (response) => response.destroy(), 'connection_reset'],
  ])('fails if the token endpoint %s, and asks again next time', async (_, answer, code) => {
    let requests = 0;
    const tokenUrl = await startHttp((_request, _body, response) => {
      requests += 1;
      answer(response);
    });
    const url = await startHttp((_request, _body, response) => response.end());
    for (let check = 1; check <= 2; check += 1) {
      const outcome = await runHttp({ url, auth: oauth(tokenUrl) });
      expect(outcome.error?.code).toBe(code);
      expect(outcome.error?.message).not.toContain('heim');
      expect(requests).toBe(check);
    }
  });

  it('does not request a token from a blocked address', async () => {
    const url = await startHttp((_request, _body, response) => response.end());
    const outcome = await runHttp({ url, auth: oauth('http://10.0.0.1/token') });
    expect(outcome.error).toMatchObject({
      code: 'address_blocked',
      message: expect.stringMatching(/^Token endpoint: /),
    });
  });
});
