import { type AddressInfo } from 'node:net';
import { createServer } from 'node:https';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HealthImplementation } from 'grpc-health-check';
import { WebSocketServer } from 'ws';
import { isRoot } from '../src/database/embedded/server-account.js';
import { type CheckError } from '../src/domain/check-result.js';
import { eventually } from './support/eventually.js';
import { runCheck } from './support/probe-scripts.js';
import { testCertificate } from './support/raw-target.js';
import { programOf, type RealServer } from './support/real-server.js';
import {
  startChronyd,
  startDovecot,
  startExim,
  startMariadb,
  startMosquitto,
  startNginx,
  startPostgres,
  startSlapd,
  startSquid,
  startSshd,
  startUnbound,
  startVsftpd,
} from './support/real-servers.js';
import { REDIS_PROGRAM, RedisServer } from './support/redis-server.js';

const host = '127.0.0.1';
const login = { username: 'mon', password: 'geheim' };

async function errorOf(type: string, fields: object, timeoutMs = 10_000): Promise<CheckError | null> {
  return (await runCheck(type, { host, ...fields }, { timeoutMs })).error;
}

const value = (target: string) => [{ source: 'value', comparison: 'equals', target }];

/** Describes checks of a server whose program this machine may lack. */
function withProgram(name: string, tests: (program: string) => void, mayRun = true): void {
  const program = programOf(name);
  if (!program || !mayRun) process.stderr.write(`${name} is not available, so checks of it are not tried.\n`);
  (program && mayRun ? describe : describe.skip)(name, () => tests(program!));
}

describe('PostgreSQL', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startPostgres();
    // It accepts connections before it lets anybody in.
    const fields = { port: server.port, host: 'localhost', settings: { ...login, database: 'template1' } };
    await eventually(async () => expect(await errorOf('postgres', fields)).toBeNull());
  });
  afterAll(() => server.stop());

  it.each<[string, object, string | undefined]>([
    ['SCRAM', login, undefined],
    ['SCRAM over TLS', { ...login, tls: true }, undefined],
    ['a statement', { ...login, database: 'template1', statement: 'SELECT 3 + 4' }, undefined],
    ['a wrong password', { ...login, password: 'other' }, 'authentication_failed'],
    ['an unknown user', { ...login, username: 'nobody' }, 'authentication_failed'],
    ['an unknown database', { ...login, database: 'nowhere' }, 'command_failed'],
    ['a faulty statement', { ...login, database: 'template1', statement: 'SELEC' }, 'command_failed'],
    [
      'a large result',
      { ...login, database: 'template1', statement: "SELECT repeat('x', 2000000)" },
      'response_too_large',
    ],
  ])('with %s', async (_, settings, code) => {
    const database = { database: 'template1' };
    const fields = { port: server.port, host: 'localhost', settings: { ...database, ...settings } };
    expect((await errorOf('postgres', fields))?.code).toBe(code);
  });

  it('returns the first value', async () => {
    const settings = { ...login, database: 'template1', statement: 'SELECT g FROM generate_series(5, 9) g' };
    expect(await errorOf('postgres', { port: server.port, settings, assertions: value('5') })).toBeNull();
  });

  it('shows its certificate after STARTTLS', async () => {
    const fields = { host: 'localhost', port: server.port, settings: { startTls: 'postgres' } };
    expect(await errorOf('tls', fields)).toBeNull();
  });
});

withProgram('mariadbd', (program) => {
  let server: RealServer;
  beforeAll(async () => (server = await startMariadb(program)));
  afterAll(() => server.stop());

  it.each<[string, object, string | undefined]>([
    ['a password', login, undefined],
    ['TLS', { ...login, tls: true }, undefined],
    ['a wrong password', { ...login, password: 'other' }, 'authentication_failed'],
    ['no password', { username: 'mon' }, 'authentication_failed'],
    ['a forbidden database', { ...login, database: 'mysql' }, 'authentication_failed'],
    ['a faulty statement', { ...login, statement: 'SELEC' }, 'command_failed'],
    ['a large result', { ...login, statement: "SELECT repeat('x', 2000000)" }, 'response_too_large'],
  ])('with %s', async (_, settings, code) => {
    expect((await errorOf('mysql', { host: 'localhost', port: server.port, settings }))?.code).toBe(code);
  });

  it('returns the first value', async () => {
    const settings = { ...login, database: 'shop', statement: 'SELECT number FROM orders ORDER BY 1' };
    expect(await errorOf('mysql', { port: server.port, settings, assertions: value('7') })).toBeNull();
  });

  it('shows its certificate after STARTTLS', async () => {
    const fields = { host: 'localhost', port: server.port, settings: { startTls: 'mysql' } };
    expect(await errorOf('tls', fields)).toBeNull();
  });
});

