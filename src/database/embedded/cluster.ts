import { createHash } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { canPassThrough, isRoot, newServerAccount, type ServerAccount } from './server-account.js';

export const PORT = 5432;

/** Where root keeps what the server's user cannot reach elsewhere: binaries, and the cluster of a private DATA_DIR. */
export const SYSTEM_DIR = '/var/lib/daywatch';

/** In a DATA_DIR whose cluster lives elsewhere: where. */
const OUTSIDE_NOTE = 'postgres-path';

/** A socket's path has 108 bytes on Linux and 104 on macOS, the closing NUL included. */
const SOCKET_PATH_MAX_BYTES = 103;

/** One database cluster: where its parts lie and whose they are. */
export interface Cluster {
  /** The folder that holds all of it: data, socket and logs. Private to the account. */
  readonly home: string;
  /** PostgreSQL's data directory. It exists only when it is complete. */
  readonly data: string;
  readonly socketDir: string;
  readonly logDir: string;
  readonly account: ServerAccount;
}

/** The cluster whose home is `home`. Deterministic, so that a server that outlived its service is found again. */
export function clusterAt(home: string, account: ServerAccount): Cluster {
  const data = join(home, 'data');
  return { home, data, socketDir: socketDirOf(home), logDir: join(home, 'log'), account };
}

/** `<home>/run`, or a short folder where a socket in there would have too long a path. */
export function socketDirOf(home: string): string {
  const own = join(home, 'run');
  const longest = Buffer.byteLength(join(own, `.s.PGSQL.${PORT}`));
  return longest <= SOCKET_PATH_MAX_BYTES ? own : `/tmp/daywatch-${shortHash(home)}`;
}

/**
 * Where the cluster of a DATA_DIR lives. One that exists stays where it is: a folder whose rights changed must lead to
 * an error, never to a new and empty database.
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

/** The cluster of `dataDir` with its folders made. Throws EmbeddedPostgresError where they cannot be used. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  try {
    return await prepare(dataDir);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    const reason = (error as Error).message;
    throw new EmbeddedPostgresError('unreachable', `The data folder ${dataDir} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}

async function prepare(dataDir: string): Promise<Cluster> {
  // Passing through is all that the server's user needs in a folder of root.
  await mkdir(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  const folders = await survey(dataDir);
  const account =
    (await ownerOf(folders.insidePath)) ?? (await ownerOf(folders.outsidePath)) ?? (await newServerAccount());
  const reachable = !isRoot() || (await canPassThrough(folders.root, account));
  const choice = chooseHome({ ...folders, reachable });
  if (choice === 'unreachable') {
    throw new EmbeddedPostgresError(
      'unreachable',
      `The server's user (uid ${account.uid}) cannot reach the database in ${folders.insidePath}. ` +
        `Allow passing through the folders above it (chmod o+x).`,
    );
  }
  if (choice === 'outside') await claimOutside(folders);
  const cluster = clusterAt(choice === 'inside' ? folders.insidePath : folders.outsidePath, account);
  await prepareFolders(cluster);
  return cluster;
}

/**
 * Notes in DATA_DIR where its cluster lives. A cluster that DATA_DIR does not know of was left behind when that was
 * removed, and with it the secret key: it is set aside, so that a removed DATA_DIR means a new start and no data is lost.
 */
async function claimOutside({ root, outside, outsidePath }: Awaited<ReturnType<typeof survey>>): Promise<void> {
  const note = join(root, OUTSIDE_NOTE);
  const known = await stat(note).catch(() => null);
  if (outside && !known) {
    const running = await stat(join(outsidePath, 'data', 'postmaster.pid')).catch(() => null);
    if (running) {
      throw new EmbeddedPostgresError(
        'unreachable',
        `${outsidePath} holds the database of an earlier ${root}, and its server may still run. ` +
          `End it with "npm run db:stop", then start again.`,
      );
    }
    await rename(outsidePath, `${outsidePath}.set-aside-${Date.now()}`);
  }
  await mkdir(SYSTEM_DIR, { recursive: true, mode: 0o755 });
  await writeFile(note, `${outsidePath}\n`, { mode: 0o644 });
}

/** The cluster of `dataDir` if there is one; makes nothing. */
export async function findCluster(dataDir: string): Promise<Cluster | null> {
  const folders = await survey(dataDir);
  if (!folders.inside && !folders.outside) return null;
  const home = folders.inside ? folders.insidePath : folders.outsidePath;
  return clusterAt(home, (await ownerOf(home)) ?? (await newServerAccount()));
}

/** Makes the folders that the server needs before it starts, private to its user. */
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
      `The database in ${home} belongs to another user. Run this as the user that runs the service (or root).`,
      { cause: error },
    );
  }
}

/** A cluster stays with the user who has it, whoever starts the service next. */
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
  // Somebody else's folder, or a link, below /tmp would hand them the socket.
  if (!found.isDirectory() || !ours || (!isRoot() && found.uid !== process.geteuid?.())) {
    throw new EmbeddedPostgresError('unreachable', `${folder} belongs to another user (uid ${found.uid}).`);
  }
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  if (found.uid !== account.uid) await lchown(folder, account.uid, account.gid);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
