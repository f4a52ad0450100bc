import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { type NativeBinaries } from './native-binaries.js';
import { isAlive } from './postmaster-file.js';
import { spawnOptions } from './server-account.js';

const run = promisify(execFile);

/** The superuser of the cluster. The application never connects with this role. */
export const SUPERUSER = 'postgres';

const INITDB_TIMEOUT_MS = 180_000;
const DRAFT = 'initdb-';

/**
 * Creates the cluster's data directory if it does not exist. It appears complete or not at all, even if this process is
 * killed at any moment. If two processes run this at once, one wins and both return.
 *
 * @param durable false skips the sync to disk: for throw-away clusters only
 */
export async function initialiseCluster(cluster: Cluster, native: NativeBinaries, durable: boolean): Promise<void> {
  const version = await dataVersion(cluster);
  if (version === null) return create(cluster, native, durable);
  if (version !== native.majorVersion) {
    throw new EmbeddedPostgresError(
      'failed',
      `The database in ${cluster.data} was created by PostgreSQL ${version}, but this Daywatch includes ${native.majorVersion}: ` +
        `back it up with the version that created it, and restore the backup into a new DATA_DIR.`,
    );
  }
}

async function create(cluster: Cluster, native: NativeBinaries, durable: boolean): Promise<void> {
  await removeLeftovers(cluster.home);
  const draft = join(cluster.home, `${DRAFT}${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await run(native.initdb, initdbArguments(draft, durable), {
      ...spawnOptions(cluster.account),
      timeout: INITDB_TIMEOUT_MS,
    });
    await rename(draft, cluster.data).catch(async (error: Error) => {
      if ((await dataVersion(cluster)) === null) throw error;
    });
    await syncFolder(cluster.home);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new EmbeddedPostgresError('failed', `The database in ${cluster.data} could not be created: ${said}`, {
      cause: error,
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function initdbArguments(folder: string, durable: boolean): string[] {
  return [
    '--pgdata',
    folder,
    '--username',
    SUPERUSER,
    // The socket is in a directory that only the server's user (and root) can access.
    '--auth=trust',
    // Makes sort order and letter case independent of the machine, so that an index survives an upgrade of libc.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** Returns the major version of the data directory; null if there is none. */
async function dataVersion(cluster: Cluster): Promise<string | null> {
  return readFile(join(cluster.data, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

/** Removes what a killed initdb left behind. A draft whose process is alive is in use and is left alone. */
async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = Number(/^initdb-(\d+)-/.exec(name)?.[1] ?? NaN);
    if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) continue;
    // Its initdb may still be writing for a moment. The next start removes it then.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