(REDIS_PROGRAM ? describe : describe.skip)('Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.make();
    await server.run('ACL', 'SETUSER', 'mon', 'on', '>geheim', '~jobs', '+ping', '+llen', '+select', '+quit');
    await server.run('RPUSH', 'jobs', 'a', 'b');
  });
  afterAll(() => server.remove());

  it.each<[string, object, string | undefined]>([
    ['a user', login, undefined],
    ['no user', {}, undefined],
    ['a wrong password', { ...login, password: 'other' }, 'authentication_failed'],
    ['a forbidden command', { ...login, command: 'KEYS *' }, 'authentication_failed'],
    ['an unknown command', { command: 'NOTHING' }, 'command_failed'],
  ])('with %s', async (_, settings, code) => {
    expect((await errorOf('redis', { port: server.port, settings }))?.code).toBe(code);
  });

  it('returns the value of a command', async () => {
    const settings = { ...login, command: 'LLEN jobs' };
    expect(await errorOf('redis', { port: server.port, settings, assertions: value('2') })).toBeNull();
  });
});

withProgram('sshd', (program) => {
  let started: Awaited<ReturnType<typeof startSshd>>;
  beforeAll(async () => (started = await startSshd(program)));
  afterAll(() => started.server.stop());

  it.each(['ed25519', 'ecdsa', 'rsa'])('with a host key of type %s', async (hostKeyType) => {
    const { port } = started.server;
    const settings = { fingerprint: started.fingerprints[hostKeyType], hostKeyType };
    expect(await errorOf('ssh', { port, settings })).toBeNull();
    const other = await errorOf('ssh', { port, settings: { ...settings, fingerprint: `SHA256:${'A'.repeat(43)}` } });
    expect(other?.code).toBe('unexpected_response');
  });
});

withProgram('mosquitto', (program) => {
  let server: RealServer;
  beforeAll(async () => (server = await startMosquitto(program)));
  afterAll(() => server.stop());

  it.each<[string, object, string | undefined]>([
    ['a password', login, undefined],
    ['a wrong password', { ...login, password: 'other' }, 'authentication_failed'],
    ['no user', {}, 'authentication_failed'],
    ['a retained message', { ...login, topic: '$SYS/broker/version' }, undefined],
  ])('with %s', async (_, settings, code) => {
    expect((await errorOf('mqtt', { port: server.port, settings }))?.code).toBe(code);
  });
});

withProgram(
  'chronyd',
  (program) => {
    let server: RealServer;
    beforeAll(async () => (server = await startChronyd(program)));
    afterAll(() => server.stop());

    it('as a time server', async () => {
      const settings = { maxOffsetMs: 1_000, maxStratum: 10 };
      await eventually(async () => expect(await errorOf('ntp', { port: server.port, settings })).toBeNull());
      const strict = await errorOf('ntp', { port: server.port, settings: { maxStratum: 4 } });
      expect(strict).toEqual({ code: 'unexpected_response', message: 'The stratum is 8 (at most 4 is allowed).' });
    });
  },
  isRoot(),
);

