import { stopDatabaseServer } from './database-server.js';

export default async function globalTeardown(): Promise<void> {
  await stopDatabaseServer();
}
