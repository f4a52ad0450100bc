import { type AppConfig } from '../config/app-config.js';
import { connectionUrl } from './embedded/connection.js';
import { EmbeddedPostgres } from './embedded/embedded-postgres.js';
import { locate } from './embedded/running-server.js';

/** The address of a database, and what ends the use of it. */
export interface OpenDatabase {
  url: string;
  close(): Promise<void>;
}

/**
 * The database of a command: `DATABASE_URL`, else the embedded one of a running service, else the embedded one started
 * for the time of the command.
 */
export async function openCommandDatabase(config: AppConfig): Promise<OpenDatabase> {
  const running = await runningDatabaseUrl(config);
  if (running !== null) return { url: running, close: () => Promise.resolve() };
  const server = await EmbeddedPostgres.start({ dataDir: config.get('DATA_DIR') });
  return { url: server.url, close: () => server.stop() };
}

/** The address of the database that is there already; `null` where there is none. */
export async function runningDatabaseUrl(config: AppConfig): Promise<string | null> {
  const given = config.get('DATABASE_URL');
  if (given !== null) return given;
  const embedded = await locate(config.get('DATA_DIR'));
  return embedded && connectionUrl(embedded);
}
