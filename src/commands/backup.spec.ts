import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { dump } from './archive/dump.js';
import { withSession } from './archive/session.js';
import { SecretBox } from '../database/secret-box.js';

const SECRET_KEY = 'k'.repeat(32);
const TEAM = '01939f4e-0000-7000-8000-000000000001';
const MONITOR = '01939f4e-0000-7000-8000-000000000002';
const PAGE = '01939f4e-0000-7000-8000-000000000003';
const CHECKS = 200_000;

let folder: string;
let file: string;
let source: TestDatabase;
const targets: TestDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daywatch-backup-'));
  // A server that root starts runs as another user, who has to get there.
  await chmod(folder, 0o711);
  file = join(folder, 'backup.gz');
  source = await createTestDatabase();
  await query(source.url, seed(CHECKS));
});

afterEach(async () => {
  for (const { drop } of targets.splice(0)) await drop();
});

afterAll(async () => {
  await source.drop();
  await rm(folder, { recursive: true });
});

/** Every table, with the values that are easily lost. */
const seed = (checks: number): string => `
  INSERT INTO teams VALUES ('${TEAM}', E'"A", \\\\ \\'B\\'\\n\\r\\t{C}\\u2028🌍 ', '2026-11-20 13:00:00.123+00');
  INSERT INTO instance VALUES (1, '${new SecretBox(SECRET_KEY).fingerprint}', '0044-03-15 12:00:00+00 BC');
  INSERT INTO api_keys (id, team_id, name, prefix, secret_hash, scopes, created_by, expires_at, last_used_at)
    VALUES (gen_random_uuid(), '${TEAM}', '', 'dw_1', '\\x00ff5c22', '{}', 'x', 'infinity', '-infinity'),
      (gen_random_uuid(), '${TEAM}', 'NULL', 'dw_2', '', ARRAY['a,b', '"', '', 'NULL', '{}'], 'x', NULL, NULL);
  INSERT INTO idempotency_keys VALUES ('${TEAM}', 'json', '\\x01', now(), now(), 200, 'null',
    '{"big": 123456789012345678901234567890.10, "e": 1e100, "z": -0.0, "nested": [null, "\\u2028 \\" \\\\"]}');
  INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
      recovery_threshold, locations, quorum, tags, metadata)
    VALUES ('${MONITOR}', '${TEAM}', 'one', 'http', '{"password": "sealed:v1:AAAA"}', 'https://example.com', 60, 100, 2, 1,
      '{default}', 'majority', '{}', '{}');
  INSERT INTO monitor_states VALUES ('${MONITOR}', '${TEAM}', 'up', NULL, now(), 7);
  INSERT INTO location_states (monitor_id, location, fold) VALUES ('${MONITOR}', 'default', '{"run": 1}');
  INSERT INTO monitor_checkpoints VALUES ('${MONITOR}', 'default', now(), '[]');
  INSERT INTO spans (id, monitor_id, kind, starts_at) VALUES (gen_random_uuid(), '${MONITOR}', 'paused', now()),
    (gen_random_uuid(), NULL, 'absence', now());
  INSERT INTO transitions VALUES (gen_random_uuid(), '${MONITOR}', 'default', now(), now(), 'up', 'down', 'timeout');
  INSERT INTO status_pages (id, team_id, name, slug, published, access_type, timezone, history_days, theme)
    VALUES ('${PAGE}', '${TEAM}', 'Page', 'page', true, 'public', 'UTC', 90, 'auto');
  INSERT INTO status_page_components VALUES (gen_random_uuid(), '${TEAM}', '${PAGE}', '${MONITOR}', 0, 'c', NULL, NULL, false);
  INSERT INTO daily_rollups VALUES ('${MONITOR}', '2028-02-29', 'default', 1, 2, 3, 0.1::float8 + 0.2::float8, '{1,NULL,3}');
  INSERT INTO leases VALUES ('dispatcher', gen_random_uuid(), 2147483647, now(), now());
  INSERT INTO check_requests VALUES ('${MONITOR}', now(), 'default', nextval('check_request_attempts'), 'manual');
  CREATE TABLE checks_20261118 PARTITION OF checks FOR VALUES FROM ('2026-11-18') TO ('2026-11-19');
  CREATE TABLE checks_20261119 PARTITION OF checks FOR VALUES FROM ('2026-11-19') TO ('2026-11-20');
  CREATE TABLE checks_20261120 PARTITION OF checks FOR VALUES FROM ('2026-11-20') TO ('2026-11-21');
  INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
      interval_seconds, response_time_ms, dns_ms, connect_ms, tls_ms, error_message)
    SELECT '${MONITOR}', '2026-11-18'::timestamptz + n * interval '600 ms', 'default', 0, now(), 'schedule', 'up', 1, 1,
      n / 7.0, 'NaN', '3.4028235e38', 1.17549435e-38, repeat('text ', 80) || n
    FROM generate_series(0, ${checks - 1}) AS n`;

