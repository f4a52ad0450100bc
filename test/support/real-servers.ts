import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { nativeBinaries } from '../../src/database/embedded/native-binaries.js';
import { isRoot, newServerAccount, spawnOptions } from '../../src/database/embedded/server-account.js';
import { freePort } from './free-port.js';
import { makeAuthority, OCSP_SAMPLES, type OcspSample } from './openssl-authority.js';
import { RealServer } from './real-server.js';

const run = promisify(execFile);
const CERTIFICATE = resolve('test/fixtures/tls/valid.pem');
const KEY = resolve('test/fixtures/tls/test-only.key');

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
    return ['-D', '-f', await configuration(folder, lines)];
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
    return ['-c', await configuration(folder, lines)];
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
    return ['-x', '-d', '-u', 'root', '-f', await configuration(folder, lines)];
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
      'server:',
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
    return ['-d', '-c', await configuration(folder, lines)];
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
    const lines = [
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
    return ['-F', '-c', await configuration(folder, lines)];
  });
  return { server, pop3Port };
}

/** Starts an LDAP server with StartTLS and nothing else. */
export async function startSlapd(program: string): Promise<RealServer> {
  return RealServer.start(program, async (folder, port) => {
    const lines = [
      `pidfile ${join(folder, 'pid')}`,
      `argsfile ${join(folder, 'args')}`,
      `TLSCertificateFile ${CERTIFICATE}`,
      `TLSCertificateKeyFile ${KEY}`,
    ];
    const file = await configuration(folder, lines);
    // With a level of debugging, it stays in the foreground.
    return ['-h', `ldap://127.0.0.1:${port}/`, '-f', file, '-d', '0'];
  });
}

/** Starts an FTP server with AUTH TLS. Only root may. */
export async function startVsftpd(program: string): Promise<RealServer> {
  return RealServer.start(program, async (folder, port) => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    const lines = [
      ...['listen=YES', 'listen_address=127.0.0.1', `listen_port=${port}`, 'background=NO', 'seccomp_sandbox=NO'],
      ...['local_enable=NO', 'anonymous_enable=YES', 'ssl_enable=YES', 'allow_anon_ssl=YES'],
      ...[`rsa_cert_file=${CERTIFICATE}`, `rsa_private_key_file=${KEY}`, `secure_chroot_dir=${empty}`],
    ];
    return [await configuration(folder, lines)];
  });
}

/** Starts a proxy for a user `mon`, password `geheim`, that makes tunnels only to `tlsPort`. */
export async function startSquid(program: string, tlsPort: number): Promise<RealServer> {
  return RealServer.start(program, async (folder, port) => {
    const passwords = join(folder, 'passwords');
    const { stdout } = await run('openssl', ['passwd', '-apr1', 'geheim']);
    await writeFile(passwords, `mon:${stdout}`);
    const lines = [
      `http_port 127.0.0.1:${port}`,
      ...['pid_filename none', 'cache_log /dev/null', 'access_log none', 'cache deny all', `coredump_dir ${folder}`],
      `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${passwords}`,
      ...['acl known proxy_auth REQUIRED', 'acl CONNECT method CONNECT', `acl secure port ${tlsPort}`],
      ...['http_access deny CONNECT !secure', 'http_access allow known', 'http_access deny all'],
      'shutdown_lifetime 1 second',
    ];
    return ['-N', '-f', await configuration(folder, lines)];
  });
}

/**
 * Starts a mail server with STARTTLS, where a user `mon`, password `geheim`, may sign in, and which accepts messages for
 * `example.com`.
 */
export async function startExim(program: string): Promise<RealServer> {
  return RealServer.start(program, async (folder, port) => {
    const [spool, key] = [join(folder, 'spool'), join(folder, 'key')];
    await mkdir(spool);
    // Root starts it, but it works as another user.
    await chmod(spool, 0o777);
    await copyFile(KEY, key);
    await chmod(key, 0o644);
    const lines = [
      ...['primary_hostname = mail.example.com', 'local_interfaces = 127.0.0.1', `daemon_smtp_ports = ${port}`],
      ...[`spool_directory = ${spool}`, `log_file_path = ${spool}/%slog`, `pid_file_path = ${spool}/pid`],
      ...[`tls_certificate = ${CERTIFICATE}`, `tls_privatekey = ${key}`, 'tls_advertise_hosts = *'],
      ...['acl_smtp_rcpt = recipient', 'begin acl', 'recipient:', 'accept domains = example.com', 'deny'],
      ...['begin authenticators', 'plain:', 'driver = plaintext', 'public_name = PLAIN', 'server_prompts = :'],
      'server_condition = ${if and{{eq{$auth2}{mon}}{eq{$auth3}{geheim}}}}',
    ];
    return ['-bdf', '-C', await configuration(folder, lines)];
  });
}

/**
 * Starts a web server, without TLS on its port, and with TLS, HTTP/2 and an OCSP response of each kind on the others. Its
 * certificate is from an authority that nobody trusts.
 */
export async function startNginx(
  program: string,
): Promise<{ server: RealServer; tlsPorts: Record<OcspSample, number> }> {
  const tlsPorts = { good: await freePort(), delegated: await freePort(), revoked: await freePort() };
  const server = await RealServer.start(program, async (folder, port) => {
    await makeAuthority(folder);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const lines = [
      ...['daemon off;', `pid ${join(folder, 'pid')};`, 'events {}', 'http {', 'access_log off;'],
      ...temporary.map((kind) => `${kind}_temp_path ${join(folder, 'temporary')};`),
      ...[`ssl_certificate ${join(folder, 'chain.pem')};`, `ssl_certificate_key ${join(folder, 'leaf.key')};`],
      `server { listen 127.0.0.1:${port}; location / { return 200 plain; } }`,
      ...OCSP_SAMPLES.map(
        (sample) =>
          `server { listen 127.0.0.1:${tlsPorts[sample]} ssl http2; ssl_stapling on; ` +
          `ssl_stapling_file ${join(folder, `${sample}.der`)}; location / { return 200 $server_protocol; } }`,
      ),
      '}',
    ];
    return ['-e', 'stderr', '-c', await configuration(folder, lines)];
  });
  return { server, tlsPorts };
}

/** Writes a file of these lines and returns its path. */
async function configuration(folder: string, lines: string[]): Promise<string> {
  const file = join(folder, 'configuration');
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}
