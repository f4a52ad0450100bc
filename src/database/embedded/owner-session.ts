import { Client } from 'pg';
import { PORT, type Cluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { SUPERUSER } from './initialise-cluster.js';

/** The name of the application's role and of its database. */
export const APPLICATION = 'daywatch';

/**
 * Arbitrary constants for the advisory lock, which is taken in the database `postgres`, apart from the application's.
 */
const OWNER_LOCK = [0x64_61_79_77, 1] as const;

/** The session of a killed owner ends within milliseconds; a live owner never releases the lock. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Opens a session as the superuser. Returns `starting` if a server is there but not (or no longer) ready, and `absent`
 * if nothing listens. Only a response counts, because files and process ids of a dead server can seem alive.
 */
export async function openSession(cluster: Cluster): Promise<Client | 'starting' | 'absent'> {
  const client = new Client({
    host: cluster.socketDir,
    port: PORT,
    user: SUPERUSER,
    database: 'postgres',
    application_name: `daywatch owner, process ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  // Callers watch for the end of the session. An error event without a listener would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ECONNREFUSED'].includes(code)) return 'absent';
    if (['EACCES', 'ENOTDIR', '28000'].includes(code)) {
      throw new EmbeddedPostgresError(
        'unreachable',
        `The socket in ${cluster.socketDir} cannot be used; check who owns it and its permissions.`,
        {
          cause: error,
        },
      );
    }
    return 'starting';
  }
}

/**
 * Makes this process the only owner of the cluster until the session ends, for whatever reason. The server releases the
 * lock when the connection closes, so a killed owner leaves nothing stale, and the lock works across containers that
 * share a volume. Throws EmbeddedPostgresError `in_use` if there is another live owner.
 */
export async function takeOwnership(client: Client, cluster: Cluster): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await client.query('SELECT pg_advisory_lock($1, $2)', [...OWNER_LOCK]);
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw new EmbeddedPostgresError(
      'in_use',
      `The database in ${cluster.home} is in use by another Daywatch instance${await holder(client)}. ` +
        `Stop that process first, or use a different DATA_DIR.`,
    );
  }
  await client.query('RESET lock_timeout');
}

async function holder(client: Client): Promise<string> {
  const found = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2`,
    [...OWNER_LOCK],
  );
  const pid = /process \d+/.exec(found.rows[0]?.name ?? '')?.[0];
  return pid ? ` (${pid})` : '';
}

/** Creates the application's role, which is not a superuser, and its database, each if it does not exist. */
export async function ensureDatabase(client: Client): Promise<void> {
  const missing = async (sql: string) => (await client.query(sql, [APPLICATION])).rowCount === 0;
  if (await missing('SELECT 1 FROM pg_roles WHERE rolname = $1'))
    await client.query(`CREATE ROLE ${APPLICATION} LOGIN`);
  if (await missing('SELECT 1 FROM pg_database WHERE datname = $1')) {
    await client.query(`CREATE DATABASE ${APPLICATION} OWNER ${APPLICATION}`);
  }
}
