import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { makeCertificate } from '../../../test/support/certificates.js';
import { runHttp } from '../../../test/support/probe-run.js';
import { startHttp, startScript, stopsServers } from '../../../test/support/probe-scripts.js';
import { rawTarget, testCertificate, textAnswer, type RawTarget } from '../../../test/support/raw-target.js';
import { dialogue } from '../../../test/support/scripted-server.js';

stopsServers();
const targets: RawTarget[] = [];
const proxies: { server: Server; sockets: Set<Socket> }[] = [];

async function target(...args: Parameters<typeof rawTarget>): Promise<RawTarget> {
  const one = await rawTarget(...args);
  targets.push(one);
  return one;
}

interface Asked {
  method: string;
  url: string;
  authorization: string | undefined;
}

/** Starts a proxy that connects to this machine, whatever the host is called. */
async function startProxy(): Promise<{ proxyUrl: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, authorization: headers['proxy-authorization'] });
    response.end(`for ${headers.host}`);
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', ({ method = '', url = '', headers }, client: Socket) => {
    asked.push({ method, url, authorization: headers['proxy-authorization'] });
    const upstream = connect(Number(url.split(':').at(-1)), '127.0.0.1');
    sockets.add(upstream);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    upstream.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
  });
  proxies.push({ server, sockets });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { proxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

afterEach(async () => {
  for (const one of targets.splice(0)) await one.close();
  for (const { server, sockets } of proxies.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
});

describe('the version of the Internet Protocol', () => {
  it.each([
    [4, undefined],
    [null, undefined],
    [6, 'connect_refused'],
  ] as const)('limits the addresses of a name to those of version %s', async (ipVersion, code) => {
    const { port } = await target(textAnswer('ok'));
    const fields = { url: `http://localhost:${port}`, settings: { ipVersion } };
    const outcome = await runHttp(fields, { allow: ['127.0.0.0/8', '::1/128'] });
    expect(outcome.error?.code).toBe(code);
    if (ipVersion === 4) expect(outcome.remoteAddress).toBe('127.0.0.1');
  });

  it('is compared with an address', async () => {
    const { origin } = await target(textAnswer('ok'));
    expect((await runHttp({ url: origin, settings: { ipVersion: 4 } })).error).toBeNull();
    expect((await runHttp({ url: origin, settings: { ipVersion: 6 } })).error).toEqual({
      code: 'dns_not_found',
      message: 'The host name has no IPv6 address.',
    });
  });
});

describe('a form', () => {
  it.each([
    ['urlencoded', 'application/x-www-form-urlencoded', 'q=a%26b'],
    ['multipart', /^multipart\/form-data; boundary=/, /name="q"\r\n\r\na&b\r\n--/],
  ] as const)('is sent as %s', async (encoding, type, content) => {
    let received: [type?: string, body?: string] = [];
    const url = await startHttp((request, body, response) => {
      received = [request.headers['content-type'], body];
      response.end();
    });
    const settings = { form: { encoding, fields: [{ name: 'q', value: 'a&b' }] } };
    expect((await runHttp({ url, method: 'POST', settings })).error).toBeNull();
    expect(received).toEqual([expect.stringMatching(type), expect.stringMatching(content)]);
  });
});

describe('a client certificate', () => {
  const client = makeCertificate('client', Date.now() - 60_000, Date.now() + 600_000);
  const other = makeCertificate('other', Date.now() - 60_000, Date.now() + 600_000);
  const settings = { clientCertificate: client.cert, clientKey: client.key };

  /** Starts a server that accepts only this client. */
  function guarded(answer: (socket: Socket) => void): Promise<RawTarget> {
    return target(answer, { ...testCertificate('valid'), requestCert: true, ca: client.cert });
  }

  it('opens a server that asks for one', async () => {
    const { origin } = await guarded(textAnswer('ok'));
    expect((await runHttp({ url: origin, settings })).error).toBeNull();
    expect((await runHttp({ url: origin })).error?.code).toMatch(/tls_failed|connection_reset/);
    const wrong = { clientCertificate: other.cert, clientKey: other.key };
    expect((await runHttp({ url: origin, settings: wrong })).error?.code).toMatch(/tls_failed|connection_reset/);
  });

  it('fails if its key is another', async () => {
    const { origin } = await guarded(textAnswer('ok'));
    expect((await runHttp({ url: origin, settings: { ...settings, clientKey: other.key } })).error).toEqual({
      code: 'tls_failed',
      message: 'The client certificate and its private key do not belong together.',
    });
  });

  it('is not presented to another origin', async () => {
    const presented: boolean[] = [];
    const curious = await target(
      (socket) => {
        presented.push(Object.keys((socket as TLSSocket).getPeerCertificate()).length > 0);
        textAnswer('ok')(socket);
      },
      { ...testCertificate('valid'), requestCert: true, rejectUnauthorized: false },
    );
    const redirect = textAnswer('', `HTTP/1.1 302 Found\r\nLocation: ${curious.origin}/`);
    const { origin } = await guarded(redirect);
    expect((await runHttp({ url: origin, settings })).error).toBeNull();
    expect((await runHttp({ url: curious.origin, settings })).error).toBeNull();
    expect(presented).toEqual([false, true]);
  });
});

const WANTS_CREDENTIALS = dialogue(null, 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');

describe('a proxy', () => {
  it('connects to the host of an https URL, whose name it resolves itself', async () => {
    const { port } = await target(textAnswer('ok'), testCertificate('other-name'));
    const { proxyUrl, asked } = await startProxy();
    const url = `https://other.example:${port}/`;
    const settings = { proxyUrl, proxyUsername: 'u', proxyPassword: 'p:p' };
    const outcome = await runHttp({ url, settings });
    expect(outcome).toMatchObject({ error: null, statusCode: 200, remoteAddress: '127.0.0.1' });
    expect(outcome.timings.connectMs).not.toBeNull();
    expect(outcome.timings.tlsMs).not.toBeNull();
    const authorization = `Basic ${Buffer.from('u:p:p').toString('base64')}`;
    expect(asked).toEqual([{ method: 'CONNECT', url: `other.example:${port}`, authorization }]);
    expect(targets[0]!.requests[0]).toMatch(/^GET \/ HTTP\/1\.1\r\n/);
    expect(targets[0]!.requests[0]).not.toMatch(/proxy-auth/i);
  });

  it('verifies the certificate against the host, not the proxy', async () => {
    const { port } = await target(textAnswer('ok'), testCertificate('valid'));
    const { proxyUrl } = await startProxy();
    const outcome = await runHttp({ url: `https://other.example:${port}/`, settings: { proxyUrl } });
    expect(outcome.error?.code).toBe('tls_name_mismatch');
    expect((await runHttp({ url: `https://127.0.0.1:${port}/`, settings: { proxyUrl } })).error).toBeNull();
  });

  it('receives the whole URL of an http request', async () => {
    const { proxyUrl, asked } = await startProxy();
    const assertions = [{ source: 'textBody', comparison: 'equals', target: 'for shop.example' } as const];
    const settings = { proxyUrl, proxyUsername: 'u' };
    expect((await runHttp({ url: 'http://shop.example/a?b=c', settings, assertions })).error).toBeNull();
    expect(asked).toEqual([{ method: 'GET', url: 'http://shop.example/a?b=c', authorization: `Basic ${btoa('u:')}` }]);
  });

  it('reports credentials that are not accepted for an http request, which is not sent on', async () => {
    const { port } = await startScript(WANTS_CREDENTIALS);
    const settings = { proxyUrl: `http://127.0.0.1:${port}` };
    const outcome = await runHttp({ url: 'http://shop.example/', settings, expectedStatusCodes: ['4xx'] });
    expect(outcome).toMatchObject({ statusCode: 407, error: { code: 'authentication_failed' } });
  });

  it.each<[string, (socket: Socket) => void, string, string]>([
    ['refuses', dialogue(null, 'HTTP/1.1 403 Forbidden\r\n\r\n'), 'connect_failed', '(status 403)'],
    ['wants credentials', WANTS_CREDENTIALS, 'authentication_failed', 'credentials'],
    ['says nothing', () => undefined, 'timeout', 'in time'],
    ['does not speak HTTP', dialogue(null, '220 hello\r\n\r\n'), 'protocol_error', 'status line'],
    ['sends endless headers', dialogue(null, Buffer.alloc(200_000, 'x')), 'response_too_large', '64 KiB'],
    ['closes the connection', (socket) => socket.end(), 'connection_reset', 'closed'],
    [
      'resets the connection',
      (socket) => void socket.once('data', () => socket.resetAndDestroy()),
      'connection_reset',
      'closed',
    ],
  ])('that %s fails the check', async (_, act, code, message) => {
    const { port, idle } = await startScript(act);
    const settings = { proxyUrl: `http://127.0.0.1:${port}` };
    const outcome = await runHttp({ url: 'https://shop.example/', settings }, { timeoutMs: 500 });
    expect(outcome.error).toEqual({ code, message: expect.stringContaining(message) });
    await idle();
  });

  it('does not lead to blocked addresses, or at a blocked address', async () => {
    const { proxyUrl, asked } = await startProxy();
    for (const url of ['http://10.0.0.1/', 'https://169.254.169.254/']) {
      expect((await runHttp({ url, settings: { proxyUrl } })).error?.code).toBe('address_blocked');
    }
    const settings = { proxyUrl: 'http://10.0.0.1:3128' };
    expect((await runHttp({ url: 'http://shop.example/', settings })).error?.code).toBe('address_blocked');
    expect(asked).toEqual([]);
  });
});
