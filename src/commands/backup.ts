import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AppConfig, ConfigError } from '../config/app-config.js';
import { findCluster } from '../database/embedded/cluster.js';
import { writeArchive } from './archive/archive-file.js';
import { dump, type TableEnd } from './archive/dump.js';
import { withSession } from './archive/session.js';
import { runCommand, say, withDatabase } from './command.js';

/** `npm run backup -- <file>`: writes a snapshot of all data to a file, whether or not the service is running. */
await runCommand(async (config, signal) => {
  const [name, ...more] = parseArgs({ allowPositionals: true }).positionals;
  if (!name || more.length > 0) throw new Error('Specify exactly one file: npm run backup -- <file>');
  const file = resolve(name);
  await assertDatabase(config);
  const tables: TableEnd[] = [];
  await withDatabase(config, (url) =>
    withSession(url, (client) =>
      writeArchive(
        file,
        dump(client, new Date(), (end) => tables.push(end)),
        signal,
      ),
    ),
  );
  for (const { table, rows } of tables) if (rows > 0) say(`${rows} ${table}`);
  say(`Backup written to ${file} (${(await stat(file)).size} bytes).`);
  const spool = join(config.get('DATA_DIR'), 'spool');
  const waiting = await readdir(spool).catch(() => []);
  if (waiting.length > 0) say(`It lacks the results that wait in ${spool} until the service records them.`);
  const key = config.get('SECRET_KEY') === null ? join(config.get('DATA_DIR'), 'secret-key') : 'SECRET_KEY';
  say(`Store ${key} separately in a safe place: without it, the secrets and API keys in the backup are unusable.`);
});

/** Prevents a wrong `DATA_DIR` from producing a backup of a new, empty database. */
async function assertDatabase(config: AppConfig): Promise<void> {
  if (config.get('DATABASE_URL') !== null || (await findCluster(config.get('DATA_DIR')))) return;
  throw new ConfigError([
    `DATA_DIR ${config.get('DATA_DIR')} contains no database; correct DATA_DIR, or set DATABASE_URL`,
  ]);
}
