import { type Client } from 'pg';
import { appliedMigrations, exists, sequencesOf, tablesOf, type Sequence, type Table } from './schema.js';
import { quoted } from './session.js';

export const FORMAT = 'daywatch-backup/1';

/** The first line of a backup. */
export interface BackupHeader {
  format: typeof FORMAT;
  createdAt: string;
  migrations: string[];
  /** Fingerprint of the key that protects the secrets and API keys in the backup; null if the database has none yet. */
  secretKeyFingerprint: string | null;
  sequences: Sequence[];
  tables: Table[];
}

/** The line after the rows of a table. Each row is an array of its values as text, in the order of the columns. */
export interface TableEnd {
  table: string;
  rows: number;
}

const UNDEFINED_TABLE = '42P01';
const FIRST_FETCH = 100;
const MAX_FETCH = 5_000;
const FETCH_BYTES = 1024 * 1024;

/** Returns how many rows to fetch next so that they take about 1 MiB of memory, judging by the last rows. */
export function nextFetch(rows: number, bytes: number): number {
  return Math.max(1, Math.min(MAX_FETCH, rows * 4, Math.floor((rows * FETCH_BYTES) / Math.max(bytes, 1))));
}

/**
 * Yields the content of a database as lines: a header, then for each table its rows and their number. Reads a
 * consistent snapshot without blocking other sessions, and holds only a small part in memory. @throws Error if the
 * schema differs from the one in the header, or changes meanwhile.
 *
 * @param onTable called after each table
 */
export async function* dump(
  client: Client,
  createdAt: Date,
  onTable: (end: TableEnd) => void,
): AsyncGenerator<string, void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const header = await readHeader(client, createdAt);
  yield lineOf(header);
  for (const table of header.tables) {
    let rows = 0;
    for (const relation of table.partitions?.map(({ name }) => name) ?? [table.name]) {
      for await (const batch of rowsOf(client, relation, table)) {
        rows += batch.length;
        yield `${batch.join('\n')}\n`;
      }
    }
    const end = { table: table.name, rows };
    onTable(end);
    yield lineOf(end);
  }
  await client.query('COMMIT');
  // A migration may rewrite a table, which then looks empty to an older snapshot.
  if (String(await appliedMigrations(client)) !== String(header.migrations)) {
    throw new Error('The schema was migrated during the backup. Run the backup again.');
  }
}

const lineOf = (content: BackupHeader | TableEnd): string => `${JSON.stringify(content)}\n`;

async function readHeader(client: Client, createdAt: Date): Promise<BackupHeader> {
  const migrations = await appliedMigrations(client);
  if (!migrations || !(await exists(client, 'instance'))) {
    throw new Error('There is nothing to back up: Daywatch has not used this database yet.');
  }
  const { rows } = await client.query<{ fingerprint: string }>(
    'SELECT secret_key_fingerprint AS fingerprint FROM instance',
  );
  return {
    format: FORMAT,
    createdAt: createdAt.toISOString(),
    migrations,
    secretKeyFingerprint: rows[0]?.fingerprint ?? null,
    sequences: await sequencesOf(client),
    tables: await tablesOf(client),
  };
}

/**
 * Yields the rows of a table or partition in batches. The texts are those of the types' output functions, as with COPY,
 * so that every value is restored exactly: numbers of any length, infinity, and JSON null as distinct from NULL. Each
 * relation is read within a savepoint, which releases its lock, because the service drops old partitions and must not
 * wait for the backup. For the same reason partitions are read by their own names, and one that has been dropped
 * meanwhile is skipped.
 */
async function* rowsOf(client: Client, relation: string, { columns, partitions }: Table): AsyncGenerator<string[]> {
  const texts = columns.map((column) => `${quoted(column)}::text`).join(', ');
  await client.query('SAVEPOINT relation');
  try {
    await client.query(
      `DECLARE backup NO SCROLL CURSOR FOR SELECT to_json(ARRAY[${texts}])::text FROM ${quoted(relation)}`,
    );
    for (let fetch = FIRST_FETCH; ;) {
      const { rows } = await client.query<[string]>({ text: `FETCH ${fetch} FROM backup`, rowMode: 'array' });
      if (rows.length === 0) break;
      const batch = rows.map(([row]) => row);
      yield batch;
      fetch = nextFetch(
        batch.length,
        batch.reduce((bytes, row) => bytes + row.length, 0),
      );
    }
  } catch (error) {
    if (!partitions || (error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
  }
  await client.query('ROLLBACK TO SAVEPOINT relation');
}
