import { type Client } from 'pg';
import { appliedMigrations, exists, sequencesOf, tablesOf, type Sequence, type Table } from './schema.js';
import { quoted } from './session.js';

export const FORMAT = 'daywatch-backup/1';

/** The first line of a backup. */
export interface BackupHeader {
  format: typeof FORMAT;
  createdAt: string;
  migrations: string[];
  /** Of the key that secrets and API keys in the backup depend on; null where the database never met one. */
  secretKeyFingerprint: string | null;
  sequences: Sequence[];
  tables: Table[];
}

/** The line after the rows of a table; those are arrays of the texts of their values, in the order of the columns. */
export interface TableEnd {
  table: string;
  rows: number;
}

const UNDEFINED_TABLE = '42P01';
const FIRST_FETCH = 100;
const MAX_FETCH = 5_000;
const FETCH_BYTES = 1024 * 1024;

/** How many rows to ask for next, so that they take about 1 MiB of memory, going by those that came last. */
export function nextFetch(rows: number, bytes: number): number {
  return Math.max(1, Math.min(MAX_FETCH, rows * 4, Math.floor((rows * FETCH_BYTES) / Math.max(bytes, 1))));
}

/**
 * The content of a database as lines: a header, then for each table its rows and their number. All of one moment, read
 * beside whatever else goes on, and never much of it in memory. @throws Error where the schema is not, or no longer,
 * the one that the header says.
 *
 * @param onTable told of each table as it is complete
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
    throw new Error('The schema was migrated during the backup: make it again.');
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
 * The rows of a table or partition, some at a time. The texts are those of the types' output functions, as COPY writes
 * them, so that every value comes back exactly: numbers of any length, infinity, and JSON's null, which is not NULL.
 * The savepoint gives the lock back with each relation: the service drops old partitions and must not queue behind us.
 * For the same reason partitions are read by their own names, and one that was dropped since is left out.
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