withProgram('unbound', (program) => {
  let started: Awaited<ReturnType<typeof startUnbound>>;
  beforeAll(async () => (started = await startUnbound(program)));
  afterAll(() => started.server.stop());

  it.each(['udp', 'tls', 'https'] as const)('over %s', async (transport) => {
    const nameserver = {
      udp: `127.0.0.1:${started.server.port}`,
      tls: `localhost:${started.tlsPort}`,
      https: `https://localhost:${started.httpsPort}/dns-query`,
    }[transport];
    const ask = (more: object) => errorOf('dns', { host: 'x.example', settings: { nameserver, transport, ...more } });
    expect(await ask({ recordType: 'A', expectedRecords: ['192.0.2.2', '192.0.2.1'] })).toBeNull();
    expect(await ask({ recordType: 'MX', expectedRecords: ['10 mail.x.example'] })).toBeNull();
    expect(await ask({ recordType: 'TXT', expectedRecords: ['v=spf1 -all'] })).toBeNull();
    expect(await ask({ recordType: 'AAAA' })).toMatchObject({ code: 'dns_not_found' });
    // What a server serves itself, it has not verified.
    expect(await ask({ recordType: 'A', dnssec: true })).toMatchObject({ code: 'unexpected_response' });
  });
});

withProgram(
  'dovecot',
  (program) => {
    let started: Awaited<ReturnType<typeof startDovecot>>;
    beforeAll(async () => (started = await startDovecot(program)));
    afterAll(() => started.server.stop());

    it.each(['imap', 'pop3'])('with STARTTLS for %s', async (startTls) => {
      const port = startTls === 'imap' ? started.server.port : started.pop3Port;
      const assertions = [{ source: 'tlsProtocol', comparison: 'matches', target: '^TLSv1[.][23]$' }];
      const fields = { host: 'localhost', port, settings: { startTls }, assertions };
      expect(await errorOf('tls', fields)).toBeNull();
    });
  },
  isRoot(),
);

withProgram('slapd', (program) => {
  let server: RealServer;
  beforeAll(async () => (server = await startSlapd(program)));
  afterAll(() => server.stop());

  it('shows its certificate after StartTLS', async () => {
    const fields = { host: 'localhost', port: server.port, settings: { startTls: 'ldap' } };
    expect(await errorOf('tls', fields)).toBeNull();
  });
});

withProgram(
  'vsftpd',
  (program) => {
    let server: RealServer;
    beforeAll(async () => (server = await startVsftpd(program)));
    afterAll(() => server.stop());

    it('shows its certificate after AUTH TLS', async () => {
      const fields = { host: 'localhost', port: server.port, settings: { startTls: 'ftp' } };
      expect(await errorOf('tls', fields)).toBeNull();
    });
  },
  isRoot(),
);

withProgram(
  'exim4',
  (program) => {
    let server: RealServer;
    beforeAll(async () => (server = await startExim(program)));
    afterAll(() => server.stop());

    const from = 'monitoring@example.com';
    it.each<[string, object, string | undefined]>([
      ['a greeting', {}, undefined],
      ['STARTTLS', { security: 'starttls' }, undefined],
      ['a login', { security: 'starttls', ...login }, undefined],
      ['a wrong password', { security: 'starttls', ...login, password: 'other' }, 'authentication_failed'],
      ['an envelope', { security: 'starttls', from, to: 'postmaster@example.com' }, undefined],
      ['a forbidden recipient', { from, to: 'somebody@example.org' }, 'command_failed'],
    ])('with %s', async (_, settings, code) => {
      expect((await errorOf('smtp', { host: 'localhost', port: server.port, settings }))?.code).toBe(code);
    });
  },
  isRoot(),
);

