import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { certified } from '../../test/support/certificates.js';
import { settledDescriptors } from '../../test/support/descriptors.js';
import { eventually } from '../../test/support/eventually.js';
import { problemsOf } from '../../test/support/field-problems.js';
import { ocspResponse, type OcspOptions } from '../../test/support/ocsp-responses.js';
import { testEgress, type ProbeRunOptions } from '../../test/support/probe-run.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { testCertificate } from '../../test/support/raw-target.js';
import { latestEndMs, timed } from '../../test/support/timed.js';
import { DAY_MS } from '../domain/durations.js';
import { runProbe } from './run-check.js';
import { tlsProbe, TlsFields, type TlsSettings } from './tls.probe.js';

const running: { server: Server; sockets: Set<Socket> }[] = [];

/** Listens on 127.0.0.1 at a free port, and returns the port. */
function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  running.push({ server, sockets });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
  });
}

function tlsServer(options: TlsOptions, answer: (socket: TLSSocket) => void = () => undefined): Promise<number> {
  const server = createTlsServer(options, (socket) => {
    socket.on('error', () => undefined).resume();
    answer(socket);
  });
  server.on('tlsClientError', () => undefined);
  return listen(server);
}

afterEach(async () => {
  for (const { server, sockets } of running.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
});

function runTls(fields: TlsFields, { timeoutMs = 5_000, allow }: ProbeRunOptions = {}) {
  return runProbe(tlsProbe, fields, { timeoutMs, egress: testEgress(allow) });
}

describe('TlsFields', () => {
  const host = 'example.com';
  it.each<object>([
    { host },
    { host: 'EXAMPLE.com.', port: 65_535, verifyTls: false, assertions: [] },
    { host: '2001:db8::1', assertions: [{ source: 'tlsDaysLeft', comparison: 'greaterThan', target: 14 }] },
    { host: 'bücher.example', assertions: [{ source: 'responseTimeMs', comparison: 'lessThan', target: 500 }] },
  ])('accepts %j', (fields) => expect(problemsOf(TlsFields, fields)).toEqual([]));

  it.each<[object, string]>([
    [{}, '/host isString'],
    [{ host: '' }, '/host invalid_value'],
    [{ host: 'https://example.com' }, '/host invalid_value'],
    [{ host: 'example.com:443' }, '/host invalid_value'],
    [{ host: '-h' }, '/host invalid_value'],
    [{ host: 'a b' }, '/host invalid_value'],
    [{ host: 'a;id' }, '/host invalid_value'],
    [{ host, port: 0 }, '/port min'],
    [{ host, port: 65_536 }, '/port max'],
    [{ host, port: null }, '/port isInt'],
    [{ host, verifyTls: 'no' }, '/verifyTls isBoolean'],
    [{ host, assertions: [{ source: 'statusCode', comparison: 'exists' }] }, '/assertions/0/source invalid_value'],
    [{ host, assertions: [[]] }, '/assertions invalid_type'],
    [{ host, assertions: Array(21).fill({}) }, '/assertions arrayMaxSize'],
    [{ host, url: 'https://example.com' }, '/url whitelistValidation'],
    [{ host, settings: { minKeyStrength: 0 } }, '/settings/minKeyStrength min'],
    [{ host, settings: { minKeyStrength: 257 } }, '/settings/minKeyStrength max'],
    [{ host, settings: { ocsp: 'yes' } }, '/settings/ocsp isIn'],
  ])('rejects %j with %s', (fields, problem) => expect(problemsOf(TlsFields, fields)).toContain(problem));
});

describe('what else is expected of a certificate', () => {
  const keys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const now = Date.now();
  const validity = { validFrom: now - DAY_MS, validUntil: now + DAY_MS };
  const authority = { name: 'Authority', ...keys() };
  const issuer = certified({ name: 'Authority', keys: authority, issuer: authority, ...validity });
  const serverKeys = keys();
  const own = certified({ name: 'localhost', keys: serverKeys, issuer: authority, ...validity });
  const good: OcspOptions = { thisUpdate: now - 1_000 };

  /** Starts a server that sends this response, and its issuer's certificate unless told otherwise. */
  function stapling(response: Buffer | null, sendsIssuer = true): Promise<number> {
    const key = serverKeys.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const server = createTlsServer({ key, cert: sendsIssuer ? own.cert + issuer.cert : own.cert }, (socket) => {
      socket.on('error', () => undefined).resume();
    });
    server.on('OCSPRequest', (_certificate, _issuer, respond) => respond(null, response));
    return listen(server);
  }
  const run = (port: number, settings: TlsSettings) =>
    runTls({ host: '127.0.0.1', port, verifyTls: false, settings }).then(({ error }) => error);

  it.each<[string, TlsSettings, Buffer | null, string | null]>([
    ['a response', { ocsp: 'check' }, ocspResponse(own.x509, authority, good), null],
    ['a response that is required', { ocsp: 'require' }, ocspResponse(own.x509, authority, good), null],
    ['no response', { ocsp: 'check' }, null, null],
    [
      'no response although it is required',
      { ocsp: 'require' },
      null,
      'The server sent no OCSP response about its certificate.',
    ],
    [
      'a revoked certificate',
      { ocsp: 'check' },
      ocspResponse(own.x509, authority, { ...good, status: 'revoked' }),
      'The OCSP response of the server says that the certificate is revoked.',
    ],
    ['a response that nobody asked for', {}, ocspResponse(own.x509, authority, { ...good, status: 'revoked' }), null],
    ['nonsense', { ocsp: 'check' }, Buffer.from('hello'), 'The OCSP response of the server cannot be read.'],
    ['a key that is strong enough', { minKeyStrength: 128 }, null, null],
    [
      'a key that is too weak',
      { minKeyStrength: 192 },
      null,
      'The key of the certificate (EC, prime256v1) is weaker than 192 bits.',
    ],
  ])('judges %s', async (_, settings, response, message) => {
    const error = await run(await stapling(response), settings);
    expect(error).toEqual(message === null ? null : { code: 'tls_untrusted', message });
  });

  it('includes the issuer, without which a response cannot be verified', async () => {
    const port = await stapling(ocspResponse(own.x509, authority, good), false);
    expect(await run(port, { ocsp: 'check' })).toMatchObject({ code: 'tls_untrusted' });
  });
});

describe('the TLS probe', () => {
  it.each([
    ['valid', true, undefined],
    ['expired', true, 'tls_expired'],
    ['self-signed', true, 'tls_untrusted'],
    ['other-name', true, 'tls_name_mismatch'],
    ['valid', false, undefined],
    ['expired', false, undefined],
    ['self-signed', false, undefined],
    ['other-name', false, undefined],
  ] as const)(
    'evaluates a certificate that is %s, with verification %s, to the error %s',
    async (certificate, verifyTls, code) => {
      const port = await tlsServer(testCertificate(certificate));
      const outcome = await runTls({ host: 'localhost', port, verifyTls });
      expect(outcome.error?.code).toBe(code);
      expect(outcome).toMatchObject({ statusCode: null, remoteAddress: '127.0.0.1', failedAssertions: [] });
      const reached = code === undefined ? expect.any(Number) : null;
      expect(outcome.timings).toEqual({
        dnsMs: expect.any(Number),
        connectMs: expect.any(Number),
        tlsMs: reached,
        firstByteMs: null,
        transferMs: null,
      });
      expect(outcome.responseTimeMs).toEqual(reached);
    },
  );

  it('verifies an address and a name with a final dot against the certificate', async () => {
    const port = await tlsServer(testCertificate('valid'));
    for (const host of ['127.0.0.1', '0x7f.1', 'localhost.', 'LOCALHOST']) {
      expect(await runTls({ host, port })).toMatchObject({ error: null, remoteAddress: '127.0.0.1' });
    }
    expect((await runTls({ host: '127.0.0.1', port })).timings.dnsMs).toBeNull();
  });

  it.each<[Parameters<typeof testCertificate>[0], 'lessThan' | 'greaterThan', number, boolean]>([
    ['valid', 'greaterThan', 365, true],
    ['valid', 'lessThan', 365, false],
    ['expired', 'lessThan', 0, true],
    ['expired', 'greaterThan', 0, false],
  ])(
    'for a certificate that is %s, evaluates tlsDaysLeft %s %d to %s',
    async (certificate, comparison, target, holds) => {
      const served = testCertificate(certificate);
      const port = await tlsServer(served);
      const assertions = [{ source: 'tlsDaysLeft' as const, comparison, target }];
      const outcome = await runTls({ host: 'localhost', port, verifyTls: false, assertions });
      expect(outcome.error?.code).toBe(holds ? undefined : 'assertion_failed');
      const leftMs = Date.parse(new X509Certificate(String(served.cert)).validTo) - Date.now();
      if (!holds) expect(outcome.failedAssertions[0]!.actual).toBe(Math.floor(leftMs / DAY_MS));
    },
  );

  it('offers no application protocol, because a server may refuse those that it does not support', async () => {
    const port = await tlsServer({ ...testCertificate('valid'), ALPNProtocols: ['imap'] });
    expect((await runTls({ host: 'localhost', port })).error).toBeNull();
  });

  it.each<[Partial<TlsFields>, ProbeRunOptions, string]>([
    [{ port: 1 }, {}, 'connect_refused'],
    [{}, { allow: [] }, 'address_blocked'],
    [{ host: '2130706433' }, { allow: [] }, 'address_blocked'],
    [{ host: '169.254.169.254' }, { allow: true }, 'address_blocked'],
    [{ host: 'nowhere.invalid' }, {}, 'dns_not_found'],
  ])('for %j with the options %j, fails with %s', async (fields, options, code) => {
    let connections = 0;
    const port = await listen(createServer(() => (connections += 1)));
    const outcome = await runTls({ host: '127.0.0.1', port, ...fields }, options);
    // The outcome differs if no name server answers at all.
    if (code === 'dns_not_found') expect(outcome.error?.code).toMatch(/^dns_(not_found|failed)$/);
    else expect(outcome.error?.code).toBe(code);
    expect(connections).toBe(0);
  });

  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['a plain-text greeting', (socket) => socket.end('220 mail ready\r\n'), /^tls_failed$/],
    ['an orderly close', (socket) => socket.end(), /^connection_reset$/],
    // A reset this early may also be reported as a failed connection.
    ['a reset', (socket) => socket.resetAndDestroy(), /^(connection_reset|connect_failed)$/],
    ['garbage', (socket) => socket.end(Buffer.alloc(2_000, 0x16)), /^tls_failed$/],
  ])('reports %s instead of a handshake', async (_, answer, code) => {
    const port = await listen(createServer(answer));
    const outcome = await runTls({ host: 'localhost', port });
    expect(outcome.error?.code).toMatch(code);
    expect(outcome.timings.connectMs === null).toBe(outcome.error?.code === 'connect_failed');
    expect(outcome.timings.tlsMs).toBeNull();
  });

  it('reports a server that supports only outdated protocol versions', async () => {
    const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const port = await tlsServer({ ...testCertificate('valid'), ...old });
    expect((await runTls({ host: 'localhost', port })).error?.code).toBe('tls_failed');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['silence', () => undefined],
    [
      'a handshake that arrives byte by byte',
      (socket) => {
        const timer = setInterval(() => socket.write('\x16'), 5);
        socket.on('close', () => clearInterval(timer)).write('\x16\x03\x03\x40\x00\x02\x00\x3f\xfc');
      },
    ],
  ])('meets its deadline despite %s', async (_, answer) => {
    const port = await listen(createServer(answer));
    const { value: outcome, tookMs } = await timed(() => runTls({ host: '127.0.0.1', port }, { timeoutMs: 400 }));
    expect(outcome.error?.code).toMatch(/^(timeout|tls_failed)$/);
    expect(outcome.timings.connectMs).not.toBeNull();
    expect(tookMs).toBeLessThan(latestEndMs(400));
  });

  it('meets its deadline despite an unreachable address', async () => {
    // TEST-NET-1 is unreachable; a machine without a route reports this immediately.
    const { value: outcome, tookMs } = await timed(() =>
      runTls({ host: '192.0.2.254' }, { timeoutMs: 400, allow: true }),
    );
    expect(outcome.error?.code).toMatch(/^connect_(timeout|failed)$/);
    expect(tookMs).toBeLessThan(latestEndMs(400));
  });

  it('finishes the handshake, then closes with a reset', async () => {
    const ends: string[] = [];
    const port = await tlsServer({ ...testCertificate('valid'), maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', (error: NodeJS.ErrnoException) => ends.push(error.code ?? ''));
      socket.on('end', () => ends.push('end'));
    });
    await runTls({ host: 'localhost', port });
    await eventually(() => expect(ends).toEqual(['ECONNRESET']));
  });

  it('leaks no descriptor in checks with all kinds of outcomes', async () => {
    const valid = testCertificate('valid');
    const flood = (socket: TLSSocket): void => {
      const feed = (error?: Error | null): void =>
        void (error || socket.destroyed || socket.write(Buffer.alloc(65_536), feed));
      feed();
    };
    const ports = await Promise.all([
      tlsServer(valid),
      tlsServer(valid, (socket) => socket.end('bye')),
      tlsServer(valid, (socket) => void socket.destroy()),
      tlsServer(valid, flood),
      tlsServer({ ...valid, maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: true }),
      tlsServer({ ...valid, requestCert: true, rejectUnauthorized: true }),
      tlsServer(testCertificate('self-signed')),
      listen(createServer((socket) => socket.resetAndDestroy())),
      Promise.resolve(1),
    ]);
    const silent = await listen(createServer((socket) => socket.resume()));
    const round = async (): Promise<void> => {
      const checks = Array.from({ length: 49 }, (_, i) =>
        runTls({ host: 'localhost', port: ports[i % ports.length]! }),
      );
      await Promise.all([...checks, runTls({ host: 'localhost', port: silent }, { timeoutMs: 100 })]);
    };
    await round();
    const before = await settledDescriptors();
    for (let i = 0; i < propertyRuns(40).numRuns; i += 1) await round();
    expect(await settledDescriptors()).toBeLessThanOrEqual(before + 2);
  }, 60_000);

  it.each([
    [{ host: 'example.com' }, 'example.com:443'],
    [{ host: '2001:db8::1', port: 8443 }, '[2001:db8::1]:8443'],
  ])('shows the target of %j as %s', (fields, target) => expect(tlsProbe.target(fields)).toBe(target));
});
