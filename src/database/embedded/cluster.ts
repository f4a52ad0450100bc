import { createHash } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { canPassThrough, isRoot, newServerAccount, type ServerAccount } from './server-account.js';

export const PORT = 5432;

/** Where root stores what the server's user cannot reach elsewhere: binaries, and the cluster of a private DATA_DIR. */
export const SYSTEM_DIR = '/var/lib/daywatch';

/** The file in DATA_DIR that contains the path of the cluster if it is outside. */
const OUTSIDE_NOTE = 'postgres-path';

/** The path of a socket is limited to 108 bytes on Linux and 104 on macOS, including the terminating NUL. */
const SOCKET_PATH_MAX_BYTES = 103;

/** A database cluster: where its parts are stored and who owns them. */
export interface Cluster {
  /** The directory that contains all of it: data, socket and logs. Private to the account. */
  readonly home: string;
  /** PostgreSQL's data directory. It exists only once it is complete. */
  readonly data: string;
  readonly socketDir: string;
  readonly logDir: string;
  readonly account: ServerAccount;
}

/** Returns the cluster with this home. Deterministic, so that a server that outlived its service is found again. */
export function clusterAt(home: string, account: ServerAccount): Cluster {
  const data = join(home, 'data');
  return { home, data, socketDir: socketDirOf(home), logDir: join(home, 'log'), account };
}

/** Returns `<home>/run`, or a short path under /tmp if the path of the socket would be too long. */
export function socketDirOf(home: string): string {
  const own = join(home, 'run');
  const longest = Buffer.byteLength(join(own, `.s.PGSQL.${PORT}`));
  return longest <= SOCKET_PATH_MAX_BYTES ? own : `/tmp/daywatch-${shortHash(home)}`;
}

/**
 * Decides where the cluster of a DATA_DIR is stored. An existing cluster stays where it is: a change of permissions
 * must lead to an error, never to a new, empty database.
 */
export function chooseHome(known: {
  inside: boolean;
  outside: boolean;
  reachable: boolean;
}): 'inside' | 'outside' | 'unreachable' {
  if (known.inside) return known.reachable ? 'inside' : 'unreachable';
  if (known.outside) return 'outside';
  return known.reachable ? 'inside' : 'outside';
}

/** Returns the cluster of `dataDir` and creates its directories. Throws EmbeddedPostgresError if that fails. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  try {
    return await prepare(dataDir);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    const reason = (error as Error).message;
    throw new EmbeddedPostgresError('unreachable', `The data directory ${dataDir} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}

async function prepare(dataDir: string): Promise<Cluster> {
  // The server's user only needs to traverse a directory that belongs to root.
  await mkdir(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  const folders = await survey(dataDir);
  const account =
    (await ownerOf(folders.insidePath)) ?? (await ownerOf(folders.outsidePath)) ?? (await newServerAccount());
  const reachable = !isRoot() || (await canPassThrough(folders.root, account));
  const choice = chooseHome({ ...folders, reachable });
  if (choice === 'unreachable') {
    throw new EmbeddedPostgresError(
      'unreachable',
      `The PostgreSQL server's user (uid ${account.uid}) cannot access the database in ${folders.insidePath}. ` +
        `Make its parent directories traversable (chmod o+x).`,
    );
  }
  if (choice === 'outside') await claimOutside(folders);
  const cluster = clusterAt(choice === 'inside' ? folders.insidePath : folders.outsidePath, account);
  await prepareFolders(cluster);
  return cluster;
}

/**
 * Records in DATA_DIR where its cluster is stored. A cluster that DATA_DIR has no record of belongs to a DATA_DIR that
 * was removed, together with its secret key. It is set aside, so that removing DATA_DIR leads to a new start without
 * losing data.
 */
async function claimOutside({ root, outside, outsidePath }: Awaited<ReturnType<typeof survey>>): Promise<void> {
  const note = join(root, OUTSIDE_NOTE);
  const known = await stat(note).catch(() => null);
  if (outside && !known) {
    const running = await stat(join(outsidePath, 'data', 'postmaster.pid')).catch(() => null);
    if (running) {
      throw new EmbeddedPostgresError(
        'unreachable',
        `${outsidePath} contains the database of an earlier ${root}, and its server may still be running. ` +
          `Stop it with "npm run db:stop", then start again.`,
      );
    }
    await rename(outsidePath, `${outsidePath}.set-aside-${Date.now()}`);
  }
  await mkdir(SYSTEM_DIR, { recursive: true, mode: 0o755 });
  await writeFile(note, `${outsidePath}\n`, { mode: 0o644 });
}

/** Returns the cluster of `dataDir`, or null if there is none. Creates nothing. */
export async function findCluster(dataDir: string): Promise<Cluster | null> {
  const folders = await survey(dataDir);
  if (!folders.inside && !folders.outside) return null;
  const home = folders.inside ? folders.insidePath : folders.outsidePath;
  return clusterAt(home, (await ownerOf(home)) ?? (await newServerAccount()));
}

/** Creates the directories that the server needs before it starts, private to its user. */
export async function prepareFolders(cluster: Cluster): Promise<void> {
  await makePrivate(cluster.home, cluster.account);
  await makePrivate(cluster.socketDir, cluster.account);
}

async function survey(dataDir: string) {
  const root = await realpath(dataDir).catch(() => resolve(dataDir));
  const insidePath = await realpath(join(root, 'postgres')).catch(() => join(root, 'postgres'));
  const outsidePath = join(SYSTEM_DIR, shortHash(root));
  const [inside, outside] = await Promise.all([holdsCluster(insidePath), holdsCluster(outsidePath)]);
  return { root, insidePath, outsidePath, inside, outside };
}

async function holdsCluster(home: string): Promise<boolean> {
  try {
    await stat(join(home, 'data', 'PG_VERSION'));
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw new EmbeddedPostgresError(
      'unreachable',
      `The database in ${home} belongs to another user. Run this command as the user that runs the service, or as root.`,
      { cause: error },
    );
  }
}

/** Returns the owner of a cluster, which never changes, whoever starts the service next. */
async function ownerOf(home: string): Promise<ServerAccount | null> {
  const found = await stat(home).catch(() => null);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null;
}

async function makePrivate(folder: string, account: ServerAccount): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  const ours = [account.uid, process.geteuid?.()].includes(found.uid);
  // In /tmp, a directory of another user or a link would give that user access to the socket.
  if (!found.isDirectory() || !ours || (!isRoot() && found.uid !== process.geteuid?.())) {
    throw new EmbeddedPostgresError('unreachable', `${folder} belongs to another user (uid ${found.uid}).`);
  }
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  if (found.uid !== account.uid) await lchown(folder, account.uid, account.gid);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