withProgram('nginx', (program) => {
  let web: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => (web = await startNginx(program)));
  afterAll(() => web.server.stop());

  it.each([
    ['HTTP/1.1', {}],
    ['HTTP/2.0', { http2: true }],
  ])('over %s', async (version, settings) => {
    const assertions = [{ source: 'textBody', comparison: 'equals', target: version }];
    const url = `https://localhost:${web.tlsPorts.good}/`;
    expect(await errorOf('http', { url, verifyTls: false, settings, assertions })).toBeNull();
  });

  it.each([
    ['good', undefined],
    ['delegated', undefined],
    ['revoked', 'tls_untrusted'],
  ] as const)('with a stapled response that is %s', async (sample, code) => {
    const settings = { ocsp: 'require', minKeyStrength: 128 };
    const fields = { host: 'localhost', port: web.tlsPorts[sample], verifyTls: false, settings };
    expect((await errorOf('tls', fields))?.code).toBe(code);
  });

  withProgram('squid', (squid) => {
    let proxy: RealServer;
    beforeAll(async () => (proxy = await startSquid(squid, web.tlsPorts.good)));
    afterAll(() => proxy.stop());

    it.each([
      ['a page', 'http', 'geheim', undefined],
      ['a page with TLS', 'https', 'geheim', undefined],
      ['a page with TLS and a wrong password', 'https', 'other', 'authentication_failed'],
      ['a page with a wrong password', 'http', 'other', 'authentication_failed'],
    ])('brings %s', async (_, scheme, proxyPassword, code) => {
      const port = scheme === 'http' ? web.server.port : web.tlsPorts.good;
      const settings = { proxyUrl: `http://127.0.0.1:${proxy.port}`, proxyUsername: 'mon', proxyPassword };
      const fields = { url: `${scheme}://localhost:${port}/`, verifyTls: false, settings };
      expect((await errorOf('http', fields))?.code).toBe(code);
    });

    it('refuses a tunnel to another port', async () => {
      const proxyUrl = `http://127.0.0.1:${proxy.port}`;
      const settings = { proxyUrl, proxyUsername: 'mon', proxyPassword: 'geheim' };
      const error = await errorOf('http', { url: `https://localhost:${web.tlsPorts.revoked}/`, settings });
      expect(error).toMatchObject({ code: 'connect_failed', message: expect.stringContaining('403') });
    });
  });
});

describe('a server of grpc-js', () => {
  const { cert, key } = testCertificate('valid');
  const secure = ServerCredentials.createSsl(null, [{ cert_chain: cert as Buffer, private_key: key as Buffer }]);
  let server: Server;
  const ports: Record<string, number> = {};
  beforeAll(async () => {
    server = new Server();
    new HealthImplementation({ '': 'SERVING', shop: 'NOT_SERVING' }).addToServer(server);
    for (const [name, credentials] of Object.entries({ plain: ServerCredentials.createInsecure(), secure })) {
      ports[name] = await new Promise((resolve, reject) => {
        const done = (error: Error | null, port: number): void => (error ? reject(error) : resolve(port));
        server.bindAsync('127.0.0.1:0', credentials, done);
      });
    }
  });
  afterAll(() => server.forceShutdown());

  it.each<[string, object, string | undefined]>([
    ['the server as a whole', {}, undefined],
    ['a service that does not serve', { service: 'shop' }, 'unexpected_status'],
    ['an unknown service', { service: 'other' }, 'unexpected_status'],
  ])('about %s', async (_, settings, code) => {
    expect((await errorOf('grpc', { port: ports.plain, settings }))?.code).toBe(code);
    const fields = { host: 'localhost', port: ports.secure, settings: { ...settings, tls: true } };
    expect((await errorOf('grpc', fields))?.code).toBe(code);
  });
});

describe('a server of ws', () => {
  const web = createServer(testCertificate('valid'));
  const server = new WebSocketServer({ server: web, perMessageDeflate: true });
  beforeAll(async () => {
    server.on('connection', (socket) => {
      socket.on('message', (message, isBinary) => {
        socket.ping();
        // In two frames.
        socket.send(message, { fin: false, binary: isBinary });
        socket.send('!', { fin: true, binary: isBinary });
      });
    });
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    for (const socket of server.clients) socket.terminate();
    await new Promise((done) => web.close(done));
  });

  it.each<[string, object, string | undefined]>([
    ['a connection', {}, undefined],
    ['a text', { send: 'hello', expect: 'hello!' }, undefined],
    ['bytes', { send: 'cafe', expect: 'cafe21', encoding: 'hex' }, undefined],
    ['a long message', { send: 'x'.repeat(4_000), expectMatches: '^x+!$' }, undefined],
    ['another message', { send: 'hello', expect: 'bye' }, 'unexpected_response'],
  ])('with %s', async (_, settings, code) => {
    const url = `wss://localhost:${(web.address() as AddressInfo).port}/live`;
    expect((await errorOf('websocket', { url, settings }, 1_000))?.code).toBe(code);
  });
});
