import { type AppConfig } from '../config/app-config.js';
import { connectionUrl } from './embedded/connection.js';
import { EmbeddedPostgres } from './embedded/embedded-postgres.js';
import { locate } from './embedded/running-server.js';

/** The URL of a database, and how to release it. */
export interface OpenDatabase {
  url: string;
  close(): Promise<void>;
}

/**
 * Opens the database for a command: `DATABASE_URL`, else the embedded database of a running service, else the embedded
 * database, started for the duration of the command.
 */
export async function openCommandDatabase(config: AppConfig): Promise<OpenDatabase> {
  const running = await runningDatabaseUrl(config);
  if (running !== null) return { url: running, close: () => Promise.resolve() };
  const server = await EmbeddedPostgres.start({ dataDir: config.get('DATA_DIR') });
  return { url: server.url, close: () => server.stop() };
}

/** Returns the URL of the database that is already available; `null` if there is none. */
export async function runningDatabaseUrl(config: AppConfig): Promise<string | null> {
  const given = config.get('DATABASE_URL');
  if (given !== null) return given;
  const embedded = await locate(config.get('DATA_DIR'));
  return embedded && connectionUrl(embedded);
}
