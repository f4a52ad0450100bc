import { Client } from 'pg';

/** The server of one run of the tests. The global setup passes it to the test files in an environment variable. */
export interface DatabaseRun {
  /** For creating and dropping databases. */
  readonly adminUrl: string;
  /** The URL for the application's role; its database name must be replaced. */
  readonly applicationUrl: string;
  /** The owner of new databases; null if that is the role that creates them. */
  readonly owner: string | null;
  /**
   * Whether a template is copied file by file instead of through the write-ahead log. That needs two checkpoints, which
   * cost almost nothing on a server that does not wait for its disk: 25 ms per database instead of 140.
   */
  readonly copiesFiles: boolean;
  /** The prefix of the names of all databases of this run, and of no other. */
  readonly prefix: string;
}

export const RUN_VARIABLE = 'DAYWATCH_TEST_RUN';

export function templateOf(run: DatabaseRun): string {
  return `${run.prefix}_template`;
}

/** Returns a connection URL with another database. Does not use `URL`, which cannot parse the path of a Unix socket. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^([^:]+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
}

/** Creates a database, from a template if one is given. Returns its URL for the application. */
export async function createDatabase(run: DatabaseRun, name: string, template?: string): Promise<string> {
  await asAdmin(run.adminUrl, async (client) => {
    // Only one session at a time can copy a template.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [run.prefix]);
    const owner = run.owner ? ` OWNER ${run.owner}` : '';
    const source = template ? ` TEMPLATE ${template}${run.copiesFiles ? ' STRATEGY file_copy' : ''}` : '';
    await client.query(`CREATE DATABASE ${name}${owner}${source}`);
  });
  return withDatabase(run.applicationUrl, name);
}

/** Drops one database, even if there are open connections to it. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Drops all databases of a run. */
export async function dropDatabases(adminUrl: string, prefix: string): Promise<void> {
  const found = await asAdmin(adminUrl, (client) =>
    client.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)', [prefix]),
  );
  for (const { name } of found.rows) await dropDatabase(adminUrl, name);
}

async function asAdmin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
