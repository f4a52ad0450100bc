import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  contentOf,
  query,
  SAMPLE_KEY,
  SAMPLE_MONITOR,
  SAMPLE_TEAM,
  sampleSql,
} from '../../test/support/backup-sample.js';
import { interruptCommand, runCommandProcess } from '../../test/support/command-run.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../test/support/database.js';

const CHECKS = 50_000;

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
const interrupt = (command: string, path: string, url: string, at: () => Promise<boolean>) =>
  interruptCommand(command, [path], { DATABASE_URL: url, SECRET_KEY: SAMPLE_KEY, DATA_DIR: folder }, at);

async function emptyDatabase(): Promise<string> {
  const target = await createTestDatabase();
  targets.push(target);
  return target.url;
}

/** Writes a changed backup with a valid checksum, as if a modified or foreign version had created it. */
async function forge(change: (lines: string[]) => string[]): Promise<string> {
  const small = await emptyDatabase();
  await query(small, sampleSql(10));
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

describe('a backup or a restore that cannot be complete', () => {
  it('is rejected and changes nothing', async () => {
    const whole = await forge((lines) => lines);
    const target = await emptyDatabase();
    const before = await contentOf(target);
    const cut = join(folder, 'cut.gz');
    await copyFile(whole, cut);
    await truncate(cut, (await readFile(whole)).length - 30);
    const headed = (change: (header: Record<string, unknown>) => object) =>
      forge(([first, ...rest]) => [JSON.stringify(change(JSON.parse(first!) as Record<string, unknown>)), ...rest]);
    const withTable = (table: object) =>
      headed((header) => ({ ...header, tables: [table, ...(header.tables as object[])] }));

    const cases: [string, Record<string, string>, number, RegExp][] = [
      [cut, {}, 1, /truncated/],
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
      [() => headed((header) => ({ ...header, format: 'daywatch-backup/9' })), /not a backup/],
      [
        () => headed((header) => ({ ...header, migrations: ['Initial1795132800000', 'Later'] })),
        /newer version of Daywatch.*Later/,
      ],
      [() => withTable({ name: 'later', columns: ['id'], partitions: null }), /table later/],
      [() => withTable({ name: 'teams', columns: ['id', 'colour'], partitions: null }), /teams has no colour/],
      [
        () =>
          withTable({ name: 'checks', columns: [], partitions: [{ name: 'x', bound: 'DEFAULT; DROP TABLE teams' }] }),
        /unknown kind/,
      ],
      [() => forge((lines) => lines.slice(0, -1)), /not contain all tables/],
      [
        () => forge((lines) => lines.filter((line) => !line.startsWith(`["${SAMPLE_MONITOR}","${SAMPLE_TEAM}"`))),
        /all rows of monitor/,
      ],
    ];
    for (const [make, stderr] of forgeries) {
      expect(await restore(target, await make())).toMatchObject({ code: 1, stderr: expect.stringMatching(stderr) });
    }
    expect(await contentOf(target)).toEqual(before);
    expect(await restore(source.url, whole)).toMatchObject({ code: 1, stderr: expect.stringMatching(/has a team/) });
  }, 120_000);

  it('is rejected by a database with tables of something else, which keep their rows', async () => {
    const whole = await forge((lines) => lines);
    const fresh = await createEmptyDatabase();
    targets.push(fresh);
    for (const url of [fresh.url, await emptyDatabase()]) {
      await query(url, 'CREATE TABLE orders (id integer); INSERT INTO orders VALUES (1)');
      expect(await restore(url, whole)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/other tables: orders\./),
      });
      expect(await query(url, 'SELECT id FROM orders')).toEqual([[1]]);
    }
    expect(await query(fresh.url, "SELECT to_regclass('teams')")).toEqual([[null]]);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const interrupted = join(folder, 'interrupted.gz');
    const started = async () => (await readdir(folder)).some((name) => name.startsWith('interrupted.gz.draft'));
    expect(await interrupt('backup', interrupted, source.url, started)).toEqual({ code: 1, stderr: 'Interrupted.\n' });
    expect((await readdir(folder)).filter((name) => name.startsWith('interrupted'))).toEqual([]);

    await backup(source.url);
    const target = await emptyDatabase();
    const before = await contentOf(target);
    const inserting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'INSERT INTO "checks"%'`;
    const running = async () => (await query(target, inserting)).length > 0;
    expect(await interrupt('restore', file, target, running)).toEqual({ code: 1, stderr: 'Interrupted.\n' });
    expect(await contentOf(target)).toEqual(before);
  }, 60_000);

  it.each<[string, string[], RegExp]>([
    ['backup', [], /exactly one file/],
    ['backup', ['a', 'b'], /exactly one file/],
    ['backup', ['/no/such/folder/file'], /ENOENT/],
    ['restore', [], /exactly one file/],
    ['restore', ['--force', 'a'], /--force/],
  ])('rejects %s %j', async (entry, args, stderr) => {
    const outcome = await run(entry, args, { DATABASE_URL: source.url });
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
    expect((await readdir(folder)).filter((name) => name.includes('draft'))).toEqual([]);
  });
});
