import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { nativeBinaries } from '../../src/database/embedded/native-binaries.js';
import { isRoot, newServerAccount, spawnOptions } from '../../src/database/embedded/server-account.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);
const CERTIFICATE = resolve('test/fixtures/tls/valid.pem');
const KEY = resolve('test/fixtures/tls/test-only.key');
const STOPS_WITHIN_MS = 20_000;
const PATH = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Returns the path of a program of this machine; undefined if it is not installed. */
export function programOf(name: string): string | undefined {
  return PATH.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** A server program that runs in a folder of its own, until a test ends it. */
export class RealServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly folder: string,
    readonly port: number,
  ) {}

  /**
   * Starts a program on 127.0.0.1 and a free port, which `prepare` writes into its arguments and configuration. Resolves
   * once it accepts connections, unless it does not use TCP.
   */
  static async start(
    program: string,
    prepare: (folder: string, port: number) => Promise<string[]>,
    { options = {}, isTcp = true }: { options?: object; isTcp?: boolean } = {},
  ): Promise<RealServer> {
    const folder = await mkdtemp(join(tmpdir(), 'daywatch-server-'));
    // Servers that root starts may run as another user.
    await chmod(folder, 0o755);
    const port = await freePort();
    const child = spawn(program, await prepare(folder, port), { stdio: 'ignore', ...options });
    const server = new RealServer(child, folder, port);
    if (isTcp) {
      await eventually(() => accepts(port), 60_000).catch(async (error: unknown) => {
        await server.stop();
        throw error;
      });
    }
    return server;
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      // With SIGKILL, some would leave the processes that they have started.
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
      await ended;
      clearTimeout(late);
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Starts an SSH server with a host key of each type. Its fingerprints are by type. */
export async function startSshd(
  program: string,
): Promise<{ server: RealServer; fingerprints: Record<string, string> }> {
  const fingerprints: Record<string, string> = {};
  if (isRoot()) await mkdir('/run/sshd', { recursive: true });
  const server = await RealServer.start(program, async (folder, port) => {
    const lines = [`Port ${port}`, 'ListenAddress 127.0.0.1', 'PidFile none', 'UsePAM no'];
    for (const type of ['ed25519', 'ecdsa', 'rsa']) {
      const file = join(folder, type);
      await run('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file]);
      const { stdout } = await run('ssh-keygen', ['-lf', `${file}.pub`]);
      fingerprints[type] = stdout.split(' ')[1]!;
      lines.push(`HostKey ${file}`);
    }
    await writeFile(join(folder, 'sshd_config'), `${lines.join('\n')}\n`);
    return ['-D', '-f', join(folder, 'sshd_config')];
  });
  return { server, fingerprints };
}

/** Starts a MariaDB server with a user `mon`, password `geheim`, who may use the database `shop`. */
export async function startMariadb(program: string): Promise<RealServer> {
  const user = isRoot() ? ['--user=root'] : [];
  return RealServer.start(program, async (folder, port) => {
    const data = join(folder, 'data');
    const install = ['--no-defaults', ...user, `--datadir=${data}`, '--auth-root-authentication-method=normal'];
    await run('mariadb-install-db', install);
    const statements = [
      "CREATE USER mon@'127.0.0.1' IDENTIFIED BY 'geheim'",
      'CREATE DATABASE shop',
      "GRANT ALL ON shop.* TO mon@'127.0.0.1'",
      'CREATE TABLE shop.orders (number INT)',
      'INSERT INTO shop.orders VALUES (7), (8)',
    ];
    await writeFile(join(folder, 'init.sql'), statements.map((statement) => `${statement};\n`).join(''));
    return [
      '--no-defaults',
      ...user,
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'sock')}`,
      `--init-file=${join(folder, 'init.sql')}`,
      `--ssl-cert=${CERTIFICATE}`,
      `--ssl-key=${KEY}`,
    ];
  });
}

/** Starts a PostgreSQL server with TLS, whose superuser `mon` signs in with SCRAM and the password `geheim`. */
export async function startPostgres(): Promise<RealServer> {
  const account = await newServerAccount();
  const home = await mkdtemp(join(tmpdir(), 'daywatch-binaries-'));
  const native = await nativeBinaries(account, home);
  const own = async (path: string): Promise<void> => {
    if (isRoot()) await chown(path, account.uid, account.gid);
  };
  return RealServer.start(
    native.postgres,
    async (folder, port) => {
      const [data, password, key] = ['data', 'password', 'key'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      await own(folder);
      await writeFile(password, 'geheim\n');
      await own(password);
      await copyFile(KEY, key);
      await own(key);
      await chmod(key, 0o600);
      const initdb = ['-D', data, '-U', 'mon', '--auth=scram-sha-256', `--pwfile=${password}`, '--no-sync'];
      await run(native.initdb, initdb, spawnOptions(account));
      const settings = {
        ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, fsync: 'off' },
        ...{ ssl: 'on', ssl_cert_file: CERTIFICATE, ssl_key_file: key },
      };
      return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    },
    { options: spawnOptions(account) },
  );
}

/** Starts an MQTT broker with a user `mon`, password `geheim`. */
export async function startMosquitto(program: string): Promise<RealServer> {
  return RealServer.start(program, async (folder, port) => {
    const passwords = join(folder, 'passwords');
    await run('mosquitto_passwd', ['-b', '-c', passwords, 'mon', 'geheim']);
    // Root starts it, but it reads its files as another user.
    await chmod(passwords, 0o644);
    const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous false', `password_file ${passwords}`];
    await writeFile(join(folder, 'mosquitto.conf'), `${lines.join('\n')}\n`);
    return ['-c', join(folder, 'mosquitto.conf')];
  });
}

/** Starts a time server of stratum 8. Only root may. */
export async function startChronyd(program: string): Promise<RealServer> {
  const prepare = async (folder: string, port: number): Promise<string[]> => {
    const lines = [
      'local stratum 8',
      'allow 127.0.0.1',
      `port ${port}`,
      'cmdport 0',
      'bindaddress 127.0.0.1',
      `pidfile ${join(folder, 'pid')}`,
    ];
    await writeFile(join(folder, 'chrony.conf'), `${lines.join('\n')}\n`);
    return ['-x', '-d', '-u', 'root', '-f', join(folder, 'chrony.conf')];
  };
  return RealServer.start(program, prepare, { isTcp: false });
}

/** Starts a name server with the zone `x.example`, also over TLS and over HTTPS. */
export async function startUnbound(
  program: string,
): Promise<{ server: RealServer; tlsPort: number; httpsPort: number }> {
  const [tlsPort, httpsPort] = [await freePort(), await freePort()];
  const server = await RealServer.start(program, async (folder, port) => {
    const lines = [
      ...[port, tlsPort, httpsPort].map((one) => `interface: 127.0.0.1@${one}`),
      `tls-port: ${tlsPort}`,
      `https-port: ${httpsPort}`,
      `tls-service-pem: "${CERTIFICATE}"`,
      `tls-service-key: "${KEY}"`,
      ...['chroot', 'username', 'pidfile'].map((name) => `${name}: ""`),
      `directory: "${folder}"`,
      'do-daemonize: no',
      'use-syslog: no',
      'local-zone: "x.example." static',
      `local-data: 'x.example. IN A 192.0.2.1'`,
      `local-data: 'x.example. IN A 192.0.2.2'`,
      `local-data: 'x.example. IN MX 10 mail.x.example.'`,
      `local-data: 'x.example. IN TXT "v=spf1 -all"'`,
    ];
    await writeFile(join(folder, 'unbound.conf'), `server:\n${lines.map((line) => `  ${line}\n`).join('')}`);
    return ['-d', '-c', join(folder, 'unbound.conf')];
  });
  return { server, tlsPort, httpsPort };
}

/** Starts a mail server with STARTTLS for IMAP; the port for POP3 is the second one. Only root may. */
export async function startDovecot(program: string): Promise<{ server: RealServer; pop3Port: number }> {
  const pop3Port = await freePort();
  const server = await RealServer.start(program, async (folder, port) => {
    const listener = (protocol: string, at: number): string =>
      `service ${protocol}-login {\n inet_listener ${protocol} {\n address = 127.0.0.1\n port = ${at}\n }\n` +
      ` inet_listener ${protocol}s {\n port = 0\n }\n}\n`;
    const configuration = [
      `base_dir = ${join(folder, 'run')}`,
      `log_path = ${join(folder, 'log')}`,
      'protocols = imap pop3',
      'ssl = yes',
      `ssl_cert = <${CERTIFICATE}`,
      `ssl_key = <${KEY}`,
      // It does not start without one.
      'passdb {\n driver = static\n args = password=test\n}',
      listener('imap', port),
      listener('pop3', pop3Port),
    ];
    await writeFile(join(folder, 'dovecot.conf'), `${configuration.join('\n')}\n`);
    return ['-F', '-c', join(folder, 'dovecot.conf')];
  });
  return { server, pop3Port };
}

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
