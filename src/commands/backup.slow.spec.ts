import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import {
  contentOf,
  query,
  SAMPLE_KEY,
  SAMPLE_MONITOR,
  SAMPLE_TEAM,
  sampleSql,
} from '../../test/support/backup-sample.js';
import { runCommandProcess } from '../../test/support/command-run.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { dump } from './archive/dump.js';
import { tablesOf } from './archive/schema.js';
import { withSession } from './archive/session.js';

const CHECKS = 200_000;

let folder: string;
let file: string;
let source: TestDatabase;
const targets: TestDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daywatch-backup-'));
  // A server that root starts runs as another user, which needs access to the folder.
  await chmod(folder, 0o711);
  file = join(folder, 'backup.gz');
  source = await createTestDatabase();
  await query(source.url, sampleSql(CHECKS));
});

afterEach(async () => {
  for (const { drop } of targets.splice(0)) await drop();
});

afterAll(async () => {
  await source.drop();
  await rm(folder, { recursive: true });
});

const run = (command: string, args: string[], settings: Record<string, string>, flags: string[] = []) =>
  runCommandProcess(command, args, { DATA_DIR: join(folder, 'data'), SECRET_KEY: SAMPLE_KEY, ...settings }, flags);
const backup = (url: string, to = file) => run('backup', [to], { DATABASE_URL: url });
const restore = (url: string, from = file, settings = {}) => run('restore', [from], { DATABASE_URL: url, ...settings });

async function emptyDatabase(): Promise<string> {
  const target = await createTestDatabase();
  targets.push(target);
  return target.url;
}

/** The only change that a restore makes to what it restores. */
const NEXT_ERA = 'UPDATE instance SET era = era + 1';

