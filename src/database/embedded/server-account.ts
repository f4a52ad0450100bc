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

/** PostgreSQL refuses root, so that root has to hand the server to another user. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** The user of a new cluster: ourselves, or for root `postgres`, else `nobody`. */
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

/** `postgres`, else `nobody`, as `/etc/passwd` has them; never one with the rights of root. */
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
 * How to spawn a process as `account`. No variable of our own environment reaches it: PGDATA, PGPORT and their like
 * would redirect the server, and SECRET_KEY is none of its business. The working folder is one that any user may enter.
 */
export function spawnOptions(account: ServerAccount) {
  const environment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: '/', env: environment, ...(isRoot() ? { uid: account.uid, gid: account.gid } : {}) };
}

/** Whether `account` may pass through `folder`. Tried, not computed from mode bits: access lists have a say, too. */
export async function canPassThrough(folder: string, account: ServerAccount): Promise<boolean> {
  return run('/bin/sh', ['-c', '[ -x "$1" ]', 'sh', folder], spawnOptions(account)).then(
    () => true,
    () => false,
  );
}
