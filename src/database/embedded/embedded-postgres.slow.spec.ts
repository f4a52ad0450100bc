import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { connectionUrl } from './connection.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { locate, stopOrphan } from './running-server.js';

jest.setTimeout(90_000);

const asRoot = process.geteuid?.() === 0 ? it : it.skip;
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Returns a DATA_DIR without a database that the server's user can reach, removed after the test with its server. */
async function emptyDataDir(name = 'data', mode = 0o711): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'daywatch-embedded-'));
  await chmod(parent, mode);
  const dataDir = join(parent, name);
  cleanups.push(async () => {
    await stopOrphan(dataDir);
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });
  return dataDir;
}

/** The parent of a DATA_DIR that has been started before, shared by the tests that do not damage it. */
let shared: string;

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'daywatch-embedded-'));
  await chmod(shared, 0o711);
  const server = await EmbeddedPostgres.start({ dataDir: join(shared, 'data') });
  await server.stop();
});

afterAll(() => rm(shared, { recursive: true, force: true }));

function usedDataDir(): string {
  const dataDir = join(shared, 'data');
  cleanups.push(() => stopOrphan(dataDir));
  return dataDir;
}

/** Returns a copy of it that a test may damage. */
async function copiedDataDir(): Promise<string> {
  const dataDir = await emptyDataDir();
  await promisify(execFile)('cp', ['-a', join(shared, 'data'), dataDir]);
  return dataDir;
}

async function started(dataDir: string, onLog?: (line: string) => void): Promise<EmbeddedPostgres> {
  const server = await EmbeddedPostgres.start({ dataDir, onLog });
  const { host } = server.connection;
  if (host.startsWith('/tmp/daywatch-')) cleanups.push(() => rm(host, { recursive: true, force: true }));
  if (host.startsWith('/var/lib/')) cleanups.push(() => rm(dirname(host), { recursive: true, force: true }));
  cleanups.push(() => server.stop());
  return server;
}

