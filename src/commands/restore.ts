import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AppConfig, ConfigError } from '../config/app-config.js';
import { migrate } from '../database/migrate.js';
import { SecretBox } from '../database/secret-box.js';
import { loadSecretKey } from '../database/secret-key.js';
import { readArchive } from './archive/archive-file.js';
import { type TableEnd } from './archive/dump.js';
import { assertFits, parseHeader, restore } from './archive/restore.js';
import { withSession } from './archive/session.js';
import { runCommand, say, withDatabase } from './command.js';

/** `npm run restore -- <file>`: restores a backup into an empty database, completely or not at all. */
await runCommand(async (config, signal) => {
  const [name, ...more] = parseArgs({ allowPositionals: true }).positionals;
  if (!name || more.length > 0) throw new Error('Specify exactly one file: npm run restore -- <file>');
  const file = resolve(name);
  const lines = readArchive(file);
  const header = parseHeader((await lines.next()).value as string | undefined);
  await assertKey(config, header.secretKeyFingerprint);
  const tables: TableEnd[] = [];
  await withDatabase(config, async (url) => {
    await withSession(url, (client) => assertFits(client, header));
    await migrate(url, header.migrations);
    await withSession(url, (client) => restore(client, header, until(signal, lines), (end) => tables.push(end)));
    await migrate(url);
  });
  for (const { table, rows } of tables) if (rows > 0) say(`${rows} ${table}`);
  say(`Restored from ${file}, created at ${header.createdAt}.`);
});

/**
 * @throws ConfigError if the secrets and API keys of the backup would be unusable with the key of this installation.
 */
async function assertKey(config: AppConfig, fingerprint: string | null): Promise<void> {
  if (fingerprint === null || new SecretBox(await loadSecretKey(config)).fingerprint === fingerprint) return;
  throw new ConfigError([
    'SECRET_KEY is not the key that the backup was created with, so its secrets and API keys would be unusable. ' +
      `Set SECRET_KEY, or copy the file secret-key of that installation to ${config.get('DATA_DIR')}.`,
  ]);
}

/** Yields the lines until the signal is aborted, then throws, which rolls the transaction back. */
async function* until(signal: AbortSignal, lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    signal.throwIfAborted();
    yield line;
  }
}
