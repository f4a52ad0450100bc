import { Client } from 'pg';

/** Overrides settings of the server or role: values as text must be readable by any server, without time limits. */
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

/** Runs `work` with a connection that returns exact values as text. Unlike the service's, it waits for long queries. */
export async function withSession<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'daywatch backup',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // A lost connection fails the running query. Without a listener, the event would end the process.
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

/** Quotes a name as an SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
