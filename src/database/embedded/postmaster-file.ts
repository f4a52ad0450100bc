import { execFile } from 'node:child_process';
import { constants, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PORT, type Cluster } from './cluster.js';

const run = promisify(execFile);

/** The content of `postmaster.pid`. A server that is starting has not written the later lines yet. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketDir: string | null;
  readonly ready: boolean;
}

/** Parses the text of a `postmaster.pid`. Returns null if it does not identify a server. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n').map((line) => line.trim());
  // A negative number identifies a single-user backend, such as the one that initdb runs.
  const pid = /^[1-9]\d*$/.test(lines[0] ?? '') ? Number(lines[0]) : null;
  if (pid === null) return null;
  return { pid, socketDir: lines[4] || null, ready: lines[7] === 'ready' };
}

/**
 * Returns the live server of this cluster, or null. A process id that another process has taken over does not count.
 */
export async function livePostmaster(cluster: Cluster): Promise<PostmasterFile | null> {
  const text = await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(missingIsEmpty);
  const named = parsePostmasterFile(text);
  return named && (await isPostmasterOf(cluster, named.pid)) ? named : null;
}

/** Returns whether the process is alive, not a zombie, and a server of this cluster (its cwd is the data directory). */
export async function isPostmasterOf(cluster: Cluster, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster.data)]).catch(() => []);
    return its !== undefined && ours !== undefined && its.dev === ours.dev && its.ino === ours.ino;
  }
  const command = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return command.stdout.includes(cluster.data);
}

/**
 * Lets a new server start despite the lock files of a dead one. PostgreSQL removes lock files whose process is gone,
 * but refuses to start if any process of the same user has the same id, which is common after a container restarts.
 * Call this only if `livePostmaster` found none.
 */
export async function releaseStaleLocks(cluster: Cluster): Promise<void> {
  await releaseStaleLock(join(cluster.data, 'postmaster.pid'));
  await releaseStaleLock(join(cluster.socketDir, `.s.PGSQL.${PORT}.lock`));
}

async function releaseStaleLock(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(missingIsNull);
  if (text === null) return;
  const named = parsePostmasterFile(text);
  // PostgreSQL refuses to start if the file is empty, as a full disk leaves it.
  if (!named) return rm(file, { force: true });
  // PostgreSQL knows that the id of its parent process is stale. Removing the file instead would also remove the key of
  // the shared memory, with which PostgreSQL detects processes of a killed server that still write.
  if (!isAlive(named.pid)) return;
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(file, text.replace(/^\d+/, String(process.pid)), { flag });
}

/** Returns whether a process with this id exists, whichever user it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function missingIsNull(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}

function missingIsEmpty(error: NodeJS.ErrnoException): string {
  missingIsNull(error);
  return '';
}
