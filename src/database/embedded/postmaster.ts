import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { type NativeBinaries } from './native-binaries.js';
import { releaseStaleLocks } from './postmaster-file.js';
import { serverArguments } from './server-settings.js';
import { spawnOptions } from './server-account.js';

/** How long to wait after each signal, the mildest first. SIGQUIT costs a recovery, never data. */
const STOP_STEPS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 12_000],
  ['SIGQUIT', 7_000],
  ['SIGKILL', 2_000],
];
const POLL_MS = 20;

/**
 * Spawns a server that outlives this process. It is not ready yet when this returns. Call this only if `livePostmaster`
 * found none; if two servers start at once, PostgreSQL stops one.
 *
 * @param durable see serverArguments
 */
export async function launchPostmaster(
  cluster: Cluster,
  native: NativeBinaries,
  durable: boolean,
): Promise<ChildProcess> {
  await releaseStaleLocks(cluster);
  // A pipe to this process would not do: the server would be killed by writing to it after this process has died. The
  // file is created anew, so that root does not follow a link created by the server's user.
  const log = join(cluster.home, 'start.log');
  await rm(log, { force: true });
  const output = await open(log, 'wx', 0o600);
  try {
    const child = spawn(native.postgres, serverArguments(cluster, durable), {
      ...spawnOptions(cluster.account),
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } catch (error) {
    throw new EmbeddedPostgresError('failed', `PostgreSQL could not be started: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await output.close();
  }
}

/**
 * Stops a server and rolls back open transactions. Returns when it has stopped, after at most 21 s.
 *
 * @param lives whether `pid` is still that server, and not another process with the same id
 */
export async function endServer(pid: number, lives: () => Promise<boolean>): Promise<void> {
  for (const [signal, patienceMs] of STOP_STEPS) {
    const deadline = Date.now() + patienceMs;
    if (await lives()) sendSignal(pid, signal);
    while (Date.now() < deadline) {
      if (!(await lives())) return;
      await delay(POLL_MS);
    }
  }
  throw new EmbeddedPostgresError('failed', `PostgreSQL (process ${pid}) did not stop.`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has stopped since the last check.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns the last lines of the server's logs, for a message to the operator. */
export async function lastWords(cluster: Cluster): Promise<string> {
  const logs = await readdir(cluster.logDir).catch(() => []);
  const files = [join(cluster.home, 'start.log'), ...logs.map((name) => join(cluster.logDir, name))];
  const dated = await Promise.all(
    files.map(async (file) => ({ file, at: (await stat(file).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const newest = dated.toSorted((a, b) => b.at - a.at).slice(0, 2);
  const texts = await Promise.all(newest.map(({ file }) => readFile(file, 'utf8').catch(() => '')));
  const lines = texts.flatMap((text) => text.trim().split('\n').slice(-5));
  return `${lines.filter(Boolean).join('\n')}\n(logs: ${cluster.logDir})`;
}
