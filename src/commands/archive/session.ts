import { Client } from 'pg';

/** What a server or a role may have set otherwise: texts of values that any server reads, and no limits on time. */
const SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'iso_8601',
  extra_float_digits: '1',
  bytea_output: 'hex',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** One connection for the time of `work`, in which values as texts are exact. Unlike the service's, it waits for long queries. */
export async function withSession<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'daywatch backup',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // A lost connection fails the query that runs; without a listener the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(
      Object.entries(SETTINGS)
        .map(([name, value]) => `SET ${name} = '${value}'`)
        .join('; '),
    );
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A name as an SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
