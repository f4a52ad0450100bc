import { readConfig } from '../config/app-config.js';

export async function commandDatabaseUrl(): Promise<string> {
  return readConfig().get('DATABASE_URL') ?? '';
}