/** Starts a process that owns the cluster of `dataDir` until it is killed. It prints `owns`, or why it does not. */
function ownerProcess(dataDir: string): { child: ChildProcess; said: Promise<string> } {
  const module = new URL('./embedded-postgres.js', import.meta.url).href;
  const script = `
    const { EmbeddedPostgres } = await import(${JSON.stringify(module)});
    try {
      await EmbeddedPostgres.start({ dataDir: ${JSON.stringify(dataDir)} });
      console.log('owns');
    } catch (error) {
      console.log(error.message);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => kill(child));
  const said = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  return { child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function query(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(sql)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

async function eventually<T>(attempt: () => Promise<T>, timeoutMs = 20_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(10);
    }
  }
}

const pidFile = (server: EmbeddedPostgres) => join(dirname(server.connection.host), 'data', 'postmaster.pid');
const postmasterPid = async (server: EmbeddedPostgres) => parseInt(await readFile(pidFile(server), 'utf8'), 10);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('EmbeddedPostgres', () => {
  it('creates a database, preserves it across a restart, and stops with its service', async () => {
    const dataDir = await emptyDataDir();
    const server = await started(dataDir);
    await query(server.url, 'CREATE TABLE kept (value int)');
    await query(server.url, 'INSERT INTO kept VALUES (7)');
    const pid = await postmasterPid(server);
    await server.stop();
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(await locate(dataDir)).toBeNull();

    const again = await started(dataDir);
    expect(again.url).toBe(server.url);
    expect(await query(again.url, 'SELECT value FROM kept')).toBe(7);
  });

  it('connects the application as an unprivileged role, with durable commits and no network listener', async () => {
    const { url } = await started(usedDataDir());
    expect(
      await query(url, 'SELECT rolsuper OR rolcreatedb OR rolcreaterole AS value FROM pg_roles WHERE rolname = user'),
    ).toBe(false);
    expect(await query(url, "SELECT current_setting('listen_addresses') AS value")).toBe('');
    expect(await query(url, "SELECT current_setting('fsync') || current_setting('synchronous_commit') AS value")).toBe(
      'onon',
    );
    expect(await query(url, "SELECT lower('ÄÉ') AS value")).toBe('äé');
  });

  it('adopts the server of a killed service, and restarts and stops it like its own', async () => {
    const dataDir = usedDataDir();
    const first = ownerProcess(dataDir);
    expect(await first.said).toBe('owns');
    await kill(first.child);

    const lines: string[] = [];
    const server = await started(dataDir, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining('adopted')]);
    process.kill(await postmasterPid(server), 'SIGKILL');
    expect(await eventually(() => query(server.url, 'SELECT 1 AS value'))).toBe(1);
    await server.stop();
    expect(await stopOrphan(dataDir)).toBe(false);
    await expect(query(server.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('rejects a second owner, names the first, and leaves it running', async () => {
    const dataDir = usedDataDir();
    const first = ownerProcess(dataDir);
    expect(await first.said).toBe('owns');
    await expect(EmbeddedPostgres.start({ dataDir })).rejects.toMatchObject({
      fault: 'in_use',
      message: expect.stringContaining(`process ${first.child.pid}`),
    });
    const connection = await locate(dataDir);
    expect(await query(connectionUrl(connection!), 'SELECT 1 AS value')).toBe(1);
  });

  it('lets exactly one of two services start on the same new DATA_DIR', async () => {
    const dataDir = await emptyDataDir();
    const said = await Promise.all([1, 2].map(() => ownerProcess(dataDir).said));
    expect(said.filter((line) => line === 'owns')).toHaveLength(1);
    expect(said.filter((line) => line.includes('in use by another Daywatch'))).toHaveLength(1);
  });

  it('restarts a killed server every time, without losing committed data', async () => {
    const server = await started(usedDataDir());
    await query(server.url, 'CREATE TABLE kept (value int)');
    for (const round of [1, 2, 3]) {
      await query(server.url, `INSERT INTO kept VALUES (${round})`);
      const pid = await postmasterPid(server);
      process.kill(pid, 'SIGKILL');
      expect(await eventually(() => query(server.url, 'SELECT count(*)::int AS value FROM kept'))).toBe(round);
      expect(await postmasterPid(server)).not.toBe(pid);
    }
  });

  it('remains the owner after the server has dropped its sessions', async () => {
    const dataDir = usedDataDir();
    const lines: string[] = [];
    const server = await started(dataDir, (line) => lines.push(line));
    const admin = connectionUrl({ ...server.connection, user: 'postgres', database: 'postgres' });
    await query(admin, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    await eventually(() =>
      Promise.resolve(expect(lines).toContainEqual(expect.stringContaining('stopped unexpectedly'))),
    );
    const second = ownerProcess(dataDir);
    expect(await second.said).toContain('in use by another Daywatch');
  });

  it('can be stopped while it restarts the server', async () => {
    const dataDir = usedDataDir();
    const server = await started(dataDir);
    process.kill(await postmasterPid(server), 'SIGKILL');
    await server.stop();
    await eventually(async () => expect(await locate(dataDir)).toBeNull());
    const again = await started(dataDir);
    expect(await query(again.url, 'SELECT 1 AS value')).toBe(1);
  });

  it.each([0, 100, 400])('starts cleanly after a first start that was killed %i ms into initdb', async (ms) => {
    const dataDir = await emptyDataDir();
    const home = join(dataDir, 'postgres');
    const { child } = ownerProcess(dataDir);
    await eventually(async () => expect(await readdir(home)).toContainEqual(expect.stringMatching(/^(initdb-|data$)/)));
    await delay(ms);
    await kill(child);
    const server = await started(dataDir);
    expect(await query(server.url, 'SELECT 1 AS value')).toBe(1);
  });

  it.each([
    { name: 'the id of an unrelated process', text: null },
    { name: 'no content', text: '' },
  ])('starts despite lock files with $name', async ({ text }) => {
    const dataDir = usedDataDir();
    const server = await started(dataDir);
    const home = dirname(server.connection.host);
    const stale = await readFile(pidFile(server), 'utf8');
    await server.stop();
    const { uid, gid } = await stat(home);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(process.geteuid?.() === 0 ? { uid, gid } : {}) });
    cleanups.push(() => kill(stranger));
    const content = text ?? stale.replace(/^\d+/, String(stranger.pid));
    for (const file of [pidFile(server), join(server.connection.host, '.s.PGSQL.5432.lock')]) {
      await writeFile(file, content, { mode: 0o644 });
    }
    const again = await started(dataDir);
    expect(await query(again.url, 'SELECT 1 AS value')).toBe(1);
    expect(isAlive(stranger.pid!)).toBe(true);
  });

  it('works under a path that is too long for a socket, and can be located by other processes', async () => {
    const dataDir = await emptyDataDir(`${'long, "quoted" and ü '.repeat(5)}/${'x'.repeat(150)}`);
    const server = await started(dataDir);
    expect(server.connection.host).toMatch(/^\/tmp\/daywatch-/);
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700);
    expect(await locate(dataDir)).toEqual(server.connection);
    expect(await query(server.url, 'SELECT 1 AS value')).toBe(1);
  });

  it('works under a path with a comma, blanks and quotes', async () => {
    const server = await started(await emptyDataDir(`a, "b" 'c' $d %65`));
    expect(await query(server.url, 'SELECT 1 AS value')).toBe(1);
  });

  asRoot('stores the cluster of a private DATA_DIR where its user can reach it, and leaves it there', async () => {
    const dataDir = await emptyDataDir('data', 0o700);
    const server = await started(dataDir);
    expect(server.connection.host).toMatch(/^\/var\/lib\/daywatch\/[0-9a-f]{16}\/run$/);
    await server.stop();
    await chmod(dirname(dataDir), 0o755);
    expect((await started(dataDir)).url).toBe(server.url);
  });

  asRoot('creates a new cluster after a private DATA_DIR was removed, and sets the old one aside', async () => {
    const dataDir = await emptyDataDir('data', 0o700);
    const server = await started(dataDir);
    const home = dirname(server.connection.host);
    cleanups.push(async () => {
      for (const entry of await readdir(dirname(home))) {
        if (entry.startsWith(basename(home))) await rm(join(dirname(home), entry), { recursive: true, force: true });
      }
    });
    await server.stop();
    await rm(dataDir, { recursive: true });
    expect((await started(dataDir)).url).toBe(server.url);
    const aside = (await readdir(dirname(home))).filter((entry) => entry.startsWith(`${basename(home)}.set-aside-`));
    expect(aside).toHaveLength(1);
  });

  asRoot('does not create an empty database when a directory becomes private', async () => {
    const dataDir = await copiedDataDir();
    await (await started(dataDir)).stop();
    await chmod(dirname(dataDir), 0o700);
    await expect(EmbeddedPostgres.start({ dataDir })).rejects.toMatchObject({ fault: 'unreachable' });
  });

  it('names the directory that cannot be used', async () => {
    const dataDir = await emptyDataDir();
    await writeFile(dataDir, 'a file');
    await expect(EmbeddedPostgres.start({ dataDir: join(dataDir, 'below') })).rejects.toMatchObject({
      fault: 'unreachable',
      message: expect.stringContaining(dataDir),
    });
  });

  it('reports the output of a server that cannot start', async () => {
    const dataDir = await copiedDataDir();
    const server = await started(dataDir);
    await server.stop();
    await rm(join(dataDir, 'postgres', 'data', 'global', 'pg_control'));
    await expect(EmbeddedPostgres.start({ dataDir })).rejects.toMatchObject({
      fault: 'failed',
      message: expect.stringContaining('pg_control'),
    });
  });

  it('rejects a database of another major version', async () => {
    const dataDir = await copiedDataDir();
    await (await started(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '17\n');
    await expect(EmbeddedPostgres.start({ dataDir })).rejects.toMatchObject({
      fault: 'failed',
      message: expect.stringContaining('PostgreSQL 17'),
    });
  });
});

describe('stopOrphan and locate', () => {
  it('find and stop the server that a killed service left running', async () => {
    const dataDir = usedDataDir();
    const { child, said } = ownerProcess(dataDir);
    expect(await said).toBe('owns');
    await kill(child);
    const connection = await locate(dataDir);
    expect(await query(connectionUrl(connection!), 'SELECT 1 AS value')).toBe(1);
    expect(await stopOrphan(dataDir)).toBe(true);
    expect(await locate(dataDir)).toBeNull();
    expect(await stopOrphan(dataDir)).toBe(false);
  });

  it('find nothing if no server was ever started, and create nothing', async () => {
    const dataDir = await emptyDataDir();
    expect(await locate(dataDir)).toBeNull();
    expect(await stopOrphan(dataDir)).toBe(false);
    await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
