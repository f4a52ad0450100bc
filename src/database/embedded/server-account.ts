import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

const run = promisify(execFile);

/** The operating-system user that the server runs as and that owns the cluster's files. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Returns whether this process runs as root. PostgreSQL refuses to, so root runs the server as another user. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** Returns the user for a new cluster: the user of this process, or for root `postgres`, else `nobody`. */
export async function newServerAccount(): Promise<ServerAccount> {
  if (!isRoot()) return { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 };
  const account = unprivilegedAccount(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  if (account) return account;
  throw new EmbeddedPostgresError(
    'unsupported',
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as. ' +
      'Start Daywatch as an ordinary user, or set DATABASE_URL.',
  );
}

/** Returns `postgres`, else `nobody`, as listed in `/etc/passwd`; never an account with uid 0. */
export function unprivilegedAccount(passwd: string): ServerAccount | undefined {
  const lines = passwd.split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const line = lines.find((fields) => fields[0] === name);
    const uid = Number(line?.[2] || NaN);
    const gid = Number(line?.[3] || NaN);
    if (Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0) return { uid, gid };
  }
  return undefined;
}

/**
 * Returns the options to spawn a process as `account`. It inherits no variable of this environment: PGDATA, PGPORT and
 * the like would redirect the server, and SECRET_KEY must not reach it. Any user may enter its working directory.
 */
export function spawnOptions(account: ServerAccount) {
  const environment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: '/', env: environment, ...(isRoot() ? { uid: account.uid, gid: account.gid } : {}) };
}

/** Returns whether `account` may traverse `folder`. It tries to, because mode bits ignore access control lists. */
export async function canPassThrough(folder: string, account: ServerAccount): Promise<boolean> {
  return run('/bin/sh', ['-c', '[ -x "$1" ]', 'sh', folder], spawnOptions(account)).then(
    () => true,
    () => false,
  );
}
