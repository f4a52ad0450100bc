import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSource, dataSourceOptions } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import { SecretBox } from '../../src/database/secret-box.js';
import { startApp, type TestApp } from '../support/app.js';
import { runCommandProcess } from '../support/command-run.js';
import { copyDatabase, createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** The folder of the sample rows of each version: those that earlier versions could not store. */
const FOLDER = 'test/migrations';
/** Versions that changed no table, or added only a table that nothing but a migration writes. */
const WITHOUT_ROWS = [
  '1795200300000-write-mostly',
  '1795521600000-incident-back-fill',
  '1795583000000-severity-index',
  '1795587000000-latest-events',
  '1795596000000-latest-repeats',
  '1795602000000-lone-settings',
];
const SECRET_KEY = 'k'.repeat(40);

const VERSIONS = MIGRATIONS.map((migration, index) => ({ name: new migration().name, index }));
const timestampOf = (name: string): string => name.slice(-13);

const made: TestDatabase[] = [];
afterEach(async () => {
  for (const { drop } of made.splice(0)) await drop();
});

function rowsFor(name: string): string | null {
  const file = readdirSync(FOLDER).find((one) => one.startsWith(timestampOf(name)) && one.endsWith('.sql'));
  return file === undefined ? null : readFileSync(`${FOLDER}/${file}`, 'utf8');
}

/** A database of each of the first versions, with its sample rows. Each was updated from a copy of the one before. */
const stages: TestDatabase[] = [];
afterAll(async () => {
  for (const { drop } of stages) await drop();
});

/** Creates a database of this version that was updated through all earlier versions. Returns its URL. */
async function databaseOf(version: number): Promise<string> {
  for (const { name, index } of VERSIONS.slice(stages.length, version + 1)) {
    const stage = index === 0 ? await createEmptyDatabase() : await copyDatabase(stages[index - 1]!);
    stages.push(stage);
    const options = { ...dataSourceOptions(stage.url, 2), migrations: MIGRATIONS.slice(0, index + 1) };
    const source = await new DataSource(options).initialize();
    await source.runMigrations({ transaction: 'each' });
    const rows = rowsFor(name)?.replace('FINGERPRINT', new SecretBox(SECRET_KEY).fingerprint);
    if (rows) await source.query(rows);
    await source.destroy();
  }
  const copy = await copyDatabase(stages[version]!);
  made.push(copy);
  return copy.url;
}

async function withSource<T>(url: string, read: (source: DataSource) => Promise<T>): Promise<T> {
  const source = await dataSource(url, 2).initialize();
  try {
    return await read(source);
  } finally {
    await source.destroy();
  }
}

type Rows = Record<string, Record<string, unknown>[]>;

/** Returns all rows of all tables; those of partitions are in their parent table. */
function contentOf(url: string): Promise<Rows> {
  return withSource(url, async (source) => {
    const tables: { name: string }[] = await source.query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition AND relname <> 'migrations' ORDER BY 1`,
    );
    const content: Rows = {};
    for (const { name } of tables) {
      const rows: { row: Record<string, unknown> }[] = await source.query(
        `SELECT to_jsonb(t) AS row FROM "${name}" t ORDER BY to_jsonb(t)::text`,
      );
      content[name] = rows.map(({ row }) => row);
    }
    return content;
  });
}

/** Returns the later rows with only the columns of the earlier ones. */
function asBefore(after: Rows, before: Rows): Rows {
  return Object.fromEntries(
    Object.entries(before).map(([table, rows]) => {
      const columns = Object.keys(rows[0] ?? {});
      const cut = (after[table] ?? []).map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
      return [table, rows.length === 0 ? [] : sorted(cut)];
    }),
  );
}

function sorted(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  return [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Returns the columns, indexes and constraints, as described by the server. */
function schemaOf(url: string): Promise<string[]> {
  return withSource(url, async (source) => {
    const rows: { text: string }[] = await source.query(
      `WITH tables AS (
         SELECT oid, relname, relpersistence, reloptions FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       )
       SELECT format('%s %s %s', relname, relpersistence, reloptions) AS text FROM tables
       UNION ALL SELECT format('%s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid))
         FROM tables JOIN pg_attribute a ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
         LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum
       UNION ALL SELECT pg_get_indexdef(indexrelid) FROM tables JOIN pg_index ON indrelid = tables.oid
       UNION ALL SELECT format('%s %s %s', relname, conname, pg_get_constraintdef(c.oid)) FROM tables JOIN pg_constraint c ON conrelid = tables.oid
       ORDER BY 1`,
    );
    return rows.map(({ text }) => text);
  });
}

let currentSchema: Promise<string[]> | undefined;

async function schemaOfNew(): Promise<string[]> {
  const { url, drop } = await createTestDatabase();
  try {
    return await schemaOf(url);
  } finally {
    await drop();
  }
}

describe('a database of an earlier version', () => {
  it('has sample rows for each version that can store more than the one before', () => {
    const missing = VERSIONS.filter(({ name }) => rowsFor(name) === null).map(({ name }) => timestampOf(name));
    expect(missing).toEqual(WITHOUT_ROWS.map((name) => name.slice(0, 13)));
  });

  it.each(VERSIONS)('keeps its rows and gets the schema of a new one when updated from $name', async ({ index }) => {
    const url = await databaseOf(index);
    const before = await contentOf(url);
    expect(before.monitors).toHaveLength(3);
    await migrate(url);
    const rows = Object.fromEntries(Object.entries(before).map(([table, some]) => [table, sorted(some)]));
    expect(asBefore(await contentOf(url), before)).toEqual(rows);
    expect(await schemaOf(url)).toEqual(await (currentSchema ??= schemaOfNew()));
  });

  it('limits how long states hold that were stored without a limit', async () => {
    const url = await databaseOf(VERSIONS.findIndex(({ name }) => name.startsWith('FormerQuorums')) - 1);
    const unlimited = 'UPDATE location_states SET missing_from = NULL, holds_until = NULL';
    await withSource(url, (source) => source.query(unlimited));
    await migrate(url);
    const sql = 'SELECT missing_from AS "from", holds_until AS until FROM location_states ORDER BY monitor_id';
    expect(await withSource(url, (source) => source.query<unknown[]>(sql))).toEqual([
      { from: new Date('2026-11-18T13:10:00Z'), until: new Date('2026-11-18T13:15:00Z') },
      { from: new Date('2026-11-18T13:05:05Z'), until: new Date('2026-11-18T13:05:10Z') },
    ]);
  });
});

describe('the migration that removes settings without effect', () => {
  it.each([
    ['redis', { username: 'me', password: null }, { username: null, password: null }],
    ['redis', { username: 'me', password: 'sealed' }, { username: 'me', password: 'sealed' }],
    ['smtp', { to: 'a@example.com' }, { to: null }],
    ['smtp', { from: 'b@example.com', to: 'a@example.com' }, { from: 'b@example.com', to: 'a@example.com' }],
    ['http', { to: 'a@example.com' }, { to: 'a@example.com' }],
  ])('leaves of a monitor of type %s with %j the settings %j', async (type, before, after) => {
    const url = await databaseOf(VERSIONS.findIndex(({ name }) => name.startsWith('WaitingReports')));
    const id = '01939f4e-0000-7000-8000-000000000021';
    const definition = { host: 'example.com', settings: before };
    await withSource(url, (source) =>
      source.query('UPDATE monitors SET type = $2, definition = $3 WHERE id = $1', [id, type, definition]),
    );
    await migrate(url);
    const rows = await withSource(url, (source) =>
      source.query<object[]>('SELECT definition FROM monitors WHERE id = $1', [id]),
    );
    expect(rows).toEqual([{ definition: { ...definition, settings: after } }]);
  });
});

describe('the migration to holders of secrets', () => {
  const ids = ['b1', 'b2', 'b3', 'b4'].map((end) => `01939f4e-0000-7000-8000-0000000000${end}`);
  const [shared, child, grandchild] = ids.map((id) => `api-key:${id}`);

  it('names whoever was shown the secret of the key with which a key was created', async () => {
    const url = await databaseOf(VERSIONS.findIndex(({ name }) => name.startsWith('LatestRepeats')));
    const team = '(SELECT id FROM teams LIMIT 1)';
    await withSource(url, async (source) => {
      await source.query(
        `INSERT INTO api_keys (id, team_id, name, prefix, secret_hash, scopes, created_by, shown_to)
         SELECT id, ${team}, 'Holders', id::text, '\\x01', '{admin}', created_by, shown_to
         FROM unnest($1::uuid[], $2::text[], $3::text[]) AS t (id, created_by, shown_to)`,
        [ids, ['user:olga', shared, child, 'user:olga'], ['user:gus', shared, child, shared]],
      );
      await source.query(
        `INSERT INTO ping_keys (id, team_id, name, prefix, mac, created_by)
         VALUES ($1, ${team}, 'Holders', 'x', '\\x01', $2), ($3, ${team}, 'Holders', 'x', '\\x02', 'user:olga')`,
        [ids[0], grandchild, ids[1]],
      );
    });
    await migrate(url);
    const holdersIn = (table: string): Promise<object[]> =>
      withSource(url, (source) => source.query(`SELECT shown_to FROM ${table} WHERE name = 'Holders' ORDER BY id`));
    // That of the last one is not known: its secret comes from a rotation with the first one.
    expect(await holdersIn('api_keys')).toEqual(
      ['user:gus', 'user:gus', 'user:gus', shared].map((holder) => ({ shown_to: holder })),
    );
    expect(await holdersIn('ping_keys')).toEqual([{ shown_to: 'user:gus' }, { shown_to: 'user:olga' }]);
  });
});

/** The unlogged tables. */
const NOT_IN_BACKUPS = ['password_resets', 'rate_limits', 'sessions', 'subscription_letters'];

/** Returns the rows without what the migrations generate: the id and the times of the location. */
function withoutGenerated({ locations = [], ...rows }: Rows): Rows {
  return { ...rows, locations: locations.map((row) => ({ ...row, id: null, created_at: null, updated_at: null })) };
}

describe('a backup of an earlier version', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daywatch-backup-'));
    await chmod(folder, 0o711);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (command: 'backup' | 'restore', url: string) =>
    runCommandProcess(command, [join(folder, 'backup.gz')], { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY });

  async function emptyDatabase(): Promise<string> {
    const database = await createEmptyDatabase();
    made.push(database);
    return database.url;
  }

  it.each(VERSIONS.filter(({ name }) => /^(Initial|Incidents|Shards)\d/.test(name)))(
    'is restored to what an update from $name leads to',
    async ({ index }) => {
      const [old, target] = [await databaseOf(index), await emptyDatabase()];
      expect(await run('backup', old)).toMatchObject({ code: 0, stderr: '' });
      expect(await run('restore', target)).toMatchObject({ code: 0, stderr: '' });
      await migrate(old);
      const hadEvents = index >= VERSIONS.findIndex(({ name }) => name.startsWith('Events'));
      if (hadEvents) await withSource(old, (source) => source.query('UPDATE instance SET era = era + 1'));
      await withSource(old, (source) => source.query(`TRUNCATE ${NOT_IN_BACKUPS.join(', ')}`));
      expect(withoutGenerated(await contentOf(target))).toEqual(withoutGenerated(await contentOf(old)));
      expect(await schemaOf(target)).toEqual(await (currentSchema ??= schemaOfNew()));
    },
  );

  it('is rejected by a database that was updated further', async () => {
    const target = await createTestDatabase();
    made.push(target);
    expect(await run('backup', await databaseOf(0))).toMatchObject({ code: 0 });
    expect(await run('restore', target.url)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/schema of a later version.*new database/),
    });
    expect((await contentOf(target.url)).teams).toEqual([]);
  });
});

describe('an updated service', () => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  const incidents = (): Promise<object[]> =>
    app!.query(
      `SELECT i.title, i.started_at, i.confirmed_at, i.resolved_at, i.outage_count, i.cause->>'errorCode' AS error,
         i.cause->>'firstFailedCheckId' IS NOT NULL AS "hasEvidence", i.acknowledged_at IS NOT NULL AS acknowledged
       FROM incidents i WHERE kind = 'detected' ORDER BY i.started_at`,
    );
  const shop = {
    title: 'Shop is down',
    started_at: new Date('2026-11-18T12:00:00Z'),
    confirmed_at: new Date('2026-11-18T12:01:40Z'),
    resolved_at: new Date('2026-11-18T12:10:00Z'),
    outage_count: 1,
    error: 'timeout',
    hasEvidence: true,
    acknowledged: false,
  };
  const mail = {
    title: 'Mail is down',
    started_at: new Date('2026-11-18T13:00:00Z'),
    confirmed_at: new Date('2026-11-18T13:01:40Z'),
    resolved_at: null,
    outage_count: 1,
  };

  it('creates incidents for a past and a current outage of a version without incidents', async () => {
    const url = await databaseOf(0);
    await migrate(url);
    app = await startApp({ SECRET_KEY }, () => url);
    await eventually(async () => expect(await incidents()).toMatchObject([shop, mail]));
    expect(await app.query('SELECT * FROM incident_back_fills')).toEqual([]);
  });

  it('keeps the incidents of a version with incidents, and creates the missing one', async () => {
    const url = await databaseOf(VERSIONS.findIndex(({ name }) => name.startsWith('Incidents')));
    await migrate(url);
    app = await startApp({ SECRET_KEY }, () => url);
    await eventually(async () => expect(await incidents()).toMatchObject([shop, { ...mail, acknowledged: true }]));
  });
});
