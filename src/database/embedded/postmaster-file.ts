import { execFile } from 'node:child_process';
import { constants, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PORT, type Cluster } from './cluster.js';

const run = promisify(execFile);

/** What `postmaster.pid` says. A server that is starting has not written the later lines yet. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketDir: string | null;
  readonly ready: boolean;
}

/** Reads the text of a `postmaster.pid`; null where it does not name a server. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n').map((line) => line.trim());
  // A negative number is a single-user backend, such as initdb runs.
  const pid = /^[1-9]\d*$/.test(lines[0] ?? '') ? Number(lines[0]) : null;
  if (pid === null) return null;
  return { pid, socketDir: lines[4] || null, ready: lines[7] === 'ready' };
}

/** The live server of this cluster, or null. A number that another process has by now counts as no server. */
export async function livePostmaster(cluster: Cluster): Promise<PostmasterFile | null> {
  const text = await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(missingIsEmpty);
  const named = parsePostmasterFile(text);
  return named && (await isPostmasterOf(cluster, named.pid)) ? named : null;
}

/** Whether the process is alive, no zombie, and a server of this cluster: each has the data directory as its cwd. */
export async function isPostmasterOf(cluster: Cluster, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster.data)]).catch(() => []);
    return its !== undefined && ours !== undefined && its.dev === ours.dev && its.ino === ours.ino;
  }
  const command = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return command.stdout.includes(cluster.data);
}

/**
 * Lets a new server start beside lock files of a dead one. PostgreSQL itself clears those whose process is gone, but
 * refuses where the number is in use again by anyone of the same user (the rule after a container's restart). To be
 * called only where `livePostmaster` found none.
 */
export async function releaseStaleLocks(cluster: Cluster): Promise<void> {
  await releaseStaleLock(join(cluster.data, 'postmaster.pid'));
  await releaseStaleLock(join(cluster.socketDir, `.s.PGSQL.${PORT}.lock`));
}

async function releaseStaleLock(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(missingIsNull);
  if (text === null) return;
  const named = parsePostmasterFile(text);
  // PostgreSQL refuses beside an empty file, which a full disk leaves.
  if (!named) return rm(file, { force: true });
  // Its parent's number is one that PostgreSQL knows to be stale. Removing the file instead would also remove the key
  // of the shared memory, by which it finds that processes of a killed server still write.
  if (!isAlive(named.pid)) return;
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(file, text.replace(/^\d+/, String(process.pid)), { flag });
}

/** Whether a process has this id, whoever's it is. */
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