async function query(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** Everything that is stored, by the server's own words: per table the number of rows and a digest of them in order. */
async function content(url: string): Promise<unknown> {
  const tables = await query(
    url,
    `SELECT c.relname::text FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  const digests = tables.map(
    ([name]) =>
      `SELECT '${String(name)}', count(*), md5(string_agg(t::text, '' ORDER BY t::text COLLATE "C")) FROM "${String(name)}" t`,
  );
  const sequences = await query(url, 'SELECT sequencename, last_value FROM pg_sequences ORDER BY 1');
  // Numbered by the database that ran them.
  const migrations = "SELECT 'migrations', string_agg(name, ',') FROM migrations";
  return [
    ...(await query(url, digests.filter((one) => !one.includes("'migrations'")).join(' UNION ALL '))),
    ...(await query(url, migrations)),
    ...sequences,
  ];
}

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function run(entry: string, args: string[], settings: Record<string, string>, flags: string[] = []): Promise<Outcome> {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), SECRET_KEY, ...settings };
  const script = fileURLToPath(new URL(`${entry}.js`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const backup = (url: string, to = file) => run('backup', [to], { DATABASE_URL: url });
const restore = (url: string, from = file, settings = {}) => run('restore', [from], { DATABASE_URL: url, ...settings });

async function emptyDatabase(): Promise<string> {
  const target = await createTestDatabase();
  targets.push(target);
  return target.url;
}

/** Another backup that says it is whole: for files that a changed or foreign version wrote. */
async function forge(change: (lines: string[]) => string[]): Promise<string> {
  const small = await emptyDatabase();
  await query(small, seed(10));
  await backup(small);
  const lines = gunzipSync(await readFile(file))
    .toString()
    .split('\n')
    .slice(0, -2);
  const text = change(lines)
    .map((line) => `${line}\n`)
    .join('');
  const forged = join(folder, 'forged.gz');
  const sha256 = createHash('sha256').update(text).digest('hex');
  await writeFile(forged, gzipSync(`${text}${JSON.stringify({ sha256 })}\n`));
  return forged;
}

describe('backup and restore', () => {
  it(`give back every value of every table, with ${CHECKS} checks in little memory`, async () => {
    // The checks alone are 100 MB as text.
    const flags = ['--max-old-space-size=64'];
    expect(await run('backup', [file], { DATABASE_URL: source.url }, flags)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${CHECKS} checks`),
      stderr: '',
    });
    const target = await emptyDatabase();
    expect(await run('restore', [file], { DATABASE_URL: target }, flags)).toMatchObject({ code: 0, stderr: '' });
    expect(await content(target)).toEqual(await content(source.url));
    expect(await query(target, "SELECT nextval('check_request_attempts')")).toEqual([['-2']]);
  }, 120_000);

  it('take a consistent moment beside a busy service, which they do not hold up', async () => {
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
            VALUES (gen_random_uuid(), '${TEAM}', 'Page', gen_random_uuid(), true, 'public', 'UTC', 90, 'auto') RETURNING id)
          SELECT FROM page; COMMIT`);
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
  }, 120_000);

  it('let the service drop partitions: one that was read, and one that was not', async () => {
    const url = await emptyDatabase();
    await query(url, seed(1));
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
        if (!line.startsWith(`["${MONITOR}","2026-11-19`)) continue;
        await query(url, "SET lock_timeout = '2s'; DROP TABLE checks_20261118; DROP TABLE checks_20261120");
      }
    });
    expect(lines).toContain('{"table":"checks","rows":2}\n');
  });

  it('work on a database without a team', async () => {
    const none = await emptyDatabase();
    expect(await backup(none)).toMatchObject({ code: 0, stderr: '' });
    const target = await emptyDatabase();
    expect(await restore(target)).toMatchObject({ code: 0, stderr: '' });
    expect(await content(target)).toEqual(await content(none));
  });

  it('start and stop the embedded database of a stopped service', async () => {
    const forged = await forge((lines) => lines);
    const DATA_DIR = join(folder, 'embedded');
    expect(await run('backup', [file], { DATA_DIR })).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/DATA_DIR/),
    });
    expect(await run('restore', [forged], { DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
    expect(await run('restore', [forged], { DATA_DIR })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has a team/),
    });
    const again = join(folder, 'again.gz');
    expect(await run('backup', [again], { DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
    expect(await run('db-stop', [], { DATA_DIR })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/No database server/),
    });
    const linesOf = async (path: string) =>
      gunzipSync(await readFile(path))
        .toString()
        .split('\n')
        .slice(1, -2);
    expect((await linesOf(again)).toSorted()).toEqual((await linesOf(forged)).toSorted());
  }, 60_000);

  it('refuse, and change nothing, where a restore would not be whole', async () => {
    const whole = await forge((lines) => lines);
    const target = await emptyDatabase();
    const before = await content(target);
    const cut = join(folder, 'cut.gz');
    await copyFile(whole, cut);
    await truncate(cut, (await readFile(whole)).length - 30);
    const headed = (change: (header: Record<string, unknown>) => object) =>
      forge(([first, ...rest]) => [JSON.stringify(change(JSON.parse(first!) as Record<string, unknown>)), ...rest]);
    const withTable = (table: object) =>
      headed((header) => ({ ...header, tables: [table, ...(header.tables as object[])] }));

    const cases: [string, Record<string, string>, number, RegExp][] = [
      [cut, {}, 1, /cut off/],
      [join(folder, 'missing.gz'), {}, 1, /ENOENT/],
      [whole, { SECRET_KEY: 'j'.repeat(32) }, 78, /SECRET_KEY/],
      [whole, { PORT: 'many' }, 78, /PORT/],
      [whole, { DATABASE_URL: 'postgresql://127.0.0.1:1/none' }, 75, /ECONNREFUSED/],
    ];
    for (const [from, settings, code, stderr] of cases) {
      expect(await restore(target, from, settings)).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringMatching(stderr),
      });
    }
    const forgeries: [() => Promise<string>, RegExp][] = [
      [() => headed((header) => ({ ...header, format: 'daywatch-backup/9' })), /no backup/],
      [
        () => headed((header) => ({ ...header, migrations: ['Initial1795132800000', 'Later'] })),
        /newer Daywatch.*Later/,
      ],
      [() => withTable({ name: 'later', columns: ['id'], partitions: null }), /table later/],
      [() => withTable({ name: 'teams', columns: ['id', 'colour'], partitions: null }), /teams has no colour/],
      [
        () =>
          withTable({ name: 'checks', columns: [], partitions: [{ name: 'x', bound: 'DEFAULT; DROP TABLE teams' }] }),
        /unknown kind/,
      ],
      [() => forge((lines) => lines.slice(0, -1)), /not have all tables/],
      [
        () => forge((lines) => lines.filter((line) => !line.startsWith(`["${MONITOR}","${TEAM}"`))),
        /all rows of monitor/,
      ],
    ];
    for (const [make, stderr] of forgeries) {
      expect(await restore(target, await make())).toMatchObject({ code: 1, stderr: expect.stringMatching(stderr) });
    }
    expect(await content(target)).toEqual(before);
    expect(await restore(source.url, whole)).toMatchObject({ code: 1, stderr: expect.stringMatching(/has a team/) });
  }, 120_000);

  it.each<[string, string[], RegExp]>([
    ['backup', [], /Say one file/],
    ['backup', ['a', 'b'], /Say one file/],
    ['backup', ['/no/such/folder/file'], /ENOENT/],
    ['restore', [], /Say one file/],
    ['restore', ['--force', 'a'], /--force/],
  ])('%s %j is refused', async (entry, args, stderr) => {
    const outcome = await run(entry, args, { DATABASE_URL: source.url });
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
    expect((await readdir(folder)).filter((name) => name.includes('draft'))).toEqual([]);
  });
});
