import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { RUN_VARIABLE, type DatabaseRun } from './database-run.js';
import { createTestDatabase } from './database.js';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  // If the server ends, the query rejects; the connection's error event would report the same a second time.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(sql)).rows.map((row) => row.value);
  } finally {
    await client.end();
  }
}

async function eventually(attempt: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + 20_000; ; await delay(20)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

describe('createTestDatabase', () => {
  it('creates a separate database for each of several concurrent callers', async () => {
    const databases = await Promise.all(Array.from({ length: 6 }, () => createTestDatabase()));
    await Promise.all(databases.map(({ url }, i) => query(url, `CREATE TABLE own AS SELECT ${i} AS value`)));
    const values = await Promise.all(databases.map(({ url }) => query(url, 'SELECT value FROM own')));
    expect(values).toEqual([[0], [1], [2], [3], [4], [5]]);
    await Promise.all(databases.map((database) => database.drop()));
    for (const { url } of databases) await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });

  it('creates a database with the current schema', async () => {
    const { url, drop } = await createTestDatabase();
    expect(await query(url, 'SELECT count(*) > 0 AS value FROM migrations')).toEqual([true]);
    await drop();
  });

  it('creates a database that can be dropped while a connection is open', async () => {
    const { url, drop } = await createTestDatabase();
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await drop();
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
    await client.end().catch(() => undefined);
  });
});

describe('a run', () => {
  const children: ChildProcess[] = [];

  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  /** Starts a separate run in another process, up to the point at which its tests would begin. */
  async function runProcess(databaseUrl?: string): Promise<{ child: ChildProcess; run: DatabaseRun }> {
    const script = `
      const { startDatabaseServer } = await import(${JSON.stringify(new URL('./database-server.js', import.meta.url).href)});
      await startDatabaseServer(async () => undefined);
      console.log(process.env.${RUN_VARIABLE});`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, DATABASE_URL: databaseUrl ?? '' },
    });
    children.push(child);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, run: JSON.parse(line) as DatabaseRun };
  }

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('leaves no server behind when ended by %s', async (signal) => {
    const { child, run } = await runProcess();
    expect(await query(run.adminUrl, "SELECT current_setting('fsync') AS value")).toEqual(['off']);
    child.kill(signal);
    await eventually(() => expect(query(run.adminUrl, 'SELECT 1')).rejects.toMatchObject({ code: 'ENOENT' }));
  });

  it('leaves no database of its own behind on a given server, and does not drop those of other runs', async () => {
    const shared = JSON.parse(process.env[RUN_VARIABLE] ?? 'null') as DatabaseRun;
    const databasesOf = (prefix: string) =>
      query(shared.adminUrl, `SELECT datname AS value FROM pg_database WHERE starts_with(datname, '${prefix}')`);
    const { child, run } = await runProcess(shared.adminUrl);
    expect(await databasesOf(run.prefix)).toEqual([`${run.prefix}_template`]);
    child.kill('SIGKILL');
    await eventually(async () => expect(await databasesOf(run.prefix)).toEqual([]));
    expect(await databasesOf(shared.prefix)).toContain(`${shared.prefix}_template`);
  });
});
