import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runHttp } from '../../test/support/probe-run.js';
import { rawTarget, textAnswer, type RawTarget } from '../../test/support/raw-target.js';
import { httpProbe, type HttpFields } from './http.probe.js';
import { USER_AGENT } from './http/user-agent.js';

const targets: RawTarget[] = [];

async function target(...args: Parameters<typeof rawTarget>): Promise<RawTarget> {
  const one = await rawTarget(...args);
  targets.push(one);
  return one;
}

afterEach(async () => {
  await Promise.all(targets.splice(0).map((one) => one.close()));
});

describe('a check without redirects', () => {
  it('passes, with phase timings, status and address', async () => {
    const { origin } = await target(textAnswer('hello'));
    const outcome = await runHttp({ url: `${origin}/health?a=b#c` });
    expect(outcome).toEqual({
      statusCode: 200,
      responseTimeMs: expect.any(Number),
      timings: {
        dnsMs: null,
        connectMs: expect.any(Number),
        tlsMs: null,
        firstByteMs: expect.any(Number),
        transferMs: expect.any(Number),
      },
      remoteAddress: '127.0.0.1',
      error: null,
      failedAssertions: [],
    });
    expect(targets[0]!.requests[0]).toMatch(/^GET \/health\?a=b HTTP\/1\.1\r\n/);
  });

  it("sends default headers, and the definition's instead if present", async () => {
    const { origin, requests, port } = await target(textAnswer(''));
    await runHttp({ url: origin });
    await runHttp({ url: origin, headers: { 'user-agent': 'mine', HOST: 'vhost.example', 'X-Latin': 'caf\xe9' } });
    expect(requests[0]).toContain(`Host: 127.0.0.1:${port}\r\n`);
    expect(requests[0]).toContain(`User-Agent: ${USER_AGENT}\r\n`);
    expect(USER_AGENT).toMatch(/^Daywatch\/\d+\.\d+\.\d+ \(\+uptime monitoring\)$/);
    expect(requests[1]).toContain('user-agent: mine\r\n');
    expect(requests[1]).toContain('HOST: vhost.example\r\n');
    expect(requests[1]).toContain('X-Latin: caf\xe9\r\n');
    expect(requests[1]).not.toMatch(/User-Agent|Host: 127/);
  });

  it.each<[string, Partial<HttpFields>, RegExp]>([
    ['basic', { auth: { type: 'basic', username: 'ünï', password: 'p:w' } }, /Authorization: Basic w7xuw686cDp3\r\n/],
    ['bearer', { auth: { type: 'bearer', token: 'tok' } }, /Authorization: Bearer tok\r\n/],
    ['a body', { method: 'POST', body: 'häh' }, /^POST [^]*Content-Length: 4\r\n[^]*\r\n\r\nh\xc3\xa4h$/],
    ['an empty POST', { method: 'POST' }, /Content-Length: 0\r\n/i],
  ])('sends %s', async (_, fields, request) => {
    const { origin, requests } = await target(textAnswer(''));
    expect((await runHttp({ url: origin, ...fields })).error).toBeNull();
    expect(requests[0]).toMatch(request);
  });

  it.each<[string, Partial<HttpFields>, string | undefined]>([
    ['HTTP/1.1 204 No Content', {}, undefined],
    ['HTTP/1.1 404 Not Found', {}, 'unexpected_status'],
    ['HTTP/1.1 404 Not Found', { expectedStatusCodes: ['2xx', '400-404'] }, undefined],
    ['HTTP/1.1 301 Moved', { expectedStatusCodes: [301] }, undefined],
    [
      'HTTP/1.1 301 Moved\r\nLocation: http://10.0.0.1/',
      { followRedirects: false, expectedStatusCodes: ['301'] },
      undefined,
    ],
    ['HTTP/1.1 200 OK', { expectedStatusCodes: ['201'] }, 'unexpected_status'],
    ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade', {}, 'unexpected_status'],
    ['HTTP/1.0 200 OK', {}, undefined],
  ])('evaluates %s with %j to the error %s', async (head, fields, code) => {
    const { origin } = await target((socket) => socket.end(`${head}\r\n\r\n`));
    const outcome = await runHttp({ url: origin, ...fields });
    expect(outcome.error?.code).toBe(code);
    expect(outcome.statusCode).toBe(Number(head.slice(9, 12)));
  });

  it('does not wait for a body after HEAD', async () => {
    const { origin } = await target((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n'));
    expect((await runHttp({ url: origin, method: 'HEAD' })).error).toBeNull();
  });

  it('ignores proxy settings', async () => {
    const proxy = await target(textAnswer('proxy'));
    const { origin } = await target(textAnswer('direct'));
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'];
    for (const name of names) process.env[name] = proxy.origin;
    try {
      expect((await runHttp({ url: origin })).error).toBeNull();
    } finally {
      for (const name of names) delete process.env[name];
    }
    expect(proxy.connections()).toBe(0);
  });
});

describe('assertions', () => {
  const json = (body: unknown) => textAnswer(JSON.stringify(body), 'HTTP/1.1 200 OK\r\nContent-Type: application/json');

  it('are evaluated, and the message describes the first failed one without quoting the body', async () => {
    const { origin } = await target(json({ status: 'secret-state', n: 3 }));
    const outcome = await runHttp({
      url: origin,
      assertions: [
        { source: 'jsonBody', property: '$.n', comparison: 'greaterThan', target: 2 },
        { source: 'jsonBody', property: '$.status', comparison: 'equals', target: 'ok' },
        { source: 'header', property: 'Content-Type', comparison: 'contains', target: 'html' },
      ],
    });
    expect(outcome.error).toEqual({
      code: 'assertion_failed',
      message: 'Assertion 2 failed (first of 2): jsonBody $.status equals ok',
    });
    expect(outcome.failedAssertions).toEqual([
      { index: 1, actual: null },
      { index: 2, actual: 'application/json' },
    ]);
    expect(JSON.stringify(outcome)).not.toContain('secret-state');
  });

  it.each<[string, string, Partial<HttpFields>, string | null]>([
    ['cookies', 'Set-Cookie', {}, 'session=********; Path=/; Secure, ********; HttpOnly'],
    ['a header whose name suggests a secret', 'X-Auth-Token', {}, '********'],
    ['a header that is marked as secret', 'X-Plain', { secretHeaders: ['x-plain'] }, '********'],
    ['an absent secret header', 'X-Api-Key', {}, null],
    ['an empty secret header', 'X-Session', {}, ''],
    ['any other header', 'X-Plain', {}, 'geheim-plain'],
    ['a CORS header', 'Access-Control-Allow-Origin', {}, '*'],
  ])('publish no secret of %s', async (_, property, fields, actual) => {
    const secrets = ['Set-Cookie: session=geheim=1; Path=/; Secure', 'Set-Cookie: geheim; HttpOnly'];
    const head = [
      ...secrets,
      'X-Auth-Token: geheim-token',
      'X-Plain: geheim-plain',
      'X-Session:',
      'Access-Control-Allow-Origin: *',
    ];
    const { origin } = await target(textAnswer('', ['HTTP/1.1 200 OK', ...head].join('\r\n')));
    const assertion = { source: 'header', property, comparison: 'contains', target: 'x' } as const;
    const { error, failedAssertions } = await runHttp({ url: origin, assertions: [assertion], ...fields });
    expect(failedAssertions).toEqual([{ index: 0, actual }]);
    const observed = actual === null ? '' : `; was ${actual}`;
    expect(error?.message).toBe(`Assertion 1 failed: header ${property} contains x${observed}`);
  });

  it.each<[string, Partial<HttpFields>, string]>([
    ['a password', { auth: { type: 'basic', username: 'mon', password: 'geheim' } }, 'user mon, password geheim'],
    [
      'the credentials of Basic authentication',
      { auth: { type: 'basic', username: 'mon', password: 'geheim' } },
      `got ${Buffer.from('mon:geheim').toString('base64')}`,
    ],
    ['a token', { auth: { type: 'bearer', token: 'geheim-token' } }, 'Bearer geheim-token'],
    ['the token of a header', { headers: { Authorization: 'Bearer geheim-token' } }, 'got geheim-token'],
    ['an encoded header', { headers: { Cookie: 'a=geheim/1' } }, 'got a%3Dgeheim%2F1'],
    ['a secret that is cut', { headers: { Cookie: 'geheim-cookie' } }, `${'x'.repeat(195)}geheim-cookie`],
  ])('publish no echo of %s', async (_, fields, echo) => {
    const { origin } = await target(textAnswer('', `HTTP/1.1 200 OK\r\nX-Echo: ${echo}`));
    const assertion = { source: 'header', property: 'X-Echo', comparison: 'equals', target: 'y' } as const;
    const outcome = await runHttp({ url: origin, assertions: [assertion], ...fields });
    expect(outcome.failedAssertions).toEqual([{ index: 0, actual: expect.stringContaining('********') }]);
    expect(outcome.error?.message).toMatch(/^Assertion 1 failed: header X-Echo equals y; was .*\*{8}$/);
    expect(JSON.stringify(outcome)).not.toMatch(/gehei|Z2VoZWlt|bW9uOm/);
  });

  it('find a keyword across chunk boundaries', async () => {
    const { origin } = await target((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nall \r\n');
      setImmediate(() => socket.write('3\r\ngre\r\n', () => socket.end('2\r\nen\r\n0\r\n\r\n')));
    });
    const outcome = await runHttp({
      url: origin,
      assertions: [{ source: 'textBody', comparison: 'contains', target: 'all green' }],
    });
    expect(outcome.error).toBeNull();
  });

  it.each<[string, string, Buffer]>([
    ['iso-8859-1', 'Content-Type: text/plain; charset=ISO-8859-1', Buffer.from('caf\xe9', 'latin1')],
    ['an unknown charset', 'Content-Type: text/plain; charset=klingon', Buffer.from('café')],
    ['unrequested gzip', 'Content-Encoding: gzip', gzipSync('café')],
    ['corrupt gzip up to the error', 'Content-Encoding: gzip', gzipSync('café').subarray(0, -6)],
  ])('decode %s', async (_, header, body) => {
    const { origin } = await target((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.end(body);
    });
    const outcome = await runHttp({
      url: origin,
      assertions: [{ source: 'textBody', comparison: 'equals', target: 'café' }],
    });
    expect(outcome.error).toBeNull();
  });

  it('truncate a long message', async () => {
    const { origin } = await target(textAnswer('', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(999)}`));
    const outcome = await runHttp({
      url: origin,
      assertions: [{ source: 'header', property: 'x-long', comparison: 'equals', target: 'y'.repeat(999) }],
    });
    expect(outcome.error!.message.length).toBe(300);
    expect(outcome.failedAssertions[0]!.actual).toBe('x'.repeat(200));
  });
});

describe('the HTTP definition', () => {
  const fields: HttpFields = {
    url: 'https://Example.com:8443/a/b?token=1',
    headers: { 'X-Api-Key': 'k', Accept: 'a', cookie: 'c', 'X-Auth-Token': 't' },
    auth: { type: 'basic', username: 'u', password: 'p' },
  };

  it('returns its target without the query', () =>
    expect(httpProbe.target(fields)).toBe('https://example.com:8443/a/b'));
  it('returns its host', () => expect(httpProbe.hosts(fields)).toEqual([{ pointer: '/url', host: 'example.com' }]));
  it('has the origin as its secret scope', () =>
    expect(httpProbe.secretScope(fields, [])).toBe('https://example.com:8443'));
  it('returns the paths of its secrets', () => {
    expect(httpProbe.secretPaths(fields)).toEqual([
      ['auth', 'password'],
      ['headers', 'X-Api-Key'],
      ['headers', 'cookie'],
      ['headers', 'X-Auth-Token'],
    ]);
    expect(httpProbe.secretPaths({ url: 'http://a', auth: { type: 'bearer', token: 't' } })).toEqual([
      ['auth', 'token'],
    ]);
    expect(httpProbe.secretPaths({ url: 'http://a', auth: null })).toEqual([]);
    const marked = { 'X-Internal': 'i', Accept: 'a', 'X-Api-Key': 'k' };
    const secretHeaders = ['x-INTERNAL', 'X-Absent', 'X-Api-Key'];
    expect(httpProbe.secretPaths({ url: 'http://a', headers: marked, secretHeaders })).toEqual([
      ['headers', 'X-Internal'],
      ['headers', 'X-Api-Key'],
    ]);
  });
});
