import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataSource } from 'typeorm';
import { type AppConfig, ConfigError } from '../config/app-config.js';
import { SecretBox } from './secret-box.js';

const FILE = 'secret-key';

/** `SECRET_KEY`, else the key in `DATA_DIR/secret-key`, which is made (0600) where it is missing. */
export async function loadSecretKey(config: AppConfig): Promise<string> {
  const given = config.get('SECRET_KEY');
  if (given !== null) return given;
  const directory = config.get('DATA_DIR');
  const file = join(directory, FILE);
  const kept = await readKey(file);
  if (kept !== null) return kept;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = join(directory, `.${FILE}.${process.pid}`);
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  // A link is made whole or not at all, and only once: of two first starts both use the same key.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readKey(file))!;
}

/**
 * Binds the database to the key it was first used with.
 * @throws ConfigError when it was another one: secrets and API keys in it could not be used.
 */
export async function assertSecretKey(source: DataSource, secretKey: string): Promise<void> {
  const { fingerprint } = new SecretBox(secretKey);
  await source.query('INSERT INTO instance (id, secret_key_fingerprint) VALUES (1, $1) ON CONFLICT (id) DO NOTHING', [
    fingerprint,
  ]);
  const [row]: { secret_key_fingerprint: string }[] = await source.query('SELECT secret_key_fingerprint FROM instance');
  if (row?.secret_key_fingerprint !== fingerprint) {
    throw new ConfigError(['SECRET_KEY is not the key that this database was made with']);
  }
}

async function readKey(file: string): Promise<string | null> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    if (key.length < 32) throw new ConfigError([`SECRET_KEY: the key in ${file} is shorter than 32 characters`]);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
