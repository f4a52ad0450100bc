import { type Client } from 'pg';
import { quoted } from './session.js';

/** A partition and its bounds, as in `CREATE TABLE … PARTITION OF`. */
export interface Partition {
  name: string;
  bound: string;
}

export interface Table {
  name: string;
  /** All columns except generated ones, in order. */
  columns: string[];
  /** The type of each column, in the same order. */
  types: string[];
  /** Null if the table is not partitioned. */
  partitions: Partition[] | null;
}

export interface Sequence {
  name: string;
  value: string;
  /** False if `value` itself is the next number to be returned. */
  called: boolean;
}

/** Not part of a backup: the migrations of the target database write this table. */
const MIGRATIONS = 'migrations';

/** Returns the names of the applied migrations, oldest first; null if Daywatch has never used the database. */
export async function appliedMigrations(client: Client): Promise<string[] | null> {
  if (!(await exists(client, MIGRATIONS))) return null;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS} ORDER BY id`);
  return rows.map(({ name }) => name);
}

export async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  return rows[0]!.found;
}

/**
 * Returns the tables of the current schema, referenced tables first. Leaves out the list of migrations and unlogged
 * tables, because what a crash may empty is not data to back up, and partitions that were dropped since the snapshot was
 * taken, which have no bounds any more.
 */
export async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { parents: string[] }>(
    `SELECT c.relname::text AS name, columns, types,
       CASE WHEN c.relkind = 'p' THEN ARRAY(
         SELECT json_build_object('name', p.relname, 'bound', bound)
         FROM pg_inherits JOIN pg_class p ON p.oid = inhrelid CROSS JOIN LATERAL pg_get_expr(p.relpartbound, p.oid) AS bound
         WHERE inhparent = c.oid AND bound IS NOT NULL ORDER BY p.relname) END AS partitions,
       ARRAY(SELECT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
         WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> k.conrelid) AS parents
     FROM pg_class c, LATERAL (
       SELECT array_agg(attname::text ORDER BY attnum) AS columns,
         array_agg(format_type(atttypid, atttypmod) ORDER BY attnum) AS types
       FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS a
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relpersistence = 'p'
       AND c.relname <> $1
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
     ORDER BY c.relname`,
    [MIGRATIONS],
  );
  return parentsFirst(rows).map(({ parents: _, ...table }) => table);
}

/** Returns the names of the unlogged tables, which must be emptied together with the tables they refer to. */
export async function unloggedTablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relpersistence = 'u'`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Returns the sequences of the current schema. Sequences are not transactional: read after the snapshot is taken, they
 * are past every number in it.
 */
export async function sequencesOf(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT sequencename::text AS name FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1',
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const sequence = await client.query<Sequence>(
      `SELECT $1 AS name, last_value::text AS value, is_called AS called FROM ${quoted(name)}`,
      [name],
    );
    sequences.push(...sequence.rows);
  }
  return sequences;
}

/** Orders tables so that each follows the tables it refers to. @throws Error if references form a cycle. */
export function parentsFirst<T extends { name: string; parents: string[] }>(tables: readonly T[]): T[] {
  const ordered: T[] = [];
  const waiting = [...tables];
  while (waiting.length > 0) {
    const next = waiting.findIndex(
      ({ name, parents }) => !waiting.some((other) => other.name !== name && parents.includes(other.name)),
    );
    if (next === -1)
      throw new Error(`These tables refer to each other in a cycle: ${waiting.map(({ name }) => name).join(', ')}`);
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}
