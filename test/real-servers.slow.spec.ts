import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRoot } from '../src/database/embedded/server-account.js';
import { type CheckError } from '../src/domain/check-result.js';
import { eventually } from './support/eventually.js';
import { runCheck } from './support/probe-scripts.js';
import {
  programOf,
  type RealServer,
  startChronyd,
  startDovecot,
  startMariadb,
  startMosquitto,
  startPostgres,
  startSshd,
  startUnbound,
} from './support/real-servers.js';
import { REDIS_PROGRAM, RedisServer } from './support/redis-server.js';

const host = '127.0.0.1';
const login = { username: 'mon', password: 'geheim' };

async function errorOf(type: string, fields: object): Promise<CheckError | null> {
  return (await runCheck(type, { host, ...fields }, { timeoutMs: 10_000 })).error;
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