describe('backup and restore', () => {
  it(`preserve every value of every table, with ${CHECKS} checks in little memory`, async () => {
    // The checks alone are 100 MB as text.
    const flags = ['--max-old-space-size=64'];
    expect(await run('backup', [file], { DATABASE_URL: source.url }, flags)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${CHECKS} checks`),
      stderr: '',
    });
    // A new table needs a row in the sample.
    expect((await contentOf(source.url)).filter(([, rows]) => rows === '0')).toEqual([]);
    const target = await emptyDatabase();
    expect(await run('restore', [file], { DATABASE_URL: target }, flags)).toMatchObject({ code: 0, stderr: '' });
    await query(source.url, NEXT_ERA);
    expect(await contentOf(target)).toEqual(await contentOf(source.url));
    expect(await query(target, 'SELECT * FROM rate_limits')).toEqual([]);
    expect(await query(target, "SELECT nextval('check_request_attempts')")).toEqual([['-2']]);
  }, 120_000);

  it('warn about results that wait in the spool', async () => {
    const spool = join(folder, 'data', 'spool');
    await mkdir(spool, { recursive: true });
    await writeFile(join(spool, '1795132800000-00c0ffee-1-00c0ffee.spool'), '');
    try {
      const warning = expect.stringContaining(`lacks the results that wait in ${spool}`);
      expect(await backup(source.url)).toMatchObject({ code: 0, stdout: warning, stderr: '' });
    } finally {
      await rm(spool, { recursive: true });
    }
    expect((await backup(source.url)).stdout).not.toContain(spool);
  });

  it('take a consistent snapshot of a busy service without blocking it', async () => {
    let busy = true;
    let pages = 0;
    const client = new Client({ connectionString: source.url });
    await client.connect();
    const work = (async () => {
      for (; busy; pages += 1) {
        await client.query(`BEGIN; SET LOCAL lock_timeout = '2s';
          CREATE TABLE checks_x PARTITION OF checks FOR VALUES FROM ('2026-12-01') TO ('2026-12-02');
          DROP TABLE checks_x;
          WITH page AS (INSERT INTO status_pages (id, team_id, name, slug, published, access_type, timezone, history_days, theme)
            VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', 'Page', gen_random_uuid(), true, 'public', 'UTC', 90, 'auto') RETURNING id)
          INSERT INTO status_page_components (id, team_id, status_page_id, monitor_id, position, name, show_uptime)
            SELECT gen_random_uuid(), '${SAMPLE_TEAM}', id, '${SAMPLE_MONITOR}', 0, 'c', true FROM page;
          COMMIT`);
        await setImmediate();
      }
    })();
    const outcome = await backup(source.url);
    busy = false;
    await work;
    await client.end();
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(pages).toBeGreaterThan(10);
    const target = await emptyDatabase();
    expect(await restore(target)).toMatchObject({ code: 0, stderr: '' });
    const [row] = await query(target, 'SELECT count(*)::int FROM status_pages');
    expect(row?.[0]).toBeGreaterThan(0);
    expect(row?.[0]).toBeLessThanOrEqual(pages + 1);
    // Each page was written together with its component.
    expect(await query(target, 'SELECT count(*)::int FROM status_page_components')).toEqual([row]);
  }, 120_000);

  it('let the service drop partitions that were read and ones that were not', async () => {
    const url = await emptyDatabase();
    await query(url, sampleSql(1));
    await query(
      url,
      `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
         interval_seconds)
       SELECT monitor_id, scheduled_at + n * interval '1 day', location, attempt, checked_at, trigger, status,
         monitor_revision, interval_seconds FROM checks, generate_series(1, 2) AS n`,
    );
    const lines: string[] = [];
    await withSession(url, async (client) => {
      for await (const line of dump(client, new Date(), () => undefined)) {
        lines.push(line);
        if (!line.startsWith(`["${SAMPLE_MONITOR}","2026-11-19`)) continue;
        await query(url, "SET lock_timeout = '2s'; DROP TABLE checks_20261118; DROP TABLE checks_20261120");
      }
    });
    expect(lines).toContain('{"table":"checks","rows":2}\n');
  });

  it('leave out a partition that the service drops between the snapshot and its list of partitions', async () => {
    const url = await emptyDatabase();
    await query(url, sampleSql(1));
    await query(url, "CREATE TABLE checks_old PARTITION OF checks FOR VALUES FROM ('2026-01-01') TO ('2026-01-02')");
    const partitions = await withSession(url, async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query('SELECT 1 FROM teams');
      await query(url, 'DROP TABLE checks_old');
      return (await tablesOf(client)).find(({ name }) => name === 'checks')?.partitions;
    });
    expect(partitions?.map(({ name }) => name)).toEqual(['checks_20261118', 'checks_20261119', 'checks_20261120']);
  });

  it('work on a database without a team', async () => {
    const none = await emptyDatabase();
    expect(await backup(none)).toMatchObject({ code: 0, stderr: '' });
    const target = await emptyDatabase();
    expect(await restore(target)).toMatchObject({ code: 0, stderr: '' });
    expect(await contentOf(target)).toEqual(await contentOf(none));
  });

  it('start and stop the embedded database of a stopped service', async () => {
    const url = await emptyDatabase();
    await query(url, sampleSql(10));
    const small = join(folder, 'small.gz');
    await backup(url, small);
    const DATA_DIR = join(folder, 'embedded');
    expect(await run('backup', [file], { DATA_DIR })).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/DATA_DIR/),
    });
    expect(await run('restore', [small], { DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
    expect(await run('restore', [small], { DATA_DIR })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has a team/),
    });
    const again = join(folder, 'again.gz');
    expect(await run('backup', [again], { DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
    expect(await run('db-stop', [], { DATA_DIR })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/No database server/),
    });
    await query(url, NEXT_ERA);
    const expected = join(folder, 'expected.gz');
    await backup(url, expected);
    const linesOf = async (path: string) =>
      gunzipSync(await readFile(path))
        .toString()
        .split('\n')
        .slice(1, -2);
    expect((await linesOf(again)).toSorted()).toEqual((await linesOf(expected)).toSorted());
  }, 60_000);
});
