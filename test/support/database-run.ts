import { Client } from 'pg';

/** What one run of the tests shares: handed from the global setup to the test files in the environment. */
export interface DatabaseRun {
  /** Creates and drops databases. */
  readonly adminUrl: string;
  /** The server as the application's role sees it; its database is to be replaced. */
  readonly applicationUrl: string;
  /** The owner of new databases; null where that is the one who creates them. */
  readonly owner: string | null;
  /** How all databases of this run, and of no other, begin. */
  readonly prefix: string;
}

export const RUN_VARIABLE = 'DAYWATCH_TEST_RUN';

export function templateOf(run: DatabaseRun): string {
  return `${run.prefix}_template`;
}

/** The same server and user, another database. `URL` cannot read the address of a unix socket. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^([^:]+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
}

/** Creates a database, from a template where one is given; returns its URL for the application. */
export async function createDatabase(run: DatabaseRun, name: string, template?: string): Promise<string> {
  await asAdmin(run.adminUrl, async (client) => {
    // A template can be copied by one session at a time.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [run.prefix]);
    const owner = run.owner ? ` OWNER ${run.owner}` : '';
    await client.query(`CREATE DATABASE ${name}${owner}${template ? ` TEMPLATE ${template}` : ''}`);
  });
  return withDatabase(run.applicationUrl, name);
}

/** Drops one database, whoever is still connected. */
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
