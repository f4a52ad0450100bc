import { type Client } from 'pg';
import { MIGRATION_NAMES } from '../../database/migrate.js';
import { ArchiveError } from './archive-file.js';
import { FORMAT, type BackupHeader, type TableEnd } from './dump.js';
import { appliedMigrations, exists, tablesOf, type Partition, type Table, unloggedTablesOf } from './schema.js';
import { quoted } from './session.js';

/** Approximate number of characters of rows per statement. */
const BATCH_LENGTH = 1024 * 1024;
/** Bounds are inserted into statements verbatim. */
const BOUND = /^(DEFAULT|FOR VALUES FROM \('[-+:. 0-9]+'\) TO \('[-+:. 0-9]+'\))$/;

/** @throws ArchiveError if the line is not the header of a backup that this version can read. */
export function parseHeader(line: string | undefined): BackupHeader {
  const header = parsed<Partial<BackupHeader>>(line ?? '');
  if (header?.format === FORMAT) return header as BackupHeader;
  throw new ArchiveError('The file is not a backup, or was created by another version of Daywatch.');
}

/** @throws Error if the database has a team, because its data must be neither mixed with a backup nor lost. */
async function assertUnused(client: Client): Promise<void> {
  if (!(await exists(client, 'teams'))) return;
  const { rowCount } = await client.query('SELECT 1 FROM teams LIMIT 1');
  if (rowCount)
    throw new Error('The database is not empty: it has a team. A backup can only be restored into an empty database.');
}

/** @throws Error if the database has tables of another application, which a restore must not empty. */
async function assertAlone(client: Client, { tables }: BackupHeader): Promise<void> {
  const isNew = (await appliedMigrations(client)) === null;
  const found = [...(await tablesOf(client)).map(({ name }) => name), ...(isNew ? await unloggedTablesOf(client) : [])];
  const others = found.filter((name) => isNew || !tables.some((table) => table.name === name));
  if (others.length === 0) return;
  throw new Error(`The database has other tables: ${others.join(', ')}. Restore the backup into an empty database.`);
}

/** @throws Error if this version of Daywatch, or this database, cannot have the schema of the backup. */
async function assertSchema(client: Client, { migrations }: BackupHeader): Promise<void> {
  const unknown = migrations.filter((name) => !MIGRATION_NAMES.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The backup was created by a newer version of Daywatch: restore it with that version (schema ${unknown.join(', ')}).`,
    );
  }
  const applied = (await appliedMigrations(client)) ?? [];
  if (applied.every((name) => migrations.includes(name))) return;
  throw new Error('The database has the schema of a later version than the backup. Restore it into a new database.');
}

/** @throws Error if a backup cannot be restored into this database: it has a team, a later schema or other tables */
export async function assertFits(client: Client, header: BackupHeader): Promise<void> {
  await assertUnused(client);
  await assertSchema(client, header);
  await assertAlone(client, header);
}

/**
 * Restores the rows of a backup into a database without teams that has the schema of the backup, all of them or none.
 * Rows of an older schema in a newer one would lack what the migrations in between do with rows.
 *
 * @param lines the lines after the header
 * @throws Error if the database has a team, another schema or other tables, or lacks something that the backup contains;
 * ArchiveError if lines are missing
 */
export async function restore(
  client: Client,
  header: BackupHeader,
  lines: AsyncIterable<string>,
  onTable: (end: TableEnd) => void,
): Promise<void> {
  await client.query('BEGIN');
  // A service that starts now counts the teams: the lock makes it wait, so that it finds those of the backup.
  await client.query('LOCK TABLE teams IN ACCESS EXCLUSIVE MODE');
  await assertFits(client, header);
  const targets = await tablesOf(client);
  // An installation without a team may have stored data about itself, such as its lease.
  const names = [...targets.map(({ name }) => name), ...(await unloggedTablesOf(client))];
  await client.query(`TRUNCATE ${names.map(quoted).join(', ')}`);
  const tables = header.tables.map((table) => matched(table, targets));
  for (const table of tables) await makePartitions(client, table);
  await insertRows(client, tables, lines, onTable);
  for (const { name, value, called } of header.sequences) {
    await client.query('SELECT setval($1::regclass, $2, $3)', [quoted(name), value, called]);
  }
  // The transaction ids of this database are unrelated to those in the backup, which events are ordered by. The first
  // versions had no events.
  if (targets.some(({ columns }) => columns.includes('era'))) {
    await client.query('UPDATE instance SET era = era + 1');
  }
  await client.query('COMMIT');
}

/** Returns the backup's table with the column types of this database. */
function matched(table: Table, targets: readonly Table[]): Table {
  const target = targets.find(({ name }) => name === table.name);
  const types = table.columns.map((column) => target?.types[target.columns.indexOf(column)]);
  const missing = table.columns.filter((_, at) => types[at] === undefined);
  if (!target)
    throw new Error(`The backup contains a table ${table.name}, which this version of Daywatch does not have.`);
  if (missing.length > 0) {
    throw new Error(
      `The schema of the backup is no longer supported: ${table.name} has no ${missing.join(', ')}. ` +
        `Restore it with the version that created it, then upgrade.`,
    );
  }
  return { ...table, types: types as string[] };
}

async function makePartitions(client: Client, { name, partitions }: Table): Promise<void> {
  for (const partition of partitions ?? []) await makePartition(client, name, partition);
}

async function makePartition(client: Client, table: string, { name, bound }: Partition): Promise<void> {
  if (!BOUND.test(bound)) throw new ArchiveError(`The file contains a partition of an unknown kind: ${name}.`);
  await client.query(`CREATE TABLE IF NOT EXISTS ${quoted(name)} PARTITION OF ${quoted(table)} ${bound}`);
}

async function insertRows(
  client: Client,
  tables: readonly Table[],
  lines: AsyncIterable<string>,
  onTable: (end: TableEnd) => void,
): Promise<void> {
  let batch: string[] = [];
  let length = 0;
  let inserted = 0;
  let done = 0;
  const flush = async (): Promise<void> => {
    const table = tables[done];
    if (!table) throw new ArchiveError('The file contains rows that do not belong to any table.');
    if (batch.length > 0) inserted += await insert(client, table, batch);
    batch = [];
    length = 0;
  };
  for await (const line of lines) {
    if (line.startsWith('[')) {
      batch.push(line);
      length += line.length;
      if (length >= BATCH_LENGTH) await flush();
    } else {
      await flush();
      const end = parsed<TableEnd>(line);
      if (end?.table !== tables[done]?.name || end?.rows !== inserted) {
        throw new ArchiveError(`The file does not contain all rows of ${tables[done]?.name}.`);
      }
      onTable(end);
      inserted = 0;
      done += 1;
    }
  }
  if (done < tables.length)
    throw new ArchiveError(`The file does not contain all tables: ${tables[done]?.name} is missing.`);
}

async function insert(client: Client, { name, columns, types }: Table, rows: readonly string[]): Promise<number> {
  const values = types.map((type, at) => `(r ->> ${at})::${type}`);
  const { rowCount } = await client.query(
    `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${values.join(', ')} FROM jsonb_array_elements($1::jsonb) AS r`,
    [`[${rows.join(',')}]`],
  );
  return rowCount ?? 0;
}

/** Returns undefined if the line is not JSON: the caller reports what it expected. */
function parsed<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T;
  } catch {
    return undefined;
  }
}
