import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataSource } from 'typeorm';
import { type AppConfig, ConfigError } from '../config/app-config.js';
import { SecretBox } from './secret-box.js';

const FILE = 'secret-key';

/** Returns `SECRET_KEY`, else the key in `DATA_DIR/secret-key`; `null` if there is neither. */
export async function findSecretKey(config: AppConfig): Promise<string | null> {
  return config.get('SECRET_KEY') ?? (await readKey(join(config.get('DATA_DIR'), FILE)));
}

/** Like `findSecretKey`, but creates `DATA_DIR/secret-key` (mode 0600) if there is neither. */
export async function loadSecretKey(config: AppConfig): Promise<string> {
  const found = await findSecretKey(config);
  if (found !== null) return found;
  const directory = config.get('DATA_DIR');
  const file = join(directory, FILE);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // In containers, processes that share the directory may have the same process id.
  const draft = join(directory, `.${FILE}.${randomUUID()}`);
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  // A link is created atomically and only once, so that two first starts at once use the same key.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readKey(file))!;
}

/**
 * Binds the database to the key it was first used with.
 * @throws ConfigError if that was another key, because the stored secrets and API keys would be unusable.
 */
export async function assertSecretKey(source: DataSource, secretKey: string): Promise<void> {
  const { fingerprint } = new SecretBox(secretKey);
  await source.query('INSERT INTO instance (id, secret_key_fingerprint) VALUES (1, $1) ON CONFLICT (id) DO NOTHING', [
    fingerprint,
  ]);
  const [row]: { secret_key_fingerprint: string }[] = await source.query('SELECT secret_key_fingerprint FROM instance');
  if (row?.secret_key_fingerprint !== fingerprint) {
    throw new ConfigError([
      'SECRET_KEY is not the key that this database was created with: set it to that key, or restore DATA_DIR/secret-key',
    ]);
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
