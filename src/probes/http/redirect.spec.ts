import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runHttp } from '../../../test/support/probe-run.js';
import { rawTarget, textAnswer, type RawTarget } from '../../../test/support/raw-target.js';
import { nextHop, type Hop } from './redirect.js';

const SECRETS = { Authorization: 'a', Cookie: 'c', 'X-Api-Key': 'k', 'X-Auth-Token': 't', 'Proxy-Authorization': 'p' };

function hop(url: string, changes: Partial<Hop> = {}): Hop {
  return {
    url: new URL(url),
    method: 'GET',
    headers: { Accept: 'x', ...SECRETS },
    secretHeaders: [],
    body: null,
    ...changes,
  };
}

describe('nextHop', () => {
  it.each([
    [200, 'http://b.example/', null],
    [300, '/x', null],
    [304, '/x', null],
    [302, undefined, null],
    [302, '/x?y#z', 'http://a.example/x?y#z'],
    [301, '//b.example/x', 'http://b.example/x'],
    [303, '../x', 'http://a.example/x'],
    [307, '', 'http://a.example/p/q'],
    [308, 'https://u:p@b.example', 'https://b.example/'],
    [302, '/caf\xc3\xa9', 'http://a.example/caf%C3%A9'],
    [302, 'ftp://a.example/', 'unusable'],
    [302, 'file:///etc/passwd', 'unusable'],
    [302, 'javascript:alert(1)', 'unusable'],
    [302, 'http://', 'unusable'],
    [302, 'http://256.0.0.1/', 'unusable'],
  ])('for a %s to %s, returns %s', (status, location, expected) => {
    const next = nextHop(hop('http://a.example/p/q'), status, location);
    expect(typeof next === 'object' && next ? next.url.href : next).toBe(expected);
  });

  it.each([
    [301, 'POST', 'GET'],
    [302, 'PUT', 'GET'],
    [303, 'DELETE', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ])('after %s, changes %s to %s', (status, method, expected) => {
    const from = hop('http://a.example', { method, body: 'b', headers: { 'Content-Type': 't', Accept: 'x' } });
    const next = nextHop(from, status, '/x') as Hop;
    expect(next.method).toBe(expected);
    expect(next.body).toBe(method === expected ? 'b' : null);
    expect(Object.keys(next.headers)).toEqual(method === expected ? ['Content-Type', 'Accept'] : ['Accept']);
  });

  it.each([
    ['http://a.example/', '/x', true],
    ['http://a.example/', 'http://a.example:80/x', true],
    ['http://a.example/', 'https://a.example/x', true],
    ['https://a.example/', 'http://a.example/x', false],
    ['http://a.example/', 'http://a.example:8080/', false],
    ['http://a.example:8080/', 'https://a.example/', false],
    ['http://a.example/', 'http://b.example/', false],
    ['http://a.example/', 'http://www.a.example/', false],
  ])('returns whether credentials are kept from %s to %s: %s', (from, to, kept) => {
    const next = nextHop(hop(from, { headers: { Accept: 'x', Host: 'v', ...SECRETS } }), 302, to) as Hop;
    expect(next.headers).toEqual(kept ? { Accept: 'x', Host: 'v', ...SECRETS } : { Accept: 'x' });
  });

  it('does not send headers marked as secret to another origin, even after a redirect within the first', () => {
    const headers = { Accept: 'x', 'X-Internal': 'i' };
    const first = hop('http://a.example/', { headers, secretHeaders: ['x-internal'] });
    const second = nextHop(first, 302, '/again') as Hop;
    expect(second.headers).toEqual(headers);
    expect((nextHop(second, 302, 'http://b.example/') as Hop).headers).toEqual({ Accept: 'x' });
  });
});

describe('checkHttp', () => {
  let sink: RawTarget;
  let first: RawTarget;
  let location = '/';
  let status = 302;

  beforeEach(async () => {
    sink = await rawTarget(textAnswer('ok'));
    first = await rawTarget((socket) =>
      socket.end(`HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
    );
  });
  afterEach(() => Promise.all([sink.close(), first.close()]));

  it.each([301, 302, 303, 307, 308])('follows %s', async (code) => {
    [status, location] = [code, sink.origin];
    const outcome = await runHttp({ url: first.origin });
    expect(outcome).toMatchObject({ error: null, statusCode: 200 });
    expect(sink.connections()).toBe(1);
  });

  it('drops credentials, including those of auth, at another origin, and keeps them dropped', async () => {
    [status, location] = [307, sink.origin];
    await runHttp({
      url: first.origin,
      headers: { 'X-Api-Key': 'sesame', 'X-Internal': 'sesame', Accept: 'a/b' },
      secretHeaders: ['X-Internal'],
      auth: { type: 'bearer', token: 'sesame' },
    });
    expect(first.requests[0]).toContain('sesame');
    expect(sink.requests[0]).not.toContain('sesame');
    expect(sink.requests[0]).toContain('a/b');
  });

  it.each([
    [{ maxRedirects: 3 }, 4],
    [{ maxRedirects: 0 }, 1],
    [{}, 11],
  ])('with %j, ends a loop after %s requests', async (fields, requests) => {
    [status, location] = [302, '/again'];
    const outcome = await runHttp({ url: first.origin, ...fields });
    expect(outcome).toMatchObject({ error: { code: 'too_many_redirects' }, statusCode: 302 });
    expect(first.connections()).toBe(requests);
  });

  it.each(['ftp://x.example/', 'file:///etc/passwd', 'gopher://127.0.0.1/'])(
    'does not follow a redirect to %s',
    async (to) => {
      [status, location] = [302, to];
      expect((await runHttp({ url: first.origin })).error?.code).toBe('protocol_error');
    },
  );

  it.each(
    [301, 302, 303, 307, 308].flatMap(
      (code) =>
        [
          [code, (port: number) => `http://127.0.0.2:${port}/`],
          [code, (port: number) => `http://localhost:${port}/`],
          [code, (port: number) => `http://0x7f000002:${port}/`],
          [code, (port: number) => `http://[::ffff:127.0.0.2]:${port}/`],
          [code, () => 'http://169.254.169.254/latest/meta-data/'],
          [code, () => 'http://[fd00:ec2::254]/'],
          [code, () => 'http://10.0.0.1/'],
        ] as const,
    ),
  )('blocks a %s to a refused address (%#) without connecting', async (code, to) => {
    // Only the address of the first target is allowed.
    [status, location] = [code, to(sink.port)];
    const outcome = await runHttp({ url: first.origin }, { allow: ['127.0.0.1/32'] });
    if (location.includes('localhost')) return expect(outcome.remoteAddress).toBe('127.0.0.1');
    expect(outcome).toMatchObject({
      error: {
        code: 'address_blocked',
        message:
          'The address of this target is blocked. Operators can allow private addresses with ALLOW_PRIVATE_TARGETS.',
      },
      statusCode: code,
    });
    expect(sink.connections()).toBe(0);
  });

  it('has the same outcome for a blocked address whether its port is open or closed', async () => {
    const open = await runHttp({ url: sink.origin }, { allow: [] });
    const closed = await runHttp({ url: 'http://127.0.0.1:1' }, { allow: [] });
    const named = await runHttp({ url: `http://localhost:${sink.port}` }, { allow: [] });
    expect(open).toEqual(closed);
    expect({ ...named, timings: open.timings }).toEqual(open);
    expect(sink.connections()).toBe(0);
  });
});
