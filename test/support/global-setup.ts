import { migrate } from '../../src/database/migrate.js';
import { startDatabaseServer } from './database-server.js';

export default async function globalSetup(): Promise<void> {
  await startDatabaseServer(migrate);
}
